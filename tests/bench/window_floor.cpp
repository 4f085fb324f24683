// The minimal program with a window: GLFW, an OpenGL 3.3 context, one colour. The floor for the time until our window's
// first frame.
#include <glad/gl.h>
// After glad, which must come before any other GL header.
#include <GLFW/glfw3.h>

int main() {
    if (glfwInit() == 0) return 3;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow* const window = glfwCreateWindow(1280, 800, "floor", nullptr, nullptr);
    if (window == nullptr) return 3;
    glfwMakeContextCurrent(window);
    if (gladLoadGL(glfwGetProcAddress) == 0) return 3;
    glClearColor(0.1F, 0.1F, 0.1F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glfwSwapBuffers(window);
}
