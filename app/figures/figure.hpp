// figure.hpp — what a figure is given and what it gives back.
// A figure is a function of the Scene: it keeps nothing. It draws on a Canvas, and where there is a pointer it may
// hand back a changed Scene, say what lies under the mouse, and offer a tip. The registry is in figures.cpp.
#pragma once

#include "app/canvas/axes.hpp"
#include "app/figures/parts/derived.hpp"
#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace posiscope::figures {

// The thing under the mouse in one figure, which lights up in all of them.
struct Link {
    std::optional<double> frequency;  // pairs are linked by frequency, since spectra may differ
    std::optional<std::int64_t> position;
    std::optional<std::int64_t> distance;
    std::optional<bool> sine;  // of that pair at that position: its sine or its cosine

    bool operator==(const Link&) const = default;
};

// The mouse over this figure; positions in points.
struct Pointer {
    Point at;
    bool inside = false;  // over the figure, and nothing lies over it there
    bool down = false;    // the left button is held, and was pressed in this figure
    bool pressed = false;
    bool released = false;
    bool moved = false;  // since it was pressed, far enough to be a drag
    bool double_clicked = false;
    float wheel = 0.0F;
    bool held_before = false;  // another figure or a slider holds the mouse
};

// The state of a drag; lives in the workbench while the button is down.
struct DragState {
    std::string_view figure;
    std::string_view handle;
    Point from;
    Scene scene;          // as it was at mouse-down: the onion skin
    double value = 0.0;   // a figure's own: the angle or the value that the drag began at
    double travel = 0.0;  // and what it has added up since

    bool active() const { return !handle.empty(); }
};

enum class Cursor { arrow, hand, move, vertical, horizontal };

// The text beside the mouse: a formula, its value, and lines of detail.
struct Tip {
    std::string_view formula;
    std::string_view value;
    std::array<std::string_view, 3> details{};
    Rect beside{};  // cells that it would hide: it docks at their side; empty: it follows the mouse
    bool shown() const { return !formula.empty() || !value.empty(); }
};

// The place of a drawn handle: the hint ring points at one, and tests drag them all.
struct HandleMark {
    std::string_view figure, handle;
    Point at;
};

// B of a comparison, seen together with A, which is the frame's own Scene.
struct Other {
    const Scene& scene;
    Derived& derived;
    bool difference = false;  // B − A is drawn, instead of B outlined over A
};

enum class KeyStop { none, focused, pressed, earlier, later };  // the last two: it is moved in its row

// The window's own controls inside a figure: a line of text that people type into, and what the keyboard reaches.
class TextField {
public:
    virtual ~TextField() = default;
    // Tab comes there, Enter presses it, Alt with an arrow moves it. `mark` tells it from the others of its figure.
    virtual KeyStop key_stop(Rect area, std::string_view mark) = 0;
    // The text that is typed so far, while somebody types there and once more when they leave it; else it shows `text`.
    virtual std::optional<std::string_view> edit(Rect area, std::string_view text, std::string_view hint,
                                                 std::string_view help) = 0;
};

struct Prediction;  // parts/prediction.hpp

struct Frame {
    canvas::Canvas& canvas;
    const ui::Theme& theme;
    const Strings& strings;
    ui::Scratch& scratch;
    Derived& derived;
    const Scene& scene;
    const Link& link;                  // of the frame before, so that all figures show the same
    const Pointer* pointer = nullptr;  // null in a picture that is not a window
    DragState* drag_state = nullptr;   // null with it
    TextField* field = nullptr;        // likewise
    const Other* other = nullptr;      // B, where a figure that can shows both; null where one is shown
    const Other* unseen = nullptr;     // the side of a comparison that is not shown now

    // Handed back.
    std::optional<Scene> next;
    Link hovered;
    Tip tip;
    Cursor cursor = Cursor::arrow;
    std::vector<HandleMark>* marks = nullptr;
    std::string_view figure;  // whose turn it is, and the mode it is in
    std::string_view mode;
    float absence_end = 0.0F;  // the lower edge of an explanation in the figure's place
    // While playing: how far the motion is past the Scene's position, in positions, < 1.
    double fractional_position = 0.0;
    // A question is open: a figure leaves out its own remarks, which may answer it.
    bool hide_hints_that_answer = false;
    Prediction* prediction = nullptr;  // what a lesson asks to be said in this figure, of those that can

    // The present place of a hand that turns with the position. Numbers are those of whole positions.
    Turn moving(Turn turn, double frequency) const {
        const double turns = fractional_position * frequency / (2.0 * std::numbers::pi);
        return {turn.fraction + static_cast<std::uint64_t>(std::ldexp(turns - std::floor(turns), 64))};
    }

    // The axes have room for this side too, shown or not: curves of A and of B can be compared by eye.
    const Other* on_axes() const { return other != nullptr ? other : unseen; }

    std::string_view text(std::string_view key) const { return strings.text(key); }
    template <class... Args>
    std::string_view format(std::string_view key, Args&&... args) const {
        return scratch.vformat(fmt::string_view(strings.text(key)), fmt::make_format_args(args...));
    }

    bool over(Rect rect) const {
        return pointer != nullptr && pointer->inside && !pointer->held_before && rect.contains(pointer->at);
    }

    // True while this handle is dragged. `near` says that the mouse is on it; the first to take a press keeps it.
    bool drag(std::string_view handle, bool near, Point at, Cursor shape = Cursor::hand);
    bool began() const { return drag_state != nullptr && pointer->pressed; }
    bool dragging() const { return drag_state != nullptr && drag_state->active(); }
    // A press and release on the same spot, on nothing that can be dragged.
    bool clicked(Rect rect) const {
        return over(rect) && pointer->released && !pointer->moved &&
               (!dragging() || drag_state->handle == "pan");
    }

    // The state at mouse-down while anything is dragged, else null.
    const Scene* ghost() const;

    // A drag edits the Scene as it was at mouse-down: what it clamps on its way comes back on the way back.
    Scene& edit();
};

// The spectrum of an encoding whose pairs are points of unit circles, which clocks, heatmap and shift are about;
// null for the others.
const Spectrum* circles(const Frame& frame);
const Spectrum* circles(const Other& other);
// Says in the figure's place why there is nothing to see, and what would show it: the sentence of a Problem, or of the
// Problem of that key with one value, which is not made anew every frame.
void explain_absence(Frame& frame, Rect area, const Problem& problem);
void explain_absence(Frame& frame, Rect area, std::string_view key, std::string_view name = {},
                     std::string_view value = {});

// True for each of the two that moves anything.
struct Moves {
    bool position = true, offset = true;
};

struct Figure {
    std::string_view id;                   // "rotations"; also "figure.ID.name" in the string tables
    std::string_view (*headline)(Frame&);  // one true sentence with its number
    void (*draw)(Frame&, Rect area);
    std::span<const std::string_view> (*modes)(
        const Scene&);  // what its menu offers, "figure.ID.mode.NAME"; may be null
    // The joint views of a comparison that it can draw; it is given no Other for the rest.
    bool overlays = false;
    bool subtracts = false;
    // The quantities (core/quantities) that it draws in a mode, the ones that say most first; null: none.
    std::span<const std::string_view> (*numbers)(std::string_view mode) = nullptr;
    // False where it draws another encoding, in the place of one that it says nothing about; null: never.
    bool (*draws_own)(const Scene&) = nullptr;
    // True if it draws anything for an encoding; null: always. Else it says in its place why not.
    bool (*applies)(const SpectrumInput&) = nullptr;
    Moves moves{};
    bool predicts = false;  // it takes a Prediction
};
// Modes and numbers that are the same for every Scene and mode: `.numbers = fixed_numbers<"turns", "frequencies">`.
template <std::size_t N>
struct Name {
    constexpr Name(const char (&from)[N]) { std::copy_n(from, N, text); }
    char text[N] = {};
};
template <Name... names>
inline constexpr std::array<std::string_view, sizeof...(names)> kListed = {names.text...};
template <Name... names>
std::span<const std::string_view> fixed_numbers(std::string_view) {
    return kListed<names...>;
}
template <Name... names>
std::span<const std::string_view> fixed_modes(const Scene&) {
    return kListed<names...>;
}
bool applies(const Figure& figure, const SpectrumInput& scene);

std::span<const Figure* const> figures();
const Figure* find_figure(std::string_view id);

// A value of the Scene's view for this figure, or null.
const Json* view_value(const Scene& scene, std::string_view figure, std::string_view key);
void set_view_value(Scene& scene, std::string_view figure, std::string_view key, Json value);
// The mode that a figure is in: the view's, if the encoding offers it, else the first.
std::string_view mode(const Figure& figure, const Scene& scene);
// The first of its quantities that the Scene's encoding has; null where there is none.
const Quantity* numbers_of(const Figure& figure, const Scene& scene);

// The pair that is linked now: under the mouse anywhere, else none. `exact` is false where the spectra differ.
std::optional<LinkedPair> linked(const Frame& frame, const Spectrum& spectrum);

// Moves position and offset within their bounds.
void set_position(Scene& scene, std::int64_t position);
void set_offset(Scene& scene, std::int64_t offset);

}  // namespace posiscope::figures
