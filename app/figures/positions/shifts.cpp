// shifts.cpp — precision over a cache's life: how far a key is from its place after a thousand rotations by the offset, each in
// a number format (core/precision/precision.hpp); the largest of all pairs.
#include "app/figures/positions/positions.hpp"
#include "app/plot/plot.hpp"
#include "core/precision/precision.hpp"

namespace posiscope::figures::rows {
namespace {

constexpr std::size_t kShifts = 1000;
constexpr double kLeastError = -8.0, kMostError = 1.0;  // log₁₀
constexpr std::array kFormats = {Precision::float32, Precision::float16, Precision::bfloat16};

struct ShiftsKey {
    Kept<Rates> rates;
    std::int64_t by;
    bool operator==(const ShiftsKey&) const = default;
};
using Errors = std::array<std::vector<double>, kFormats.size()>;
struct Shifts {
    Slow<ShiftsKey, Errors> errors;
    Kept<Errors> shown;
};

std::int64_t shift_of(const Scene& scene) { return scene.offset == 0 ? -1 : scene.offset; }

const Errors* errors_of(Frame& f) {
    Shifts& kept = f.derived.part<Shifts>();
    kept.shown = kept.errors.get(
        f.derived.background(), {f.derived.rates(f.scene), shift_of(f.scene)}, [](const ShiftsKey& key) {
            Errors made;
            for (std::size_t n = 0; n < kFormats.size(); ++n)
                made[n] = shifted_errors(**key.rates, kFormats[n], key.by, kShifts + 1);
            return made;
        });
    return kept.shown.get();
}

ui::Colour colour_of(const Frame& f, std::size_t format) {
    return format == 0 ? f.theme.ink_soft : format == 1 ? f.theme.beyond : f.theme.ink;
}

std::string_view name_of(Frame& f, std::size_t format) {
    return f.text(f.scratch.format("figure.precision.mode.{}", precision_name(kFormats[format])));
}

}  // namespace

std::string_view shifts_headline(Frame& f) {
    if (f.derived.spectrum(f.scene) == nullptr) return {};
    const Errors* errors = errors_of(f);
    if (errors == nullptr) return {};
    ui::Scratch& s = f.scratch;
    const auto last = [&](std::size_t format) { return ui::significant(s, (*errors)[format].back(), 3); };
    return f.format("key_scores.headline_shifts", fmt::arg("count", ui::integer(s, kShifts)),
                    fmt::arg("by", ui::signed_integer(s, shift_of(f.scene))), fmt::arg("float16", last(1)),
                    fmt::arg("bfloat16", last(2)), fmt::arg("float32", last(0)));
}

void draw_shifts(Frame& f, Rect area) {
    if (const Problem* problem = f.derived.problem(f.scene)) return explain_absence(f, area, *problem);
    const Errors* errors = errors_of(f);
    if (errors == nullptr) return explain_absence(f, area, being_made());
    if (area.width() < 150.0F || area.height() < 100.0F) return;
    std::array<plot::Key, kFormats.size()> legend;
    for (std::size_t n = 0; n < kFormats.size(); ++n) legend[n] = {name_of(f, n), {colour_of(f, n), 1.6F}};
    const plot::Plot p(f, area,
                       {plot::Kind::whole, 0.0, static_cast<double>(kShifts), f.text("key_scores.shifts_x")},
                       {plot::Kind::log, kLeastError, kMostError, f.text("key_scores.shifts_y")}, legend);
    if (!p.has_room()) return;
    const std::size_t stride = std::max<std::size_t>(1, kShifts / static_cast<std::size_t>(p.area.width()));
    for (std::size_t format = 0; format < kFormats.size(); ++format)
        p.path(kShifts / stride, legend[format].stroke, [&](std::size_t i) {
            const double error = std::max((*errors)[format][1 + i * stride], 1e-300);
            return p.at(static_cast<double>(1 + i * stride),
                        std::clamp(std::log10(error), kLeastError, kMostError));
        });
    if (!p.over()) return;
    const auto shifts = static_cast<std::size_t>(std::llround(p.pointed_x()));
    f.tip.value = f.format("key_scores.shifts_tip",
                           fmt::arg("count", ui::integer(f.scratch, static_cast<std::int64_t>(shifts))));
    for (std::size_t format = 0; format < kFormats.size(); ++format)
        f.tip.details[format] = f.scratch.format("{}  {}", name_of(f, format),
                                                 ui::significant(f.scratch, (*errors)[format][shifts], 3));
}

}  // namespace posiscope::figures::rows
