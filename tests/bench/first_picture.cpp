// Ends a program as soon as its first picture is on the screen. Preloaded, this stands before GLFW's own function: so it is
// the program itself that is measured, which knows nothing of it.
#include <dlfcn.h>
#include <unistd.h>

extern "C" void glfwSwapBuffers(void* window) {
    using Swap = void (*)(void*);
    const auto swap = reinterpret_cast<Swap>(dlsym(RTLD_NEXT, "glfwSwapBuffers"));
    if (swap == nullptr) _exit(1);
    swap(window);
    _exit(0);
}
