// encodings.hpp — what an encoding is, and the list of them in the order in which people see them.
// To add one: a file beside this that fills in an Encoding, and its line in encodings.cpp. Its parameters declared
// there give it its sliders, its --set keys, its JSON and its checks.
#pragma once

#include "core/encodings/action.hpp"
#include "core/phase/frequencies.hpp"
#include "core/scene/scene.hpp"

namespace posiscope {

// Where an encoding stands in the usual tree: absolute ones add a vector for a position, the others know distances:
// the classic ones through tables of their own, rotary ones by turning, biases by a function added to the logits.
enum class Family { absolute, classic, rotary, bias, none };
std::string_view family_name(Family family);   // "absolute"
enum class Acts { input, query_key, logits };  // adds to the input, turns q and k, adds to the logits

// Where the two components of a pair stand among the dimensions.
enum class PairOrder { interleaved, halves };  // (2i, 2i+1), or (i, i + pairs)

struct Encoding {
    std::string_view kind;
    Family family;
    Acts acts;
    bool per_head;  // acts on head_dim, so that num_heads must divide d_model / 2
    std::span<const Parameter> parameters;
    std::int64_t (*pairs)(const Scene&);         // how many pairs turn; 0 for an encoding without a spectrum
    Result<Spectrum> (*spectrum)(const Scene&);  // encoding.no_spectrum where nothing turns
    PairOrder (*order)(const Scene&);
    std::optional<Problem> (*check)(const Scene&);  // rules of its own between parameters; may be null
    Result<Action> (*action)(const Scene&);         // what it does to attention
    std::vector<Problem> (*remarks)(const Scene&) = nullptr;  // what its settings do not do; may be null
    // Whether pair i at position p is the point of the unit circle at p ω_i, for every p; null: it is not.
    bool (*unit_circles)(const Scene&) = nullptr;
    bool base_without_pairs = false;  // the base matters although no pair turns
};

std::span<const Encoding* const> encodings();
bool on_unit_circles(const Scene& scene);
const Encoding* find_encoding(std::string_view kind);  // null when unknown
std::span<const std::string_view> encoding_kinds();

// The Scene's encoding and what it makes of the Scene.
const Encoding& encoding_of(const Scene& scene);
Result<Spectrum> spectrum_of(const Scene& scene);
Result<Action> action_of(const Scene& scene);
// The same spectrum before any scaling; of an encoding that knows none, its own.
Result<Spectrum> unscaled_spectrum_of(const Scene& scene);

// Settings that change nothing, and other things worth a note: each a Problem that refuses nothing.
std::vector<Problem> remarks_on(const Scene& scene);

// For encodings in which nothing turns: 0 pairs, a Problem, an order nobody asks for.
std::int64_t no_pairs(const Scene& scene);
Result<Spectrum> no_spectrum(const Scene& scene);
PairOrder no_order(const Scene& scene);

// Pair and component (0 or 1) to dimension and back, in a table of 2·pairs columns.
struct PairComponent {
    std::int64_t pair;
    int component;
};
std::int64_t dimension(PairOrder order, std::int64_t pairs, PairComponent at);
PairComponent pair_component(PairOrder order, std::int64_t pairs, std::int64_t dimension);

// PE(p, dimension) of an encoding that adds to the input: sin in a pair's first component, cos in its second.
// Error    ≤ 2e-16 against MPFR for 0 ≤ p < 2^31.
double table_value(const Spectrum& spectrum, PairOrder order, std::int64_t position, std::int64_t dimension);

}  // namespace posiscope
