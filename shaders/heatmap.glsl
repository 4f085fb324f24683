// heatmap.glsl — from a value, or a mean unit vector, to a pixel; what all heatmap shaders share.
// Texel row 0 is the top row.
uniform usampler2D columns;  // see each shader; w: 1 where a border runs, 2 where nothing is drawn
uniform usampler2D rows;     // the same
uniform vec3 zero;
uniform vec3 below;          // negative − zero
uniform vec3 above;          // positive − zero
uniform float full;          // 1 / the value at full colour
uniform vec4 border;

out vec4 pixel;

vec3 with_border(vec3 colour, uint flags)
{
    return mix(colour, border.rgb, (flags & 1u) != 0u ? border.a : 0.0);
}

#ifndef POSISCOPE_VALUES
void show(float value, uint flags)
{
    float v = value * full;
    vec3 colour = zero + clamp(v, 0.0, 1.0) * above + clamp(-v, 0.0, 1.0) * below;
    pixel = (flags & 2u) != 0u ? vec4(0.0) : vec4(with_border(colour, flags), 1.0);
}
#else
void show(float value, uint flags)
{
    pixel = vec4((flags & 2u) != 0u ? 0.0 : value);
}
#endif
