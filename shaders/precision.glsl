// precision.glsl — required by ES 3.00, ignored by GLSL 330. First in every fragment shader.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
