#include "core/claims/measuring.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace claims {

Problem not_for(const Case& at, std::string_view needs) {
    return {"claim.absent",
            {{"claim", std::string(at.claim)},
             {"encoding", at.scene.encoding.kind},
             {"needs", std::string(needs)}},
            Cause::failure};
}

Result<Spectrum> circles(const Case& at) {
    if (!on_unit_circles(at.scene)) return tl::unexpected(not_for(at, "sinusoidal, rope"));
    return steady_spectrum_of(at.scene);
}

Result<Spectrum> in_cycles(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        return geometric_spectrum(at.scene.base, spectrum.pairs(), spectrum.pairs(), 1, true);
    });
}

Result<Spectrum> rotary(const Case& at) {
    if (!on_unit_circles(at.scene) || encoding_of(at.scene).acts != Acts::query_key)
        return tl::unexpected(not_for(at, "rope"));
    return steady_spectrum_of(at.scene);
}

Result<void> affordable(const Case& at, double steps) {
    if (auto problem = too_costly(at.claim, steps)) return tl::unexpected(std::move(*problem));
    return {};
}

double rounding(const Spectrum& spectrum) { return 1e-14 * (100.0 + static_cast<double>(spectrum.pairs())); }

std::vector<std::int64_t> sampled_positions(const Scene& scene, double most) {
    const auto every = static_cast<std::int64_t>(std::ceil(real(scene.length) / std::max(most, 2.0)));
    std::vector<std::int64_t> positions;
    for (std::int64_t p = 0; p < scene.length; p += every) positions.push_back(p);
    return positions;
}

}  // namespace claims

std::span<const std::string_view> claim_ids() {
    static constexpr std::string_view ids[] = {
        "A1",  "A2",  "A3",  "A4",  "A5",  "A6",  "A7",  "A8",  "A9",  "A10", "A11",    "A12",
        "A13", "A14", "B1",  "B2",  "B3",  "B4",  "B5",  "B6",  "B7",  "B8",  "B9",     "B10",
        "B11", "B12", "B13", "B14", "B15", "B16", "B17", "B18", "B19", "B20", "B21",    "B22",
        "B23", "B24", "B25", "B26", "B27", "B28", "B29", "B30", "B31", "B32", "C-PERM", "C1",
        "C2",  "C3",  "C4",  "C5",  "C6",  "C7",  "C8",  "C9",  "C10", "C11", "C12",    "C13",
        "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21", "C22", "C23", "C24",    "C25",
    };
    return ids;
}

std::span<const Measure* const> measures() {
    static const std::vector<const Measure*> all = [] {
        std::vector<const Measure*> list;
        for (const auto group :
             {claims::shift_measures(), claims::convention_measures(), claims::basis_measures(),
              claims::order_measures(), claims::score_measures()})
            for (const Measure& one : group) list.push_back(&one);
        return list;
    }();
    return all;
}

const Measure* find_measure(std::string_view claim) {
    for (const Measure* one : measures())
        if (one->id == claim) return one;
    return nullptr;
}

Result<Residual> measure(const Measure& measure, const Scene& scene, Slip slip) {
    return measure.of({measure.id, scene, slip}).map([](Residual made) {
        made.numbers.emplace_back("value", made.value);
        return made;
    });
}

}  // namespace posiscope
