// samples.frag — a heatmap of samples: each pixel shows the one at its centre.
// columns, rows  x: the sample of a pixel; w: 1 where a border runs
uniform usampler2D columns;
uniform usampler2D rows;
uniform sampler2D values;

out vec4 pixel;

void main()
{
    ivec2 at = place();
    uvec4 column = entry_of(columns, at.x), row = entry_of(rows, at.y);
    pixel = shown(texelFetch(values, ivec2(column.x, row.x), 0).r, (column.w | row.w) != 0u);
}
