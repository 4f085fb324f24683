// reference.hpp — the tables that a dump may be meant to be: those of a config's kinds of layers, a Scene's, and known ones.
#pragma once

#include "core/encodings/rope_settings.hpp"
#include "core/measure/rows.hpp"
#include "core/scene/scene.hpp"

namespace posiscope::measuring {

struct Reference {
    std::string words;  // "b = 10000", and the kind of layer, the scaling or the list, if there are several
    std::string kind;   // of the layer; empty if all are alike
    std::string list;   // "short_factor" or "long_factor"
    std::vector<double> frequency, unscaled;
    double amplitude = 1.0;
    double base = 10000.0;
    PairLayout layout = PairLayout::halves;
    std::vector<int> axis{};  // by pair; empty: one position
    std::vector<std::string> axes{};
    bool in_blocks = false;       // each axis has a block of columns of its own
    bool rotary = true;           // else a table that is added to the input: sine first
    bool asked = true;            // false: of a kind of layer that was not asked for
    bool known = false;           // of no config
    std::int64_t head_width = 0;  // features of a head, all of them
    std::int64_t model_width = 0;
    std::int64_t heads = 0, key_heads = 0;
    std::int64_t longest = 0,
                 original = 0;  // max_position_embeddings, and what scaling counts from; 0: not known
    std::optional<RopeSettings> settings{};

    std::int64_t pairs() const { return static_cast<std::int64_t>(frequency.size()); }
    bool scaled() const { return frequency != unscaled; }
    std::string_view method() const;  // rope_type
    Turning turning() const;
};

// One for each kind of layer of a config, and for each list of LongRoPE.
std::vector<Reference> references_of(std::span<const Scene> scenes);
// The same of every kind of layer of a Scene; those of the layer that it shows are asked for.
std::vector<Reference> references_of_layers(const Scene& scene);
std::optional<Reference> reference_of(const Scene& scene, std::string words);

// The sinusoids that a model of this family adds, if they are none of its Scene's.
std::optional<Reference> added_reference(std::string_view family, const Scene& scene);
// ω_i = b^(−i/denominator), i < pairs.
Reference plain_reference(double base, std::int64_t pairs, double denominator, bool rotary);
// Bases that models use, the most usual first.
// The same frequencies on two axes, half of the pairs each: MAE and MoCo v3, pos_embed.
Reference grid_reference(std::int64_t pairs);
std::span<const double> usual_bases();

}  // namespace posiscope::measuring
