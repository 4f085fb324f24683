// means.frag — the mean unit vector (cos, sin) over the rows of one pixel row and the pairs of one bin.
// Rows: whole rows and the two edge rows lie symmetrically about a middle, so their weighted sum is one complex
// number (P + i g Q) times the vector at the middle.  P and Q come with the pair's step, for each of the few row
// counts a view has; g, the difference of the two edge fractions, with the row.
uniform usampler2D rows;   // multiple of the half step, where its P and Q begin, g
uniform usampler2D bins;   // first pair, pairs, weight of the first, weight of the last
uniform usampler2D steps;  // half step high, low, P, Q
uniform float inner_weight;

out vec2 mean;

void main()
{
    uvec4 row = entry_of(rows, int(gl_FragCoord.y));
    uvec4 bin = entry_of(bins, int(gl_FragCoord.x));
    float skew = uintBitsToFloat(row.z);
    int at = int(row.y + bin.x);
    int last = at + int(bin.y) - 1;
    float weight = uintBitsToFloat(bin.z);
    vec2 sum = vec2(0.0);
    do {
        uvec4 entry = entry_of(steps, at);
        vec2 middle = cos_sin(phase_of(entry.xy, row.x));
        vec2 factor = vec2(uintBitsToFloat(entry.z), uintBitsToFloat(entry.w) * skew) * weight;
        sum += vec2(factor.x * middle.x - factor.y * middle.y, factor.x * middle.y + factor.y * middle.x);
        ++at;
        weight = at == last ? uintBitsToFloat(bin.w) : inner_weight;
    } while (at <= last);
    mean = sum;
}
