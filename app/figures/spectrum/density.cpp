// density.cpp — how many wavelengths lie in each half of a decade. Those longer than the length are hatched: their pairs
// change little over the positions, which is what is called a prior for low frequencies.
#include "app/figures/parts/headline.hpp"
#include "app/figures/spectrum/spectrum.hpp"
#include "app/plot/plot.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace posiscope::figures::spectrum {
namespace {

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

    const int first = std::min(now.first, other.first), last = std::max(now.last, other.last);
    const double end = std::max((static_cast<double>(last) + 1.0) / kPerDecade, length);
    const double most = std::max(now.most, other.most);
    const plot::Plot p(f, area,
                       {plot::Kind::log, std::min(static_cast<double>(first) / kPerDecade, length),
                        end + 0.15, f.text("spectrum.axis")},
                       {plot::Kind::whole, 0.0, std::max(2.0, 1.15 * most), f.text("spectrum.density_axis")});
    if (!p.has_room()) return;
    const auto bar = [&](int bin, int count) {
        const double from = static_cast<double>(bin) / kPerDecade;
        return Rect{p.x(from) + 1.0F, p.y(count), p.x(from + 1.0 / kPerDecade) - 1.0F, p.y(0.0)};
    };
    for (int bin = now.first; bin <= now.last; ++bin) {
        const int count = now.count[static_cast<std::size_t>(bin)];
        if (count == 0) continue;
        const Rect box = bar(bin, count);
        const float split = std::clamp(p.x(length), box.x0, box.x1);
        if (split > box.x0) f.canvas.fill({box.x0, box.y0, split, box.y1}, f.theme.seen, 0.0F);
        if (split < box.x1) {
            const Rect beyond{split, box.y0, box.x1, box.y1};
            f.canvas.fill(beyond, ui::faded(f.theme.beyond, 0.35F), 0.0F);
            hatch(f.canvas, beyond, f.theme.beyond);
        }
        if (f.over({box.x0, p.area.y0, box.x1, p.area.y1})) {
            f.tip.value = f.format(
                "spectrum.density_tip", fmt::arg("count", ui::counted(f.scratch, count)),
                fmt::arg("from", ui::significant(f.scratch, std::pow(10.0, bin / kPerDecade), 3)),
                fmt::arg("to", ui::significant(f.scratch, std::pow(10.0, (bin + 1) / kPerDecade), 3)));
        }
    }
    for (int bin = other.first; bin <= other.last; ++bin)
        if (const int count = other.count[static_cast<std::size_t>(bin)]; count > 0)
            f.canvas.outline(bar(bin, count), {f.theme.ink, 1.5F});
    p.rule(length, {f.theme.ink, 1.5F, 5.0F});
    p.flag(length, f.format("spectrum.length", fmt::arg("length", ui::counted(f.scratch, f.scene.length))));
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
