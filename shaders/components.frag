// components.frag — a heatmap of single components, columns in their own order.
uniform usampler2D columns;  // covers of dimensions
uniform float inner_weight;
uniform int pairs;
uniform bool interleaved;
uniform bool rotary;         // first components are cosines

out vec4 pixel;

void main()
{
    ivec2 at = place();
    Row row = row_of(at.y);
    Cover cover = cover_of(columns, at.x);
    float value = 0.0;
    float weight = cover.first_weight;
    int c = cover.first;
    do {
        bool second = interleaved ? (c & 1) == 1 : c >= pairs;
        int pair = interleaved ? c >> 1 : (second ? c - pairs : c);
        vec2 mean = mean_of(pair, row);
        value += weight * (second == rotary ? mean.y : mean.x);
        ++c;
        weight = c == cover.last ? cover.last_weight : inner_weight;
    } while (c <= cover.last);
    pixel = shown(value, row.bordered || cover.bordered);
}
