// training.cpp — angles that training has not seen, and what a scaling does about them.
#include "core/lessons/values/value_tables.hpp"

#include "core/scaling/trained.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace posiscope::lessons {
namespace {

template <class Of>
Result<double> of_training(const Scene& scene, Of of) {
    const auto training = training_of(scene);
    if (!training) return tl::unexpected(training.error());
    return of(*training);
}
Result<double> unseen(const Scene& scene) {
    if (!scene.trained.length) return no_value("unseen.count");
    return of_training(scene, [](const Training& t) { return static_cast<double>(t.new_angles.count); });
}
template <auto Member>
Result<double> slowed(const Scene& scene) {
    return of_training(scene, [](const Training& t) { return static_cast<double>(t.slowing.*Member); });
}
Result<double> first_ratio(const Scene& scene) {
    return of_training(scene, [](const Training& t) { return t.slowing.ratio.front(); });
}
// How many ratios are `wanted`, from the first on.
template <class Iterator>
std::size_t run_of(Iterator first, Iterator last, double wanted) {
    constexpr double kSame = 1e-12;
    return static_cast<std::size_t>(
        std::find_if(first, last,
                     [&](double ratio) { return std::abs(ratio - wanted) > kSame * std::abs(wanted); }) -
        first);
}
Result<double> last_kept(const Scene& scene) {
    return of_training(scene, [](const Training& t) -> Result<double> {
        const std::size_t run = run_of(t.slowing.ratio.begin(), t.slowing.ratio.end(), 1.0);
        if (run == 0) return no_value("slowing.last_kept");
        return static_cast<double>(run - 1);
    });
}
Result<double> first_divided(const Scene& scene) {
    return of_training(scene, [](const Training& t) -> Result<double> {
        const std::vector<double>& ratio = t.slowing.ratio;
        const std::size_t run = run_of(ratio.rbegin(), ratio.rend(), 1.0 / t.slowing.factor);
        if (run == 0 || t.slowing.factor == 1.0) return no_value("slowing.first_divided");
        return static_cast<double>(ratio.size() - run);
    });
}
template <auto Member>
Result<double> deviates(const Scene& scene) {
    return of_training(scene, [](const Training& t) -> Result<double> {
        if (!t.deviation) return no_value("deviation");
        return static_cast<double>((*t.deviation).*Member);
    });
}
Result<double> logit_scale(const Scene& scene) {
    return of_rates(scene, [](const Spectrum& s) { return s.attention_factor * s.attention_factor; });
}

constexpr std::array kTrainingValues = {
    Value{"unseen.count", false, unseen},
    Value{"slowing.kept", false, slowed<&Slowing::kept>},
    Value{"slowing.blended", false, slowed<&Slowing::blended>},
    Value{"slowing.divided", false, slowed<&Slowing::divided>},
    Value{"slowing.last_kept", false, last_kept},
    Value{"slowing.first_divided", false, first_divided},
    Value{"slowing.first", false, first_ratio},
    Value{"deviation.changed", false, deviates<&Deviation::changed>},
    Value{"deviation.off", false, deviates<&Deviation::off>},
    Value{"logits.scale", false, logit_scale},
};

}  // namespace

std::span<const Value> training_values() { return kTrainingValues; }

}  // namespace posiscope::lessons
