#include "app/figures/scores/scores.hpp"

#include "app/figures/scores/making.hpp"

#include "core/cost.hpp"

#include <algorithm>

namespace posiscope::figures::scores {
namespace {

constexpr std::int64_t kMostHeads = 64;
constexpr double kLong = 1e3;          // units of one value that is counted by itself
constexpr std::int64_t kBatch = 4096;  // of values that are counted together
constexpr std::int64_t kMostColumns = 2049, kRoughColumns = 33;

struct BiasesKey {
    Kept<AttentionInput> input;
    double exact_work;
    bool operator==(const BiasesKey&) const = default;
};
struct BiasDifferenceKey {
    Kept<Biases> a, b;
    double exact_work;
    bool operator==(const BiasDifferenceKey&) const = default;
};
struct OfHeadsKey {
    Kept<Biases> of;
    std::int64_t distance;
    bool operator==(const OfHeadsKey&) const = default;
};
// Values that the figure keeps in Derived. The distances are those of the offset and of the mouse.
struct KeptBiases {
    Slow<BiasesKey, Biases> biases;
    Slow<BiasDifferenceKey, Biases> less;
    Few<OfHeadsKey, std::vector<double>> of_heads;
};

// One row a head.
Evaluate rows_of(const Biases& of, std::int64_t heads) {
    const double units = of.source->action->meeting_units() * (of.less != nullptr ? 2.0 : 1.0);
    return [&of, heads, units](std::int64_t first, std::int64_t stride, std::int64_t count) {
        std::vector<std::vector<double>> rows(static_cast<std::size_t>(heads));
        for (std::int64_t head = 0; head < heads; ++head) {
            std::vector<double>& row = rows[static_cast<std::size_t>(head)];
            row.reserve(static_cast<std::size_t>(count));
            for (std::int64_t i = 0; i < count; ++i) {
                if (units >= kLong) spend(units);
                else if (i % kBatch == 0) spend(units * static_cast<double>(std::min(kBatch, count - i)));
                row.push_back(of.at(head, first + i * stride));
            }
        }
        return rows;
    };
}

void fill_heads(Biases& made, std::int64_t heads, Samples s, double work) {
    made.curves.problem = fill(made.curves, s, work, rows_of(made, heads));
    if (!made.curves.problem) measure(made.curves);
}

Biases make_biases(const BiasesKey& key, std::int64_t columns, double work) {
    const AttentionInput& scene = *key.input;
    Biases made;
    made.source = std::make_shared<const BiasSource>(BiasSource{action_of(scene), scene.length - 1});
    if (!made.source->action) {
        made.curves.problem = made.source->action.error();
        return made;
    }
    // Keys that come later are seen without the mask, and by distance alone.
    const auto last = static_cast<double>(scene.length - 1);
    const double first = scene.causal || !made.source->action->by_distance ? 0.0 : -last;
    fill_heads(made, std::min(scene.num_heads, kMostHeads), samples(first, last, columns), work);
    return made;
}

Biases make_difference(const BiasDifferenceKey& key, double work) {
    const Curves& a = key.a->curves;
    Biases made;
    made.source = key.b->source;
    made.less = key.a;
    const auto heads = static_cast<std::int64_t>(std::min(key.a->heads(), key.b->heads()));
    fill_heads(made, heads, samples_again(a), work);
    return made;
}

}  // namespace

double BiasSource::at(std::int64_t head, std::int64_t distance) const {
    const std::int64_t from = action->by_distance ? std::max<std::int64_t>(distance, 0) : query;
    return from - distance < 0 ? std::nan("") : action->bias(head, from, from - distance);
}

Kept<Biases> biases(const Scene& scene, Derived& derived) {
    return derived.part<KeptBiases>().biases.get(
        derived.background(), {derived.input<AttentionInput>(scene), derived.exact_work()},
        [](const BiasesKey& key) { return make_biases(key, kMostColumns, band_work(key.exact_work)); },
        [](const BiasesKey& key) { return make_biases(key, kRoughColumns, 1.0); });
}

Kept<Biases> bias_difference(Derived& keeper, const Kept<Biases>& a, const Kept<Biases>& b) {
    return keeper.part<KeptBiases>().less.get(
        keeper.background(), {a, b, keeper.exact_work()},
        [](const BiasDifferenceKey& key) { return make_difference(key, band_work(key.exact_work)); },
        [](const BiasDifferenceKey& key) { return make_difference(key, 1.0); });
}

const std::vector<double>& of_heads(Derived& keeper, const Kept<Biases>& of, std::int64_t distance) {
    return keeper.part<KeptBiases>().of_heads.get({of, distance}, [](const OfHeadsKey& key) {
        std::vector<double> values;
        for (std::size_t head = 0; head < key.of->heads(); ++head)
            values.push_back(key.of->at(static_cast<std::int64_t>(head), key.distance));
        return values;
    });
}

}  // namespace posiscope::figures::scores
