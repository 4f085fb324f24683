// Causal attention in float32 against float64, on every target.
#include "core/kernels/causal_attention.hpp"

#include "core/attention/attention.hpp"
#include "tests/core/kernels/targets.hpp"

#include <cmath>
#include <rapidcheck/gtest.h>

namespace posiscope {
namespace {

constexpr float kUntouched = 7.0F;

std::vector<float> features(std::int64_t count, double seed) {
    std::vector<float> x(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(std::sin(seed * static_cast<double>(i * i + 1)));
    return x;
}

Attention exact(const AttentionSize& size, const std::vector<float>& q, const std::vector<float>& k) {
    Action plain;
    plain.scale = static_cast<double>(size.scale);
    return attend(plain, {1, size.features, size.rows, size.rows, true}, {q.begin(), q.end()},
                  {k.begin(), k.end()}, std::vector<double>(k.size()));
}

void check(AttentionSize size, std::size_t shift, int threads) {
    Workers workers(threads);
    const std::vector<float> q = features(size.rows * size.features, 1.3),
                             k = features(size.rows * size.features, 2.1);
    const Attention wanted = exact(size, q, k);
    for (const AttentionValues values : {AttentionValues::logits, AttentionValues::shares}) {
        size.values = values;
        std::vector<float> memory(static_cast<std::size_t>(size.rows * size.rows) + shift, kUntouched);
        causal_attention(size, q, k, std::span(memory).subspan(shift), workers);
        const auto n = static_cast<std::size_t>(size.rows);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const double made = memory[shift + i * n + j];
                if (j > i) {
                    ASSERT_EQ(made, kUntouched) << "written right of the diagonal at " << i << ", " << j;
                    continue;
                }
                const double size_of = static_cast<double>(size.scale) * static_cast<double>(size.features);
                const double logit_error = 0x1p-23 * static_cast<double>(size.features) * size_of;
                if (values == AttentionValues::logits)
                    ASSERT_NEAR(made, wanted.logits[i * n + j], logit_error) << i << ", " << j << " of " << n;
                else
                    ASSERT_NEAR(made / wanted.weights[i * n + j], 1.0, 2.0 * logit_error + 1e-6)
                        << i << ", " << j << " of " << n;
            }
    }
}

TEST(CausalAttention, IsRightForEverySmallSize) {
    for_each_target([] {
        for (const std::int64_t rows : {1, 2, 3, 5, 8, 17, 47, 48, 49, 100})
            for (const std::int64_t features : {1, 2, 7, 64})
                check({rows, features, 0.3F, {}}, static_cast<std::size_t>(rows % 4),
                      static_cast<int>(1 + rows % 3));
    });
}

TEST(CausalAttention, IsRightForManyRows) {
    for_each_target([] { check({333, 128, 0.088388348F, {}}, 0, 2); });
}

// Logits as large as 600 in size: e^600 is no float.
TEST(CausalAttention, SharesOfLargeLogitsAreNumbers) {
    for_each_target([] {
        Workers workers;
        const std::int64_t n = 70;
        std::vector<float> q(static_cast<std::size_t>(n), 30.0F), k(q), out(q.size() * q.size());
        for (std::size_t i = 0; i < k.size(); ++i) k[i] = i % 2 == 0 ? 20.0F : -20.0F;
        causal_attention({n, 1, 1.0F, AttentionValues::shares}, q, k, out, workers);
        for (std::size_t i = 0; i < q.size(); ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j <= i; ++j) sum += out[i * q.size() + j];
            EXPECT_NEAR(sum, 1.0, 1e-5) << i;
            EXPECT_NEAR(out[i * q.size()], 1.0 / static_cast<double>(i / 2 + 1), 1e-6) << i;
        }
    });
}

TEST(CausalAttention, OfNothingIsNothing) {
    Workers workers;
    causal_attention({0, 4, 1.0F, AttentionValues::shares}, {}, {}, {}, workers);
    std::vector<float> q(8), out(5);
    EXPECT_THROW(causal_attention({2, 4, 1.0F, AttentionValues::shares}, q, q, out, workers),
                 std::logic_error);
}

RC_GTEST_PROP(CausalAttention, SharesOfARowSumToOne, ()) {
    const auto rows = *rc::gen::inRange<std::int64_t>(1, 150), width = *rc::gen::inRange<std::int64_t>(1, 40);
    Workers workers(*rc::gen::inRange(1, 4));
    const std::vector<float> q = features(rows * width, 0.7), k = features(rows * width, 3.1);
    std::vector<float> out(static_cast<std::size_t>(rows * rows));
    const float scale = static_cast<float>(*rc::gen::inRange(-30, 30)) * 0.1F;
    for_each_target([&] {
        causal_attention({rows, width, scale, AttentionValues::shares}, q, k, out, workers);
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j <= i; ++j) {
                const double share = out[i * static_cast<std::size_t>(rows) + j];
                RC_ASSERT(share >= 0.0 && share <= 1.000001);
                sum += share;
            }
            RC_ASSERT(std::abs(sum - 1.0) <= 1e-5);
        }
    });
}

}  // namespace
}  // namespace posiscope
