#include "app/web/page.hpp"

#include "app/platform/paths.hpp"
#include "app/platform/web/page.hpp"
#include "app/ui/assets.hpp"
#include "app/web/controls.hpp"
#include "app/web/exporting.hpp"
#include "app/workbench/share/picture_parts.hpp"
#include "core/formats/file.hpp"
#include "core/scene/link.hpp"
#include "core/scene/source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <new>
#include <utility>

namespace posiscope::web {
namespace {

namespace fs = std::filesystem;

constexpr int kFramesAfterEvent = 3;
// As in the desktop's window: a tooltip opens after the mouse has rested, then nothing happens any more.
constexpr std::array<double, 3> kRestingWaits = {0.2, 0.3, 0.4};
constexpr double kCaret = 0.3, kNone = -1.0, kBackground = 0.1;
constexpr double kStep = 0.1;  // of what plays without motion

Result<Scene> scene_of_address(std::string_view address) {
    const auto link = link_in(address);
    if (!link) return Scene();
    auto json = scene_of(*link);
    if (!json) return tl::unexpected(json.error());
    (void)admit(*json, Source::anywhere());
    auto laid = overlay(Scene(), *json);
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

// The list or the text that a finger scrolls where it is.
ImGuiWindow* scrolled_under_finger() {
    ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
    while (window != nullptr && window->ScrollMax.y <= 0.0F) window = window->ParentWindow;
    return window;
}

workbench::Shown shown_in(const std::optional<std::string>& small) {
    if (!small) return {};
    return {.controls = false,
            .figure = figures::find_figure(*small) != nullptr ? *small : std::string_view()};
}

}  // namespace

Result<std::unique_ptr<Page>> Page::open(const std::string& language, const std::string& address,
                                         std::optional<std::string> small) {
    assets::fetch_by([](std::string_view name) { return page_fetch(std::string(name).c_str()) != 0; });
    const platform::Folders folders = platform::user_folders();
    std::error_code ignored;
    for (const fs::path& folder : {folders.state, folders.config, platform::picture_folder()})
        fs::create_directories(folder, ignored);
    std::vector<Problem> notes;
    const bool first = !fs::exists(folders.config / "preferences.json", ignored);
    auto [preferences, damaged] = workbench::load_preferences(folders.config);
    workbench::Preferences loaded = preferences;
    if (damaged) notes.push_back(std::move(*damaged));
    if (first) preferences.lessons_offered = link_in(address).has_value() || small.has_value();
    if (preferences.language.empty()) preferences.language = language;
    preferences.recent.clear();  // files of an earlier visit are gone

    Scene scene;
    if (link_in(address)) {
        if (auto linked = scene_of_address(address)) scene = std::move(*linked);
        else notes.push_back(linked.error());
    } else if (!small) {
        auto session = workbench::load_session(folders.state);
        scene = std::move(session.value);
        if (session.problem) notes.push_back(std::move(*session.problem));
    }
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    if (!layers) return tl::unexpected(layers.error());
    return std::unique_ptr<Page>(new Page(std::move(*layers), std::move(scene), std::move(preferences),
                                          std::move(loaded), std::move(notes), std::move(small)));
}

Page::Page(canvas::Layers layers, Scene scene, workbench::Preferences preferences,
           workbench::Preferences loaded, std::vector<Problem> notes, std::optional<std::string> small)
    : layers_(std::move(layers)),
      bench_(std::move(scene), std::move(preferences), &layers_, [this] { due_ = kFramesAfterEvent; }),
      background_([this] { due_ = kFramesAfterEvent; }),
      service_(bench_, platform::picture_folder()),
      autosave_(platform::user_folders(), std::move(loaded), [this] { due_ = kFramesAfterEvent; }),
      small_(std::move(small)) {
    bench_.work_in(background_);
    (void)ui::add_late_font(bench_.appearance.fonts(), ui::kLateChinese);  // a Chinese page begins with it
    workbench::recall(bench_, platform::user_folders());
    for (const Problem& note : notes) bench_.notices.say(note);
    bench_.sharing.asking.target.set_folder({});  // the browser has one for downloads
    connect();
}

// The clipboard and the place of the text that is being typed.
void Page::connect() {
    bench_.sharing.clipboard.set_way([](const char* text) {
        page_copy_text(text);
        return Result<void>();
    });
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_ClipboardUserData = this;
    io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { page_copy_text(text); };
    io.Platform_GetClipboardTextFn = [](ImGuiContext* context) -> const char* {
        Page& self = *static_cast<Page*>(context->PlatformIO.Platform_ClipboardUserData);
        if (self.pasted_.empty()) page_read_clipboard();  // asked from a menu: it comes as a paste
        return self.pasted_.c_str();
    };
    io.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
        const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
        page_place_text(data->WantTextInput ? 1 : 0, static_cast<double>(data->InputPos.x * scale.x),
                        static_cast<double>(data->InputPos.y * scale.y),
                        static_cast<double>(data->InputLineHeight * scale.y));
    };
}

bool Page::key(std::string_view code, std::string_view key, bool down, int modifiers) {
    due_ = kFramesAfterEvent;
    const int named = input_.key(code, key, down, modifiers);
    if (named == 0 || (modifiers & 4) != 0) return false;
    const int chord =
        named | ((modifiers & 9) != 0 ? ImGuiMod_Ctrl : 0) | ((modifiers & 2) != 0 ? ImGuiMod_Shift : 0);
    if (ImGui::GetIO().WantTextInput)  // a field's own keys; letters reach it as text
        return named == ImGuiKey_Tab || named == ImGuiKey_Enter || named == ImGuiKey_Escape;
    if (named == ImGuiKey_Tab) return true;
    for (const panels::Action& action : bench_.actions().list())
        for (const int known : {action.key, action.also[0], action.also[1]})
            if (known == chord) return true;
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) && (modifiers & 9) == 0;
}

void Page::paste(const char* text) {
    pasted_ = text;
    due_ = kFramesAfterEvent;
    input_.key("KeyV", "v", true, 1);
    input_.key("KeyV", "v", false, 1);
    input_.key("ControlLeft", "Control", false, 0);
}

void Page::swipe(int by) {
    swiped_ = by;
    due_ = kFramesAfterEvent;
}

bool Page::pan(bool panning) {
    bench_.tiles.panning = panning && scrolled_under_finger() == nullptr;
    return bench_.tiles.panning;
}

void Page::calm(bool wished) {
    bench_.playing.calm = wished;
    ImGui::GetIO().ConfigInputTextCursorBlink = !wished;
    due_ = kFramesAfterEvent;
}

// After a frame. What a finger drags, and what it scrolls, is no swipe.
void Page::follow_finger() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiIO& io = context.IO;
    if (io.MouseSource != ImGuiMouseSource_TouchScreen) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragged_ = false;
    const workbench::Hand& hand = bench_.hand;
    const bool moves = hand.drags() && (bench_.hand.grip().handle != "pan" ||
                                        bench_.hand.grip().scene.view != bench_.session.scene().view);
    dragged_ = dragged_ || moves || bench_.host.held || bench_.tiles.panning;
    if (io.MouseDown[0]) {
        const bool nothing = context.ActiveId == 0 || (context.ActiveIdWindow != nullptr &&
                                                       context.ActiveId == context.ActiveIdWindow->MoveId);
        ImGuiWindow* window = nothing ? scrolled_under_finger() : nullptr;
        if (window == nullptr || io.MouseDelta.y == 0.0F) return;
        ImGui::SetScrollY(window, std::clamp(window->Scroll.y - io.MouseDelta.y, 0.0F, window->ScrollMax.y));
        return;
    }
    if (swiped_ == 0 || context.InputEventsQueue.Size > 0) return;
    if (!dragged_) turn_figure(swiped_);
    swiped_ = 0;
}

void Page::turn_figure(int by) {
    const auto ids = workbench::figures_of(workbench::bench_of(bench_.session.scene().bench));
    const auto at = std::find(ids.begin(), ids.end(), bench_.sizing.alone()) - ids.begin();
    const auto count = static_cast<std::ptrdiff_t>(ids.size());
    if (at < count) bench_.layout.show_alone(ids[static_cast<std::size_t>((at + by + count) % count)]);
    due_ = kFramesAfterEvent;
}

void Page::open_link(const std::string& address) {
    due_ = kFramesAfterEvent;
    if (!link_.empty() && address.ends_with(link_)) return;
    if (const auto link = link_in(address)) bench_.sharing.open_link(*link);
}

void Page::open_file(const std::string& path) {
    due_ = kFramesAfterEvent;
    service_.open(std::span(&path, 1));
}

void Page::take_asset(const std::string& name, std::string bytes) {
    due_ = kFramesAfterEvent;
    assets::arrived(name, std::move(bytes));
    if (name == ui::kLateChinese || name == ui::kLateSymbols) {
        (void)ui::add_late_font(bench_.appearance.fonts(), name);
        return;
    }
    if (name.starts_with("strings/")) return;
    workbench::recall(bench_, platform::user_folders());
    bench_.forget_derived();
}

void Page::written(const std::string& name, bool well) {
    due_ = kFramesAfterEvent;
    if (!well) return bench_.notices.say({"export.failed", {{"path", name}}});
    bench_.notices.say(bench_.appearance.strings().format("toast.saved", fmt::arg("path", name)),
                       workbench::Tone::good);
}

std::string Page::controls(std::string_view keys) const {
    return controls_text(bench_.session.shown(), bench_.appearance.strings(), keys);
}

void Page::set(std::string_view key, double value) {
    due_ = kFramesAfterEvent;
    if (auto scene = with_control(bench_.session.scene(), key, value))
        bench_.session.edit_a(std::move(*scene));
}

// The window folds where there is little room; the small form shrinks, as a picture does.
float Page::fit(int width, int height, float monitor_scale) {
    if (!small_) return bench_.sizing.fit(width, height, monitor_scale);
    const auto points = [&](int pixels) {
        return static_cast<double>(static_cast<float>(pixels) / monitor_scale);
    };
    return monitor_scale *
           static_cast<float>(workbench::shrunk(shown_in(small_), points(width), points(height)));
}

double Page::frame(int width, int height, float monitor_scale, double now, bool event) {
    const double seconds = std::max(now - last_, 1e-4);
    last_ = now;
    if (event) due_ = kFramesAfterEvent;
    if (due_ > 0) --due_, rested_ = 0;
    const float scale = fit(width, height, monitor_scale);
    input_.set_scale(scale);
    gui_.begin(width, height, scale, static_cast<float>(seconds));
    background_.begin_frame();
    if (bench_.appearance.strings().language() == Language::chinese) (void)assets::need(ui::kLateChinese);
    const workbench::Requests requests = bench_.frame(static_cast<float>(seconds), scale, shown_in(small_));
    follow_finger();
    draw(width, height);
    serve(requests, ImGui::GetTime());
    if (input_.release_late() || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0)
        due_ = std::max(due_, 1);
    else pasted_.clear();
    return wait_after(requests);
}

void Page::draw(int width, int height) {
    // A figure alone stands on its tile, as in a picture of it.
    const ui::Theme& theme = bench_.appearance.theme();
    const std::uint32_t ground = shown_in(small_).figure.empty() ? theme.ground : theme.tile;
    const bool same = gui_.finish() && width == width_ && height == height_ && ground == drawn_ground_;
    if (same) return;
    width_ = width, height_ = height, drawn_ground_ = ground;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    const auto channel = [&](int shift) { return static_cast<float>((ground >> shift) & 0xffU) / 255.0F; };
    glClearColor(channel(0), channel(8), channel(16), 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    gui_.draw();
}

void Page::serve(workbench::Requests requests, double now) {
    if (const auto order = std::exchange(requests.export_now, std::nullopt)) export_now(*order);
    service_.serve(requests, now);
    hand_out();
    page_cursor(ImGui::GetMouseCursor());
    if (requests.full_screen) page_full_screen();
    if (requests.forget) page_forget();
    changed_ = changed_ || requests.scene_changed;
    if (requests.held) return;
    describe();
    if (small_) return;
    autosave_.keep(bench_, changed_);
    for (const fs::path& folder : {platform::user_folders().config, platform::user_folders().state}) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.is_regular_file(ignored)) page_keep(entry.path().c_str());
    }
    if (!std::exchange(changed_, false)) return;
    link_ = link_of(bench_.session.scene());
    page_show_link(link_.c_str());
}

// In the page's own time, but for PDF and SVG: it waits for what the desktop's window would leave to another process.
void Page::export_now(const workbench::Exports::Order& order) {
    due_ = kFramesAfterEvent;
    const std::string_view ending = panels::ending(bench_.sharing.asking.target.dialog());
    if (ending == ".pdf" || ending == ".svg") {
        const auto request = vector_request(bench_, order.scene);
        if (request) page_write_vector(request->c_str(), fs::path(order.path).filename().c_str());
        return bench_.sharing.asking.target.answered(request.map([](const std::string&) {}));
    }
    auto done = [&]() -> Result<void> {
        try {
            const auto bytes = exported(bench_, order);
            if (!bytes) return tl::unexpected(bytes.error());
            const fs::path name = fs::path(order.path).filename();
            return write_file(platform::picture_folder() / name, *bytes);
        } catch (const std::bad_alloc&) {
            return failure("memory.exhausted");
        }
    }();
    bench_.sharing.asking.target.answered(done);
}

// The headline of every figure: a sentence with its numbers; and the messages in the corner.
void Page::describe() {
    std::string text, notices;
    for (const std::string_view headline : bench_.stage.seen.headlines) text += fmt::format("{}\n", headline);
    for (const workbench::Notices::Notice& notice : bench_.notices.shown()) notices += notice.text + "\n";
    if (text != told_.headlines) page_describe(text.c_str());
    if (notices != told_.notices) page_notify(notices.c_str());
    told_ = {std::move(text), std::move(notices)};
}

// What was saved becomes a download.
void Page::hand_out() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(platform::picture_folder(), ignored)) {
        page_download(entry.path().c_str());
        fs::remove(entry.path(), ignored);
    }
}

double Page::wait_after(const workbench::Requests& requests) {
    if (due_ > 0) return 0.0;
    if (requests.animating) return bench_.playing.calm ? kStep : 0.0;
    if (background_.working()) return kBackground;
    if (bench_.training.trainer().running()) return 0.0;
    if (requests.ticking) return kCaret;
    if (rested_ < static_cast<int>(kRestingWaits.size()))
        return kRestingWaits[static_cast<std::size_t>(rested_++)];
    // The guide has both languages, and is opened later than the first picture is seen.
    if (!small_) (void)workbench::texts_are_there(Language::chinese);
    return kNone;
}

}  // namespace posiscope::web
