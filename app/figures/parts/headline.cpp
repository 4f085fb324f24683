#include "app/figures/parts/headline.hpp"

namespace posiscope::figures {
namespace {

constexpr std::string_view kBetween = "¦";

// Takes the first form off `rest`.
std::string_view next_form(std::string_view& rest) {
    const std::size_t end = rest.find(kBetween);
    const std::string_view form = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kBetween.size());
    return form;
}

}  // namespace

std::string_view longest_form(std::string_view forms) { return next_form(forms); }

std::string_view form_within(std::string_view forms, float width, const ui::Measure& measure) {
    std::string_view form = next_form(forms);
    while (!forms.empty() && measure.text_width(form, ui::Face::text, kHeadlineSize) > width)
        form = next_form(forms);
    return form;
}

std::string_view headline(const Figure& figure, Frame& f) { return longest_form(figure.headline(f)); }

std::string_view headline(const Figure& figure, Frame& f, float width) {
    return form_within(figure.headline(f), width, f.canvas);
}

}  // namespace posiscope::figures
