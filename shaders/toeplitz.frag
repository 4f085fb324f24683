// toeplitz.frag — a heatmap of values that depend only on row − column; see app/canvas/screen/toeplitz.hpp.
uniform usampler2D columns;  // place in the table, –, where the pixel cuts its first cell, 1 where a border runs
uniform usampler2D rows;     // the same
uniform usampler2D values;   // α, β, γ, δ
uniform int first;           // added to row − column

out vec4 pixel;

void main()
{
    ivec2 at = place();
    uvec4 column = entry_of(columns, at.x);
    uvec4 row = entry_of(rows, at.y);
    float f = uintBitsToFloat(row.z);
    float g = uintBitsToFloat(column.z);
    vec4 mean = uintBitsToFloat(entry_of(values, int(row.x) - int(column.x) + first));
    pixel = shown(mean.x + f * mean.y + g * (mean.z + f * mean.w), (column.w | row.w) != 0u);
}
