// An Action is called from several threads at once, as the ranking of heads does; the thread sanitizer looks at these.
#include "core/attention/attention.hpp"
#include "core/encodings/encodings.hpp"
#include "core/jobs/pool.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <system_error>
#include <thread>

namespace posiscope::encoding_threads_test {
namespace {

// The sum of what it gives at some places, all heads and distances of which other threads ask too.
double asked(const Scene& scene, const Action& action) {
    std::vector<double> q(static_cast<std::size_t>(head_dim(scene)), 0.5), k(q.size(), -0.25),
        x(static_cast<std::size_t>(scene.d_model), 0.0);
    double sum = 0.0;
    const std::int64_t positions = std::min(scene.length, action.positions);
    for (std::int64_t head = 0; head < scene.num_heads; ++head)
        for (std::int64_t query = 0; query < positions; ++query) {
            const std::int64_t key = (query * 7 + head) % positions;
            if (action.add) action.add(query, x);
            if (action.turn) action.turn(Side::query, query, q), action.turn(Side::key, key, k);
            if (action.content) sum += action.content({head, query, key, q, k});
            if (action.weight) sum += action.weight(head, query, key);
            if (action.bias) sum += action.bias(head, query, key);
        }
    return std::accumulate(x.begin(), x.end(), sum);
}

void from_four_threads(const Scene& scene) {
    const auto shared = action_of(scene);
    ASSERT_TRUE(shared) << scene.encoding.kind;
    std::vector<double> sums(4);
    std::vector<std::thread> threads;
    for (double& sum : sums) threads.emplace_back([&] { sum = asked(scene, *shared); });
    for (std::thread& thread : threads) thread.join();
    const auto alone = action_of(scene);
    for (const double sum : sums) EXPECT_EQ(sum, asked(scene, *alone)) << scene.encoding.kind;
}

TEST(EncodingThreads, AnActionIsPure) {
    try {
        std::thread([] {}).join();
    } catch (const std::system_error&) {  // under node
        GTEST_SKIP() << "the system gives no threads";
    }
    for (const std::string_view kind : encoding_kinds())
        for (const std::int64_t heads : {1, 64}) {
            const auto scene = overlay(
                Scene(),
                {{"encoding", std::string(kind)}, {"d_model", 256}, {"num_heads", heads}, {"length", 40}});
            ASSERT_TRUE(scene);
            from_four_threads(scene->scene);
        }
    for (const char* own :
         {R"j({"kind": "own", "frequency": "b^(-2i/d)", "distance": "min(abs(D), 4)"})j",
          R"j({"kind": "own", "frequency": "b^(-2i/d)", "position": "log(1+p)", "bias": "-abs(D)"})j",
          R"j({"kind": "own", "frequency": "1/(1+i)", "amplitude": "exp(-abs(D)/9)", "scale": "1+h"})j",
          R"j({"kind": "own", "add": "sum(c, 0, 3, sin(p/(1+c+j)))"})j",
          R"j({"kind": "rope", "dual_chunk_attention_config": {"chunk_size": 8, "local_size": 2}})j"}) {
        const auto scene = overlay(
            Scene(), {{"encoding", Json::parse(own)}, {"d_model", 64}, {"num_heads", 4}, {"length", 40}});
        ASSERT_TRUE(scene) << own;
        from_four_threads(scene->scene);
    }
}

}  // namespace
}  // namespace posiscope::encoding_threads_test
