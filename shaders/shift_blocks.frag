// shift_blocks.frag — a heatmap of M_k, the block-diagonal matrix of a shift by k.
// columns, rows  first dimension, last, weight of the first, weight of the last; w: flags
uniform sampler2D turns;     // cos kω and sin kω of every pair, one after the other
uniform int pairs;
uniform bool interleaved;
uniform float sine_sign;     // + for sinusoidal blocks [[c, s], [−s, c]], − for rotary ones [[c, −s], [s, c]]
uniform vec2 inner_weight;   // of a column, of a row

float covered(uvec4 column, int dimension)
{
    int first = int(column.x & 0xffffffu);
    int last = int(column.y & 0xffffffu);
    float weight = dimension == first ? uintBitsToFloat(column.z)
                 : dimension == last ? uintBitsToFloat(column.w) : inner_weight.x;
    return dimension < first || dimension > last ? 0.0 : weight;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uvec4 column = entry_of(columns, at.x);
    uvec4 row = entry_of(rows, at.y);
    int first = int(row.x & 0xffffffu);
    int last = int(row.y & 0xffffffu);
    float value = 0.0;
    int r = first;
    float weight = uintBitsToFloat(row.z);
    do {
        int pair = interleaved ? r >> 1 : (r < pairs ? r : r - pairs);
        int component = interleaved ? r & 1 : (r < pairs ? 0 : 1);
        int partner = interleaved ? r ^ 1 : (r < pairs ? r + pairs : r - pairs);
        float c = value_of(turns, 2 * pair);
        float s = value_of(turns, 2 * pair + 1) * (component == 0 ? sine_sign : -sine_sign);
        value += weight * (c * covered(column, r) + s * covered(column, partner));
        ++r;
        weight = r == last ? uintBitsToFloat(row.w) : inner_weight.y;
    } while (r <= last);
    show(value, (column.x | row.x) >> 24);
}
