// The examples that are typed formulas have the numbers that they state, and those of their sources.
#include "app/ui/known.hpp"
#include "core/attention/attention.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::test::typed_examples_test {
namespace {

const Scene& example(std::string_view id) {
    const ui::Example* found = ui::find_example(id);
    if (found == nullptr) throw std::logic_error(std::string(id));
    return found->scene;
}

double factor(std::string_view id, std::int64_t query) { return action_of(example(id))->weight(0, query, 0); }

double added(std::string_view id, std::int64_t position, std::size_t feature) {
    return input_table(example(id), position, 1)->at(feature);
}

// The logit of q = k = (1, 0) in every pair, ÷ √64.
double logit(std::string_view id, std::int64_t query, std::int64_t key) {
    const Scene& scene = example(id);
    const auto action = action_of(scene);
    std::vector<double> q(static_cast<std::size_t>(head_dim(scene)), 0.0);
    for (std::size_t f = 0; f < q.size(); f += 2) q[f] = 1.0;
    const double pairs = static_cast<double>(q.size()) / 2.0;
    return action->scale * (pairs + action->content({0, query, key, q, q}));
}

TEST(TypedExamples, HaveTheNumbersOfTheirSources) {
    const auto resonance = spectrum_of(example("resonance"));
    EXPECT_NEAR(resonance->frequency[0], 1.047198, 5e-7);
    EXPECT_NEAR(resonance->frequency[1], 0.897598, 5e-7);

    EXPECT_DOUBLE_EQ(factor("log_n", 511), 1.0);
    EXPECT_DOUBLE_EQ(factor("log_n", 4095), 1.3333333333333333);
    EXPECT_DOUBLE_EQ(factor("log_n", 32767), 1.6666666666666665);
    const auto share = [](double logit) { return std::exp(logit) / (std::exp(logit) + 999.0); };
    EXPECT_NEAR(share(5.0), 0.12935, 5e-6);
    EXPECT_NEAR(share(5.0 * factor("ssmax", 999)), 0.99965, 5e-6);
    EXPECT_EQ(factor("llama4_temperature", 8190), 1.0);
    EXPECT_DOUBLE_EQ(factor("llama4_temperature", 8191), 1.0693147180559945);
    EXPECT_DOUBLE_EQ(factor("llama4_temperature", 131071), 1.2833213344056216);

    EXPECT_NEAR(logit("rerope", 5000, 0), 0.7414751503659525, 1e-12);
    EXPECT_NEAR(logit("leaky_rerope", 5000, 0), 0.42913110865647675, 1e-12);
    EXPECT_NEAR(logit("self_extend", 5000, 0), 1.16360247943373, 1e-12);

    EXPECT_NEAR(added("timesteps", 500, 0), -0.883849, 5e-7);
    EXPECT_NEAR(added("timesteps", 500, 159), 0.998598, 5e-7);
    EXPECT_NEAR(added("nerf", 300, 6), 0.951057, 5e-7);
    EXPECT_NEAR(added("nerf", 300, 7), 0.309017, 5e-7);
    Scene shifted = example("timesteps");  // downscale_freq_shift 1
    shifted.encoding.parameters["values"]["s"] = 1.0;
    EXPECT_NEAR(input_table(shifted, 500, 1)->at(159), 0.998750, 5e-7);
    EXPECT_NEAR(added("mae", 33, 0), -0.958924, 5e-7);
    EXPECT_NEAR(added("mae", 33, 32), 0.909297, 5e-7);
}

// Tokens of images and video, whose pairs rotate with their frame, row or column.
TEST(TypedExamples, AxesOfImagesHaveTheNumbersOfTheirSources) {
    const auto flux = spectrum_of(example("flux")), wan = spectrum_of(example("wan"));
    EXPECT_NEAR(flux->frequency[7], 3.1623e-4, 5e-9);
    EXPECT_NEAR(flux->frequency[35], 1.3895e-4, 5e-9);
    EXPECT_NEAR(flux->frequency[63], 1.3895e-4, 5e-9);
    EXPECT_NEAR(wan->frequency[21], 1.5199e-4, 5e-9);

    // (0, 2, 5) · (1, 3, 7): the sum of cosines, of which ones have two in each pair.
    Scene scene = example("flux");
    scene.encoding.parameters["grid"] = {2, 64, 64};
    const auto action = action_of(scene);
    std::vector<double> q(128, 1.0), k = q;
    action->turn(Side::query, 2 * 64 + 5, q);
    action->turn(Side::key, 64 * 64 + 3 * 64 + 7, k);
    EXPECT_NEAR(std::inner_product(q.begin(), q.end(), k.begin(), 0.0) / 2.0, 59.1688, 5e-5);
    EXPECT_EQ(action->positions, 2 * 64 * 64);
    EXPECT_FALSE(action->by_distance);
}

}  // namespace
}  // namespace posiscope::test::typed_examples_test
