#include "tests/app/gl_support.hpp"

#include <cmath>
#include <complex>
#include <optional>

namespace posiscope::canvas {
namespace {

using Vector = std::complex<double>;

struct Shared {
    std::optional<platform::Offscreen> context;
    std::optional<HeatmapLayer> layer;
};
Shared& shared() {
    static Shared kept;
    return kept;
}
// Some drivers are gone before static objects are.
struct BeforeTheDriver : testing::Environment {
    void TearDown() override { shared() = {}; }
};
const auto* const before_the_driver = testing::AddGlobalTestEnvironment(new BeforeTheDriver);

Vector unit(Turn turn) { return {cos(turn), sin(turn)}; }

Vector brute_rows(const HeatmapView& view, Step step, int y) {
    Vector sum = 0.0;
    brute_cells(view.rows, view.height, y,
                [&](std::int64_t row, double part) { sum += part * unit(phase(step, row)); });
    return sum;
}

Vector closed_rows(const HeatmapView& view, Step step, int y) {
    const Range& rows = view.rows;
    const double low = rows.first + rows.length() * y / view.height;
    const double high = rows.first + rows.length() * (y + 1) / view.height;
    const auto first = static_cast<std::int64_t>(std::ceil(low));
    const auto end = static_cast<std::int64_t>(std::floor(high));
    if (end <= first) return brute_rows(view, step, y);
    Vector sum = static_cast<double>(end - first) * mean_factor(step, end - first) *
                 unit(middle_phase(step, rows.origin + first, end - first));
    if (static_cast<double>(first) > low)
        sum += (static_cast<double>(first) - low) * unit(phase(step, rows.origin + first - 1));
    if (static_cast<double>(end) < high)
        sum += (high - static_cast<double>(end)) * unit(phase(step, rows.origin + end));
    return sum / (high - low);
}

template <class Rows>
double component_with(const HeatmapView& view, std::span<const Step> steps, int x, int y, Rows rows) {
    const auto pairs = static_cast<std::int64_t>(steps.size());
    double sum = 0.0;
    const auto add = [&](std::int64_t pair, int component, double part) {
        const Vector mean = rows(view, steps[static_cast<std::size_t>(pair)], y);
        sum += part * ((component == 0) == view.rotary ? mean.real() : mean.imag());
    };
    if (view.blocks) {
        const Blocks blocks = block_layout(view);
        const int component = x >= blocks.second ? 1 : 0;
        const double origin = static_cast<double>(view.columns.origin);
        const Range range{0, (origin + view.columns.first) / 2.0, (origin + view.columns.last) / 2.0};
        brute_cells(range, blocks.width, component == 1 ? x - blocks.second : x,
                    [&](std::int64_t pair, double part) { add(pair, component, part); });
        return sum;
    }
    brute_cells(view.columns, view.width, x, [&](std::int64_t column, double part) {
        const PairComponent at = pair_component(view.layout, pairs, column);
        add(at.pair, at.component, part);
    });
    return sum;
}

}  // namespace

void GlTest::SetUpTestSuite() {
    if (shared().context) return;
    auto context = platform::Offscreen::create();
    ASSERT_TRUE(context) << to_string(context.error());
    shared().context = std::move(*context);
    shared().layer.emplace(Target::framebuffer);
}

void GlTest::SetUp() { shared().context->make_current(); }

HeatmapLayer& GlTest::layer() { return *shared().layer; }

void brute_cells(const Range& range, int pixels, int pixel,
                 const std::function<void(std::int64_t, double)>& visit) {
    const double low = range.first + range.length() * pixel / pixels;
    const double high = range.first + range.length() * (pixel + 1) / pixels;
    for (double cell = std::floor(low); cell < high; cell += 1.0) {
        const double part = std::min(cell + 1.0, high) - std::max(cell, low);
        if (part > 1e-12) visit(range.origin + static_cast<std::int64_t>(cell), part / (high - low));
    }
}

double brute_component(const HeatmapView& view, std::span<const Step> steps, int x, int y) {
    return component_with(view, steps, x, y, brute_rows);
}

double closed_component(const HeatmapView& view, std::span<const Step> steps, int x, int y) {
    return component_with(view, steps, x, y, closed_rows);
}

}  // namespace posiscope::canvas
