// page.hpp — owns the window's parts in a browser, as commands/window.cpp does on a desktop.
#pragma once

#include "app/platform/gui.hpp"
#include "app/ui/accessible_item.hpp"
#include "app/ui/image.hpp"
#include "app/ui/strings.hpp"
#include "app/web/input.hpp"
#include "app/workbench/document/autosave.hpp"
#include "app/workbench/service.hpp"
#include "app/workbench/workbench.hpp"
#include "core/scene/scene.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::web {

class Page {
public:
    // `address`: of the page, with its link if it has one. `small`: for other people's pages, without what is kept.
    static Result<std::unique_ptr<Page>> open(const std::string& language, const std::string& address,
                                              std::optional<std::string> small);

    // `event`: something happened since the last one.
    double frame(int width, int height, float monitor_scale, double now, bool event);
    Input& input() { return input_; }
    bool key(std::string_view code, std::string_view key, bool down, int modifiers);
    void paste(const char* text);
    // The next figure of the bench (by > 0) or the one before, after a finger went sideways and held nothing.
    void swipe(int by);
    // Two fingers take hold of the picture, not of its handles; until the next finger. False over what scrolls.
    bool pan(bool panning);
    // The first finger comes down, and holds nothing yet. It takes hold of the list or text under it where it goes up or down, and of
    // a menu; false where there is none.
    void touch(double x, double y);
    bool grasp(bool upright);
    // It goes on by so many pixels; let go, at so many pixels a second, it slows down by itself.
    void slide(double pixels);
    void let_go(double speed);
    // The system's wish for less motion.
    void calm(bool wished);
    void open_link(const std::string& address);
    void speak(std::string_view language);
    // Of the small form, whose page around it is light or dark.
    void wear(std::string_view theme);
    // What another tab, or the book, has done in lessons meanwhile.
    void take_progress(std::string_view json);
    // Files that were dropped or chosen, a path a line.
    void open_files(std::string_view lines);
    // The small form's controls (controls.hpp).
    std::string controls(std::string_view keys) const;
    void set(std::string_view key, std::string_view value);
    // A file that was asked for: its name among the assets.
    void take_asset(const std::string& name, std::string bytes);
    // The figures as they are, on white: {width, height} and the pixels. Null where they cannot be drawn.
    const std::vector<std::uint8_t>* paper();
    // Such a file could not be fetched; it is asked for again.
    void miss_asset(const std::string& name);
    enum class Written { no, yes, unfetched };  // unfetched: what writes it
    void written(const std::string& name, Written how);
    // Places of the last frame's controls and handles, by name, in points: for tests. Empty until the frame after.
    std::string places();

private:
    Page(canvas::Layers layers, Scene scene, workbench::Preferences preferences,
         workbench::Preferences loaded, std::vector<Problem> notes, std::optional<std::string> small);

    void connect();
    void follow_finger();
    void turn_figure(int by);
    void open_lesson(const workbench::LessonLink& link);
    void after_frame(workbench::AfterFrame& after, double now);
    void export_now(const workbench::Exports::Order& order);
    void hand_out();
    void describe();
    void tell_lesson();
    void tell_control();
    void tell_presenting();
    void show_address();
    void keep_written();
    float fit(int width, int height, float monitor_scale);
    void draw(int width, int height);
    void scroll(float seconds);
    double wait_after(const workbench::AfterFrame& frame);

    platform::Gui gui_;
    ui::AccessibleItem heard_;
    std::vector<std::pair<std::string, Rect>> named_;  // ImGui's widgets, once a test has asked for places
    canvas::Layers layers_;
    workbench::Workbench bench_;
    figures::Background background_;
    workbench::Service service_;
    workbench::Autosave autosave_;
    Input input_;
    std::optional<std::string> small_;
    std::vector<std::uint8_t> paper_;
    std::string pasted_;  // until the frame that takes it
    std::string link_;    // in the address
    struct Place {
        std::string bench, figure, lesson, language;
        bool operator==(const Place&) const = default;
    };
    std::optional<Place> place_;  // whose link it is
    bool linked_ = false;         // by the browser: it is its entry's
    struct Finger {
        unsigned window = 0;  // ImGui's id of what it scrolls
        float by = 0.0F;      // points that are to be scrolled
        float speed = 0.0F;   // points a second, let go
    } finger_;
    unsigned menu_ = 0;  // the ImGui window that the finger came down on
    struct {
        std::string headlines, notices, lesson;
        bool presenting = false;
        ui::AccessibleItem control;
        std::optional<Language> language;
        std::uint32_t ground = 0;
        std::size_t times_said = 0;
    } told_;  // to those who hear the page
    int width_ = 0, height_ = 0;
    std::uint32_t drawn_ground_ = 0;
    std::size_t writes_ = 0;  // that the browser has
    double last_ = 0.0;
    bool slept_ = true;
    int due_ = 3, rested_ = 0;
    int swiped_ = 0;
    bool changed_ = false;  // the Scene, and it is not kept
    bool dragged_ = false;  // the finger that is down, or was last
};

// The controls of the small form (app/web/shell/page.js makes them of HTML): their names, bounds and values.
// For keys as "position,base,encoding", in their order: a slider is {"key", "name", "value", "minimum", "maximum", "step"} and
// perhaps "logarithmic"; a list has "choices" of {"value", "name"} instead of bounds; of a key that is not known there is
// only {"key", "unknown": a sentence}.
std::string controls_text(const Scene& scene, const Strings& strings, std::string_view keys);

// The Scene with one of them set to what its element holds.
Result<Scene> with_control(const Scene& scene, std::string_view key, std::string_view value);

// An export of the dialog in the page itself, which starts no programs: what `render`, `data` and `code`
// write. A page offers no vector files and no films.
// The bytes of the file that the dialog asks for.
Result<std::string> exported(const workbench::Workbench& bench, const workbench::Exports::Order& order);

// The figures as they are shown, in light colours and without a ground, for paper.
Result<Image> printed(const workbench::Workbench& bench);

// The request to the second module (vector/main.cpp): the dialog's PDF or SVG.
Result<std::string> vector_request(const workbench::Workbench& bench, const Scene& scene);

}  // namespace posiscope::web
