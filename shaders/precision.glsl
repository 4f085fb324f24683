// precision.glsl — what ES 3.00 asks for and GLSL 330 ignores. First in every fragment shader.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
