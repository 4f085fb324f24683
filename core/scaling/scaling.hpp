// scaling.hpp — how RoPE's frequencies are changed to reach past the trained length, and the list of methods.
// To add one: a file beside this that fills in a Scaling, and its line in scaling.cpp.
// Settings are Hugging Face's rope_scaling object: {"rope_type": "linear", "factor": 4}.
// Symbols  s factor, L original_max_position_embeddings (the trained length), M max_position_embeddings,
//          r rotary_dim, i pair, ω_i = base^(−2i/r), λ_i = 2π/ω_i, ω'_i the scaled frequency.
// Other names are read too (su, mrope, xdrope, deepseek_yarn, telechat3-yarn, yarn_log): each is one of these methods.
// Error    ω'_i ≤ 1e-14 relative against the formula; the doubles are then the definition and taken as exact.
#pragma once

#include "core/parameter.hpp"
#include "core/phase/frequencies.hpp"

#include <optional>
#include <span>

namespace posiscope {

// The inputs of a method besides its own settings.
struct RopeContext {
    double base = 10000.0;
    std::int64_t head_dim = 2;
    double partial_rotary_factor = 1.0;
    std::int64_t rotary_dim = 2;
    std::int64_t length = 1;  // of the current sequence: dynamic and longrope depend on it
    std::optional<std::int64_t> max_position_embeddings;
};

struct Scaling {
    std::string_view rope_type;
    std::span<const Parameter> parameters;
    Result<Spectrum> (*spectrum)(const RopeContext& context,
                                 const Json& settings);  // settings checked, complete
    bool spans_head = false;  // covers all of head_dim, whatever partial_rotary_factor is
};

std::span<const Scaling* const> scalings();

// The method that an object selects, its settings with all defaults, and the shared keys given beside them.
struct ChosenScaling {
    const Scaling* scaling = nullptr;
    Json settings = empty_object();
    Json shared = empty_object();  // of shared_rope_parameters(), those that were given
};

// Keys that the object of any method may have: rope_theta, partial_rotary_factor, mrope_section, …; sliding_window and
// attention_chunk_size bound the distances of a layer, `nope` leaves it unrotated,
// `shared_object` says that a config has these settings once for all layers.
std::span<const Parameter> shared_rope_parameters();

// `dictionary` null means rope_type "default". `type` is the older spelling of rope_type.
Result<ChosenScaling> choose_scaling(const Json& dictionary, std::string_view path);

// The method that a scaling object names, in either spelling and under any of its names; empty where it names none or an
// unknown one. Does not allocate.
std::string_view method_named(const Json& dictionary);

// The spectrum of a method in a context, and notes on it, such as a setting without effect.
Result<Spectrum> scaled_spectrum(const RopeContext& context, const ChosenScaling& chosen);
std::vector<Problem> scaling_remarks(const RopeContext& context, const ChosenScaling& chosen);

// ω_i = base^(−2i/r), unscaled: the starting point of every method.
Spectrum unscaled_spectrum(const RopeContext& context);

// --- For the methods -------------------------------------------------------------------------------------

// The spectrum of ω'. If no frequency changed, it is the unscaled one, exact to the last bit.
Spectrum scaled_from(const RopeContext& context, std::vector<double> frequency,
                     double attention_factor = 1.0);

// L: original_max_position_embeddings, else max_position_embeddings; refused if neither is given.
Result<double> original_length(const RopeContext& context, const Json& settings);

// s: factor, else M / L; refused if neither is given.
Result<double> factor_or_ratio(const RopeContext& context, const Json& settings, double original);

// The Problem, if `smaller` is above `larger`.
std::optional<Problem> out_of_order(const Json& settings, const char* smaller, const char* larger);

}  // namespace posiscope
