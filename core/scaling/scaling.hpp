// scaling.hpp — how RoPE's frequencies are changed to reach past the trained length, and the list of methods.
// To add one: a file beside this that fills in a Scaling, and its line in scaling.cpp.
// Settings come as Hugging Face's rope_scaling dictionary: {"rope_type": "linear", "factor": 4}.
// Symbols  s factor, L original_max_position_embeddings (the trained length), M max_position_embeddings,
//          r rotary_dim, i pair, ω_i = base^(−2i/r), λ_i = 2π/ω_i, ω'_i the scaled frequency.
// Error    ω'_i ≤ 1e-14 relative against the formula; the doubles are then the definition and taken as exact.
#pragma once

#include "core/parameter.hpp"
#include "core/phase/frequencies.hpp"

#include <optional>
#include <span>

namespace posiscope {

// What a method needs to know of the model and of the moment besides its own settings.
struct RopeContext {
    double base = 10000.0;
    std::int64_t head_dim = 2;
    double partial_rotary_factor = 1.0;
    std::int64_t rotary_dim = 2;
    std::int64_t length = 1;  // of the sequence at hand: dynamic and longrope depend on it
    std::optional<std::int64_t> max_position_embeddings;
};

struct Scaling {
    std::string_view rope_type;
    std::span<const Parameter> parameters;
    Result<Spectrum> (*spectrum)(const RopeContext& context,
                                 const Json& settings);  // settings checked, complete
    bool spans_head = false;  // partial_rotary_factor does not narrow it: it works on all of head_dim
};

std::span<const Scaling* const> scalings();

// A dictionary's method, its settings with every default, and what stands in such a dictionary beside them.
struct ChosenScaling {
    const Scaling* scaling = nullptr;
    Json settings = Json::object();
    Json shared = Json::object();  // of shared_rope_parameters(), those that were given
};

// Keys that any method's dictionary may hold: rope_theta, partial_rotary_factor, mrope_section, …
std::span<const Parameter> shared_rope_parameters();

// `dictionary` null means rope_type "default". `type` is the older spelling of rope_type; su is longrope, and
// mrope is default with sections.
Result<ChosenScaling> choose_scaling(const Json& dictionary, std::string_view path);

// What a method made of the context, and what a person should know about it (a setting that changes nothing).
Result<Spectrum> scaled_spectrum(const RopeContext& context, const ChosenScaling& chosen);
std::vector<Problem> scaling_remarks(const RopeContext& context, const ChosenScaling& chosen);

// ω_i = base^(−2i/r), unscaled: what every method starts from.
Spectrum unscaled_spectrum(const RopeContext& context);

// --- For the methods -------------------------------------------------------------------------------------

// The spectrum of ω'; where no frequency changed it is the unscaled one, exact to the last bit.
Spectrum scaled_from(const RopeContext& context, std::vector<double> frequency,
                     double attention_factor = 1.0);

// A setting that may be absent.
std::optional<double> number(const Json& settings, const char* key);

// L: original_max_position_embeddings, or else max_position_embeddings; refused when neither is known.
Result<double> original_length(const RopeContext& context, const Json& settings);

// s: factor, or else M / L; refused when neither is known.
Result<double> factor_or_ratio(const RopeContext& context, const Json& settings, double original);

// Two settings that only work one way round.
std::optional<Problem> out_of_order(const Json& settings, const char* smaller, const char* larger);

}  // namespace posiscope
