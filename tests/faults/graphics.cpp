// graphics.cpp — contexts, windows and objects of OpenGL that cannot be created, once. The program finds EGL and OpenGL at run
// time, so it is the looking up that is answered here.
#include "tests/faults/turn.hpp"

#include <EGL/egl.h>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

using posiscope::faults::fails, posiscope::faults::Kind;

namespace {

constexpr unsigned kOutOfMemory = 0x0505;

// The function that each of ours stands for, by its place in kTable.
void* originals[32];
bool out_of_memory = false;  // what glGetError says next

#define FAILS(name) fails(Kind::graphics, name, __builtin_return_address(0))

template <std::size_t place, class Function>
Function* original() {
    return reinterpret_cast<Function*>(originals[place]);
}

EGLBoolean initialize(EGLDisplay display, EGLint* major, EGLint* minor) {
    return FAILS("eglInitialize") ? EGL_FALSE : original<0, decltype(eglInitialize)>()(display, major, minor);
}
EGLBoolean choose_config(EGLDisplay display, const EGLint* wanted, EGLConfig* found, EGLint most,
                         EGLint* count) {
    return FAILS("eglChooseConfig")
               ? EGL_FALSE
               : original<1, decltype(eglChooseConfig)>()(display, wanted, found, most, count);
}
EGLContext create_context(EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint* wanted) {
    return FAILS("eglCreateContext")
               ? EGL_NO_CONTEXT
               : original<2, decltype(eglCreateContext)>()(display, config, shared, wanted);
}
EGLBoolean make_current(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context) {
    return context != EGL_NO_CONTEXT && FAILS("eglMakeCurrent")
               ? EGL_FALSE
               : original<3, decltype(eglMakeCurrent)>()(display, draw, read, context);
}
void* get_proc_address(const char* name);

// Names of objects: 0 where there is no memory for one.
template <std::size_t place>
void generate(int count, unsigned* names, const char* what, const void* returns_to) {
    if (fails(Kind::graphics, what, returns_to)) {
        out_of_memory = true;
        std::memset(names, 0, sizeof(unsigned) * static_cast<std::size_t>(count));
    } else {
        original<place, void(int, unsigned*)>()(count, names);
    }
}
void textures(int count, unsigned* names) {
    generate<5>(count, names, "glGenTextures", __builtin_return_address(0));
}
void buffers(int count, unsigned* names) {
    generate<6>(count, names, "glGenBuffers", __builtin_return_address(0));
}
void arrays(int count, unsigned* names) {
    generate<7>(count, names, "glGenVertexArrays", __builtin_return_address(0));
}
void framebuffers(int count, unsigned* names) {
    generate<8>(count, names, "glGenFramebuffers", __builtin_return_address(0));
}
unsigned shader(unsigned stage) {
    return FAILS("glCreateShader") ? (out_of_memory = true, 0) : original<9, unsigned(unsigned)>()(stage);
}
unsigned program() {
    return FAILS("glCreateProgram") ? (out_of_memory = true, 0) : original<10, unsigned()>()();
}
unsigned error() {
    if (!out_of_memory) return original<11, unsigned()>()();
    out_of_memory = false;
    return kOutOfMemory;
}

template <class Function>
void* address(Function* function) {
    return reinterpret_cast<void*>(function);
}
struct Stand {
    std::string_view name;
    void* ours;
};
const std::array<Stand, 12>& table() {
    static const std::array<Stand, 12> all{{{"eglInitialize", address(initialize)},
                                            {"eglChooseConfig", address(choose_config)},
                                            {"eglCreateContext", address(create_context)},
                                            {"eglMakeCurrent", address(make_current)},
                                            {"eglGetProcAddress", address(get_proc_address)},
                                            {"glGenTextures", address(textures)},
                                            {"glGenBuffers", address(buffers)},
                                            {"glGenVertexArrays", address(arrays)},
                                            {"glGenFramebuffers", address(framebuffers)},
                                            {"glCreateShader", address(shader)},
                                            {"glCreateProgram", address(program)},
                                            {"glGetError", address(error)}}};
    return all;
}
// Ours in the place of what was found.
void* stand_for(const char* name, void* found) {
    if (found == nullptr) return nullptr;
    for (std::size_t place = 0; place < table().size(); ++place)
        if (table()[place].name == name) {
            originals[place] = found;
            return table()[place].ours;
        }
    return found;
}
void* get_proc_address(const char* name) { return stand_for(name, original<4, void*(const char*)>()(name)); }

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(posiscope::faults::next(name));
}

}  // namespace

extern "C" {

void* dlsym(void* library, const char* name) noexcept {
    static const auto find = next<void*(void*, const char*)>("dlsym");
    void* const found = find(library, name);
    return std::string_view(name).starts_with("egl") ? stand_for(name, found) : found;
}

// The window's.
int glfwInit() { return FAILS("glfwInit") ? 0 : next<int()>("glfwInit")(); }
void* glfwCreateWindow(int width, int height, const char* title, void* monitor, void* shared) {
    if (FAILS("glfwCreateWindow")) return nullptr;
    return next<void*(int, int, const char*, void*, void*)>("glfwCreateWindow")(width, height, title, monitor,
                                                                                shared);
}
void* glfwGetProcAddress(const char* name) {
    return stand_for(name, next<void*(const char*)>("glfwGetProcAddress")(name));
}

}  // extern "C"
