// rows.glsl — the mean unit vector (cos, sin) of a pair over the rows of one pixel row.
// Its whole rows and its two edge rows are symmetric about a middle, so their weighted sum is one complex
// number (P + i g Q) times the vector at the middle.  P and Q are stored per pair, for each of the few counts
// of whole rows in a view; g, the difference of the two edge fractions, per row.
uniform usampler2D rows;   // multiple of the half step, where its P and Q begin, g, 1 where a border runs
uniform usampler2D steps;  // half step high, low, P, Q

struct Row {
    uint multiple;
    int table;
    float skew;
    bool bordered;
};

Row row_of(int y)
{
    uvec4 entry = entry_of(rows, y);
    return Row(entry.x, int(entry.y), uintBitsToFloat(entry.z), entry.w != 0u);
}

vec2 mean_of(int pair, Row row)
{
    uvec4 entry = entry_of(steps, row.table + pair);
    vec2 middle = cos_sin(phase_of(entry.xy, row.multiple));
    float p = uintBitsToFloat(entry.z);
    float q = uintBitsToFloat(entry.w) * row.skew;
    return vec2(p * middle.x - q * middle.y, p * middle.y + q * middle.x);
}
