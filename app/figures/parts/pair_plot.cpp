#include "app/figures/parts/pair_plot.hpp"

#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/range.hpp"
#include "app/figures/parts/text.hpp"

namespace posiscope::figures {

using canvas::Align;
using ui::Face;

namespace {

constexpr double kFewest = 4.0;  // pairs that a view is zoomed to at most

Ranged ranged_pairs(std::string_view figure, std::size_t pairs) {
    const auto count = static_cast<double>(pairs);
    return {figure, nullptr, -0.5, count - 0.5, std::min(kFewest, count)};
}

}  // namespace

std::string_view power_of_ten(ui::Scratch& s, int power) {
    if (power >= -2 && power <= 4)
        return power < 0 ? ui::fixed(s, std::pow(10.0, power), -power)
                         : ui::integer(s, std::llround(std::pow(10.0, power)));
    constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const auto size = static_cast<std::size_t>(std::abs(power));
    const auto digit = [&](std::size_t unit) {
        return size >= unit ? digits[size / unit % 10] : std::string_view();
    };
    return s.format("10{}{}{}{}", power < 0 ? "⁻" : "", digit(100), digit(10), digits[size % 10]);
}

canvas::Axis pair_axis(const Scene& scene, std::string_view figure, std::size_t pairs) {
    const AxisRange range = range_of(ranged_pairs(figure, pairs), scene);
    return {range.from, range.to};
}

std::size_t pair_at(const canvas::Axis& x, float point, std::size_t pairs) {
    return static_cast<std::size_t>(
        std::clamp(std::round(x.inverse(point)), 0.0, static_cast<double>(pairs) - 1.0));
}

Rect pair_column(const canvas::Axis& x, double pair, Rect plot, float pixel) {
    const float width = x(1.0) - x(0.0);
    if (width < pixel) {
        const float from = std::max(plot.x0, std::floor(x(pair) / pixel) * pixel);
        return {from, plot.y0, from + pixel, plot.y1};
    }
    const float gap = width > 5.0F ? 0.8F : 0.0F;
    const float from = std::max(plot.x0, x(pair - 0.5) + gap);
    return {from, plot.y0, std::min(plot.x1, std::max(x(pair + 0.5) - gap, from + pixel)), plot.y1};
}

void zoom_and_pan_pairs(Frame& f, Rect plot, const canvas::Axis& x, std::size_t pairs) {
    zoom_and_pan(f, ranged_pairs(f.figure, pairs), plot, x);
}

LinkedPair choose_pair(Frame& f, Rect plot, const canvas::Axis& x, const Spectrum& spectrum) {
    const std::size_t pairs = spectrum.pairs();
    LinkedPair chosen{std::min(static_cast<std::size_t>(f.scene.pair), pairs - 1), true};
    if (const auto lit = linked(f, spectrum)) chosen = *lit;
    if (f.over(plot)) {
        chosen = {pair_at(x, f.pointer->at.x, pairs), true};
        f.hovered.frequency = spectrum.frequency[chosen.pair];
    }
    const auto at = static_cast<double>(chosen.pair);
    if (at >= x.from && at <= x.to && marked(f))
        f.canvas.line({x(at), plot.y0}, {x(at), plot.y1}, {f.theme.ink_faint, 1.0F, 2.5F});
    if (f.clicked(plot)) f.edit().pair = static_cast<std::int64_t>(chosen.pair);
    return chosen;
}

void hatch(canvas::Canvas& c, Rect rect, ui::Colour colour) {
    if (rect.empty()) return;
    if (rect.width() < 2.5F) {
        const bool on = std::fmod(std::floor(rect.x0 * c.pixels_per_point()), 4.0F) < 2.0F;
        c.fill(rect, on ? colour : ui::faded(colour, 0.45F));
        return;
    }
    c.fill(rect, ui::faded(colour, 0.30F));
    constexpr float kStep = 5.0F;
    // Strokes x + y = n · step, cut to the rectangle.
    for (float sum = std::ceil((rect.x0 + rect.y0) / kStep) * kStep; sum < rect.x1 + rect.y1; sum += kStep) {
        const float left = std::max(rect.x0, sum - rect.y1), right = std::min(rect.x1, sum - rect.y0);
        if (right > left) c.line({left, sum - left}, {right, sum - right}, {colour, 1.5F});
    }
}

std::int64_t dragged_length(double log_length) {
    const double length = std::pow(10.0, std::clamp(log_length, 0.0, 9.4));
    const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(length)) - 2.0));
    return std::clamp<std::int64_t>(std::llround(std::round(length / unit) * unit), 1, kLastPosition);
}

}  // namespace posiscope::figures
