// density.cpp — how many wavelengths lie in each half of a decade. Those longer than the length are hatched: their pairs
// change little over the positions, which is what is called a prior for low frequencies.
#include "app/canvas/spaced.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/spectrum/spectrum.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace posiscope::figures::spectrum {
namespace {

using canvas::Align;
using ui::Face;

constexpr int kBins = 128;  // of half a decade, from wavelength 1 on: up to 10⁶⁴
constexpr double kPerDecade = 2.0;

struct Density {
    std::array<int, kBins> count{};
    int first = kBins, last = -1;  // bins that are not empty
    int most = 0;

    void add(double log) {
        if (!std::isfinite(log)) return;
        const int bin = std::clamp(static_cast<int>(std::floor(log * kPerDecade)), 0, kBins - 1);
        first = std::min(first, bin);
        last = std::max(last, bin);
        most = std::max(most, ++count[static_cast<std::size_t>(bin)]);
    }
};

Density density_of(std::span<const double> logs) {
    Density made;
    for (const double log : logs) made.add(log);
    return made;
}

Rect bar(const canvas::Axis& x, const canvas::Axis& y, int bin, int count) {
    const double from = static_cast<double>(bin) / kPerDecade;
    return {x(from) + 1.0F, y(static_cast<double>(count)), x(from + 1.0 / kPerDecade) - 1.0F, y(0.0)};
}

void draw_counts(Frame& f, Rect plot, const canvas::Axis& y) {
    const canvas::Ticks ticks =
        canvas::spaced_ticks(y, std::clamp(static_cast<int>(plot.height() / 30.0F), 2, 6), 15.0F);
    for (const double value : ticks.values()) {
        if (value != std::round(value)) continue;
        f.canvas.line({plot.x0, y(value)}, {plot.x1, y(value)}, {f.theme.grid, 1.0F});
        f.canvas.text({plot.x0 - 7.0F, y(value) + 4.0F}, ui::integer(f.scratch, std::llround(value)),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    }
    f.canvas.text({plot.x0, plot.y0 - 10.0F}, f.text("spectrum.density_axis"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text});
}

void draw_wavelengths(Frame& f, Rect plot, const canvas::Axis& x) {
    const int first = static_cast<int>(std::ceil(x.from - 1e-9)),
              last = static_cast<int>(std::floor(x.to + 1e-9));
    const int room = std::max(1, static_cast<int>(plot.width() / 60.0F));
    const int stride = std::max(1, (last - first + room) / room);
    for (int decade = first; decade <= last; decade += stride)
        f.canvas.text({x(decade), plot.y1 + 17.0F}, power_of_ten(f.scratch, decade),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    f.canvas.text({plot.centre().x, plot.y1 + 34.0F}, f.text("spectrum.axis"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
}

}  // namespace

void draw_density(Frame& f, Rect area, const TrainingCurves& curves) {
    const Density now = density_of(curves.wavelength);
    if (now.last < 0) return;
    const Training* b = f.other != nullptr ? training_of_b(f) : nullptr;
    const double length = std::log10(static_cast<double>(f.scene.length));
    Density other;
    if (b != nullptr)
        for (const double omega : b->now.frequency)
            other.add(omega > 0.0 ? std::log10(2.0 * std::numbers::pi / omega) : std::nan(""));

    const Rect plot{area.x0 + 54.0F, area.y0 + 26.0F, area.x1 - 14.0F, area.y1 - 40.0F};
    if (plot.width() < 60.0F || plot.height() < 30.0F) return;
    const int first = std::min(now.first, other.first), last = std::max(now.last, other.last);
    const double end = std::max((static_cast<double>(last) + 1.0) / kPerDecade, length);
    const canvas::Axis x{std::min(static_cast<double>(first) / kPerDecade, length), end + 0.15, plot.x0,
                         plot.x1};
    const int most = std::max(now.most, other.most);
    const canvas::Axis y{0.0, std::max(2.0, 1.15 * static_cast<double>(most)), plot.y1, plot.y0};

    draw_counts(f, plot, y);
    draw_wavelengths(f, plot, x);
    for (int bin = now.first; bin <= now.last; ++bin) {
        const int count = now.count[static_cast<std::size_t>(bin)];
        if (count == 0) continue;
        const Rect box = bar(x, y, bin, count);
        const float split = std::clamp(x(length), box.x0, box.x1);
        if (split > box.x0) f.canvas.fill({box.x0, box.y0, split, box.y1}, f.theme.seen, 0.0F);
        if (split < box.x1) {
            const Rect beyond{split, box.y0, box.x1, box.y1};
            f.canvas.fill(beyond, ui::faded(f.theme.beyond, 0.35F), 0.0F);
            hatch(f.canvas, beyond, f.theme.beyond);
        }
        if (f.over({box.x0, plot.y0, box.x1, plot.y1})) {
            f.tip.value = f.format(
                "spectrum.density_tip", fmt::arg("count", ui::integer(f.scratch, count)),
                fmt::arg("from", ui::significant(f.scratch, std::pow(10.0, bin / kPerDecade), 3)),
                fmt::arg("to", ui::significant(f.scratch, std::pow(10.0, (bin + 1) / kPerDecade), 3)));
        }
    }
    for (int bin = other.first; bin <= other.last; ++bin)
        if (const int count = other.count[static_cast<std::size_t>(bin)]; count > 0)
            f.canvas.outline(bar(x, y, bin, count), {f.theme.ink, 1.5F});
    f.canvas.line({x(length), plot.y0}, {x(length), plot.y1}, {f.theme.ink, 1.5F, 5.0F});
    const std::string_view words =
        f.format("spectrum.length", fmt::arg("length", ui::counted(f.scratch, f.scene.length)));
    const float width = f.canvas.text_width(words, Face::text, ui::kSmallSize);
    const float name_end =
        plot.x0 + f.canvas.text_width(f.text("spectrum.density_axis"), Face::text, ui::kSmallSize);
    const float at = std::min(x(length), plot.x1 - width);
    if (at > name_end + 10.0F)
        f.canvas.text({at, plot.y0 - 10.0F}, words, {f.theme.ink, ui::kSmallSize, Face::text});
}

std::string_view density_headline(Frame& f, const TrainingCurves& curves) {
    const double length = std::log10(static_cast<double>(f.scene.length));
    const auto longer = std::count_if(curves.wavelength.begin(), curves.wavelength.end(),
                                      [&](double log) { return log > length; });
    const std::size_t pairs = curves.wavelength.size();
    return f.format(counted_form(f, "spectrum.headline_density", static_cast<std::size_t>(longer), pairs),
                    fmt::arg("longer", ui::counted(f.scratch, longer)), fmt::arg("pairs", pairs),
                    fmt::arg("length", ui::counted(f.scratch, f.scene.length)));
}

}  // namespace posiscope::figures::spectrum
