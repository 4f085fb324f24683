// training.cpp — angles that training has not seen, and what a scaling does about them.
#include "core/lessons/values/rooms.hpp"

#include "core/scaling/trained.hpp"

#include <array>

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
template <auto Member>
Result<double> deviates(const Scene& scene) {
    return of_training(scene, [](const Training& t) -> Result<double> {
        if (!t.deviation) return no_value("deviation");
        return static_cast<double>((*t.deviation).*Member);
    });
}
Result<double> logit_scale(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) { return s.attention_factor * s.attention_factor; });
}

constexpr std::array kValues = {
    Value{"unseen.count", Unit::none, false, unseen},
    Value{"slowing.kept", Unit::none, false, slowed<&Slowing::kept>},
    Value{"slowing.blended", Unit::none, false, slowed<&Slowing::blended>},
    Value{"slowing.divided", Unit::none, false, slowed<&Slowing::divided>},
    Value{"slowing.first", Unit::none, false, first_ratio},
    Value{"deviation.changed", Unit::none, false, deviates<&Deviation::changed>},
    Value{"deviation.off", Unit::none, false, deviates<&Deviation::off>},
    Value{"logits.scale", Unit::none, false, logit_scale},
};

}  // namespace

std::span<const Value> training_values() { return kValues; }

}  // namespace posiscope::lessons
