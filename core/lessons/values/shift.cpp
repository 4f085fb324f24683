// shift.cpp — M_k, which carries p to p + k.
#include "core/json_members.hpp"
#include "core/lessons/values/value_tables.hpp"

#include "core/attention/identities.hpp"
#include "core/phase/shift.hpp"

#include <array>

namespace posiscope::lessons {
namespace {

Result<double> shift_error(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        if (!on_unit_circles(scene)) return no_value("shift.error");
        return shift_residual(encoding_of(scene), s, scene.position, scene.offset);
    });
}
// The offset of M_b M_a: the second one is the shift figure's, 5 until it is moved.
Result<double> composed(const Scene& scene) {
    constexpr std::int64_t second_at_first = 5;
    const Json* shift = object_at(scene.view, "shift");
    const auto second = shift != nullptr ? integer_at(*shift, "second") : std::nullopt;
    return static_cast<double>(scene.offset) + static_cast<double>(second.value_or(second_at_first));
}

constexpr std::array kShiftValues = {
    Value{"shift.error", false, shift_error},
    Value{"shift.composed", false, composed},
};

}  // namespace

std::span<const Value> shift_values() { return kShiftValues; }

}  // namespace posiscope::lessons
