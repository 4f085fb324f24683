// shifts.cpp — precision over a cache's life: how far a key is from its place after a thousand rotations by the offset, each in
// a number format (core/precision/shifted.hpp); the largest of all pairs.
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/positions/positions.hpp"
#include "core/precision/shifted.hpp"

namespace posiscope::figures::rows {
namespace {

using canvas::Align;
using ui::Face;

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

// On a separate line: the curves come too near each other for names beside them.
void draw_formats(Frame& f, Rect line) {
    float x = line.x0;
    for (std::size_t format = 0; format < kFormats.size(); ++format) {
        const std::string_view name = name_of(f, format);
        const float width = f.canvas.text_width(name, Face::text, ui::kSmallSize), y = line.centre().y;
        if (x + 24.0F + width > line.x1) return;
        f.canvas.line({x, y}, {x + 18.0F, y}, {colour_of(f, format), 1.8F});
        f.canvas.text({x + 24.0F, y + 4.5F}, name, {f.theme.ink_soft, ui::kSmallSize, Face::text});
        x += 24.0F + width + 14.0F;
    }
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
    if (area.height() > 150.0F) draw_formats(f, area.cut_top(22.0F));
    const Rect plot{area.x0 + 54.0F, area.y0 + 24.0F, area.x1 - 14.0F, area.y1 - 40.0F};
    const canvas::Axis x{0.0, static_cast<double>(kShifts), plot.x0, plot.x1},
        y{kLeastError, kMostError, plot.y1, plot.y0};
    draw_decades(f, plot, y, f.text("key_scores.shifts_y"));
    for (int tick = 0; tick <= 4; ++tick) {
        const auto at = static_cast<std::int64_t>(kShifts) * tick / 4;
        f.canvas.line({x(static_cast<double>(at)), plot.y1}, {x(static_cast<double>(at)), plot.y1 + 4.0F},
                      {f.theme.ink_faint, 1.0F});
        f.canvas.text({x(static_cast<double>(at)), plot.y1 + 17.0F}, ui::integer(f.scratch, at),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
    f.canvas.text({plot.centre().x, plot.y1 + 34.0F}, f.text("key_scores.shifts_x"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    const auto height = [](double error) {
        return std::clamp(std::log10(std::max(error, 1e-300)), kLeastError, kMostError);
    };
    std::vector<Point>& points = f.derived.points();
    for (std::size_t format = 0; format < kFormats.size(); ++format) {
        points.clear();
        const auto columns = static_cast<std::size_t>(std::max(plot.width(), 2.0F));
        const std::size_t stride = std::max<std::size_t>(1, kShifts / columns);
        for (std::size_t n = 1; n <= kShifts; n += stride)
            points.push_back({x(static_cast<double>(n)), y(height((*errors)[format][n]))});
        f.canvas.polyline(points, {colour_of(f, format), 1.6F});
    }
    if (!f.over(plot)) return;
    const auto shifts = static_cast<std::size_t>(
        std::llround(std::clamp(x.inverse(f.pointer->at.x), 0.0, static_cast<double>(kShifts))));
    f.tip.value = f.format("key_scores.shifts_tip",
                           fmt::arg("count", ui::integer(f.scratch, static_cast<std::int64_t>(shifts))));
    for (std::size_t format = 0; format < kFormats.size(); ++format)
        f.tip.details[format] = f.scratch.format("{}  {}", name_of(f, format),
                                                 ui::significant(f.scratch, (*errors)[format][shifts], 3));
}

}  // namespace posiscope::figures::rows
