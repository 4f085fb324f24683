#include "tests/workbench/monkey/player.hpp"

#include "core/cost.hpp"

#include <cfloat>
#include <chrono>
#include <filesystem>
#include <imgui.h>
#include <imgui_internal.h>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace posiscope::monkey {
namespace {

using Kind = Event::Kind;

constexpr float kSeconds = 1.0F / 60.0F;
constexpr float kFarthest = 1e6F;   // points: ImGui makes pixels of them, and integers of pixels
constexpr double kExactWork = 1e7;  // of a value that is computed beside the window

// What a figure says where it failed, up to its first value.
std::vector<std::string> failures() {
    std::vector<std::string> all;
    for (const Language language : {Language::english, Language::chinese}) {
        const std::string text(Strings(language).text("problem.figure.failed"));
        all.push_back(text.substr(0, text.find('{')));
    }
    return all;
}

workbench::Preferences preferences(const std::string& language) {
    workbench::Preferences made;
    made.language = language;
    return made;
}

// A corner that would be drawn where no screen's integers reach, or that is no number; empty where there is none.
std::string beyond(const ImDrawData& data) {
    const auto near = [](float v) { return std::abs(v) <= kFarthest; };  // false for NaN
    for (const ImDrawList* list : data.CmdLists) {
        for (const ImDrawVert& corner : list->VtxBuffer)
            if (!near(corner.pos.x) || !near(corner.pos.y))
                return fmt::format("a corner is drawn at {:g}, {:g} of {}, in colour {:08x}", corner.pos.x,
                                   corner.pos.y, list->_OwnerName, corner.col);
        for (const ImDrawCmd& command : list->CmdBuffer)
            if (!near(command.ClipRect.x) || !near(command.ClipRect.y) || !near(command.ClipRect.z) ||
                !near(command.ClipRect.w))
                return fmt::format("{} is clipped to {:g}, {:g} … {:g}, {:g}", list->_OwnerName,
                                   command.ClipRect.x, command.ClipRect.y, command.ClipRect.z,
                                   command.ClipRect.w);
    }
    return {};
}

std::string_view without_bench(Scene& scene) {
    scene.bench = "overview";
    return scene.bench;
}
// The keys in which two Scenes differ, and their values.
std::string differences(const Scene& a, const Scene& b) {
    const Json one = to_json(a), other = to_json(b);
    std::string text;
    for (const auto& [key, value] : one.items())
        if (value != other[key])
            text += fmt::format("; {} was {}, is {}", key, value.dump(), other[key].dump());
    return text;
}
bool same_picture(Scene a, Scene b) { return without_bench(a) == without_bench(b) && a == b; }

}  // namespace

struct Player::Window {
    Window(Scene scene, const std::string& language, const std::string& folder)
        : gui(false), bench(std::move(scene), preferences(language), nullptr), service(bench, folder) {
        ImGuiIO& io = ImGui::GetIO();
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        ImGuiContext& context = *ImGui::GetCurrentContext();
        context.ErrorCallbackUserData = &mistake;
        context.ErrorCallback = [](ImGuiContext*, void* user, const char* what) {
            *static_cast<std::string*>(user) = what;
        };
        bench.stage.seen.with_controls = true;
        bench.work_in(background);
        bench.work_at_most(kExactWork);
    }

    platform::Gui gui;
    std::string mistake;  // of ours, that ImGui found
    figures::Background background{[] {}};
    workbench::Workbench bench;
    workbench::Service service;
    Blank blank{failures()};
    bool blanked = false;  // every other window draws its figures on the canvas that draws nothing
    double time = 0.0;
};

Player::Player(std::string files) : files_(std::move(files)) { play({.kind = Kind::start, .text = "{}"}); }
Player::~Player() = default;

const workbench::Workbench& Player::bench() const { return window_->bench; }
Point Player::size() const {
    const ImVec2 points = ImGui::GetIO().DisplaySize;
    return {points.x, points.y};
}

bool Player::quiet() const {
    const workbench::Workbench& bench = window_->bench;
    return !bench.hand.holds() && !bench.host.held && !bench.playing.on && bench.host.typing.key.empty() &&
           !ImGui::IsAnyMouseDown() && !ImGui::IsAnyItemActive() && !bench.session.can_redo() &&
           bench.session.settled() == bench.session.scene();
}

void Player::fail(const std::string& what) const { throw std::runtime_error(what); }

void Player::frame() {
    Window& window = *window_;
    const float scale =
        window.bench.sizing.fit(static_cast<int>(width_), static_cast<int>(height_), monitor_);
    window.background.begin_frame();
    window.gui.begin(static_cast<int>(width_), static_cast<int>(height_), scale, kSeconds);
    workbench::Shown shown;
    window.blank.scale = scale;
    if (window.blanked) shown.on = &window.blank;
    const double before = work_done();
    workbench::AfterFrame after = window.bench.frame(kSeconds, scale, shown);
    const double units = work_done() - before;
    window.gui.end();
    check(after, units);
    // A picture, an export and the clipboard are other processes and the driver.
    std::erase_if(after.requests, [](const workbench::Request& one) {
        const auto* command = std::get_if<panels::Command>(&one);
        constexpr std::array kOutside = {panels::Verb::handout, panels::Verb::slides,
                                         panels::Verb::save_picture, panels::Verb::save_results,
                                         panels::Verb::copy_picture};
        return command == nullptr || std::ranges::find(kOutside, command->verb) != kOutside.end();
    });
    window.service.run_requests(after.requests, window.time += static_cast<double>(kSeconds));
    // Training is on threads of its own: it would make another run of the same script another one.
    if (window.bench.training.trainer().running()) window.bench.training.trainer().stop();
    // What is computed or read beside the window is there in the next frame, on any machine.
    while (window.background.working() || window.service.reading())
        std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void Player::check(const workbench::AfterFrame& after, double units) {
    Window& window = *window_;
    ++frames_;
    if (after.scene_changed) ++steps_;
    went_back_ = went_back_ || window.bench.session.can_redo();
    worst_ = std::max(worst_, units);
    if (units > kMostUnits) fail(fmt::format("a frame takes {:.3g} units of work", units));
    if (!window.mistake.empty()) fail("ImGui: " + window.mistake);
    if (!window.blank.complaint.empty()) fail(window.blank.complaint);
    if (const std::string where = beyond(*ImGui::GetDrawData()); !where.empty()) fail(where);
    const Scene& now = scene();
    if (now == checked_) return;
    const auto again = overlay(Scene(), to_json(now));
    if (!again) fail("the Scene is refused: " + to_string(again.error()));
    if (again->scene != now) fail("the Scene does not read back as itself");
    Scene settled = now;
    if (!settle(settled).empty()) fail("the Scene does not fit itself");
    checked_ = now;
}

void Player::play(const Event& event) {
    steps_ = 0;
    if (event.kind == Kind::language) {
        language_ = event.text;
        return;
    }
    if (event.kind == Kind::mark) {
        marked_ = scene();
        went_back_ = false;
        return;
    }
    if (event.kind == Kind::undo) return undo_to_mark(static_cast<std::size_t>(event.x));
    if (event.kind == Kind::start) {
        const auto json = parse_json(event.text);
        auto laid = json ? overlay(Scene(), *json) : Result<Overlaid>(tl::unexpected(json.error()));
        if (!laid) fail("no scene to start with: " + to_string(laid.error()));
        window_.reset();
        window_ = std::make_unique<Window>(std::move(laid->scene), language_, files_);
        window_->blanked = event.text.size() % 2 == 0;
        frame();
        return;
    }
    ImGuiIO& io = ImGui::GetIO();
    const int mods = event.key & ImGuiMod_Mask_;
    const auto key = static_cast<ImGuiKey>(event.key & ~ImGuiMod_Mask_);
    const auto hold = [&](bool down) {
        for (const ImGuiKey mod : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
            if ((mods & mod) != 0) io.AddKeyEvent(mod, down);
    };
    int frames = 1;
    switch (event.kind) {
        case Kind::size: width_ = event.x, height_ = event.y, monitor_ = event.z; break;
        case Kind::move: io.AddMousePosEvent(event.x, event.y); break;
        case Kind::press: io.AddMouseButtonEvent(event.key, true); break;
        case Kind::release:
            io.AddMouseButtonEvent(event.key, false);
            frames = 2;
            break;
        case Kind::wheel: io.AddMouseWheelEvent(0.0F, event.x); break;
        case Kind::key:
            hold(true);
            io.AddKeyEvent(key, true);
            frame();
            io.AddKeyEvent(key, false);
            hold(false);
            break;
        case Kind::down: io.AddKeyEvent(key, true); break;
        case Kind::up: io.AddKeyEvent(key, false); break;
        case Kind::type: io.AddInputCharactersUTF8(event.text.c_str()); break;
        case Kind::clip: ImGui::SetClipboardText(event.text.c_str()); break;
        case Kind::drop: {
            std::vector<std::string> paths;
            std::istringstream names(event.text);
            for (std::string name; std::getline(names, name, '\t');)
                paths.push_back((std::filesystem::path(files_) / name).string());
            window_->service.open(paths);
            break;
        }
        case Kind::frames: frames = static_cast<int>(event.x); break;
        default: break;
    }
    for (int i = 0; i < frames; ++i) frame();
    // ImGui takes some events one a frame; none of them waits for the next one to come.
    for (int i = 0; i < 200 && ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; ++i) frame();
}

// Undoes until the Scene is the marked one, and does it all again.
void Player::undo_to_mark(std::size_t steps) {
    frame();  // a file that was read beside the last one is shown in this one, and would be a new step
    workbench::Session& session = window_->bench.session;
    const Scene after = session.scene();
    std::size_t undone = 0;
    for (; !same_picture(session.scene(), marked_); ++undone) {
        if (undone == steps || !session.can_undo())
            fail("undo does not bring the Scene back" + differences(marked_, session.scene()));
        session.undo();
        frame();
    }
    for (; undone > 0; --undone) {
        session.redo();
        frame();
    }
    if (!same_picture(session.scene(), after))
        fail("redo does not make it again" + differences(after, session.scene()));
}

}  // namespace posiscope::monkey
