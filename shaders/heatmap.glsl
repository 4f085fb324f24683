// heatmap.glsl — maps a place to a value to a pixel, for all heatmap shaders.
uniform int last_row;  // −1 if texel row 0 is the top row; the number of the last row if it is the bottom one

// The pixel, with its row counted from the top.
ivec2 place()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    return last_row < 0 ? at : ivec2(at.x, last_row - at.y);
}

uniform vec3 zero;
uniform vec3 below;   // negative − zero
uniform vec3 above;   // positive − zero
uniform float full;   // 1 / the value at full colour
uniform vec4 border;

vec3 with_border(vec3 colour, bool bordered)
{
    return mix(colour, border.rgb, bordered ? border.a : 0.0);
}

vec4 shown(float value, bool bordered)
{
#ifdef POSISCOPE_VALUES
    return vec4(value);
#else
    float v = value * full;
    return vec4(with_border(zero + clamp(v, 0.0, 1.0) * above + clamp(-v, 0.0, 1.0) * below, bordered), 1.0);
#endif
}
