// samples.frag — a heatmap of one value a pixel.
uniform sampler2D values;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uint flags = entry_of(columns, at.x).w | entry_of(rows, at.y).w;
    show(texelFetch(values, at, 0).r, flags);
}
