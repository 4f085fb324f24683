// panel.hpp — the input of every panel and its result: a changed Scene, or nothing.
#pragma once

#include "app/panels/command.hpp"
#include "app/ui/formula.hpp"
#include "app/ui/geometry.hpp"
#include "app/ui/lines.hpp"
#include "app/ui/look.hpp"
#include "core/scene/scene.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

struct ImDrawList;

namespace posiscope::panels {

inline constexpr float kControlGap = 5.0F;  // points, between the controls of a column

// The value that is being typed, if any; kept in the workbench between frames.
struct Typing {
    std::string key;  // empty: nothing is being typed
    std::array<char, 64> text{};
    bool fresh = false;              // opened this frame: takes the keyboard
    bool digits = false;             // a number without a minus, which a telephone's keys for numbers lack
    std::optional<Problem> problem;  // why what was typed cannot be
};

// The state of a typed encoding's panel; kept in the workbench between frames. Typing::key is "own.SLOT" while a slot is typed.
struct Formulas {
    std::array<char, 512> text{};
    std::size_t cursor = 0;  // in it, bytes
    std::string before;      // what the slot had; empty: nothing
    std::string completion;  // put in at the cursor once the field has the keyboard
    bool insisted = false;  // Enter was pressed although it is refused: what is merely unfinished is said too
    std::string slot, draft;  // a formula that was left although it is refused, and why it is
    std::optional<Problem> problem;
    // Drops a draft, which undo takes back first.
    bool drop_draft() { return !std::exchange(slot, {}).empty(); }
    bool train = false;  // asked for: once the experiment has them in its list
    Choice of;           // whose names these are, with their numbers, in the order of their first use
    std::vector<std::pair<std::string, double>> names;
};

// The place of a control, so that tests can find it as users do.
struct ControlMark {
    std::string key;
    Rect area;  // of a slider: its track
};

struct Panel {
    const ui::Look& look;
    const Scene& scene;
    const Scene& settled;  // as it was when the current drag began: a drag edits that, not its own last step
    Typing& typing;

    // Returned.
    std::optional<Scene> next = {};
    std::vector<Problem> adjusted = {};  // dependent values that moved, and refused ones
    bool held = false;                   // a slider is being dragged
    Commands* commands = nullptr;
    std::vector<ControlMark>* marks = nullptr;
    std::span<const std::string> points = {};  // "sidebar:KEY": controls that a lesson speaks of
    std::vector<Rect>* pointed = nullptr;      // their places
    Formulas* formulas = nullptr;

    void ask(Verb verb, std::string_view what = {}) const {
        commands->push_back({verb, std::string(what), {}, 0});
    }
    void ask(Verb verb, std::size_t number) const {
        commands->push_back({verb, {}, {}, static_cast<std::int64_t>(number)});
    }
    void mark(std::string_view key, Rect area) {
        if (marks != nullptr) marks->push_back({std::string(key), area});
        for (const std::string& point : points)
            if (pointed != nullptr && point.starts_with("sidebar:") &&
                std::string_view(point).substr(8) == key)
                pointed->push_back(area);
    }

    // The name or the help of a setting.
    std::string_view said(std::string_view setting_key, std::string_view part) const;
    // The Scene with {key: value}, or why it cannot be.
    Result<Overlaid> with(std::string_view setting_key, const Json& value) const;
    // Applies {key: value} to the Scene; returns the Problem, and changes nothing, if it is refused.
    std::optional<Problem> set(std::string_view setting_key, const Json& value);
    // The same for controls other than text fields: the Problem is shown as a notice.
    void attempt(std::string_view setting_key, const Json& value) {
        if (auto problem = set(setting_key, value)) adjusted.push_back(std::move(*problem));
    }
};

// The last press was a finger's, which hides what it points at and has no keys.
bool by_finger();

// Made before a menu is begun, and gone after it has ended: rows as high as a finger needs, where one is used.
class MenuRows {
public:
    MenuRows();
    ~MenuRows();
    MenuRows(const MenuRows&) = delete;
    MenuRows& operator=(const MenuRows&) = delete;
};

// ---- what is drawn -----------------------------------------------------------------------------------------------

ImDrawList& draw_list();
void fill(Rect r, ui::Colour colour, float rounding = 0.0F);
void outline(Rect r, ui::Colour colour, float rounding);
// A line across the area, and the room below it.
void rule(const ui::Look& look, Rect& area, float below = 12.0F);

// A tooltip once the mouse rests on the last item.
void tooltip(const ui::Look& look, std::string_view title, std::string_view text);

// A sentence under or beside a control, with a coloured mark: a refusal, or a note. Returns its height.
float message(const ui::Look& look, Rect area, std::string_view text, ui::Colour mark, bool quiet = false);

// A number with its name and unit in a row; what is wrong has a mark. Returns the row.
Rect number_row(const ui::Look& look, Rect& area, std::string_view name, std::string_view value,
                std::string_view unit = {}, bool wrong = false);

// Text at ImGui's cursor, broken into lines and its mathematics set as ui/lines.hpp says.
void prose(const ui::Look& look, std::string_view text, float width, ui::Colour colour,
           float size = ui::kTextSize, ui::Numbers numbers = ui::Numbers::plain);

// The same from the top of an area, which loses the room that it takes.
void say(const ui::Look& look, Rect& area, std::string_view text, ui::Colour colour, float after = 10.0F,
         ui::Numbers numbers = ui::Numbers::plain, float size = ui::kTextSize);

// One line of such text; `at` is the left end of its baseline.
void line_of_text(const ui::Look& look, Point at, std::string_view line, ui::Colour colour,
                  float size = ui::kTextSize, ui::Numbers numbers = ui::Numbers::plain);

// Text on the window's draw list; `at` is the baseline.
enum class Side { left, centre, right };
void label(const ui::Look& look, Point at, std::string_view text, ui::Colour colour,
           float size = ui::kTextSize, ui::Face face = ui::Face::text, Side side = Side::left);
float label_width(const ui::Look& look, std::string_view text, float size = ui::kTextSize,
                  ui::Face face = ui::Face::text);

// Measures text as label() draws it.
class LabelMeasure : public ui::Measure {
public:
    explicit LabelMeasure(const ui::Look& look) : look_(look) {}
    float text_width(std::string_view text, ui::Face face, float size) const override {
        return label_width(look_, text, size, face);
    }

private:
    const ui::Look& look_;
};

}  // namespace posiscope::panels
