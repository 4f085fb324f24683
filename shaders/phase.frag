// phase.frag — a heatmap of angles: the angle of the mean unit vector as a colour, faded by its length.
// columns  bin, second bin, weight of the second
uniform sampler2D means;
uniform vec3 cycle[5];  // 1, cos, sin, cos 2, sin 2

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uvec4 column = entry_of(columns, at.x);
    uvec4 row = entry_of(rows, at.y);
    vec2 mean = mix(texelFetch(means, ivec2(int(column.x), at.y), 0).rg,
                    texelFetch(means, ivec2(int(column.y), at.y), 0).rg, uintBitsToFloat(column.z));
    float magnitude = length(mean);
    uint flags = column.w | row.w;
#ifndef POSISCOPE_VALUES
    vec2 u = mean / max(magnitude, 1e-20);
    vec3 hue = cycle[0] + u.x * cycle[1] + u.y * cycle[2] + (u.x * u.x - u.y * u.y) * cycle[3] + 2.0 * u.x * u.y * cycle[4];
    vec3 colour = mix(zero, hue, min(magnitude, 1.0));
    pixel = (flags & 2u) != 0u ? vec4(0.0) : vec4(with_border(colour, flags), 1.0);
#else
    show(atan(mean.y, mean.x), flags);
#endif
}
