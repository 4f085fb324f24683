// encodings.hpp — the definition of an encoding, and the list of them in menu order.
// To add one: a file beside this that fills in an Encoding, and its line in encodings.cpp. Sliders, --set keys, JSON and
// checks follow from the parameters it declares.
#pragma once

#include "core/encodings/action.hpp"
#include "core/phase/frequencies.hpp"
#include "core/scene/scene.hpp"

namespace posiscope {

// The usual families: absolute encodings add a vector per position; the others depend on distances: classic ones through
// learned tables, rotary ones by rotation, biases by a function added to the logits.
enum class Family { absolute, classic, rotary, bias, none };
std::string_view family_name(Family family);   // "absolute"
enum class Acts { input, query_key, logits };  // adds to the input, rotates q and k, adds to the logits

struct Encoding {
    std::string_view kind;
    Family family;
    Acts acts;
    bool per_head;  // acts on head_dim, so that num_heads must divide d_model / 2
    std::span<const Parameter> parameters;
    // Each is given the part of a Scene that it may depend on.
    std::int64_t (*pairs)(const SpectrumInput&);         // the number of rotating pairs; 0 without a spectrum
    Result<Spectrum> (*spectrum)(const SpectrumInput&);  // encoding.no_spectrum if nothing rotates
    PairLayout (*layout)(const ActionInput&);
    std::optional<Problem> (*check)(const SpectrumInput&);  // rules between its parameters; may be null
    Result<Action> (*action)(const ActionInput&);           // its effect on attention
    std::vector<Problem> (*remarks)(const ActionInput&) = nullptr;  // settings without effect; may be null
    // Whether pair i at position p is the point p ω_i of the unit circle, for every p but a padding row; null: no.
    bool (*unit_circles)(const SpectrumInput&) = nullptr;
    bool base_without_pairs = false;  // the base matters although no pair rotates
};

std::span<const Encoding* const> encodings();
bool on_unit_circles(const SpectrumInput& scene);
bool on_unit_circles(
    const Scene& scene);  // and neither the position nor the one it is shifted to is a padding row
const Encoding* find_encoding(std::string_view kind);  // null when unknown
std::span<const std::string_view> encoding_kinds();

// The Scene's encoding, its spectrum and its action.
const Encoding& encoding_of(const SpectrumInput& scene);
Result<Spectrum> spectrum_of(const SpectrumInput& scene);
Result<Action> action_of(const ActionInput& scene);
// The spectrum before any scaling; the spectrum itself for an encoding without scalings.
Result<Spectrum> unscaled_spectrum_of(const SpectrumInput& scene);

// Notes, such as settings without effect: each a Problem, but none of them refuses the Scene.
std::vector<Problem> remarks_on(const ActionInput& scene);

// For encodings without rotation: 0 pairs, a Problem, a layout that is never used.
std::int64_t no_pairs(const SpectrumInput& scene);
Result<Spectrum> no_spectrum(const SpectrumInput& scene);
PairLayout no_layout(const ActionInput& scene);

// PE(p, dimension) of an encoding that adds to the input: sin in a pair's first component, cos in its second.
// Error    ≤ 2e-16 against MPFR for 0 ≤ p < 2^31.
double table_value(const Spectrum& spectrum, PairLayout layout, std::int64_t position,
                   std::int64_t dimension);

}  // namespace posiscope
