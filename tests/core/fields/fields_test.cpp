// A heatmap's pixels from core alone, against their definition: every cell a pixel touches, by the area covered.
#include "core/fields/fields.hpp"
#include "core/phase/phase.hpp"
#include "core/phase/shift.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>

namespace posiscope::fields_test {
namespace {

using Sample = FieldSampler::Sample;

std::vector<Sample> all_of(const FieldView& view, const FieldData& data) {
    FieldSampler sampler(view, data);
    std::vector<Sample> samples(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
    for (int y = 0; y < view.height; ++y)
        sampler.row(
            y, std::span(samples).subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width),
                                          static_cast<std::size_t>(view.width)));
    return samples;
}

void cells_of(const Range& range, int pixels, int pixel,
              const std::function<void(std::int64_t, double)>& visit) {
    const double low = range.first + range.length() * pixel / pixels,
                 high = range.first + range.length() * (pixel + 1) / pixels;
    for (double cell = std::floor(low); cell < high; cell += 1.0) {
        const double part = std::min(cell + 1.0, high) - std::max(cell, low);
        if (part > 1e-12) visit(range.origin + static_cast<std::int64_t>(cell), part / (high - low));
    }
}

// The largest error of a view against a mean over cells.
double worst_against(const FieldView& view, const FieldData& data,
                     const std::function<double(std::int64_t, std::int64_t)>& value) {
    const auto samples = all_of(view, data);
    double worst = 0.0;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            double mean = 0.0;
            cells_of(view.rows, view.height, y, [&](std::int64_t row, double r) {
                cells_of(view.columns, view.width, x,
                         [&](std::int64_t column, double c) { mean += r * c * value(row, column); });
            });
            const Sample& sample = samples[static_cast<std::size_t>(y * view.width + x)];
            worst = std::max(worst, std::abs(sample.value - mean));
        }
    return worst;
}

TEST(Fields, ADifferenceIsBLessAInEveryPixel) {
    const Spectrum a = geometric_spectrum(1e4, 32, 64, 2), b = geometric_spectrum(5e5, 32, 64, 2);
    for (const Field field : {Field::components, Field::shift_blocks})
        for (const bool blocks : {false, true}) {
            if (blocks && field == Field::shift_blocks) continue;
            FieldView view;
            view.field = field;
            view.rows = {0, 0.0, 60.5};
            view.columns = {0, 0.0, 64.0};
            view.width = blocks ? 90 : 150;
            view.height = 31;
            view.offset = 7;
            view.blocks = blocks;
            const auto of_a = all_of(view, {a.step}), of_b = all_of(view, {b.step});
            view.difference = true;
            const auto less = all_of(view, {.steps = b.step, .subtracted = a.step});
            for (std::size_t i = 0; i < less.size(); ++i) {
                EXPECT_EQ(std::isnan(less[i].value), std::isnan(of_a[i].value));
                if (!std::isnan(of_a[i].value)) {
                    EXPECT_EQ(less[i].value, of_b[i].value - of_a[i].value);
                }
            }
        }
}

TEST(Fields, AStepLessAnotherTurnsByTheAngleBetween) {
    const Spectrum a = geometric_spectrum(1e4, 32, 64, 2), b = geometric_spectrum(5e5, 32, 64, 2);
    for (std::size_t i = 0; i < 32; ++i)
        for (const std::int64_t p : {std::int64_t{1}, std::int64_t{1000}, std::int64_t{2147483647}}) {
            const std::uint64_t between = phase(b.step[i], p).fraction - phase(a.step[i], p).fraction;
            const auto off =
                static_cast<std::int64_t>(phase(difference(b.step[i], a.step[i]), p).fraction - between);
            EXPECT_LE(std::abs(off), 2) << "pair " << i << " at " << p;
        }
}

TEST(Fields, ACellAPixelIsTheTableItself) {
    const Spectrum spectrum = geometric_spectrum(1e4, 32, 64, 2);
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
        for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{2147483000}}) {
            FieldView view;
            view.layout = layout;
            view.rows = {origin, 0.0, 50.0};
            view.columns = {0, 0.0, 64.0};
            view.width = 128, view.height = 50;
            const auto samples = all_of(view, {spectrum.step, {}, {}});
            for (int y = 0; y < 50; ++y)
                for (int x = 0; x < 128; ++x)
                    EXPECT_NEAR(samples[static_cast<std::size_t>(y * 128 + x)].value,
                                table_value(spectrum, layout, origin + y, x / 2), 1e-15);
        }
}

TEST(Fields, APixelOfManyCellsIsTheirMean) {
    const Spectrum spectrum = geometric_spectrum(1e4, 32, 64, 2);
    for (const double rows : {0.3, 1.0, 17.3, 999.5})
        for (const double first : {0.0, 0.37})
            for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{2146000000}}) {
                FieldView view;
                view.columns = {0, 3.4, 63.9};
                view.width = 143, view.height = 7;
                view.rows = {origin, first, first + rows};
                const double worst =
                    worst_against(view, {spectrum.step, {}, {}}, [&](std::int64_t row, std::int64_t column) {
                        return table_value(spectrum, PairLayout::interleaved, row, column);
                    });
                EXPECT_LE(worst, 1e-13) << rows << " rows from " << origin << " + " << first;
            }
}

TEST(Fields, BlocksHoldOneComponentEach) {
    const Spectrum spectrum = geometric_spectrum(1e4, 64, 128, 2);
    FieldView view;
    view.rows = {5, 0.0, 4.0};
    view.columns = {0, 0.0, 128.0};
    view.width = 74, view.height = 4;  // two blocks of 32 px, 2 pairs a pixel
    view.blocks = true;
    const auto samples = all_of(view, {spectrum.step, {}, {}});
    for (int x = 0; x < 32; ++x) {
        double sine = 0.0, cosine = 0.0;
        for (int pair = 2 * x; pair < 2 * x + 2; ++pair) {
            sine += 0.5 * sin(phase(spectrum.step[static_cast<std::size_t>(pair)], 6));
            cosine += 0.5 * cos(phase(spectrum.step[static_cast<std::size_t>(pair)], 6));
        }
        EXPECT_NEAR(samples[static_cast<std::size_t>(74 + x)].value, sine, 1e-14) << x;
        EXPECT_NEAR(samples[static_cast<std::size_t>(74 + 42 + x)].value, cosine, 1e-14) << x;
    }
    for (int x = 32; x < 42; ++x)
        EXPECT_TRUE(std::isnan(samples[static_cast<std::size_t>(74 + x)].value)) << "the gap, " << x;
}

TEST(Fields, PhaseIsTheAngleOfTheMeanVector) {
    const Spectrum spectrum = geometric_spectrum(1e4, 8, 16, 2);
    FieldView view;
    view.field = Field::phase;
    view.rows = {1000, 0.0, 12.0};
    view.columns = {0, 0.0, 16.0};
    view.width = 8, view.height = 4;
    const auto samples = all_of(view, {spectrum.step, {}, {}});
    for (int y = 0; y < 4; ++y)
        for (std::size_t pair = 0; pair < 8; ++pair) {
            double c = 0.0, s = 0.0;
            for (int row = 3 * y; row < 3 * y + 3; ++row) {
                c += cos(phase(spectrum.step[pair], 1000 + row)) / 3.0;
                s += sin(phase(spectrum.step[pair], 1000 + row)) / 3.0;
            }
            const Sample& sample = samples[static_cast<std::size_t>(y) * 8 + pair];
            EXPECT_NEAR(sample.magnitude, std::hypot(c, s), 1e-14);
            EXPECT_NEAR(std::remainder(sample.value - std::atan2(s, c), 2.0 * std::numbers::pi), 0.0, 1e-12);
        }
}

TEST(Fields, DistancesAreAveragedOverThePixel) {
    std::vector<float> values;
    for (int distance = -600; distance <= 600; ++distance)
        values.push_back(static_cast<float>(std::cos(1.0 * distance) + (distance == 0 ? 4.0 : 0.0)));
    for (const double rows : {0.8, 3.0, 97.3, 555.0})
        for (const double columns : {2.1, 64.0, 290.7}) {
            FieldView view;
            view.field = Field::toeplitz;
            view.rows = {40, 0.3, 0.3 + rows};
            view.columns = {0, 2.6, 2.6 + columns};
            view.width = 23, view.height = 17;
            const double worst = worst_against(
                view, {.toeplitz = {Toeplitz::Index::by_distance, -600, values}},
                [&](std::int64_t row, std::int64_t column) {
                    return static_cast<double>(values[static_cast<std::size_t>(row - column + 600)]);
                });
            EXPECT_LE(worst, 1e-12) << rows << " × " << columns;
        }
}

TEST(Fields, ShiftBlocksAreMk) {
    const Spectrum spectrum = geometric_spectrum(1e4, 16, 32, 2);
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
        for (const bool rotary : {false, true})
            for (const double dimensions : {1.5, 7.0, 32.0}) {
                FieldView view;
                view.field = Field::shift_blocks;
                view.layout = layout;
                view.rotary = rotary;
                view.offset = -7;
                view.rows = view.columns = {0, 0.0, dimensions};
                view.width = 21, view.height = 19;
                const Encoding& encoding = *find_encoding(rotary ? "rope" : "sinusoidal");
                const double worst =
                    worst_against(view, {spectrum.step, {}, {}}, [&](std::int64_t row, std::int64_t column) {
                        const PairComponent r = pair_component(layout, 16, row),
                                            c = pair_component(layout, 16, column);
                        if (r.pair != c.pair) return 0.0;
                        const Block block =
                            shift_block(encoding, phase(spectrum.step[static_cast<std::size_t>(r.pair)], -7));
                        const double entries[] = {block.a, block.b, block.c, block.d};
                        return entries[2 * r.component + c.component];
                    });
                EXPECT_LE(worst, 1e-13) << rotary << " " << dimensions;
            }
}

TEST(Fields, WithoutDataNothingStandsThere) {
    FieldView view;
    view.width = 3, view.height = 1;
    for (const Field field :
         {Field::components, Field::phase, Field::toeplitz, Field::shift_blocks, Field::samples}) {
        view.field = field;
        for (const Sample& sample : all_of(view, {})) EXPECT_TRUE(std::isnan(sample.value));
    }
}

}  // namespace
}  // namespace posiscope::fields_test
