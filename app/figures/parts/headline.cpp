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

std::string_view both_headline(Frame& f, std::int64_t distance, double a, double b) {
    ui::Scratch& s = f.scratch;
    const std::string_view of_a = ui::significant(s, a, 5), of_b = ui::significant(s, b, 5);
    return f.format(of_a == of_b ? "scores.headline_both_same" : "scores.headline_both",
                    fmt::arg("offset", ui::signed_integer(s, distance)), fmt::arg("a", of_a),
                    fmt::arg("b", of_b), fmt::arg("difference", ui::significant(s, b - a, 5)));
}

std::string_view counted_form(Frame& f, std::string_view key, std::size_t counted, std::size_t of) {
    return counted == 0    ? f.scratch.format("{}_none", key)
           : counted == of ? f.scratch.format("{}_all", key)
                           : key;
}

std::string_view headline(const Figure& figure, Frame& f) { return longest_form(figure.headline(f)); }

std::string_view headline(const Figure& figure, Frame& f, float width) {
    return form_within(figure.headline(f), width, f.canvas);
}

}  // namespace posiscope::figures
