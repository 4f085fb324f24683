// Ends a program as soon as its first frame is on the screen. Preloaded, it replaces GLFW's function, so the measured
// program is the unmodified one.
#include <dlfcn.h>
#include <unistd.h>

extern "C" void glfwSwapBuffers(void* window) {
    using Swap = void (*)(void*);
    const auto swap = reinterpret_cast<Swap>(dlsym(RTLD_NEXT, "glfwSwapBuffers"));
    if (swap == nullptr) _exit(1);
    swap(window);
    _exit(0);
}
