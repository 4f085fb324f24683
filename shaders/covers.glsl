// covers.glsl — what a pixel covers of a row of cells: `count` of them from `first` on, by weights that sum to 1.
// One texel a pixel column (or row): first; count, and in its top bit whether a border runs there; the weights of
// the first cell and of the last.  All cells between weigh the same.
struct Cover {
    int first;
    int last;
    float first_weight;
    float last_weight;
    bool bordered;
};

Cover cover_of(usampler2D covers, int pixel)
{
    uvec4 entry = entry_of(covers, pixel);
    int first = int(entry.x);
    return Cover(first, first + int(entry.y & 0x7fffffffu) - 1, uintBitsToFloat(entry.z), uintBitsToFloat(entry.w),
                 (entry.y >> 31) != 0u);
}
