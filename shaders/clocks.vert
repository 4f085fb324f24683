// clocks.vert — one clock: a square around it, in framebuffer pixels.
layout(location = 0) in vec3 place;  // centre and radius, points
layout(location = 1) in vec2 turns;  // angle of p, from there to p + k
layout(location = 2) in vec4 ring_colour;
layout(location = 3) in float emphasis;

uniform vec2 origin;            // of the display, points
uniform vec2 scale;             // pixels to clip space
uniform float pixels_per_point;
uniform float sector;           // its opacity

out vec2 from_centre;           // pixels, y up
flat out vec4 ring;
flat out vec4 hands;            // unit vectors of p and p + k
flat out vec4 sector_at;        // unit vector of its middle, sine and cosine of half its angle
flat out vec4 sizes;            // pixels; see clocks.frag
flat out vec4 reach;
flat out vec2 strength;

vec2 unit(float turn)
{
    return cos_sin(uint(fract(turn) * 16777216.0) << 8);
}

void main()
{
    float radius = place.z * pixels_per_point;
    vec2 centre = (place.xy - origin) * pixels_per_point;
    // Small rings look alike only at equal offsets within a pixel.
    if (radius < 24.0) centre = floor(centre) + 0.5;

    float part = abs(turns.y) - floor(abs(turns.y));
    ring = ring_colour;
    hands = vec4(unit(turns.x), unit(turns.x + turns.y));
    vec2 half_angle = unit(0.5 * part);
    sector_at = vec4(unit(turns.x + 0.5 * part * sign(turns.y)), half_angle.y, half_angle.x);

    // Strokes grow with the clock, from one that suits a radius of 6 px to that of a large dial.
    float point = pixels_per_point;
    float marked = clamp(emphasis, 0.0, 1.0);
    float selected = clamp(emphasis - 1.0, 0.0, 1.0);
    float stroke = point * clamp(0.55 + radius / point * 0.022, 0.6, 1.4);
    float rim = point * clamp(0.45 + radius / point * 0.006, 0.5, 1.0) * (1.0 + 0.5 * marked);
    float inner = radius - rim;
    float second = inner - 0.8 * stroke;
    sizes = vec4(inner, rim, stroke, (radius > 24.0 * point ? 2.2 : 1.2) * stroke);
    // A thin second ring marks the clock under the mouse.
    reach = vec4(second - clamp(0.16 * radius, 1.5 * stroke, 6.0 * stroke), second, radius + 2.4 * point, 0.6 * point);
    strength = vec2(0.5 * sector * min(floor(abs(turns.y)), 2.0), marked * (0.35 + 0.65 * selected));

    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    float extent = ceil(radius + 1.0 + 4.0 * point * marked);
    from_centre = corner * extent * vec2(1.0, -1.0);
    gl_Position = vec4((centre + corner * extent) * scale + vec2(-1.0, 1.0), 0.0, 1.0);
}
