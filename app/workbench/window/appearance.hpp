// appearance.hpp — theme, language, fonts and pixels per point, as the preferences say.
#pragma once

#include "app/ui/look.hpp"
#include "app/workbench/document/preferences.hpp"

#include "core/scene/scene.hpp"

#include <memory>
#include <optional>

namespace posiscope::workbench {

// The texts in that language. A page may have to fetch them, and has English until they are there.
bool texts_are_there(Language language);
Strings texts_in(Language language);

class Appearance {
public:
    // Adds its fonts to the current ImGui context.
    explicit Appearance(const Preferences& preferences);

    // Words and numbers in another face; before the first frame.
    void set_in(const ui::Typeface& typeface);
    // In the colours of a person's own style instead of the preferences'; before the first frame.
    void wear(const ui::Theme& theme);

    // Call at the start of a frame. Preferences changed during a frame show in the next one.
    void follow(const Preferences& preferences, float pixels_per_point, bool presenting = false);

    ui::Look look() { return {theme_, strings_.get(), scratch_.get(), fonts_, pixels_per_point_}; }
    const ui::Theme& theme() const { return *theme_; }
    const Strings& strings() const { return *strings_; }
    const ui::Fonts& fonts() const { return fonts_; }
    // Users may type characters that our fonts lack: the first, once for the words that it is in.
    std::optional<std::string> missing_glyph(const Choice& content);
    float pixels_per_point() const { return pixels_per_point_; }

private:
    void wear(const Preferences& preferences, bool presenting = false);

    const ui::Theme* theme_ = nullptr;
    std::optional<ui::Theme> own_;
    std::unique_ptr<Strings> strings_;
    std::unique_ptr<ui::Scratch> scratch_ = std::make_unique<ui::Scratch>();
    ui::Fonts fonts_;
    float pixels_per_point_ = 1.0F;
    Choice checked_;  // its words have been looked up
};

}  // namespace posiscope::workbench
