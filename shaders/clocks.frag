// clocks.frag — ring, sector and hands by signed distance, with coverage per pixel.  Values that are constant over a
// clock come from the vertex shader: on a software renderer every operation here counts.
in vec2 from_centre;
flat in vec4 ring;
flat in vec4 hands;
flat in vec4 sector_at;
flat in vec4 sizes;     // radius inside the rim, half its width, half a hand's width, radius of the hub
flat in vec4 reach;     // lengths of the hands of p and p + k, the mark's radius, half its width
flat in vec2 strength;  // opacity of the sector of whole turns, and of the mark

uniform vec4 ink;
uniform vec4 offset;
uniform vec4 mark;
uniform float sector;

out vec4 pixel;

float covered(float inside)
{
    return clamp(inside + 0.5, 0.0, 1.0);
}

// The distance inside a hand: along its unit vector and across it.
float hand(vec2 unit, float far)
{
    float along = dot(unit, from_centre);
    float across = abs(unit.x * from_centre.y - unit.y * from_centre.x);
    return min(sizes.z - across, min(along, far - along) + sizes.z);
}

// Of a slice of the disc: the half-angle's sine and cosine in sector_at.zw.
float slice()
{
    float across = abs(sector_at.x * from_centre.y - sector_at.y * from_centre.x);
    return sector_at.z * dot(sector_at.xy, from_centre) - sector_at.w * across;
}

void main()
{
    float r = length(from_centre);
    float inside = sizes.x - r;

    // From front to back: each layer covers part of what the previous ones leave.
    // The hand of p is the shorter one: where both coincide, the other's end still shows.
    float front = ink.a * covered(max(sizes.w - r, hand(hands.xy, reach.x)));
    float rest = 1.0 - front;
    float second = rest * offset.a * covered(hand(hands.zw, reach.y));
    rest -= second;
    float rim = rest * ring.a * covered(sizes.y - abs(inside));
    rest -= rim;
    float soft = rest * offset.a * covered(inside) * (1.0 - (1.0 - strength.x) * (1.0 - sector * covered(slice())));
    rest -= soft;
    float outer = rest * mark.a * strength.y * covered(reach.w - abs(r - reach.z));
    rest -= outer;
    pixel = vec4(ink.rgb * front + offset.rgb * (second + soft) + ring.rgb * rim + mark.rgb * outer, 1.0 - rest);
}
