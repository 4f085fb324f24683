// widgets.hpp — the controls of all panels, one of each kind. Each is an item of ImGui: Tab reaches it, Enter and Space press it, a
// frame shows that it has the keyboard, and it is announced by its role and its words (ui/accessible_item.hpp).
#pragma once

#include "app/panels/panel.hpp"
#include "app/ui/accessible_item.hpp"

namespace posiscope::panels {

// Any control that is pressed, without a picture: `lit` where the mouse is over it or the keyboard on it.
struct Press {
    std::string_view role = "button";
    bool on = false, possible = true;
    bool by_tab = true;  // false: other keys do the same
};
struct Pressed {
    bool clicked, hovered, lit;
    ui::AccessibleItem* heard;  // null: nobody listens, or the keyboard is elsewhere
};
Pressed press(Panel& panel, Rect area, std::string_view id, const Press& how = {});
// With a ground while the mouse is over it or it is on: rows of a list, buttons of a bar.
Pressed flat(Panel& panel, Rect area, std::string_view id, const Press& how = {});

struct Button {
    bool primary = false, possible = true;
    std::string_view tip = {};
};
bool button(Panel& panel, Rect area, std::string_view id, std::string_view text, const Button& how = {});
// A quiet word.
bool word(Panel& panel, Point right_or_left, Side side, std::string_view id, std::string_view text,
          float size = ui::kWidgets.word);
// × in the middle of an area.
bool cross(Panel& panel, Rect area, std::string_view id, std::string_view tip);
// A word with a line below while it is the one that is seen. As wide as tab_width() says, and a margin on both sides.
bool tab(Panel& panel, Rect area, std::string_view id, std::string_view text, bool here, bool lined = true,
         float size = ui::kTextSize);
float tab_width(const ui::Look& look, std::string_view text, float size = ui::kTextSize);
// Some side by side on one ground, one of which is on; each as wide as its part of the area. The one that was pressed.
struct Segment {
    std::string_view id, text, tip = {}, help = {};
};
float segment_width(const ui::Look& look, std::string_view text, float pad = ui::kWidgets.pad);
std::optional<std::size_t> segments(Panel& panel, Rect area, std::span<const Segment> list, std::size_t on,
                                    float pad = ui::kWidgets.pad);
// A box that is ticked, and words beside it.
bool check(Panel& panel, Rect area, std::string_view id, std::string_view text, bool on,
           float size = ui::kTextSize);
// A circle before a choice: empty, filled while it is on; a tick where it was right, a cross where it was wrong.
enum class ChoiceMark { none, on, right, wrong };
void choice_mark(Point centre, float radius, ChoiceMark mark, ui::Colour ink);
// On or off.
float toggle(Panel& panel, Rect area, std::string_view key, bool on);

struct Slider {
    std::string_view key;     // of the Scene: "position", or "encoding.NAME"
    std::string_view symbol;  // set in italics beside the name
    double value = 0.0;
    double from = 0.0, to = 1.0;
    double step = 1.0;  // of the wheel and the arrow keys; also what dragging is rounded to
    // The part of the track that can be had now: the rest is dim, and a drag ends there. Empty: all of it.
    std::optional<double> least = {}, most = {};
    bool logarithmic = false;
    bool with_sign = false;
    ui::Colour colour = 0;
    int decimals = 0;
    std::string_view words = {};  // whose "parameter.WORDS.name" and ".help" it has; empty: the key's
    std::string_view unset = {};  // shown instead of the value while there is none
    bool ends = false;            // both ends of the track are written beside it
    std::optional<double>* own = nullptr;  // handed back here: it is no value of the Scene, and is not typed
};

// Name, symbol and value over a track. Drag; wheel or arrow keys step; double-click or Ctrl-click types; right-click
// offers reset, type, copy, copy as --set. A value that the Scene refuses is refused where it is typed; a drag gets the nearest
// that it takes, and a step the next. Returns its height.
float slider(Panel& panel, Rect area, Slider slider);

// A field that opens a list. Between the two, while it is open, its entries are drawn.
struct ListField {
    std::string_view key = {}, title = {}, shown = {}, help = {};
    ui::Colour ink = 0, dot = 0;  // of what is shown, 0: the theme's; of a disc before it, 0: none
    bool grounded = false;        // it is a part of something that has the ground
};
// Writes the title; the field is below it.
Rect field_below(const ui::Look& look, Rect area, std::string_view title);
bool begin_list(const ui::Look& look, Rect field, const ListField& list);
void end_list(Panel& panel, Rect field, const ListField& list, bool open);
// Writes the shown entry into its field, and the sign of a list.
void write_field(const ui::Look& look, Rect field, const ListField& list);
// A row of two lines; true if it is taken.
bool list_entry(const ui::Look& look, std::string_view id, std::string_view name, std::string_view detail,
                bool chosen = false, float width = 0.0F);

// A field that opens a list. The names are "option.KEY.NAME" in the string tables. With `group`, options of one group
// stand together under "option.KEY.group.GROUP".
float selector(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
               std::span<const std::string_view> options,
               std::string_view (*group)(std::string_view option) = nullptr);

// The same where a choice does more than set a key: returns it in `taken`, else leaves `taken` empty. Those of `first` have a
// button each, named "option.KEY.NAME.short", and the list is behind the last one.
float chooser(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
              std::span<const std::string_view> options, std::string_view& taken,
              std::string_view (*group)(std::string_view option) = nullptr,
              std::span<const std::string_view> first = {});

}  // namespace posiscope::panels
