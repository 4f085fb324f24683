#include "core/numeric/softmax.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace posiscope::softmax_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Softmax, SumsToOneWhateverTheSizeOfTheLogits) {
    for (const double far : {0.0, 700.0, -700.0, 1e6}) {
        std::vector<double> x{far, far + 1.0, far - 2.0};
        EXPECT_NEAR(log_sum(x), far + std::log(1.0 + std::exp(1.0) + std::exp(-2.0)),
                    1e-15 * std::fabs(far) + 1e-15);
        softmax(x);
        EXPECT_NEAR(std::accumulate(x.begin(), x.end(), 0.0), 1.0, 1e-15);
        EXPECT_NEAR(x[1] / x[0], std::exp(1.0), 1e-9);
    }
}

TEST(Softmax, AMaskedKeyGetsNothing) {
    std::vector<double> x{-kInfinity, 3.0, std::nan(""), 3.0};
    EXPECT_NEAR(log_sum(x), 3.0 + std::log(2.0), 1e-15);
    softmax(x);
    EXPECT_EQ(x, (std::vector<double>{0.0, 0.5, 0.0, 0.5}));
}

TEST(Softmax, ALogitThatStandsForSeveralIsSharedByThem) {
    std::vector<double> sampled{1.0, 2.0}, all{1.0, 1.0, 1.0, 2.0};
    softmax(sampled, [](std::size_t j) { return j == 0 ? 3 : 1; });
    softmax(all);
    EXPECT_NEAR(sampled[0], all[0], 1e-16);
    EXPECT_NEAR(sampled[1], all[3], 1e-16);
}

}  // namespace
}  // namespace posiscope::softmax_test
