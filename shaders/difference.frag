// difference.frag — B − A: subtracts two images of values.
// columns, rows  w: 1 where a border runs
uniform usampler2D columns;
uniform usampler2D rows;
uniform sampler2D values;
uniform sampler2D subtracted;

out vec4 pixel;

void main()
{
    ivec2 at = place();
    bool bordered = (entry_of(columns, at.x).w | entry_of(rows, at.y).w) != 0u;
    pixel = shown(texelFetch(values, at, 0).r - texelFetch(subtracted, at, 0).r, bordered);
}
