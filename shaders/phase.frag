// phase.frag — a heatmap of angles: the angle of the mean unit vector as a colour, faded by its length.
uniform vec3 cycle[5];  // 1, cos, sin, cos 2, sin 2

out vec4 pixel;

void main()
{
    ivec2 at = place();
    Row row = row_of(at.y);
    Cover cover = cover_of(columns, at.x);
    vec2 mean = mean_of_cover(cover, row);
    bool bordered = row.bordered || cover.bordered;
#ifdef POSISCOPE_VALUES
    pixel = shown(atan(mean.y, mean.x), bordered);
#else
    float magnitude = length(mean);
    vec2 u = mean / max(magnitude, 1e-20);
    vec3 hue = cycle[0] + u.x * cycle[1] + u.y * cycle[2] + (u.x * u.x - u.y * u.y) * cycle[3] + 2.0 * u.x * u.y * cycle[4];
    pixel = vec4(with_border(mix(zero, hue, min(magnitude, 1.0)), bordered), 1.0);
#endif
}
