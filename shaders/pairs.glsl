// pairs.glsl — the mean unit vector over all pairs that a pixel column covers.
uniform usampler2D columns;  // covers of pairs
uniform float inner_weight;

vec2 mean_of_cover(Cover cover, Row row)
{
    vec2 sum = vec2(0.0);
    float weight = cover.first_weight;
    int pair = cover.first;
    do {
        sum += weight * mean_of(pair, row);
        ++pair;
        weight = pair == cover.last ? cover.last_weight : inner_weight;
    } while (pair <= cover.last);
    return sum;
}
