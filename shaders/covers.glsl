// covers.glsl — the cells that a pixel covers: `count` from `first` on, with weights that sum to 1.
// One texel per pixel column (or row): first; count, whose top bit marks a border; the weights of the first and of the
// last cell.  All cells between have equal weights.
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
