// clocks.frag — ring, sector and hands by signed distance, each pixel covered as far as it is inside.
in vec2 from_centre;
flat in vec4 ring;
flat in vec4 hands;
flat in vec4 sector_at;
flat in vec3 sizes;
flat in float emphasised;

uniform vec4 ink;
uniform vec4 offset;
uniform vec4 face;
uniform vec4 mark;
uniform float sector;

out vec4 pixel;

float covered(float signed_distance)
{
    return clamp(0.5 - signed_distance, 0.0, 1.0);
}

// Colour over what is there; premultiplied.
vec4 over(vec4 there, vec4 colour, float coverage)
{
    float a = colour.a * coverage;
    return vec4(colour.rgb * a, a) + there * (1.0 - a);
}

float hand(vec2 along, float hand_length, float half_width)
{
    return length(from_centre - along * clamp(dot(along, from_centre), 0.0, hand_length)) - half_width;
}

// A slice of the disc: the half-angle's sine and cosine in sector_at.zw.
float slice(float radius)
{
    vec2 p = vec2(abs(sector_at.x * from_centre.y - sector_at.y * from_centre.x), dot(sector_at.xy, from_centre));
    vec2 edge = sector_at.zw;
    float outside = length(p) - radius;
    float side = length(p - edge * clamp(dot(p, edge), 0.0, radius));
    return max(outside, side * sign(edge.y * p.x - edge.x * p.y));
}

void main()
{
    float radius = sizes.x;
    float point = sizes.y;
    float r = length(from_centre);
    float emphasis = clamp(emphasised, 0.0, 1.0);
    float selected = clamp(emphasised - 1.0, 0.0, 1.0);

    // Strokes grow with the clock, from one that a radius of 6 px still carries to a large dial's.
    float stroke = point * clamp(0.55 + radius / point * 0.022, 0.6, 1.4);
    float rim = point * clamp(0.45 + radius / point * 0.006, 0.5, 1.0) * (1.0 + 0.5 * emphasis);
    float inner = radius - rim;

    vec4 colour = vec4(0.0);
    float halo = radius + 2.4 * point;  // a thin second ring marks the clock under the mouse
    colour = over(colour, mark, emphasis * (0.35 + 0.65 * selected) * covered(abs(r - halo) - 0.6 * point));
    colour = over(colour, face, covered(r - inner));
    float whole = min(sizes.z, 2.0);
    colour = over(colour, offset, sector * (whole > 0.0 ? whole * 0.5 : 0.0) * covered(r - inner));
    colour = over(colour, offset, sector * covered(slice(inner)));
    colour = over(colour, ring, covered(abs(r - inner) - rim));

    // The hand of p is the shorter one: where both coincide, the other's end still shows.
    float reach = inner - 0.8 * stroke;
    colour = over(colour, offset, covered(hand(hands.zw, reach, stroke)));
    colour = over(colour, ink, covered(hand(hands.xy, reach - clamp(0.16 * radius, 1.5 * stroke, 6.0 * stroke), stroke)));
    colour = over(colour, ink, covered(r - (radius > 24.0 * point ? 2.2 : 1.2) * stroke));
    pixel = colour;
}
