// core_bench — core's kernels, each next to a floor measured in the same process, alternating with it.
// Counters  of_floor   median of floor's time ÷ kernel's: 1 is as fast as memory or multipliers are at that moment
//           of_floor_cpu  the same of the processor's time alone, which other programs disturb less
//           floor_ms   median of the floor's time
//           max_error  against long double; more than the kernel's header promises ends the program with 1
// Flags     Google Benchmark's: --benchmark_filter, --benchmark_repetitions, --benchmark_format …
#include "tests/bench/core_cases.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <ctime>

namespace posiscope {
namespace {

struct Time {
    double wall;  // milliseconds
    double cpu;   // of all threads
};

template <class Work>
Time time_of(const Work& work) {
    const std::clock_t used = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double wall =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return {wall, 1000.0 * static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void measure(benchmark::State& state, const CoreCase& measured, Workers& workers, bool& wrong) {
    measured.kernel(workers);
    const double error = measured.error();
    measured.floor(workers);
    std::vector<double> of_floor, of_floor_cpu, floor_ms;
    for ([[maybe_unused]] auto _ : state) {
        const Time kernel = time_of([&] { measured.kernel(workers); });
        state.PauseTiming();
        const Time floor = time_of([&] { measured.floor(workers); });
        of_floor.push_back(floor.wall / kernel.wall);
        of_floor_cpu.push_back(floor.cpu / kernel.cpu);
        floor_ms.push_back(floor.wall);
        state.ResumeTiming();
    }
    state.counters["of_floor"] = median(std::move(of_floor));
    state.counters["of_floor_cpu"] = median(std::move(of_floor_cpu));
    state.counters["floor_ms"] = median(std::move(floor_ms));
    state.counters["max_error"] = error;
    if (error <= measured.largest_error) return;
    wrong = true;
    state.SkipWithError("max_error is larger than promised");
}

}  // namespace
}  // namespace posiscope

int main(int count, char** arguments) {
    using namespace posiscope;
    bool wrong = false;
    for (const CoreBench& bench : core_benches())
        for (const int threads : {1, 2})
            benchmark::RegisterBenchmark((bench.name + "/threads:" + std::to_string(threads)).c_str(),
                                         [=, &wrong](benchmark::State& state) {
                                             Workers workers(threads);
                                             measure(state, bench.make(), workers, wrong);
                                         })
                ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return wrong ? 1 : 0;
}
