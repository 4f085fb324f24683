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

// Gives ImGui's own widgets (menus, input fields, tips) the theme's colours and our spacing.
void apply_style(const Theme& theme);

}  // namespace posiscope::ui
