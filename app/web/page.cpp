#include "app/web/page.hpp"

#include "app/platform/paths.hpp"
#include "app/platform/web/page.hpp"
#include "app/ui/assets.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "app/workbench/share/picture.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/mathematics.hpp"
#include "core/scene/link.hpp"
#include "core/scene/source.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <glad/gl.h>
#include <imgui.h>
#include <new>
#include <utility>

namespace posiscope::web {
namespace {

namespace fs = std::filesystem;

constexpr int kFramesAfterEvent = 3;
// Follows the desktop's window: a tooltip opens after the mouse has rested, then nothing happens any more.
constexpr std::array<double, 3> kRestingWaits = {0.2, 0.3, 0.4};
constexpr double kCaret = 0.3, kNone = -1.0, kBackground = 0.1;
constexpr double kFirst = 1.0 / 60.0;
constexpr double kStep = 0.1;                               // of what plays without motion
constexpr int kAsItIs = -1, kSamePlace = 0, kNewPlace = 1;  // of page_show_link

// The text behind an address that is no link.
std::optional<Problem> strange_end(std::string_view address) {
    const auto hash = address.find('#');
    if (hash == std::string_view::npos || hash + 1 == address.size() || link_in(address) ||
        workbench::lesson_link_in(address))
        return std::nullopt;
    return Problem{"link.unknown", {{"text", std::string(address.substr(hash, 80))}}};
}

Result<Scene> scene_of_link(const Link& link) {
    auto json = scene_of(link);
    if (!json) return tl::unexpected(json.error());
    (void)admit(*json, Source::anywhere());
    auto laid = overlay(Scene(), *json);
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

// A file that a person handed over may be read, by its path and by its name alone, as links have it.
void allow(const fs::path& path) {
    allow_table(path.string());
    allow_table(path.filename().string());
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
    const auto link = link_in(address);
    const bool first = !fs::exists(folders.config / "preferences.json", ignored);
    auto [preferences, damaged] = workbench::load_preferences(folders.config);
    workbench::Preferences loaded = preferences;
    if (damaged) notes.push_back(std::move(*damaged));
    const auto lesson = small ? std::nullopt : workbench::lesson_link_in(address);
    if (first) preferences.lessons_offered = link.has_value() || small.has_value() || lesson.has_value();
    if (preferences.language.empty()) preferences.language = language;
    preferences.recent.clear();  // files of an earlier visit are gone, but for those that the scene names
    for (const auto& entry : fs::directory_iterator("/files", ignored)) allow(entry.path());

    Scene scene;
    if (auto strange = strange_end(address)) notes.push_back(std::move(*strange));
    for (const std::string_view figure :
         {link ? link->figure : std::string_view(), small ? std::string_view(*small) : std::string_view()})
        if (!figure.empty() && figures::find_figure(figure) == nullptr)
            notes.push_back(Problem{"link.figure", {{"name", std::string(figure)}}});
    const auto linked = link ? std::optional(scene_of_link(*link)) : std::nullopt;
    if (linked && !*linked) notes.push_back(linked->error());
    if (linked && *linked) {
        scene = **linked;
    } else if (!small) {
        auto session = workbench::load_session(folders.state);
        scene = std::move(session.value);
        if (session.problem) notes.push_back(std::move(*session.problem));
    }
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    if (!layers) return tl::unexpected(layers.error());
    std::unique_ptr<Page> page(new Page(std::move(*layers), std::move(scene), std::move(preferences),
                                        std::move(loaded), std::move(notes), std::move(small)));
    if (const figures::Figure* figure = figures::find_figure(link ? link->figure : std::string_view()))
        page->bench_.layout.show_alone(figure->id);
    if (lesson) page->open_lesson(*lesson);
    return page;
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
    ImGui::GetIO().UserData = &heard_;
    ui::announce_labels();
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_ClipboardUserData = this;
    io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { page_copy_text(text); };
    io.Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* {
        Page& self = *static_cast<Page*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
        if (self.pasted_.empty()) page_read_clipboard();  // asked from a menu: it comes as a paste
        return self.pasted_.c_str();
    };
    io.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
        const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
        const Page& self = *static_cast<const Page*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
        const panels::Typing& typing = self.bench_.host.typing;
        page_place_text(data->WantTextInput ? 1 : 0, static_cast<double>(data->InputPos.x * scale.x),
                        static_cast<double>(data->InputPos.y * scale.y),
                        static_cast<double>(data->InputLineHeight * scale.y), typing.digits ? 1 : 0);
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
    bench_.tiles.panning = panning && menu_ == 0 && ui::scrollable_under_mouse() == 0;
    return bench_.tiles.panning;
}

// A row of a menu opens its list where the mouse rests on it: a finger is not there before it taps.
void Page::touch(double x, double y) {
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    menu_ = ui::menu_at({static_cast<float>(x) / scale.x, static_cast<float>(y) / scale.y});
    if (menu_ == 0) input_.move(x, y, true);
}

bool Page::grasp(bool upright) {
    finger_ = {menu_ == 0 && upright ? ui::scrollable_under_mouse() : menu_, 0.0F, 0.0F};
    return finger_.window != 0;
}

void Page::slide(double pixels) {
    finger_.by += static_cast<float>(pixels) / ImGui::GetIO().DisplayFramebufferScale.y;
    due_ = kFramesAfterEvent;
}

void Page::let_go(double speed) {
    finger_.speed = static_cast<float>(speed) / ImGui::GetIO().DisplayFramebufferScale.y;
    due_ = kFramesAfterEvent;
}

// Points that the finger moved since the last frame; let go, it goes on and slows down as on a telephone.
void Page::scroll(float seconds) {
    constexpr float kSlows = 0.325F, kStands = 12.0F;  // seconds; points a second
    if (finger_.window == 0) return;
    const float by = std::exchange(finger_.by, 0.0F) + finger_.speed * seconds;
    const bool moved = ui::scroll_window(finger_.window, -by);
    finger_.speed *= std::exp(-seconds / kSlows);
    if (std::abs(finger_.speed) < kStands || (by != 0.0F && !moved)) finger_.speed = 0.0F;
}

void Page::calm(bool wished) {
    bench_.playing.calm = wished;
    ImGui::GetIO().ConfigInputTextCursorBlink = !wished;
    due_ = kFramesAfterEvent;
}

// After a frame. What a finger drags is no swipe.
void Page::follow_finger() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseSource != ImGuiMouseSource_TouchScreen) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragged_ = false;
    const workbench::Hand& hand = bench_.hand;
    const bool moves = hand.drags() && (bench_.hand.drag_state().handle != "pan" ||
                                        bench_.hand.drag_state().scene.view != bench_.session.scene().view);
    dragged_ = dragged_ || moves || bench_.host.held || bench_.tiles.panning;
    if (io.MouseDown[0] || swiped_ == 0 || ui::events_wait()) return;
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
    linked_ = true;
    if (const auto strange = strange_end(address)) bench_.notices.say(*strange);
    if (const auto lesson = workbench::lesson_link_in(address)) return open_lesson(*lesson);
    const auto link = link_in(address);
    if (!link) return;
    if (place_ && !place_->lesson.empty()) bench_.teaching.end_lesson();
    bench_.sharing.open_link(*link);
}

void Page::open_lesson(const workbench::LessonLink& link) {
    auto scene = bench_.teaching.begin(link);
    if (!scene) return bench_.notices.say(Problem{"link.lesson", {{"name", std::string(link.lesson)}}});
    bench_.layout.show_bench();
    bench_.session.step(std::move(*scene));
}

void Page::speak(std::string_view language) {
    due_ = kFramesAfterEvent;
    bench_.preferences.language = language;
}

void Page::wear(std::string_view theme) {
    due_ = kFramesAfterEvent;
    if (theme == "light" || theme == "dark") bench_.preferences.theme = theme;
}

void Page::take_progress(std::string_view json) {
    due_ = kFramesAfterEvent;
    if (const auto changed = parse_json(json)) bench_.teaching.take_progress(*changed);
}

// Files that the present Scene waits for complete it; the others are opened.
void Page::open_files(std::string_view lines) {
    due_ = kFramesAfterEvent;
    const std::string scene = to_json(bench_.session.scene()).dump();
    std::vector<std::string> paths;
    while (!lines.empty()) {
        const fs::path path(lines.substr(0, lines.find('\n')));
        lines.remove_prefix(std::min(path.native().size() + 1, lines.size()));
        const std::string name = path.filename().string();
        const bool awaited =
            !table_allowed(name) && (scene.find(Json(name).dump()) != std::string::npos ||
                                     scene.find(Json(path.string()).dump()) != std::string::npos);
        allow(path);
        if (awaited) bench_.forget_derived();
        else paths.push_back(path.string());
    }
    if (!paths.empty()) service_.open(paths);
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

const std::vector<std::uint8_t>* Page::paper() {
    const auto image = printed(bench_);
    if (!image) return nullptr;
    paper_.resize(2 * sizeof(std::int32_t));
    const std::array<std::int32_t, 2> size = {image->width, image->height};
    std::memcpy(paper_.data(), size.data(), paper_.size());
    paper_.insert(paper_.end(), image->rgba.begin(), image->rgba.end());
    return &paper_;
}

void Page::miss_asset(const std::string& name) {
    due_ = kFramesAfterEvent;
    const std::string_view what = name.starts_with("fonts/")     ? "fetch.font"
                                  : name.starts_with("strings/") ? "fetch.texts"
                                                                 : "fetch.results";
    bench_.notices.say(Problem{std::string(what), {}});
}

void Page::written(const std::string& name, Written how) {
    due_ = kFramesAfterEvent;
    if (how == Written::yes) return bench_.notices.say_saved(name);
    bench_.notices.say(Problem{how == Written::no ? "export.failed" : "fetch.writer", {{"path", name}}});
}

std::string Page::controls(std::string_view keys) const {
    return controls_text(bench_.session.shown(), bench_.appearance.strings(), keys);
}

std::string Page::places() {
    workbench::Seen& seen = bench_.stage.seen;
    seen.with_controls = true;
    heard_.named = &named_;
    Json places = Json::object();
    const auto put = [&](const std::string& name, const Rect& area) {
        places[name] = {area.x0, area.y0, area.x1, area.y1};
    };
    for (const auto& [name, area] : named_)
        if (!name.empty()) put(name, area);
    for (const panels::ControlMark& one : seen.controls) put(one.key, one.area);
    for (const workbench::Tile& one : bench_.layout.tiles())
        put(fmt::format("tile.{}", one.figure), one.area);
    for (const figures::HandleMark& one : seen.handles)
        put(fmt::format("{}.{}", one.figure, one.handle), {one.at.x, one.at.y, one.at.x, one.at.y});
    return Json{{"scale", ImGui::GetIO().DisplayFramebufferScale.x}, {"places", std::move(places)}}.dump();
}

void Page::set(std::string_view key, std::string_view value) {
    due_ = kFramesAfterEvent;
    if (auto scene = with_control(bench_.session.scene(), key, value))
        bench_.session.edit_a(std::move(*scene));
}

// The window folds where there is little room; the small form shrinks, as a picture does.
float Page::fit(int width, int height, float monitor_scale) {
    if (!small_) return bench_.sizing.fit(width, height, monitor_scale);
    workbench::PictureOptions options;
    options.width = static_cast<double>(static_cast<float>(width) / monitor_scale);
    options.height = static_cast<double>(static_cast<float>(height) / monitor_scale);
    return monitor_scale * static_cast<float>(workbench::shrunk(shown_in(small_), options));
}

double Page::frame(int width, int height, float monitor_scale, double now, bool event) {
    // No time passes while nothing is due: what is said now has its seconds before it.
    const double seconds = slept_ ? kFirst : std::max(now - last_, 1e-4);
    last_ = now;
    if (event) due_ = kFramesAfterEvent;
    if (due_ > 0) --due_, rested_ = 0;
    const float scale = fit(width, height, monitor_scale);
    input_.set_scale(scale);
    gui_.begin(width, height, scale, static_cast<float>(seconds));
    background_.begin_frame();
    heard_.role.clear();
    heard_.gathers = false;
    named_.clear();
    if (bench_.appearance.strings().language() == Language::chinese) (void)assets::need(ui::kLateChinese);
    workbench::AfterFrame after = bench_.frame(static_cast<float>(seconds), scale, shown_in(small_));
    follow_finger();
    scroll(static_cast<float>(seconds));
    draw(width, height);
    tell_control();
    tell_presenting();
    after_frame(after, ImGui::GetTime());
    if (input_.release_late() || ui::events_wait()) due_ = std::max(due_, 1);
    else pasted_.clear();
    const double wait = wait_after(after);
    slept_ = wait < 0.0;
    return wait;
}

void Page::draw(int width, int height) {
    // A figure alone is drawn on its tile, as in a picture of it.
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

void Page::after_frame(workbench::AfterFrame& after, double now) {
    std::erase_if(after.requests, [this](const workbench::Request& request) {
        const auto* order = std::get_if<workbench::Exports::Order>(&request);
        if (order != nullptr) export_now(*order);
        return order != nullptr;
    });
    service_.run_requests(after.requests, now);
    hand_out();
    page_cursor(ImGui::GetMouseCursor());
    if (after.asks(panels::Verb::full_screen)) page_full_screen();
    if (after.asks(panels::Verb::forget)) page_forget();
    changed_ = changed_ || after.scene_changed;
    if (after.held) return;
    describe();
    if (small_) return;
    tell_lesson();
    autosave_.keep(bench_, changed_);
    keep_written();
    show_address();
}

// Another bench, figure, step or language is another place, to which the browser's Back returns.
void Page::show_address() {
    const workbench::Guide& guide = bench_.teaching.guide();
    Place place{bench_.session.scene().bench, std::string(bench_.layout.alone()),
                guide.open() || bench_.lecture.on() ? workbench::lesson_link(guide) : std::string(),
                bench_.preferences.language};
    const bool linked = linked_;
    linked_ = linked_ && due_ > 0;  // a lesson or figure may be there a frame after its link
    if (!std::exchange(changed_, false) && !linked && place == place_) return;
    link_ = place.lesson.empty() ? bench_.sharing.link() : place.lesson;
    const int how = !place_ ? kAsItIs : linked || place == *place_ ? kSamePlace : kNewPlace;
    page_show_link(link_.c_str(), place.language.c_str(), how);
    place_ = std::move(place);
}

// The step that is on, as text beside the canvas.
void Page::tell_lesson() {
    const workbench::Guide& guide = bench_.teaching.guide();
    const panels::GuideView* view =
        bench_.lecture.on() ? nullptr
                            : bench_.teaching.view(bench_.session.shown(), bench_.appearance.strings());
    Json lesson;
    if (view != nullptr && view->words != nullptr) {
        const panels::StepWords& words = *view->words;
        const Strings& strings = bench_.appearance.strings();
        Json choices = Json::array();
        std::string verdict;
        for (std::size_t i = 0; i < words.choices.size(); ++i) {
            const panels::ChoiceWords& choice = words.choices[i];
            const bool taken = view->answer == i;
            choices.push_back(
                {{"text", mathematics::plain(choice.text)},
                 {"taken", taken ? strings.text(choice.right ? "guide.taken_right" : "guide.taken_wrong")
                                 : std::string_view()}});
            if (taken && !choice.right) verdict = choice.says;
        }
        if (view->answered) verdict = words.then;
        for (const std::string* said : {view->task_done ? &words.well : &words.slip, &words.hint})
            if (!said->empty()) verdict += (verdict.empty() ? "" : " ") + *said;
        lesson = {{"title", words.title},
                  {"step", fmt::format("{} / {}", view->step + 1, view->marks.size())},
                  {"text", mathematics::plain(words.text)},
                  {"formula", words.formula},
                  {"question", mathematics::plain(words.question)},
                  {"choices", std::move(choices)},
                  {"goal", mathematics::plain(words.goal)},
                  {"verdict", mathematics::plain(verdict)},
                  {"id", guide.is_own() ? std::string() : guide.lesson()->id},
                  {"book", strings.text("guide.in_the_book")}};
    }
    std::string text = lesson.dump();
    if (text == told_.lesson) return;
    page_lesson(text.c_str());
    told_.lesson = std::move(text);
}

// A lecture fills the screen, and a telephone leaves it by a bar.
void Page::tell_presenting() {
    const bool on = bench_.lecture.on();
    if (std::exchange(told_.presenting, on) == on) return;
    const Strings& strings = bench_.appearance.strings();
    page_presenting(on ? Json{{"back", strings.text("present.back")},
                              {"next", strings.text("present.next")},
                              {"leave", strings.text("present.leave")}}
                             .dump()
                             .c_str()
                       : "null");
}

// The control that has the keyboard, as an element that a screen reader reads.
void Page::tell_control() {
    if (heard_ == told_.control) return;
    told_.control = heard_;
    const auto pixels = [&](float points) {
        return static_cast<double>(points * ImGui::GetIO().DisplayFramebufferScale.x);
    };
    page_control(Json{{"role", heard_.role},
                      {"name", heard_.name},
                      {"value", heard_.value},
                      {"least", heard_.least},
                      {"most", heard_.most},
                      {"now", heard_.now},
                      {"on", heard_.on},
                      {"x", pixels(heard_.area.x0)},
                      {"y", pixels(heard_.area.y0)},
                      {"width", pixels(heard_.area.width())},
                      {"height", pixels(heard_.area.height())}}
                     .dump()
                     .c_str());
}

// Gives the browser what was written since the last frame. Files know the second in which they were written and no more, so
// that whatever was written lately is given again.
void Page::keep_written() {
    if (std::exchange(writes_, autosave_.written()) == autosave_.written()) return;
    const auto lately = fs::file_time_type::clock::now() - std::chrono::seconds(2);
    for (const fs::path& folder : {platform::user_folders().config, platform::user_folders().state}) {
        std::error_code ignored;
        for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
            if (entry.is_regular_file(ignored))
                if (entry.last_write_time(ignored) >= lately) page_keep(entry.path().c_str());
    }
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
    const Language language = bench_.appearance.strings().language();
    const std::uint32_t ground = bench_.appearance.theme().ground;
    if (told_.language != language || told_.ground != ground)
        page_dress(code(language).data(), fmt::format("#{:02x}{:02x}{:02x}", ground & 0xffU,
                                                      ground >> 8U & 0xffU, ground >> 16U & 0xffU)
                                              .c_str());
    told_.language = language, told_.ground = ground;
    std::string text, notices;
    for (const std::string_view headline : bench_.stage.seen.headlines) text += fmt::format("{}\n", headline);
    for (const workbench::Notices::Notice& notice : bench_.notices.shown()) notices += notice.text + "\n";
    if (text != told_.headlines) page_describe(text.c_str());
    const std::size_t times_said = bench_.notices.times_said();
    if (notices != told_.notices || times_said != told_.times_said) page_notify(notices.c_str());
    told_.times_said = times_said;
    told_.headlines = std::move(text), told_.notices = std::move(notices);
}

// Saved files become downloads.
void Page::hand_out() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(platform::picture_folder(), ignored)) {
        page_download(entry.path().c_str());
        fs::remove(entry.path(), ignored);
    }
}

double Page::wait_after(const workbench::AfterFrame& frame) {
    if (due_ > 0) return 0.0;
    if (finger_.speed != 0.0F) return 0.0;
    if (frame.animating) return bench_.playing.calm ? kStep : 0.0;
    if (background_.working()) return kBackground;
    if (bench_.training.trainer().running()) return 0.0;
    if (frame.ticking) return kCaret;
    if (rested_ < static_cast<int>(kRestingWaits.size()))
        return kRestingWaits[static_cast<std::size_t>(rested_++)];
    // A deck of the guide has its texts in both languages.
    if (bench_.teaching.guide().open()) (void)workbench::texts_are_there(Language::chinese);
    return kNone;
}

}  // namespace posiscope::web
