// rotary.cpp — rotary position embedding (RoPE): turns each feature pair of q and k by position × frequency.
// (a, b) → (a cos φ − b sin φ, a sin φ + b cos φ),  φ = p ω_i,  ω_i = base^(−2i/r)
// Shapes   acts on head_dim features; the first r = int(head_dim · partial_rotary_factor) turn, the rest pass.
// Layout   interleaved pairs (2i, 2i+1) or half pairs (i, i + r/2): permutations of one another.
// Range    0 ≤ p < 2^31, r even and at least 2.   Source  arXiv 2104.09864; names as in Hugging Face configs.
#include "core/encodings/encodings.hpp"
#include "core/scaling/scaling.hpp"

namespace posiscope {
namespace {

std::int64_t rotary_dim(const Scene& scene) {
    const double factor = scene.encoding.parameters.at("partial_rotary_factor").get<double>();
    return static_cast<std::int64_t>(static_cast<double>(head_dim(scene)) * factor);
}

std::int64_t pairs(const Scene& scene) { return rotary_dim(scene) / 2; }

Result<Spectrum> spectrum(const Scene& scene) {
    return scaled_spectrum(scene, rotary_dim(scene), scene.encoding.parameters.value("rope_scaling", Json(nullptr)));
}

PairOrder order(const Scene& scene) {
    return scene.layout == Layout::half ? PairOrder::halves : PairOrder::interleaved;
}

std::optional<Problem> check(const Scene& scene) {
    const std::int64_t r = rotary_dim(scene);
    if (r < 2 || r % 2 != 0)
        return Problem{"rotary_dim.odd", {{"value", std::to_string(r)}, {"head_dim", std::to_string(head_dim(scene))}}};
    return check_scaling(scene.encoding.parameters.value("rope_scaling", Json(nullptr)));
}

}  // namespace

const Encoding& rotary_encoding() {
    static const std::vector<Parameter> parameters = {
        {"rope_scaling", Parameter::Kind::dictionary, nullptr},
        {"partial_rotary_factor", Parameter::Kind::number, 1.0, 0.0, 1.0, true},
    };
    static const Encoding encoding{"rope", Family::rotary, Acts::query_key, true, parameters,
                                   pairs, spectrum, order, check};
    return encoding;
}

}  // namespace posiscope
