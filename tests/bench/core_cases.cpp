#include "tests/bench/core_cases.hpp"

#include "core/encodings/rotation.hpp"
#include "core/experiment/training.hpp"
#include "core/kernels/causal_attention.hpp"
#include "core/kernels/pe_table.hpp"
#include "core/kernels/rope.hpp"
#include "core/scores/score.hpp"
#include "tests/bench/core_floors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <hwy/aligned_allocator.h>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::int64_t kEvery = 61;  // the row of a large array that is judged

struct Floats {
    explicit Floats(std::size_t count)
        : memory(hwy::AllocateAligned<float>(count)), values(memory.get(), count) {
        std::fill(values.begin(), values.end(), 0.5F);
    }
    // The same numbers in [−1, 1) every time.
    void vary(std::uint64_t seed) {
        for (float& value : values) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            value = static_cast<float>(static_cast<std::int64_t>(seed) >> 40) * 0x1p-23F;
        }
    }

    hwy::AlignedFreeUniquePtr<float[]> memory;
    std::span<float> values;
};

std::shared_ptr<Floats> floats(std::int64_t count) {
    return std::make_shared<Floats>(static_cast<std::size_t>(count));
}

struct WidePoint {
    long double cosine;
    long double sine;
};

WidePoint wide_point(Step step, std::int64_t position) {
    const auto turn = static_cast<std::int64_t>(phase(step, position).fraction);
    const long double angle =
        2.0L * std::numbers::pi_v<long double> * 0x1p-64L * static_cast<long double>(turn);
    return {std::cos(angle), std::sin(angle)};
}

double worse(double worst, long double measured, long double exact) {
    return std::max(worst, static_cast<double>(std::abs(measured - exact)));
}

CoreCase pe_table_case(std::int64_t rows, std::int64_t width, Precision precision, bool past) {
    const auto spectrum = std::make_shared<Spectrum>(geometric_spectrum(
        10000.0, static_cast<std::size_t>(width / 2), static_cast<std::uint64_t>(width / 2)));
    const auto out = floats(rows * width);
    const PeTable table{PairLayout::interleaved, 0, rows, precision, 1.0};
    return {[=](Workers& workers) { pe_table(*spectrum, table, out->values, workers); },
            [=](Workers& workers) {
                past ? floors::write_past(out->values, workers) : floors::write(out->values, workers);
            },
            [=] {
                double worst = 0.0;
                const float* value = nullptr;
                for (std::int64_t row = 0; row < rows; row += kEvery)
                    for (std::size_t i = 0; i < spectrum->pairs(); ++i) {
                        value = &out->values[static_cast<std::size_t>(row * width) + 2 * i];
                        const WidePoint point = wide_point(spectrum->step[i], row);
                        worst = worse(worse(worst, value[0], point.sine), value[1], point.cosine);
                    }
                return worst;
            },
            precision == Precision::exact ? 3e-8 : 1.6e-7};
}

// Errors are relative to the length of the pair that turned.
CoreCase rope_case(PairLayout layout, bool in_place) {
    constexpr std::int64_t kHeads = 32, kRows = 4096, kWidth = 128;
    const auto spectrum = std::make_shared<Spectrum>(geometric_spectrum(10000.0, kWidth / 2, kWidth / 2));
    const auto x = floats(kHeads * kRows * kWidth);
    const auto out = in_place ? x : floats(kHeads * kRows * kWidth);
    x->vary(1);
    const RopeShape shape{layout, kHeads, kRows, kWidth, 0};
    const auto error = [=] {
        double worst = 0.0;
        for (std::int64_t row = 0; row < kHeads * kRows; row += kEvery)
            for (std::int64_t i = 0; i < kWidth / 2; ++i) {
                const auto a = static_cast<std::size_t>(row * kWidth + dimension(layout, kWidth / 2, {i, 0}));
                const auto b = static_cast<std::size_t>(row * kWidth + dimension(layout, kWidth / 2, {i, 1}));
                const WidePoint point = wide_point(spectrum->step[static_cast<std::size_t>(i)], row % kRows);
                const long double xa = x->values[a], xb = x->values[b], length = std::hypot(xa, xb);
                const long double ya = xa * point.cosine - xb * point.sine,
                                  yb = xa * point.sine + xb * point.cosine;
                worst = worse(worst, out->values[a] / length, ya / length);
                worst = worse(worst, out->values[b] / length, yb / length);
            }
        return worst;
    };
    if (!in_place)
        return {[=](Workers& workers) { rope(*spectrum, shape, x->values, out->values, workers); },
                [=](Workers& workers) { floors::copy_past(x->values, out->values, workers); }, error, 1.1e-7};
    // What has been turned in place cannot be judged any more: its tests do that.
    return {[=](Workers& workers) { rope(*spectrum, shape, x->values, x->values, workers); },
            [=](Workers& workers) { floors::rewrite(x->values, workers); }, [] { return 0.0; }, 1.1e-7};
}

// Errors are relative to the share.
CoreCase attention_case() {
    constexpr std::int64_t kRows = 2048, kFeatures = 128;
    const auto q = std::make_shared<Floats>(kRows * kFeatures),
               k = std::make_shared<Floats>(kRows * kFeatures);
    const auto out = floats(kRows * kRows);
    q->vary(1), k->vary(2);
    const AttentionSize size{kRows, kFeatures, 0.088388348F, AttentionValues::shares};
    return {
        [=](Workers& workers) { causal_attention(size, q->values, k->values, out->values, workers); },
        [=](Workers& workers) { floors::multiply_add_float(0.5 * kRows * (kRows + 1) * kFeatures, workers); },
        [=] {
            double worst = 0.0;
            for (std::int64_t row = 0; row < kRows; row += kEvery) {
                std::vector<long double> shares;
                long double sum = 0.0L;
                for (std::int64_t j = 0; j <= row; ++j) {
                    long double dot = 0.0L;
                    for (std::int64_t f = 0; f < kFeatures; ++f)
                        dot +=
                            static_cast<long double>(
                                q->values[static_cast<std::size_t>(row * kFeatures + f)]) *
                            static_cast<long double>(k->values[static_cast<std::size_t>(j * kFeatures + f)]);
                    shares.push_back(std::exp(static_cast<long double>(size.scale) * dot));
                    sum += shares.back();
                }
                for (std::size_t j = 0; j < shares.size(); ++j)
                    worst =
                        worse(worst, out->values[static_cast<std::size_t>(row * kRows) + j] * sum / shares[j],
                              1.0L);
            }
            return worst;
        },
        2e-6};
}

// 2n − 1 logits of rotary content that stays, in float64; errors relative to Σ(|even| + |odd|).
CoreCase relative_logits_case() {
    constexpr std::int64_t kRows = 2048, kPairs = 64;
    const auto spectrum = std::make_shared<Spectrum>(geometric_spectrum(10000.0, kPairs, kPairs));
    const auto form = std::make_shared<ScoreForm>();
    long double size = 0.0L;
    for (int i = 0; i < kPairs; ++i) {
        form->even.push_back(std::cos(1.0 + i)), form->odd.push_back(std::sin(2.0 + 3.0 * i));
        size += std::abs(form->even.back()) + std::abs(form->odd.back());
    }
    const auto logits = std::make_shared<std::vector<double>>(2 * kRows - 1);
    return {[=](Workers& workers) {
                // In pieces of whole anchors, so that the result is the same for any number of threads.
                const std::int64_t piece = 2 * kRows / workers.count(), all = 2 * kRows - 1;
                workers.run(workers.count(), [&](std::int64_t task, int) {
                    const std::int64_t first = task * piece, count = std::min(piece, all - first);
                    score_curve(*form, *spectrum, first - (kRows - 1), 1,
                                std::span(*logits).subspan(static_cast<std::size_t>(first),
                                                           static_cast<std::size_t>(count)));
                });
            },
            // For each pair a turn (two products, two multiply-adds) and an addition.
            [=](Workers& workers) { floors::multiply_add_double(5.0 * kPairs * (2 * kRows - 1), workers); },
            [=] {
                double worst = 0.0;
                for (std::size_t n = 0; n < logits->size(); n += 3) {
                    long double exact = 0.0L;
                    for (std::size_t i = 0; i < kPairs; ++i) {
                        const WidePoint point =
                            wide_point(spectrum->step[i], static_cast<std::int64_t>(n) - (kRows - 1));
                        exact += static_cast<long double>(form->even[i]) * point.cosine +
                                 static_cast<long double>(form->odd[i]) * point.sine;
                    }
                    worst = worse(worst, (*logits)[n] / size, exact / size);
                }
                return worst;
            },
            1e-13};
}

// One step of the experiment's training on each thread: its matrix products alone are the floor.
CoreCase experiment_case(const char* encoding) {
    using experiment::Training;
    const experiment::Settings settings = *experiment::settings_from({{"steps", 20000}});
    struct Both {
        std::vector<Training<float>> runs;
        double error;
    };
    auto both = std::make_shared<Both>();
    for (const std::uint64_t seed : {1, 2})
        both->runs.push_back(*Training<float>::of(settings, encoding, seed));
    both->error = std::abs(Training<float>::of(settings, encoding, 3)->step() -
                           Training<double>::of(settings, encoding, 3)->step());
    const experiment::ModelShape shape = both->runs[0].plan().shape;
    const auto count = [](std::size_t number) { return static_cast<double>(number); };
    const double length = count(static_cast<std::size_t>(settings.length));
    const double rows = count(experiment::kBatch) * length;
    const double matrices = count(shape.layers * shape.width * (4 * shape.width + 2 * shape.hidden) +
                                  shape.width * shape.classes);
    // Logits and the mixing of values forwards, four such products back, each of half a matrix; Shaw's vectors of relative
    // positions are multiplied as the keys and values are, up to where distances are clipped.
    const double heads = 6.0 * count(shape.layers * shape.width);
    double distances = (length + 1.0) / 2.0;
    if (encoding == std::string_view("shaw")) {
        const double clip = std::min(16.0, length - 1.0);
        distances += (clip + 1.0) * (1.0 - clip / (2.0 * length));
    }
    const double products = rows * (3.0 * matrices + heads * distances);
    return {[both](Workers& workers) {
                workers.run(workers.count(),
                            [&](std::int64_t run, int) { both->runs[static_cast<std::size_t>(run)].step(); });
            },
            [products](Workers& workers) {
                floors::multiply_add_float(products * static_cast<double>(workers.count()), workers);
            },
            [both] { return both->error; }, 1e-5};
}

}  // namespace

std::vector<CoreBench> core_benches() {
    return {{"pe_table/65536x1024", [] { return pe_table_case(65536, 1024, Precision::fast, true); }},
            {"pe_table_exact/65536x1024", [] { return pe_table_case(65536, 1024, Precision::exact, true); }},
            {"pe_table/2048x512", [] { return pe_table_case(2048, 512, Precision::fast, false); }},
            {"pe_table_exact/2048x512", [] { return pe_table_case(2048, 512, Precision::exact, false); }},
            {"rope/32x4096x128", [] { return rope_case(PairLayout::halves, false); }},
            {"rope_interleaved/32x4096x128", [] { return rope_case(PairLayout::interleaved, false); }},
            {"rope_in_place/32x4096x128", [] { return rope_case(PairLayout::halves, true); }},
            {"attention/2048x128", attention_case},
            {"relative_logits/2048", relative_logits_case},
            {"experiment_step/none", [] { return experiment_case("none"); }},
            {"experiment_step/sinusoidal", [] { return experiment_case("sinusoidal"); }},
            {"experiment_step/learned", [] { return experiment_case("learned"); }},
            {"experiment_step/t5", [] { return experiment_case("t5"); }},
            {"experiment_step/alibi", [] { return experiment_case("alibi"); }},
            {"experiment_step/kerple", [] { return experiment_case("kerple"); }},
            {"experiment_step/shaw", [] { return experiment_case("shaw"); }},
            {"experiment_step/xpos", [] { return experiment_case("xpos"); }},
            {"experiment_step/rope", [] { return experiment_case("rope"); }},
            {"experiment_step/transformer_xl", [] { return experiment_case("transformer_xl"); }},
            {"experiment_step/fire", [] { return experiment_case("fire"); }}};
}

}  // namespace posiscope
