// clocks.vert — one clock: a square around it, in framebuffer pixels.
layout(location = 0) in vec3 place;  // centre and radius, points
layout(location = 1) in vec2 turns;  // angle of p, from there to p + k
layout(location = 2) in vec4 ring_colour;
layout(location = 3) in float emphasis;

uniform vec2 origin;            // of the display, points
uniform vec2 scale;             // pixels to clip space
uniform float pixels_per_point;

out vec2 from_centre;           // pixels, y up
flat out vec4 ring;
flat out vec4 hands;            // unit vectors of p and p + k
flat out vec4 sector_at;        // unit vector of its middle, sine and cosine of half its angle
flat out vec3 sizes;            // radius in pixels, pixels per point, whole turns of the sector
flat out float emphasised;

vec2 unit(float turn)
{
    return cos_sin(uint(fract(turn) * 16777216.0) << 8);
}

void main()
{
    float radius = place.z * pixels_per_point;
    vec2 centre = (place.xy - origin) * pixels_per_point;
    // Small rings look alike only if they cut the pixels alike.
    if (radius < 24.0) centre = floor(centre) + 0.5;

    float part = abs(turns.y) - floor(abs(turns.y));
    ring = ring_colour;
    hands = vec4(unit(turns.x), unit(turns.x + turns.y));
    vec2 half_angle = unit(0.5 * part);
    sector_at = vec4(unit(turns.x + 0.5 * part * sign(turns.y)), half_angle.y, half_angle.x);
    sizes = vec3(radius, pixels_per_point, floor(abs(turns.y)));
    emphasised = emphasis;

    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    float reach = ceil(radius + 2.0 + 6.0 * pixels_per_point * min(emphasis, 1.0));
    from_centre = corner * reach * vec2(1.0, -1.0);
    gl_Position = vec4((centre + corner * reach) * scale + vec2(-1.0, 1.0), 0.0, 1.0);
}
