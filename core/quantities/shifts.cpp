// shifts.cpp — the shift by the Scene's offset k as a linear map, and its check at the Scene's position p.
// rotation  rotation[r/2, 2, 2]: the blocks of M_k, row-major; core/phase/shift.hpp has the direction of rotation
// shift     actual[r] = PE(p + k); computed[r] = M_k PE(p); max_abs_error, the largest difference.  An encoding that
//           rotates q and k shows the unit feature (1, 0) of each pair, rotated.  Columns in the encoding's own order.
//           From or to fairseq's padding row there is no shift: it is refused.
#include "core/encodings/sinusoidal.hpp"
#include "core/phase/shift.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>

namespace posiscope {
namespace {

Result<std::vector<Shape>> rotation_shapes(const Scene& scene) {
    return steady_pairs(scene, "rotation").map([](std::int64_t pairs) {
        return std::vector<Shape>{{"rotation", {pairs, 2, 2}}};
    });
}

Result<void> fill_rotation(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    auto value = arrays[0].values.begin();
    for (const Step step : spectrum->step) {
        const Block block = shift_block(encoding_of(scene), phase(step, scene.offset));
        for (const double entry : {block.a, block.b, block.c, block.d}) *value++ = entry;
    }
    return {};
}

Result<std::vector<Shape>> shift_shapes(const Scene& scene) {
    if (auto problem = at_padding(scene)) return tl::unexpected(std::move(*problem));
    return steady_pairs(scene, "shift").map([](std::int64_t pairs) {
        return std::vector<Shape>{{"actual", {2 * pairs}}, {"computed", {2 * pairs}}, {"max_abs_error", {}}};
    });
}

Result<void> fill_shift(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const Encoding& encoding = encoding_of(scene);
    const PairLayout layout = encoding.layout(scene);
    const auto pairs = static_cast<std::int64_t>(spectrum->pairs());
    for (std::int64_t i = 0; i < pairs; ++i) {
        const ShiftCheck check =
            check_shift(encoding, spectrum->step[static_cast<std::size_t>(i)], scene.position, scene.offset);
        const auto first = static_cast<std::size_t>(dimension(layout, pairs, {i, 0}));
        const auto second = static_cast<std::size_t>(dimension(layout, pairs, {i, 1}));
        arrays[0].values[first] = check.actual.first;
        arrays[0].values[second] = check.actual.second;
        arrays[1].values[first] = check.computed.first;
        arrays[1].values[second] = check.computed.second;
        arrays[2].values[0] = std::max(arrays[2].values[0], check.max_abs_error());
    }
    return {};
}

}  // namespace

extern const Quantity kRotation{"rotation", rotation_shapes, fill_rotation};
extern const Quantity kShift{"shift", shift_shapes, fill_shift};

}  // namespace posiscope
