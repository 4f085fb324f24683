// toeplitz.frag — a heatmap of values that depend on row − column alone.
// columns, rows  index of the first cell; –; weight of its neighbour where the pixel straddles two; border
uniform usampler2D columns;
uniform usampler2D rows;
uniform sampler2D values;
uniform int first;  // row − column of the first value

out vec4 pixel;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uvec4 column = entry_of(columns, at.x);
    uvec4 row = entry_of(rows, at.y);
    float r = uintBitsToFloat(row.z);
    float c = uintBitsToFloat(column.z);
    int d = int(row.x) - int(column.x) - first;
    float value = ((1.0 - r) * (1.0 - c) + r * c) * value_of(values, d);
    if (r > 0.0) value += r * (1.0 - c) * value_of(values, d + 1);
    if (c > 0.0) value += c * (1.0 - r) * value_of(values, d - 1);
    pixel = shown(value, (column.w | row.w) != 0u);
}
