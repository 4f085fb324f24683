#include "app/platform/offscreen.hpp"
#include "app/platform/host.hpp"

#include <glad/gl.h>

#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace posiscope::platform {
namespace {

// Unloading a driver with threads is unsafe, so the library stays loaded. Without one, `why` is the system's reason.
void* egl_library(std::string& why) {
    for (const char* name : {"libEGL.so.1", "libEGL.so"}) {
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
        if (const char* said = dlerror(); said != nullptr && why.empty()) why = said;
    }
    return nullptr;
}
// It is there, but something else is missing: descriptors, memory, a library that it needs.
bool is_there(std::string_view why) {
    return !why.starts_with("libEGL") || why.find("No such file") == std::string_view::npos;
}

struct Egl {
    decltype(&eglGetProcAddress) get_proc_address = nullptr;
    decltype(&eglGetDisplay) get_display = nullptr;
    decltype(&eglInitialize) initialize = nullptr;
    decltype(&eglQueryString) query_string = nullptr;
    decltype(&eglBindAPI) bind_api = nullptr;
    decltype(&eglChooseConfig) choose_config = nullptr;
    decltype(&eglCreateContext) create_context = nullptr;
    decltype(&eglDestroyContext) destroy_context = nullptr;
    decltype(&eglCreatePbufferSurface) create_pbuffer = nullptr;
    decltype(&eglDestroySurface) destroy_surface = nullptr;
    decltype(&eglTerminate) terminate = nullptr;
    decltype(&eglMakeCurrent) make_current = nullptr;

    bool load(void* library) {
        const auto find = [library](auto& function, const char* name) {
            void* address = dlsym(library, name);
            std::memcpy(&function, &address,
                        sizeof address);  // a data pointer does not convert to a function's
            return address != nullptr;
        };
        return find(get_proc_address, "eglGetProcAddress") && find(get_display, "eglGetDisplay") &&
               find(initialize, "eglInitialize") && find(query_string, "eglQueryString") &&
               find(bind_api, "eglBindAPI") && find(choose_config, "eglChooseConfig") &&
               find(create_context, "eglCreateContext") && find(destroy_context, "eglDestroyContext") &&
               find(create_pbuffer, "eglCreatePbufferSurface") &&
               find(destroy_surface, "eglDestroySurface") && find(terminate, "eglTerminate") &&
               find(make_current, "eglMakeCurrent");
    }

    template <class Function>
    Function extension(const char* name) const {
        return reinterpret_cast<Function>(get_proc_address(name));
    }
};

bool lists(const char* extensions, std::string_view name) {
    std::string_view rest = extensions == nullptr ? "" : extensions;
    while (!rest.empty()) {
        const std::size_t end = rest.find(' ');
        if (rest.substr(0, end) == name) return true;
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    return false;
}

bool draws_in_software() {
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view name = renderer == nullptr ? "" : renderer;
    return name.find("llvmpipe") != std::string_view::npos ||
           name.find("softpipe") != std::string_view::npos || name.find("swrast") != std::string_view::npos;
}

}  // namespace

struct Offscreen::State {
    Egl egl;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    const char* platform = "";
    std::string found;  // a version that is too old
    Contexts contexts = Contexts::several;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { close(); }

    // The display stays open where another context of the process may use it.
    void close() {
        if (display == EGL_NO_DISPLAY) return;
        egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface != EGL_NO_SURFACE) egl.destroy_surface(display, surface);
        if (context != EGL_NO_CONTEXT) egl.destroy_context(display, context);
        if (contexts == Contexts::only) egl.terminate(display);
        display = EGL_NO_DISPLAY;
        context = EGL_NO_CONTEXT;
        surface = EGL_NO_SURFACE;
    }

    bool open(EGLDisplay candidate, const char* name) {
        if (candidate == EGL_NO_DISPLAY || egl.initialize(candidate, nullptr, nullptr) == EGL_FALSE)
            return false;
        display = candidate;
        platform = name;
        if (make_context()) return true;
        close();
        return false;
    }

    bool make_context() {
        if (egl.bind_api(EGL_OPENGL_API) == EGL_FALSE) return false;
        const bool surfaceless =
            lists(egl.query_string(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
        const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT,
                                           EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (egl.choose_config(display, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0)
            return false;
        constexpr std::array<EGLint, 7> kCore33{EGL_CONTEXT_MAJOR_VERSION,
                                                3,
                                                EGL_CONTEXT_MINOR_VERSION,
                                                3,
                                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                EGL_NONE};
        context = egl.create_context(display, config, EGL_NO_CONTEXT, kCore33.data());
        const bool too_old = context == EGL_NO_CONTEXT;
        if (too_old) context = egl.create_context(display, config, EGL_NO_CONTEXT, nullptr);
        if (context == EGL_NO_CONTEXT) return false;
        if (!surfaceless) {
            constexpr std::array<EGLint, 5> kOnePixel{EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
            surface = egl.create_pbuffer(display, config, kOnePixel.data());
        }
        if (egl.make_current(display, surface, surface, context) == EGL_FALSE) return false;
        if (too_old) {
            found = version();
            return false;
        }
        return gladLoadGL(reinterpret_cast<GLADloadfunc>(egl.get_proc_address)) != 0;
    }

    std::string version() const {
        using GetString = const GLubyte* (*)(GLenum);
        const auto get = egl.extension<GetString>("glGetString");
        const auto* text = get == nullptr ? nullptr : reinterpret_cast<const char*>(get(GL_VERSION));
        return text == nullptr ? "?" : text;
    }

    EGLDisplay platform_display(EGLenum kind, void* native) const {
        const auto get = egl.extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
        return get == nullptr ? EGL_NO_DISPLAY : get(kind, native, nullptr);
    }

    bool open_device(bool software) {
        const auto list = egl.extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        const auto describe = egl.extension<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (list == nullptr || describe == nullptr ||
            list(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE)
            return false;
        for (EGLint i = 0; i < count; ++i) {
            EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
            if (lists(describe(device, EGL_EXTENSIONS), "EGL_MESA_device_software") != software) continue;
            if (open(platform_display(EGL_PLATFORM_DEVICE_EXT, device), "device")) return true;
        }
        return false;
    }

    bool open_any() {
        const char* client = egl.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
        const bool devices =
            lists(client, "EGL_EXT_platform_device") && lists(client, "EGL_EXT_platform_base");
        const auto surfaceless = [&] {
            return lists(client, "EGL_MESA_platform_surfaceless") &&
                   open(platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr), "surfaceless");
        };
        if (surfaceless()) {
            // Mesa draws in software here; another vendor's device may do better.
            if (!draws_in_software() || !devices) return true;
            State other;
            other.egl = egl;
            other.contexts = contexts;
            if (!other.open_device(false)) return make_current_again();
            std::swap(display, other.display);
            std::swap(context, other.context);
            std::swap(surface, other.surface);
            std::swap(platform, other.platform);
            other.close();
            return make_current_again();
        }
        if (devices && (open_device(false) || open_device(true))) return true;
        return open(egl.get_display(EGL_DEFAULT_DISPLAY), "default");
    }

    bool make_current_again() const {
        return egl.make_current(display, surface, surface, context) != EGL_FALSE &&
               gladLoadGL(reinterpret_cast<GLADloadfunc>(egl.get_proc_address)) != 0;
    }
};

Offscreen::Offscreen(std::unique_ptr<State> state) : state_(std::move(state)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;

Result<Offscreen> Offscreen::create(Contexts contexts) {
    std::string why;
    spare_driver_threads();
    void* library = egl_library(why);
    auto state = std::make_unique<State>();
    state->contexts = contexts;
    if (library == nullptr && is_there(why)) return no_display("gl.egl_not_loaded", {{"detail", why}});
    if (library == nullptr || !state->egl.load(library))
        return no_display("gl.no_egl", {{"library", "libEGL.so.1"}});
    if (state->open_any()) return Offscreen(std::move(state));
    if (!state->found.empty()) return no_display("gl.too_old", {{"found", state->found}, {"needed", "3.3"}});
    return no_display("gl.no_context", {{"detail", "EGL found no OpenGL driver"}});
}

void Offscreen::make_current() {
    state_->egl.make_current(state_->display, state_->surface, state_->surface, state_->context);
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): of the context that is current
std::string Offscreen::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

std::string Offscreen::platform() const { return state_->platform; }

}  // namespace posiscope::platform
