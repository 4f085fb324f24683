// pair.cpp — the selected pair, and its two columns of the table.
#include "core/lessons/values/value_tables.hpp"

#include "core/scaling/trained.hpp"
#include "core/scene/words.hpp"

#include <array>

namespace posiscope::lessons {
namespace {

// ω of the chosen pair.
template <class Of>
Result<double> of_pair(const Scene& scene, Of of) {
    return of_rates(scene, [&](const Spectrum& s) -> Result<double> {
        const auto pair = static_cast<std::size_t>(scene.pair);
        if (pair >= s.pairs()) return no_value("pair");
        return of(s.frequency[pair]);
    });
}

Result<double> frequency(const Scene& scene) {
    return of_pair(scene, [](double omega) { return omega; });
}
Result<double> wavelength(const Scene& scene) {
    return of_pair(scene, [](double omega) { return kTurn / omega; });
}
// ω times the place of the token at p: angles are not reduced.
Result<double> angle(const Scene& scene) {
    if (const Rotation how = rotation_of(scene); how == Rotation::distance || how == Rotation::chunks)
        return no_value("pair.angle");
    return turning_of(scene).and_then([&](const Turning& turning) {
        return of_pair(scene, [&](double omega) {
            return omega * turning.place(static_cast<std::size_t>(scene.pair), scene.position);
        });
    });
}
Result<double> turns(const Scene& scene) {
    return angle(scene).map([](double radians) { return radians / kTurn; });
}
Result<double> reach(const Scene& scene) {
    return reaches_of(scene, scene.length).and_then([&](const std::vector<double>& reaches) {
        return of_pair(scene,
                       [&](double omega) { return omega * reaches[static_cast<std::size_t>(scene.pair)]; });
    });
}
Result<double> trained_reach(const Scene& scene) {
    if (!scene.trained.length) return no_value("pair.trained_reach");
    return of_rates(scene, [&](const Spectrum& s) -> Result<double> {
        const auto arcs = trained_arcs(scene, s);
        const auto pair = static_cast<std::size_t>(scene.pair);
        if (!arcs) return tl::unexpected(arcs.error());
        if (pair >= arcs->size()) return no_value("pair.trained_reach");
        return (*arcs)[pair];
    });
}
Result<double> pair_dimension(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    const std::int64_t pairs = encoding.pairs(scene);
    if (scene.pair >= pairs) return no_value("pair.dimension");
    return static_cast<double>(dimension(encoding.layout(scene), pairs, {scene.pair, 0}));
}

// PE(p, dimension) of a pair's sine or cosine.
template <int Component>
Result<double> table_entry(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        if (encoding_of(scene).acts != Acts::input || static_cast<std::size_t>(scene.pair) >= s.pairs())
            return no_value("table.value");
        const PairLayout layout = encoding_of(scene).layout(scene);
        const auto pairs = static_cast<std::int64_t>(s.pairs());
        return table_value(s, layout, scene.position, dimension(layout, pairs, {scene.pair, Component}));
    });
}

constexpr std::array kPairValues = {
    Value{"pair.frequency", false, frequency},
    Value{"pair.wavelength", false, wavelength},
    Value{"pair.angle", false, angle},
    Value{"pair.turns", false, turns},
    Value{"pair.reach", false, reach},
    Value{"pair.trained_reach", false, trained_reach},
    Value{"pair.dimension", false, pair_dimension},
    Value{"table.value", false, table_entry<0>},
    Value{"table.cosine", false, table_entry<1>},
};

}  // namespace

std::span<const Value> pair_values() { return kPairValues; }

}  // namespace posiscope::lessons
