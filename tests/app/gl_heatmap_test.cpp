// Heatmaps read back from the GPU against core.
#include "tests/app/gl_support.hpp"

#include "core/phase/shift.hpp"

#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace posiscope::canvas::gl_heatmap_test {
namespace {

constexpr std::int64_t kPositions[] = {0, 1000, 100000, 1000000, 1000000000, 2147483647 - 63};

double worst_error(const HeatmapView& view, std::span<const Step> steps, HeatmapLayer& layer,
                   double (*reference)(const HeatmapView&, std::span<const Step>, int, int), int stride_x = 1,
                   int stride_y = 1) {
    const std::vector<float> values = layer.values({view, {.steps = steps}});
    double worst = 0.0;
    for (int y = 0; y < view.height; y += stride_y) {
        for (int x = 0; x < view.width; x += stride_x) {
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                            static_cast<std::size_t>(x);
            const Blocks blocks = block_layout(view);
            if (view.blocks && x >= blocks.width && x < blocks.second) {
                EXPECT_EQ(values[at], 0.0F);
                continue;
            }
            worst = std::max(worst, std::abs(static_cast<double>(values[at]) - reference(view, steps, x, y)));
        }
    }
    return worst;
}

// One cell a pixel, all pairs.
TEST_F(GlTest, every_cell_is_cores) {
    for (const double base : {1e4, 5e5, 1e8}) {
        for (const std::int64_t d : {64, 512, 8192}) {
            const Spectrum spectrum =
                geometric_spectrum(base, static_cast<std::size_t>(d / 2), static_cast<std::uint64_t>(d), 2);
            for (const std::int64_t position : kPositions) {
                HeatmapView view;
                view.rows = {position, 0.0, 64.0};
                view.height = 64;
                view.columns = {0, 0.0, static_cast<double>(d)};
                view.blocks = true;
                view.gap = 0;
                view.width = static_cast<int>(d);
                const std::vector<float> values = layer().values({view, {.steps = spectrum.step}});
                double worst = 0.0;
                for (int y = 0; y < 64; ++y) {
                    for (std::int64_t pair = 0; pair < d / 2; ++pair) {
                        const Turn turn = phase(spectrum.step[static_cast<std::size_t>(pair)], position + y);
                        const auto at = static_cast<std::size_t>(y * d + pair);
                        worst = std::max(
                            {worst, std::abs(static_cast<double>(values[at]) - sin(turn)),
                             std::abs(static_cast<double>(values[at + static_cast<std::size_t>(d / 2)]) -
                                      cos(turn))});
                    }
                }
                EXPECT_LE(worst, 1e-6) << "base " << base << ", d " << d << ", position " << position;
            }
        }
    }
}

TEST_F(GlTest, averaged_rows_are_the_mean) {
    for (const double base : {1e4, 1e8}) {
        const Spectrum spectrum = geometric_spectrum(base, 32, 64, 2);
        for (const double rows : {0.3, 0.999, 1.0, 5.0, 17.3, 128.0, 999.5, 12345.6, 1e6}) {
            for (const double first : {0.0, 0.37}) {
                for (const std::int64_t origin :
                     {std::int64_t{0}, std::int64_t{1000003}, std::int64_t{2146000000}}) {
                    HeatmapView view;
                    view.columns = {0, 0.0, 64.0};
                    view.width = 143;
                    view.height = 37;
                    view.rows = {origin, first, first + rows};
                    const int stride = rows > 1e4 ? 12 : 1;
                    const double worst = worst_error(view, spectrum.step, layer(), brute_component,
                                                     rows > 100 ? 9 : 1, stride);
                    EXPECT_LE(worst, 1e-6) << base << " " << rows << " " << first << " " << origin;
                }
            }
        }
    }
}

TEST_F(GlTest, all_positions_in_one_view) {
    for (const double base : {1e4, 5e5, 1e8}) {
        const Spectrum spectrum = geometric_spectrum(base, 256, 512, 2);
        for (const int height : {1, 2, 511, 800}) {
            HeatmapView view;
            view.columns = {0, 0.0, 512.0};
            view.blocks = true;
            view.width = 210;
            view.height = height;
            view.rows = {0, 0.0, 2147483647.0};
            const double worst = worst_error(view, spectrum.step, layer(), closed_component, 7, 13);
            EXPECT_LE(worst, 1e-6) << base << " " << height;
        }
    }
}

TEST_F(GlTest, columns_are_averaged_by_area) {
    const Spectrum spectrum = geometric_spectrum(1e4, 256, 512, 2);
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves}) {
        for (const bool rotary : {false, true}) {
            for (const double columns : {0.7, 5.0, 63.2, 100.0, 511.9, 512.0}) {
                for (const double first : {0.0, 0.1, 255.3}) {
                    if (first + columns > 512.0) continue;
                    HeatmapView view;
                    view.layout = layout;
                    view.rotary = rotary;
                    view.columns = {0, first, first + columns};
                    view.width = 201;
                    view.height = 40;
                    view.rows = {4000, 0.25, 61.5};
                    view.blocks = columns_need_blocks(view);
                    if (layout == PairLayout::halves && columns > 100.0 && first < 256.0)
                        continue;  // the seam: below
                    const double worst = worst_error(view, spectrum.step, layer(), brute_component, 1, 5);
                    EXPECT_LE(worst, 1e-6)
                        << static_cast<int>(layout) << rotary << " " << columns << " " << first;
                }
            }
        }
    }
}

// Halves in their own order, several pairs a pixel: no pixel mixes the two components.
TEST_F(GlTest, the_seam_of_halves_is_never_averaged) {
    const Spectrum spectrum = geometric_spectrum(1e4, 256, 512, 2);
    HeatmapView view;
    view.layout = PairLayout::halves;
    view.rows = {0, 0.0, 4.0};
    view.height = 4;
    view.columns = {0, 0.0, 512.0};
    view.width = 101;
    const std::vector<float> values = layer().values({view, {.steps = spectrum.step}});
    const double span = 512.0 / 101.0;
    for (int x = 0; x < 101; ++x) {
        double low = x * span;
        double high = low + span;
        if (low < 256.0 &&
            high > 256.0) {  // the seam lies in the middle of this pixel: it shows the first half
            high = 256.0;
            low = 256.0 - span;
        }
        double mean = 0.0;
        for (double column = std::floor(low); column < high - 1e-9; column += 1.0) {
            const double part = (std::min(column + 1.0, high) - std::max(column, low)) / span;
            const auto at = static_cast<std::int64_t>(column);
            mean += part * table_value(spectrum, PairLayout::halves, 3, at);
        }
        EXPECT_NEAR(values[static_cast<std::size_t>(3 * 101 + x)], mean, 1e-6) << x;
    }
}

TEST_F(GlTest, interleaved_columns_under_2_px_must_be_blocks) {
    const Spectrum spectrum = geometric_spectrum(1e4, 256, 512, 2);
    HeatmapView view;
    view.columns = {0, 0.0, 512.0};
    view.width = 1023;
    view.height = 2;
    EXPECT_TRUE(columns_need_blocks(view));
    EXPECT_THROW(layer().values({view, {.steps = spectrum.step}}), std::invalid_argument);
    view.width = 1024;
    EXPECT_FALSE(columns_need_blocks(view));
    view.width = 100;
    view.layout = PairLayout::halves;
    EXPECT_FALSE(columns_need_blocks(view));
}

TEST_F(GlTest, the_smallest_views_are_drawn) {
    const Spectrum spectrum = geometric_spectrum(1e4, 256, 512, 2);
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves}) {
        for (int width = 1; width <= 4; ++width) {
            HeatmapView view;
            view.layout = layout;
            view.width = width;
            view.rows = {0, 0.0, 3.0};
            view.columns = {0, 0.0, 512.0};
            view.blocks = columns_need_blocks(view);
            view.gap = 1;
            double mean = 0.0;  // of all first components
            for (std::size_t i = 0; i < 256; ++i) {
                for (std::int64_t p = 0; p < 3; ++p) mean += sin(phase(spectrum.step[i], p)) / 768.0;
            }
            const std::vector<float> values = layer().values({view, {.steps = spectrum.step}});
            if (width <= 2 || (width == 3 && view.blocks)) {
                EXPECT_NEAR(values[0], mean, 1e-6) << width;
            }
            EXPECT_EQ(layer().image({view, {.steps = spectrum.step}}).width, width);
        }
    }
}

// From all positions down to less than one cell: every picture is the exact one, to a step of 8 bits.
TEST_F(GlTest, a_zoom_is_right_all_the_way) {
    const Spectrum spectrum = geometric_spectrum(1e4, 32, 64, 2);
    const std::int64_t row = 1234567891;
    int worst = 0;
    for (int i = 0; i <= 40; ++i) {
        HeatmapView view;
        const double rows = 2147483647.0 * std::pow(0.4 / 2147483647.0, i / 40.0);
        const double columns = 64.0 * std::pow(0.3 / 64.0, i / 40.0);
        const double above = rows * (static_cast<double>(row) / 2147483647.0);
        view.rows.origin = rows < 1e8 ? row : 0;
        view.rows.first = rows < 1e8 ? -above + 0.7 : static_cast<double>(row) - above;
        if (i == 0) view.rows.first = 0.0;
        view.rows.last = view.rows.first + rows;
        view.columns = {0, 21.6 * (1.0 - columns / 64.0), 21.6 * (1.0 - columns / 64.0) + columns};
        view.width = 96;
        view.height = 61;
        view.borders = false;
        view.blocks = columns_need_blocks(view);
        const Image image = layer().image({view, {.steps = spectrum.step}});
        const Blocks blocks = block_layout(view);
        for (int y = 0; y < view.height; y += 3) {
            for (int x = 0; x < view.width; ++x) {
                if (view.blocks && x >= blocks.width && x < blocks.second) continue;
                const double value = closed_component(view, spectrum.step, x, y);
                for (int channel = 0; channel < 3; ++channel) {
                    const auto part = [&](std::uint32_t colour) {
                        return static_cast<double>((colour >> (8 * channel)) & 0xffU);
                    };
                    const double zero = part(view.zero);
                    const double expected =
                        zero + std::abs(value) * (part(value < 0.0 ? view.negative : view.positive) - zero);
                    worst = std::max(worst, std::abs(image.pixel(x, y)[channel] -
                                                     static_cast<int>(std::lround(expected))));
                }
            }
        }
    }
    EXPECT_LE(worst, 1);
}

TEST_F(GlTest, nothing_is_drawn_when_nothing_changed) {
    const Spectrum spectrum = geometric_spectrum(1e4, 32, 64, 2);
    const Spectrum other = geometric_spectrum(5e5, 32, 64, 2);
    Heatmap shown{{}, {.steps = spectrum.step}};
    shown.view.columns = {0, 0.0, 64.0};
    shown.view.rows = {0, 0.0, 50.0};
    shown.view.width = 200;
    shown.view.height = 100;
    const HeatmapLayer::Picture first = layer().draw(0, shown);
    std::uint64_t draws = layer().draws();
    const auto drawn = [&](std::size_t key) {
        layer().draw(key, shown);
        return layer().draws() - std::exchange(draws, layer().draws());
    };
    const Spectrum same = spectrum;
    shown.data.steps = same.step;
    EXPECT_EQ(layer().draw(0, shown).version, first.version);
    EXPECT_EQ(drawn(0), 0U) << "equal numbers in another place";
    shown.data.subtracted = other.step;
    EXPECT_EQ(drawn(0), 0U) << "numbers that this view does not read";
    EXPECT_EQ(drawn(1), 1U) << "another key";
    EXPECT_EQ(drawn(0), 0U);
    shown.view.rows.last = 51.0;
    EXPECT_EQ(drawn(0), 1U);
    shown.data.steps = other.step;
    EXPECT_EQ(drawn(0), 1U);
    shown.view.difference = true;
    EXPECT_EQ(drawn(0), 1U);
    shown.data.subtracted = spectrum.step;
    EXPECT_EQ(drawn(0), 1U);
    EXPECT_EQ(drawn(0), 0U);
}

TEST_F(GlTest, samples_are_told_apart_by_their_key) {
    std::vector<float> samples(200 * 100, 0.5F);
    Heatmap shown{{}, {.samples = samples}, samples_key(samples)};
    shown.view.field = Field::samples;
    shown.view.width = 200;
    shown.view.height = 100;
    layer().draw(0, shown);
    std::uint64_t draws = layer().draws();
    layer().draw(0, shown);
    EXPECT_EQ(layer().draws(), draws);
    samples[12345] = 0.25F;
    EXPECT_NE(samples_key(samples), shown.samples_key);
    shown.samples_key = samples_key(samples);
    layer().draw(0, shown);
    EXPECT_EQ(layer().draws(), draws + 1);
}

// Equal numbers have equal keys; one changed, swapped, left out or added has another.
TEST(SamplesKey, IsAFunctionOfEveryNumberAndItsPlace) {
    std::vector<float> samples(1001);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 0.01F * static_cast<float>(i % 7);
    std::set<std::uint64_t> seen{samples_key(samples)};
    EXPECT_TRUE(seen.contains(samples_key(std::vector<float>(samples))));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        std::vector<float> other = samples;
        other[i] += 1.0F;
        EXPECT_TRUE(seen.insert(samples_key(other)).second) << i;
        if (i == 0 || samples[i] == samples[i - 1]) continue;
        other = samples;
        std::swap(other[i], other[i - 1]);
        EXPECT_TRUE(seen.insert(samples_key(other)).second) << i << " swapped";
    }
    samples.push_back(0.0F);
    EXPECT_TRUE(seen.insert(samples_key(samples)).second);
    EXPECT_TRUE(seen.insert(samples_key({})).second);
}

TEST_F(GlTest, places_and_components_agree) {
    HeatmapView view;
    view.rows = {0, 0.0, 8.0};
    view.width = 301;
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves}) {
        for (const bool blocks : {false, true}) {
            for (const Field field : {Field::components, Field::phase}) {
                view.layout = layout;
                view.blocks = blocks;
                view.field = field;
                view.columns = {0, 2.5, 61.5};
                for (int x = 0; x < view.width; ++x) {
                    const auto at = component_at(view, 32, x + 0.5);
                    if (!at) continue;
                    const Extent extent = extent_of(view, 32, *at);
                    EXPECT_LE(extent.left, x + 0.5);
                    EXPECT_GT(extent.left + extent.width, x + 0.5);
                    if (!blocks || field == Field::phase) continue;
                    const Blocks halves = block_layout(view);
                    const double start = at->component == 1 ? halves.second : 0.0;
                    EXPECT_GE(extent.left, start) << "a cell is not in the other half";
                    EXPECT_LE(extent.left + extent.width, start + halves.width);
                }
                EXPECT_FALSE(component_at(view, 32, view.width * 2.0));
            }
        }
    }
}

}  // namespace
}  // namespace posiscope::canvas::gl_heatmap_test
