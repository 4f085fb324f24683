// Heatmaps read back from the GPU against core.
#include "tests/app/gl_support.hpp"

#include "core/frequencies.hpp"

#include <cmath>

namespace posiscope::gl {
namespace {

constexpr std::int64_t kPositions[] = {0, 1000, 100000, 1000000, 1000000000, 2147483647 - 63};

double worst_error(const MatrixView& view, std::span<const Step> steps, MatrixLayer& layer,
                   double (*reference)(const MatrixView&, std::span<const Step>, int, int), int stride_x = 1, int stride_y = 1) {
    const std::vector<float> values = layer.values(view);
    double worst = 0.0;
    for (int y = 0; y < view.height; y += stride_y) {
        for (int x = 0; x < view.width; x += stride_x) {
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(x);
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

// One cell a pixel, all pairs, blocks or not, in slices no wider than a texture.
TEST_F(GlTest, every_cell_is_cores) {
    for (const double base : {1e4, 5e5, 1e8}) {
        for (const std::int64_t d : {64, 512, 8192}) {
            const Spectrum spectrum = geometric_spectrum(base, static_cast<std::size_t>(d / 2), static_cast<std::uint64_t>(d), 2);
            layer().set_spectrum(spectrum.step);
            for (const std::int64_t position : kPositions) {
                MatrixView view;
                view.rows = {position, 0.0, 64.0};
                view.height = 64;
                view.columns = {0, 0.0, static_cast<double>(d)};
                view.blocks = true;
                view.gap = 0;
                view.width = static_cast<int>(d);
                const std::vector<float> values = layer().values(view);
                double worst = 0.0;
                for (int y = 0; y < 64; ++y) {
                    for (std::int64_t pair = 0; pair < d / 2; ++pair) {
                        const Turn turn = phase(spectrum.step[static_cast<std::size_t>(pair)], position + y);
                        const auto at = static_cast<std::size_t>(y * d + pair);
                        worst = std::max({worst, std::abs(static_cast<double>(values[at]) - sin(turn)),
                                          std::abs(static_cast<double>(values[at + static_cast<std::size_t>(d / 2)]) - cos(turn))});
                    }
                }
                EXPECT_LE(worst, 1e-6) << "base " << base << ", d " << d << ", position " << position;
                RecordProperty("worst", std::to_string(worst));
                if (std::getenv("VERBOSE")) std::printf("base %g d %lld p %lld: %g\n", base, (long long)d, (long long)position, worst);
            }
        }
    }
}

TEST_F(GlTest, averaged_rows_are_the_mean) {
    for (const double base : {1e4, 1e8}) {
        const Spectrum spectrum = geometric_spectrum(base, 32, 64, 2);
        layer().set_spectrum(spectrum.step);
        for (const double rows : {0.3, 0.999, 1.0, 5.0, 17.3, 128.0, 999.5, 12345.6, 1e6}) {
            for (const double first : {0.0, 0.37}) {
                for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{1000003}, std::int64_t{2146000000}}) {
                    MatrixView view;
                    view.columns = {0, 0.0, 64.0};
                    view.width = 143;
                    view.height = 37;
                    view.rows = {origin, first, first + rows};
                    const int stride = rows > 1e4 ? 12 : 1;
                    const double worst = worst_error(view, spectrum.step, layer(), brute_component, rows > 100 ? 9 : 1, stride);
                    EXPECT_LE(worst, 1e-6) << base << " " << rows << " " << first << " " << origin;
                    if (std::getenv("VERBOSE")) std::printf("base %g rows %g first %g origin %lld: %g\n", base, rows, first, (long long)origin, worst);
                }
            }
        }
    }
}

TEST_F(GlTest, all_positions_in_one_view) {
    for (const double base : {1e4, 5e5, 1e8}) {
        const Spectrum spectrum = geometric_spectrum(base, 256, 512, 2);
        layer().set_spectrum(spectrum.step);
        for (const int height : {1, 2, 511, 800}) {
            MatrixView view;
            view.columns = {0, 0.0, 512.0};
            view.blocks = true;
            view.width = 210;
            view.height = height;
            view.rows = {0, 0.0, 2147483647.0};
            const double worst = worst_error(view, spectrum.step, layer(), closed_component, 7, 13);
            EXPECT_LE(worst, 1e-6) << base << " " << height;
            if (std::getenv("VERBOSE")) std::printf("all base %g height %d: %g\n", base, height, worst);
        }
    }
}

TEST_F(GlTest, columns_are_averaged_by_area) {
    const Spectrum spectrum = geometric_spectrum(1e4, 256, 512, 2);
    layer().set_spectrum(spectrum.step);
    for (const PairOrder order : {PairOrder::interleaved, PairOrder::halves}) {
        for (const bool rotary : {false, true}) {
            for (const double columns : {0.7, 5.0, 63.2, 100.0, 511.9, 512.0}) {
                for (const double first : {0.0, 0.1, 255.3}) {
                    if (first + columns > 512.0) continue;
                    MatrixView view;
                    view.order = order;
                    view.rotary = rotary;
                    view.columns = {0, first, first + columns};
                    view.width = 201;
                    view.height = 40;
                    view.rows = {4000, 0.25, 61.5};
                    view.blocks = columns_need_blocks(view);
                    if (order == PairOrder::halves && columns > 100.0) continue;  // the seam, below
                    const double worst = worst_error(view, spectrum.step, layer(), brute_component, 1, 5);
                    EXPECT_LE(worst, 1e-6) << static_cast<int>(order) << rotary << " " << columns << " " << first;
                }
            }
        }
    }
}

}  // namespace
}  // namespace posiscope::gl
