// In a browser the OpenGL functions are there without a loader.
#include <GLES3/gl3.h>

// Of windows on desktops alone, named where their pixels are; a page draws into a framebuffer's order of bytes.
#define GL_BGRA 0x80E1
