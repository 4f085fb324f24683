// components.frag — a heatmap of single components: the cosine or the sine of a pair's mean.
// A pixel column shows one component, or two neighbours by the part of it that they cover.
// columns  bin · 2 + (0 cos, 1 sin), the same of the second, weight of the second
uniform sampler2D means;

float component(uint at, int y)
{
    vec2 mean = texelFetch(means, ivec2(int(at >> 1), y), 0).rg;
    return (at & 1u) == 0u ? mean.x : mean.y;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uvec4 column = entry_of(columns, at.x);
    uvec4 row = entry_of(rows, at.y);
    show(mix(component(column.x, at.y), component(column.y, at.y), uintBitsToFloat(column.z)), column.w | row.w);
}
