// blocks.frag — the two blocks of a heatmap of components at once: both come from the same unit vector.
uniform bool rotary;  // first components are cosines

layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
    ivec2 at = place();
    Row row = row_of(at.y);
    Cover cover = cover_of(columns, at.x);
    vec2 mean = mean_of_cover(cover, row);
    bool bordered = row.bordered || cover.bordered;
    first = shown(rotary ? mean.x : mean.y, bordered);
    second = shown(rotary ? mean.y : mean.x, bordered);
}
