// Heatmaps of the other fields: phase, values of row − column, M_k, samples; colours and borders.
#include "core/attention/means.hpp"
#include "tests/app/gl_support.hpp"

#include "core/phase/shift.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace posiscope::canvas::gl_fields_test {
namespace {

class GlFields : public GlTest {};

TEST_F(GlFields, phase_is_the_angle_of_the_mean_vector) {
    const Spectrum spectrum = geometric_spectrum(1e4, 64, 128, 2);
    HeatmapView view;
    view.field = Field::phase;
    view.rows = {1000000, 0.0, 90.0};
    view.columns = {0, 0.0, 128.0};
    view.width = 50;
    view.height = 45;
    HeatmapView part = view;  // the same means as components: cosine and sine of each pair
    part.field = Field::components;
    part.blocks = true;
    part.gap = 0;
    part.width = 100;
    part.rotary = true;
    const std::vector<float> means = layer().values({part, {.steps = spectrum.step}});
    const std::vector<float> angles = layer().values({view, {.steps = spectrum.step}});
    const Image image = layer().image({view, {.steps = spectrum.step}});
    for (int y = 0; y < 45; ++y) {
        for (int x = 0; x < 50; ++x) {
            const double c = means[static_cast<std::size_t>(y * 100 + x)];
            const double s = means[static_cast<std::size_t>(y * 100 + 50 + x)];
            const double magnitude = std::hypot(c, s);
            const double angle = std::atan2(s, c);
            if (magnitude > 1e-3) {
                EXPECT_NEAR(
                    std::remainder(angles[static_cast<std::size_t>(y * 50 + x)] - angle, 6.283185307179586),
                    0.0, 1e-3);
            }
            const std::uint32_t colour = phase_colour(angle / 6.283185307179586, magnitude, view.zero);
            for (int channel = 0; channel < 3; ++channel)
                EXPECT_NEAR(image.pixel(x, y)[channel], (colour >> (8 * channel)) & 0xffU,
                            magnitude > 1e-3 ? 1 : 2);
        }
    }
}

TEST_F(GlFields, toeplitz_is_the_mean_over_the_pixel) {
    std::vector<float> values;
    for (int d = -600; d <= 600; ++d)
        values.push_back(
            static_cast<float>(std::cos(1.0 * d) + 0.3 * std::sin(0.17 * d) + (d == 0 ? 4.0 : 0.0)));
    for (const double rows : {0.8, 3.0, 31.0, 97.3, 555.0}) {
        for (const double columns : {2.1, 64.0, 290.7}) {
            HeatmapView view;
            view.field = Field::toeplitz;
            view.rows = {40, 0.3, 0.3 + rows};
            view.columns = {0, 2.6, 2.6 + columns};
            view.width = 64;
            view.height = 31;
            const std::vector<float> drawn =
                layer().values({view, {.toeplitz = {Toeplitz::Index::by_distance, -600, values}}});
            double worst = 0.0;
            for (int y = 0; y < view.height; y += 3) {
                for (int x = 0; x < view.width; x += 5) {
                    double mean = 0.0;
                    brute_cells(view.rows, view.height, y, [&](std::int64_t row, double r) {
                        brute_cells(view.columns, view.width, x, [&](std::int64_t column, double c) {
                            mean += r * c *
                                    static_cast<double>(values[static_cast<std::size_t>(row - column + 600)]);
                        });
                    });
                    worst = std::max(
                        worst, std::abs(mean - static_cast<double>(
                                                   drawn[static_cast<std::size_t>(y * view.width + x)])));
                }
            }
            EXPECT_LE(worst, 2e-6) << rows << " × " << columns;
        }
    }
}

TEST_F(GlFields, toeplitz_by_diagonal_draws_what_it_is_given) {
    std::vector<float> values(7 + 5 - 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i);
    HeatmapView view;
    view.field = Field::toeplitz;
    view.rows = view.columns = {0, 0.0, 2147483647.0};
    view.width = 7;
    view.height = 5;
    const std::vector<float> drawn =
        layer().values({view, {.toeplitz = {Toeplitz::Index::by_diagonal, 0, values}}});
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 7; ++x)
            EXPECT_FLOAT_EQ(drawn[static_cast<std::size_t>(y * 7 + x)],
                            values[static_cast<std::size_t>(y - x + 6)]);
    }
}

TEST_F(GlFields, shift_blocks_are_m_k) {
    const Spectrum spectrum = geometric_spectrum(1e4, 16, 32, 2);
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves}) {
        for (const bool rotary : {false, true}) {
            for (const std::int64_t offset : {std::int64_t{3}, std::int64_t{-7}, std::int64_t{2147483000}}) {
                for (const double dimensions : {1.5, 7.0, 32.0}) {
                    HeatmapView view;
                    view.field = Field::shift_blocks;
                    view.layout = layout;
                    view.rotary = rotary;
                    view.offset = offset;
                    view.rows = {0, 0.0, dimensions};
                    view.columns = {0, 0.0, dimensions};
                    view.width = 21;
                    view.height = 19;
                    const Encoding& encoding = *find_encoding(rotary ? "rope" : "sinusoidal");
                    const auto entry = [&](std::int64_t row, std::int64_t column) {
                        const PairComponent r = pair_component(layout, 16, row);
                        const PairComponent c = pair_component(layout, 16, column);
                        if (r.pair != c.pair) return 0.0;
                        const Block block = shift_block(
                            encoding, phase(spectrum.step[static_cast<std::size_t>(r.pair)], offset));
                        const double entries[] = {block.a, block.b, block.c, block.d};
                        return entries[2 * r.component + c.component];
                    };
                    const std::vector<float> drawn = layer().values({view, {.steps = spectrum.step}});
                    for (int y = 0; y < view.height; ++y) {
                        for (int x = 0; x < view.width; ++x) {
                            double mean = 0.0;
                            brute_cells(view.rows, view.height, y, [&](std::int64_t row, double r) {
                                brute_cells(view.columns, view.width, x, [&](std::int64_t column, double c) {
                                    mean += r * c * entry(row, column);
                                });
                            });
                            ASSERT_NEAR(drawn[static_cast<std::size_t>(y * view.width + x)], mean, 1e-6)
                                << dimensions << " " << x << " " << y;
                        }
                    }
                }
            }
        }
    }
}

TEST_F(GlFields, attention_is_shown_as_core_has_it) {
    const Scene scene =
        overlay(Scene(), {{"encoding", "rope"}, {"length", 200}, {"num_heads", 8}, {"content", "seeded"}})
            ->scene;
    HeatmapView view;
    view.field = Field::samples;
    view.rows = {100, 0.5, 61.0};
    view.columns = {80, 0.0, 75.5};
    view.width = 90;
    view.height = 70;
    const auto means = attention_means(scene, {3, view.rows, view.columns, view.width, view.height}, 1e18);
    ASSERT_TRUE(means) << to_string(means.error());
    const std::vector<float> drawn = layer().values({view, {.samples = means->values}});
    FieldSampler sampler(view, {.samples = means->values});
    std::vector<FieldSampler::Sample> row(static_cast<std::size_t>(view.width));
    for (int y = 0; y < view.height; ++y) {
        sampler.row(y, row);
        for (std::size_t x = 0; x < row.size(); ++x)
            ASSERT_EQ(static_cast<double>(drawn[static_cast<std::size_t>(y) * row.size() + x]), row[x].value)
                << "pixel " << x << ", " << y;
    }
}

TEST_F(GlFields, samples_are_shown_as_given) {
    std::vector<float> samples(6 * 4);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 0.25F * static_cast<float>(i) - 2.0F;
    HeatmapView view;
    view.field = Field::samples;
    view.width = 6;
    view.height = 4;
    EXPECT_EQ(layer().values({view, {.samples = samples}}), samples);
}

TEST_F(GlFields, values_become_colours_linearly) {
    const std::vector<float> samples{-2.0F, -1.0F, -0.5F, 0.0F, 0.25F, 1.0F, 3.0F};
    HeatmapView view;
    view.field = Field::samples;
    view.width = 7;
    view.height = 1;
    view.range = 1.0;
    view.negative = 0xff0000ffU;
    view.zero = 0xff646464U;
    view.positive = 0xffc80000U;
    const Image image = layer().image({view, {.samples = samples}});
    const int expected[7][3] = {{255, 0, 0},   {255, 0, 0}, {178, 50, 50}, {100, 100, 100},
                                {75, 75, 125}, {0, 0, 200}, {0, 0, 200}};
    for (int x = 0; x < 7; ++x) {
        for (int channel = 0; channel < 3; ++channel)
            EXPECT_NEAR(image.pixel(x, 0)[channel], expected[x][channel], 1) << x;
        EXPECT_EQ(image.pixel(x, 0)[3], 255);
    }
}

TEST_F(GlFields, borders_run_between_large_cells_only) {
    const Spectrum spectrum = geometric_spectrum(1e4, 2, 4, 2);
    HeatmapView view;
    view.rows = {0, 0.0, 4.0};
    view.columns = {0, 0.0, 4.0};
    view.width = view.height = 120;
    view.border = 0xff00ff00U;
    HeatmapView plain = view;
    plain.borders = false;
    const Image with = layer().image({view, {.steps = spectrum.step}});
    const Image without = layer().image({plain, {.steps = spectrum.step}});
    int bordered = 0;
    for (int y = 0; y < 120; ++y) {
        for (int x = 0; x < 120; ++x) {
            const bool edge = (x > 0 && x % 30 == 0) || (y > 0 && y % 30 == 0);
            const std::uint8_t* pixel = with.pixel(x, y);
            if (edge) {
                EXPECT_EQ(pixel[0], 0);
                EXPECT_EQ(pixel[1], 255);
                ++bordered;
            } else {
                EXPECT_TRUE(std::equal(pixel, pixel + 4, without.pixel(x, y)));
            }
        }
    }
    EXPECT_EQ(bordered, 2 * 3 * 120 - 9);
    view.width = view.height = plain.width = plain.height = 44;  // cells of 11 px
    EXPECT_EQ(layer().image({view, {.steps = spectrum.step}}),
              layer().image({plain, {.steps = spectrum.step}}));
}

}  // namespace
}  // namespace posiscope::canvas::gl_fields_test
