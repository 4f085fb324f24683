// The shaders' heatmaps against core's sampler, which vector files draw from: numbers and colours.
#include "tests/app/gl_support.hpp"

#include <cmath>
#include <rapidcheck/gtest.h>

namespace posiscope::canvas::gl_sampler_test {
namespace {

class GlSampler : public GlTest {};

// Any view of a table of 64 pairs, 500 … 1200 wide where it need not be blocks.
HeatmapView any_view(Field field) {
    HeatmapView view;
    view.field = field;
    view.layout = *rc::gen::element(PairLayout::interleaved, PairLayout::halves);
    view.rotary = *rc::gen::arbitrary<bool>();
    view.offset = *rc::gen::inRange<std::int64_t>(-2147483647, 2147483647);
    const auto part = [](double most) { return most * *rc::gen::inRange(0, 1000) * 1e-3; };
    const double rows = field == Field::shift_blocks ? 0.3 + part(127.0) : 0.3 + std::pow(10.0, part(6.0));
    view.rows = {*rc::gen::element<std::int64_t>(0, 4096, 2140000000), 0.0, 0.0};
    if (field == Field::shift_blocks || field == Field::toeplitz) view.rows.origin = 0;
    view.rows.first = field == Field::shift_blocks ? part(127.0 - std::min(rows, 127.0)) : part(3.0);
    view.rows.last = view.rows.first + std::min(rows, field == Field::toeplitz ? 500.0 : rows);
    const double columns = 0.5 + part(127.0);
    view.columns.first = part(127.5 - columns);
    view.columns.last = view.columns.first + columns;
    view.width = *rc::gen::inRange(1, 300);
    view.height = *rc::gen::inRange(1, 40);
    view.gap = *rc::gen::inRange(0, 12);
    view.blocks = columns_need_blocks(view);
    return view;
}

TEST_F(GlSampler, TheShadersDrawWhatCoreSamples) {
    EXPECT_TRUE(rc::check([&] {
        const Field field = *rc::gen::element(Field::components, Field::phase, Field::toeplitz,
                                              Field::shift_blocks, Field::samples);
        const Spectrum spectrum = geometric_spectrum(1e4, 64, 128, 2);
        HeatmapView view = any_view(field);
        view.difference =
            (field == Field::components || field == Field::shift_blocks) && *rc::gen::arbitrary<bool>();
        std::vector<float> distances, samples;
        for (int d = -700; d <= 700; ++d) distances.push_back(static_cast<float>(std::cos(0.7 * d)));
        for (int i = 0; i < view.width * view.height; ++i)
            samples.push_back(0.1F * static_cast<float>(i % 97) - 4.0F);
        const Toeplitz toeplitz{Toeplitz::Index::by_distance, -700, distances};
        const Spectrum b = geometric_spectrum(5e5, 64, 128, 2);
        const FieldData data{view.difference ? b.step : spectrum.step, spectrum.step, toeplitz, samples};
        const std::vector<float> drawn = layer().values({view, data});
        const Image image = layer().image({view, data});
        const bool bordered = border_strength(view) > 0.0;

        FieldSampler sampler(view, data);
        std::vector<FieldSampler::Sample> row(static_cast<std::size_t>(view.width));
        for (int y = 0; y < view.height; ++y) {
            sampler.row(y, row);
            for (int x = 0; x < view.width; ++x) {
                const FieldSampler::Sample& sample = row[static_cast<std::size_t>(x)];
                if (std::isnan(sample.value)) {
                    RC_ASSERT(image.pixel(x, y)[3] == 0);
                    continue;
                }
                double error =
                    static_cast<double>(drawn[static_cast<std::size_t>(y * view.width + x)]) - sample.value;
                // The angle of a vector that has all but vanished is nobody's.
                if (field == Field::phase)
                    error = std::remainder(error, 6.283185307179586) * sample.magnitude;
                RC_ASSERT(std::abs(error) <= (field == Field::phase ? 5e-6 : view.difference ? 4e-6 : 2e-6));
                if (bordered) continue;
                const std::uint32_t colour = heatmap_colour(view, sample);
                for (int channel = 0; channel < 3; ++channel)
                    RC_ASSERT(std::abs(image.pixel(x, y)[channel] -
                                       static_cast<int>((colour >> (8 * channel)) & 0xffU)) <= 2);
            }
        }
    }));
}

}  // namespace
}  // namespace posiscope::canvas::gl_sampler_test
