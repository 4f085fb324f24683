#include "app/workbench/window/appearance.hpp"

#include "app/ui/assets.hpp"

#include <fmt/format.h>
#include <imgui.h>

namespace posiscope::workbench {

bool texts_are_there(Language language) {
    return assets::need(fmt::format("strings/{}.json", code(language))) == assets::Late::there;
}

Strings texts_in(Language language) {
    return Strings(texts_are_there(language) ? language : Language::english, Strings::Missing::shows_key,
                   Strings::For::window);
}

Appearance::Appearance(const Preferences& preferences) : fonts_(ui::add_fonts(*ImGui::GetIO().Fonts)) {
    wear(preferences);
}

void Appearance::wear(const Preferences& preferences, bool presenting) {
    const Language language = preferences.language == "zh" ? Language::chinese : Language::english;
    if (!strings_ || (strings_->language() != language && texts_are_there(language)))
        strings_ = std::make_unique<Strings>(texts_in(language));
    const ui::Theme& theme =
        own_ ? *own_ : ui::theme(presenting ? preferences.presenting_theme : preferences.theme);
    if (theme_ == &theme) return;
    theme_ = &theme;
    ui::apply_style(theme);
}

void Appearance::set_in(const ui::Typeface& typeface) { ui::set_in(fonts_, *ImGui::GetIO().Fonts, typeface); }

void Appearance::wear(const ui::Theme& theme) {
    theme_ = &own_.emplace(theme);
    ui::apply_style(theme);
}

void Appearance::follow(const Preferences& preferences, float pixels_per_point, bool presenting) {
    wear(preferences, presenting);
    pixels_per_point_ = pixels_per_point;
    // ImGui itself only tells the font that is pushed how many pixels a point has.
    for (ImFont* font : fonts_) font->CurrentRasterizerDensity = pixels_per_point;
    scratch_->reset();
}

std::optional<std::string> Appearance::missing_glyph(const Choice& content) {
    if (content == checked_) return std::nullopt;
    checked_ = content;
    if (content.kind != "tokens") return std::nullopt;
    for (const Json& word : content.parameters.at("text"))
        if (auto missing = ui::missing_glyph(fonts_, word.get_ref<const std::string&>())) return missing;
    return std::nullopt;
}

}  // namespace posiscope::workbench
