// lookup.glsl — reads lists wrapped into textures (app/gl/data_texture.hpp).
uvec4 entry_of(usampler2D list, int i)
{
    return texelFetch(list, ivec2(i & 4095, i >> 12), 0);
}

float value_of(sampler2D list, int i)
{
    return texelFetch(list, ivec2(i & 4095, i >> 12), 0).r;
}
