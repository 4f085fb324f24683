// shift_blocks.frag — a heatmap of M_k, the block-diagonal matrix of a shift by k.
uniform usampler2D columns;  // covers of dimensions, both
uniform usampler2D rows;
uniform sampler2D turns;     // cos kω and sin kω of every pair, one after the other
uniform int pairs;
uniform bool interleaved;
uniform bool rotary;         // [[c, −s], [s, c]] instead of [[c, s], [−s, c]]
uniform float inner_weight;  // of a column
uniform float inner_row;

out vec4 pixel;

float weight_of(Cover cover, int cell)
{
    float weight = cell == cover.first ? cover.first_weight : cell == cover.last ? cover.last_weight : inner_weight;
    return cell < cover.first || cell > cover.last ? 0.0 : weight;
}

void main()
{
    ivec2 at = place();
    Cover column = cover_of(columns, at.x);
    Cover row = cover_of(rows, at.y);
    float value = 0.0;
    float weight = row.first_weight;
    int r = row.first;
    do {
        bool second = interleaved ? (r & 1) == 1 : r >= pairs;
        int pair = interleaved ? r >> 1 : (second ? r - pairs : r);
        int partner = interleaved ? r ^ 1 : (second ? pair : r + pairs);
        float c = value_of(turns, 2 * pair);
        float s = value_of(turns, 2 * pair + 1) * (second == rotary ? 1.0 : -1.0);
        value += weight * (c * weight_of(column, r) + s * weight_of(column, partner));
        ++r;
        weight = r == row.last ? row.last_weight : inner_row;
    } while (r <= row.last);
    pixel = shown(value, row.bordered || column.bordered);
}
