// main.cpp — the window as a page. There is no loop: page.js calls these functions with what the browser tells it, and
// asks for a frame when one is due. Lengths are pixels of the screen, as the canvas has them.
#include "app/platform/web/page.hpp"
#include "app/ui/assets.hpp"
#include "app/web/page.hpp"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5_webgl.h>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace {

using posiscope::web::Page;

Page* page = nullptr;  // made once there is a canvas; never destroyed, as the browser ends it

bool make_context() {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = EM_FALSE;
    wanted.preserveDrawingBuffer = EM_TRUE;       // a frame that repeats the last one is not drawn
    wanted.enableExtensionsByDefault = EM_FALSE;  // to ask for all thirty takes a twentieth of the start
    const auto context = emscripten_webgl_create_context("#canvas", &wanted);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
        return false;
    // B − A is drawn from two pictures of it.
    (void)emscripten_webgl_enable_extension(context, "EXT_color_buffer_float");
    return true;
}

}  // namespace

extern "C" {

// Null once the page is there, else why it is not: "gl.page" where the browser has no WebGL 2, or another reason.
// `figure`: the small form with this figure alone, or with the bench where it is empty; null: the whole window.
EMSCRIPTEN_KEEPALIVE const char* posiscope_open(const char* language, const char* address,
                                                const char* figure) {
    if (!make_context()) return "gl.page";
    static std::string why;
    try {
        auto made = Page::open(language, address,
                               figure != nullptr ? std::optional<std::string>(figure) : std::nullopt);
        if (made) {
            page = made->release();
            return nullptr;
        }
        why = made.error().key;
    } catch (const std::exception& error) {
        why = error.what();
    }
    return why.c_str();
}

// Draws a frame where it would differ from the last, and gives the seconds until the next one: 0 at once, negative none.
EMSCRIPTEN_KEEPALIVE double posiscope_frame(int width, int height, double monitor_scale, double now,
                                            int event) {
    try {
        return page->frame(width, height, static_cast<float>(monitor_scale), now, event != 0);
    } catch (const std::exception& error) {
        page_fail(error.what());
        return -1.0;
    }
}

EMSCRIPTEN_KEEPALIVE void posiscope_pointer(double x, double y, int touch) {
    page->input().move(x, y, touch != 0);
}
EMSCRIPTEN_KEEPALIVE void posiscope_pointer_left() { page->input().leave(); }
EMSCRIPTEN_KEEPALIVE void posiscope_button(int button, int down) { page->input().press(button, down != 0); }
EMSCRIPTEN_KEEPALIVE void posiscope_wheel(double x, double y) { page->input().wheel(x, y); }
// Two fingers: how much farther they are apart than before.
EMSCRIPTEN_KEEPALIVE void posiscope_pinch(double factor) { page->input().pinch(factor); }
// A finger that went sideways: the next figure of the bench, or the one before.
EMSCRIPTEN_KEEPALIVE void posiscope_swipe(int by) { page->swipe(by); }
// 0: no picture is under the fingers; the content there scrolls as under a wheel.
EMSCRIPTEN_KEEPALIVE int posiscope_pan(int panning) { return page->pan(panning != 0) ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void posiscope_touch(double x, double y) { page->touch(x, y); }
// A finger that begins to move, up or down, or sideways. 0: nothing scrolls there. Then pixels, and at the end pixels a second.
EMSCRIPTEN_KEEPALIVE int posiscope_grasp(int upright) { return page->grasp(upright != 0) ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void posiscope_slide(double pixels) { page->slide(pixels); }
EMSCRIPTEN_KEEPALIVE void posiscope_let_go(double speed) { page->let_go(speed); }
EMSCRIPTEN_KEEPALIVE void posiscope_calm(int wished) { page->calm(wished != 0); }
EMSCRIPTEN_KEEPALIVE void posiscope_focus(int focused) { page->input().focus(focused != 0); }
EMSCRIPTEN_KEEPALIVE void posiscope_text(const char* utf8) { page->input().text(utf8); }
// True if the page wants this key, so that the browser must not act on it. `modifiers`: 1 Ctrl, 2 Shift, 4 Alt, 8 Meta.
EMSCRIPTEN_KEEPALIVE int posiscope_key(const char* code, const char* key, int down, int modifiers) {
    return page->key(code, key, down != 0, modifiers) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void posiscope_paste(const char* text) { page->paste(text); }
EMSCRIPTEN_KEEPALIVE void posiscope_link(const char* address) { page->open_link(address); }
EMSCRIPTEN_KEEPALIVE void posiscope_language(const char* language) { page->speak(language); }
EMSCRIPTEN_KEEPALIVE void posiscope_theme(const char* theme) { page->wear(theme); }
EMSCRIPTEN_KEEPALIVE void posiscope_progress(const char* json) { page->take_progress(json); }
// JSON, good until the next call.
EMSCRIPTEN_KEEPALIVE const char* posiscope_controls(const char* keys) {
    static std::string text;
    text = page->controls(keys);
    return text.c_str();
}
EMSCRIPTEN_KEEPALIVE const char* posiscope_places() {
    static std::string text;
    text = page->places();
    return text.c_str();
}
EMSCRIPTEN_KEEPALIVE void posiscope_set(const char* key, const char* value) { page->set(key, value); }
// A file that lay beside the page: asked for, or there before the page is, so that its first picture has it.
EMSCRIPTEN_KEEPALIVE void posiscope_asset(const char* name, const char* bytes, std::size_t size) {
    if (page != nullptr) page->take_asset(name, std::string(bytes, size));
    else posiscope::assets::arrived(name, std::string(bytes, size));
}
EMSCRIPTEN_KEEPALIVE void posiscope_asset_missed(const char* name) { page->miss_asset(name); }
// For the printer: two numbers of 32 bits, width and height, then the pixels.
EMSCRIPTEN_KEEPALIVE const void* posiscope_paper() {
    try {
        const auto* paper = page->paper();
        return paper != nullptr ? paper->data() : nullptr;
    } catch (const std::exception&) {
        return nullptr;  // the canvas is printed as it is
    }
}
// The result of writing a PDF or SVG: 0 no, 1 yes, 2 what writes it could not be fetched.
EMSCRIPTEN_KEEPALIVE void posiscope_written(const char* name, int how) {
    page->written(name, static_cast<Page::Written>(how));
}
// For the second module: the names of all assets that are here, a line each; the bytes of one, and how many.
EMSCRIPTEN_KEEPALIVE const char* posiscope_assets() {
    static std::string all;
    all = fmt::format("{}", fmt::join(posiscope::assets::names(), "\n"));
    return all.c_str();
}
EMSCRIPTEN_KEEPALIVE const char* posiscope_asset_bytes(const char* name) {
    return posiscope::assets::file(name).data();
}
EMSCRIPTEN_KEEPALIVE std::size_t posiscope_asset_size(const char* name) {
    return posiscope::assets::file(name).size();
}
EMSCRIPTEN_KEEPALIVE void posiscope_files(const char* lines) { page->open_files(lines); }
}

int main() { return 0; }
