// look.hpp — the current appearance: theme, strings, faces, scale, and the scratch block for this frame's texts.
#pragma once

#include "app/ui/fonts.hpp"
#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "app/ui/theme.hpp"

namespace posiscope::ui {

struct Look {
    const Theme* theme;
    const Strings* strings;
    Scratch* scratch;
    Fonts fonts;
    float pixels_per_point;

    std::string_view text(std::string_view key) const { return strings->text(key); }
    template <class... Args>
    std::string_view format(std::string_view key, Args&&... args) const {
        return scratch->vformat(fmt::string_view(strings->text(key)), fmt::make_format_args(args...));
    }
    // A C string that lives for this frame, for ImGui.
    const char* c(std::string_view text) const { return scratch->format("{}", text).data(); }
};

// Sizes of all controls, ImGui's own among them, in points. Their colours are the theme's: a ground is `control`, under the mouse
// `pressed`; words are `ink`, and `ink_soft` where they are quiet; the ground of one that is on is `ink`.
struct WidgetStyle {
    float corner = 5.0F;              // of grounds
    float word = 14.5F;               // size of quiet words and of segments
    float cross = 18.0F;              // size of ×
    float pad = 9.0F, margin = 2.0F;  // of a segment: beside its words; around its ground
    float line = 2.0F;                // below a tab
    float box = 15.0F;                // side of a box that is ticked
    float field = 26.0F;              // height of a field that opens a list
};
inline constexpr WidgetStyle kWidgets;

// Gives ImGui's own widgets (menus, input fields, tips) the theme's colours and our spacing.
void apply_style(const Theme& theme);

}  // namespace posiscope::ui
