// A window that is never shown: of all that Windows has, only a window's context is of OpenGL 3.3 with every driver.
#include "app/platform/offscreen.hpp"

#include <glad/gl.h>
// After glad, which must come before any other GL header.
#include <GLFW/glfw3.h>

#include <string>
#include <utility>

namespace posiscope::platform {
namespace {

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "";
}

}  // namespace

struct Offscreen::State {
    GLFWwindow* window = nullptr;
    Contexts contexts = Contexts::several;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (window != nullptr) glfwDestroyWindow(window);
        if (contexts == Contexts::only) glfwTerminate();
    }
};

Offscreen::Offscreen(std::unique_ptr<State> state) : state_(std::move(state)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;

Result<Offscreen> Offscreen::create(Contexts contexts) {
    if (glfwInit() == 0) return no_display("gl.no_context", {{"detail", last_error()}});
    auto state = std::make_unique<State>();
    state->contexts = contexts;
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    state->window = glfwCreateWindow(64, 64, "Posiscope", nullptr, nullptr);
    if (state->window == nullptr)
        return no_display("gl.too_old", {{"found", last_error()}, {"needed", "3.3"}});
    glfwMakeContextCurrent(state->window);
    if (gladLoadGL(glfwGetProcAddress) == 0) return no_display("gl.no_context", {{"detail", "gladLoadGL"}});
    return Offscreen(std::move(state));
}

void Offscreen::make_current() { glfwMakeContextCurrent(state_->window); }

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): of the context that is current
std::string Offscreen::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

// NOLINTNEXTLINE(readability-convert-member-functions-to-static)
std::string Offscreen::platform() const { return "hidden window"; }

}  // namespace posiscope::platform
