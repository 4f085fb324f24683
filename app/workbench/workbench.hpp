// workbench.hpp — the bench: it owns the Scene, its history and what is held or typed, and makes one frame.
// It knows neither window nor files; what needs them comes back as a request.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/figures/figure.hpp"
#include "app/panels/bar.hpp"
#include "app/panels/context.hpp"
#include "app/panels/export_dialog.hpp"
#include "app/panels/path_dialog.hpp"
#include "app/panels/timeline.hpp"
#include "app/workbench/benches.hpp"
#include "app/workbench/field.hpp"
#include "app/workbench/history.hpp"
#include "app/workbench/preferences.hpp"
#include "core/scene/comparison.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace posiscope::workbench {

// What the bench cannot do itself.
struct Requests {
    bool quit = false;
    bool full_screen = false;
    struct Save {
        std::string figure;  // its id; empty: all that is seen
        std::string_view ending = ".png";
    };
    std::optional<Save> save;
    std::optional<std::string> copy_picture;  // of a figure; empty: of the bench
    bool choose_file = false;                 // to open, in the desktop's dialog or ours
    bool choose_target = false;               // to save the scene in
    std::vector<std::string> open_files;
    struct Target {
        std::string path;
        bool replace = false;  // what is there may go
    };
    std::optional<Target> save_scene;
    struct Export {
        std::vector<std::string> words;  // of a command line
        Scene scene;
        Target target;
    };
    std::optional<Export> export_now;
    bool choose_export_target = false;
    bool stop_export = false;
    bool typed = false;  // these paths were: path_answered() is to be told what came of them
    int turn_page = 0;   // of the deck
    bool reload = false;
    bool scene_changed = false;  // a step was made: worth keeping
    bool held = false;           // something is being dragged
    bool animating = false;
    bool ticking = false;  // a caret or a toast: a few frames a second
};

// An export on its way: the file's name, how far it is in words, and as a part of the whole (below 0: unknown).
struct Running {
    std::string name, text;
    float part = -1.0F;

    bool operator==(const Running&) const = default;
};

inline constexpr float kGap = 12.0F;  // between the tiles, and around them

// What is drawn: everything, the figures of the bench, or one of them.
struct Shown {
    bool controls = true;
    std::string_view figure;       // alone, without the tile's menu; empty: the bench
    bool transparent = false;      // nothing is painted behind the figures
    Rect part = {};                // of a picture drawn in parts, what is seen of it (points); empty: all
    canvas::Canvas* on = nullptr;  // the tiles are drawn on this one, and not on the screen
};

// The GL programs, compiled; a GL context must be current.
Result<canvas::Layers> make_layers();

// The points that what is shown needs; in less, a point is made smaller.
Point smallest_room(const Shown& shown);

class Workbench {
public:
    // Adds its fonts to the ImGui context that is current, now and in frame(). `layers` may be null (tests without GL).
    Workbench(Scene scene, Preferences preferences, canvas::Layers* layers);

    const Scene& scene() const { return scene_; }
    // A Scene from outside (a file, a test): an undo step of its own.
    void open(Scene scene);
    // The line to type a path into, and what came of one that was typed.
    void ask_path(panels::PathDialog::For purpose, std::string_view suggested = {});
    void path_answered(const Result<void>& done);
    // A figure's numbers to the clipboard, or the line of them that its menu was opened over.
    void copy_numbers(const figures::Figure& figure, bool line_only);
    const panels::PathDialog& path_dialog() const { return path_dialog_; }
    // The export dialog for a figure (empty: the bench), and what came of its answer.
    void ask_export(std::string_view figure);
    void set_export_path(std::string_view path);
    void export_answered(const Result<void>& done);
    panels::ExportDialog& export_dialog() { return export_dialog_; }
    void set_running(std::optional<Running> running) {
        if (running_ != running) running_ = std::move(running);
    }
    const std::optional<Running>& running() const { return running_; }
    // Where exports go unless another place is chosen.
    void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }
    // How text gets on the clipboard, where that can fail; else ImGui's own way.
    using SetClipboard = std::function<Result<void>(const char*)>;
    void set_clipboard(SetClipboard set) { set_clipboard_ = std::move(set); }
    void set_outside(panels::Outside outside) { outside_ = std::move(outside); }
    const panels::Outside& outside() const { return outside_; }
    // A file that the Scene only names has changed. The next frame derives anew: this one may be drawn only afterwards, from
    // the numbers that it had.
    void forget_derived() { forget_derived_ = true; }
    // What is known of where the present encoding's settings come from (a model's notes): said in the rail while they last.
    void set_origin(std::vector<Problem> notes);
    Preferences& preferences() { return preferences_; }
    const Preferences& preferences() const { return preferences_; }
    const Strings& strings() const { return *strings_; }
    const ui::Fonts& fonts() const { return fonts_; }

    // One frame within ImGui::NewFrame … Render.
    Requests frame(float seconds, float pixels_per_point, const Shown& shown = {});

    // A line in the corner for some seconds.
    enum class Tone { note, good, bad };
    void say(std::string text, Tone tone = Tone::note);
    void say(const Problem& problem, Tone tone = Tone::bad);

    // Where handles and tiles were in the last frame, for tests and the hint.
    struct Tile {
        std::string_view figure;
        Rect area;
    };
    std::span<const figures::HandleMark> handles() const { return handles_; }
    std::span<const Tile> tiles() const { return tiles_; }
    // Controls too, from the frame after this is asked for.
    std::span<const panels::ControlMark> controls() {
        mark_controls_ = true;
        return controls_;
    }
    const panels::Typing& typing() const { return typing_; }
    std::string_view solo() const { return solo_; }
    bool help_open() const { return help_open_; }
    const figures::Link& link() const { return link_; }
    std::vector<std::string> said() const;                                      // what stands in the corner
    std::span<const std::string_view> headlines() const { return headlines_; }  // until the next frame

private:
    struct Toast {
        std::string text;
        Tone tone;
        float seconds_left;
        Language language;
        std::optional<Problem> problem = {};  // what it says, in any language
    };
    struct Divider {
        Rect area;
        Rect whole;
        bool across;
        std::size_t index;
    };

    ui::Look look();
    void follow_preferences();
    Rect draw_controls(const ui::Look& look, Rect whole);
    void divide(Rect room, std::string_view alone, bool live);
    void lay_tiles(const Part& part, Rect area, std::size_t& index, std::vector<double>& ratios);
    void drag_dividers(std::vector<double>& ratios);
    std::string_view caption(const ui::Look& look, const Scene& scene) const;
    Sides sides_of(const figures::Figure& figure) const;
    void draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown);
    void tile_menu(const ui::Look& look, const figures::Figure& figure);
    figures::Pointer pointer_over(const Rect& area, const char* id);
    void draw_tip(const ui::Look& look, const figures::Tip& tip);
    void translate_toasts();
    void draw_toasts(const ui::Look& look, Rect area, float seconds);
    void draw_hint(const ui::Look& look);
    void share_keyboard();
    void keys();
    void perform(panels::Action action);
    // The one that stands alone or is under the mouse; empty: the bench.
    std::string seen_figure() const { return !solo_.empty() ? solo_ : std::string(hovered_figure_); }
    void compare(panels::Action action);
    void copy_text(const std::string& text, std::string_view toast);
    void copy_code(std::string_view form);
    void copy_menu(const ui::Look& look, const figures::Figure& figure);
    std::optional<std::size_t> linked_line(const Quantity& quantity, std::span<const Shape> shapes,
                                           const figures::Link& link);
    void paste_scene();
    void suggest_export(std::string_view figure);
    std::array<int, 2> seen_size(std::string_view figure) const;
    std::vector<std::string> export_words(std::string_view own_quantity) const;
    void serve_export_dialog(const ui::Look& look);
    void draw_running(const ui::Look& look, Rect area);
    void move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair);
    void follow_comparison();
    bool shows_b() const { return shown_ == Sides::b; }
    const Scene& shown_scene() const { return shows_b() ? *b_ : scene_; }
    figures::Derived& shown_derived() { return shows_b() ? derived_b_ : derived_; }
    panels::Panel panel(const ui::Look& look);
    void take_from(panels::Panel& panel);
    Scene of_a(Scene next) const;  // an edit of what is shown, as an edit of A
    void take(Scene next) { take_as_a(of_a(std::move(next))); }
    void take_as_a(Scene next);
    void look_up_glyphs();
    void report(std::vector<Problem> adjusted);
    std::span<const std::string> notes();
    const panels::Method& method();
    void look_for_recent();
    void serve_path_dialog(const ui::Look& look);

    // What the notes in the rail depend on.
    // Encoding, base, d_model, num_heads, length, head_dim, trained length, language.
    using NotesKey = std::tuple<Choice, double, std::int64_t, std::int64_t, std::int64_t,
                                std::optional<std::int64_t>, std::optional<std::int64_t>, Language>;

    Scene scene_;
    ComparedScene compared_, compared_settled_;
    const Scene* b_ = nullptr;  // of a comparison; null where there is none
    Sides shown_ = Sides::a;
    History history_;
    Preferences preferences_;
    ui::Fonts fonts_;
    std::unique_ptr<Strings> strings_;
    std::unique_ptr<ui::Scratch> scratch_ = std::make_unique<ui::Scratch>();
    std::string styled_theme_;
    canvas::Screen screen_;
    figures::Derived derived_, derived_b_;
    bool forget_derived_ = false;
    panels::Playing playing_;
    panels::Typing typing_;
    figures::Grip grip_;
    Field field_;
    Choice checked_content_;  // whose words were looked up in the fonts
    bool press_moved_ = false;
    Point press_;
    std::string_view pressed_figure_;
    figures::Link link_, next_link_;
    figures::Tip tip_;
    figures::Cursor cursor_ = figures::Cursor::arrow;
    std::string_view hovered_figure_;
    std::string solo_;
    bool help_open_ = false;
    bool controls_have_keys_ = false;
    bool held_ = false;
    std::size_t held_divider_ = 0;  // 1 + its index
    float pixels_per_point_ = 1.0F;
    Requests requests_;
    std::vector<Toast> toasts_;
    std::vector<Problem> pending_;  // to be said when the drag ends
    bool opened_ = false;
    panels::PathDialog path_dialog_;
    std::string refused_target_;  // where something was to be saved and something is already
    panels::ExportDialog export_dialog_;
    std::string suggested_target_;  // of an export, without its ending
    std::optional<Running> running_;
    std::filesystem::path folder_;
    SetClipboard set_clipboard_;
    // What was under the mouse when a figure's menu was opened there.
    figures::Link menu_link_;
    std::string menu_value_;
    panels::Outside outside_;
    std::vector<panels::Recent> recent_;
    std::vector<Problem> origin_;
    Choice origin_encoding_;  // that they are about
    figures::Memo<NotesKey, std::vector<std::string>> notes_;
    figures::Memo<std::tuple<Choice, double, std::int64_t, std::int64_t, std::optional<std::int64_t>>,
                  panels::Method>
        method_;
    std::vector<Tile> tiles_;
    std::vector<Divider> dividers_;
    std::vector<figures::HandleMark> handles_;
    std::vector<std::string_view> headlines_;
    std::vector<panels::ControlMark> controls_;
    bool mark_controls_ = false;
};

}  // namespace posiscope::workbench
