// rope_settings.hpp — the settings of a rope encoding in one layer.
// `rope_scaling` (or `rope_parameters`, the newer spelling) is one object, or one per layer type:
// {"full_attention": {…}, "sliding_attention": {…}}. The one in use is layer_type, else layer_types[layer], else
// full_attention, else the first. Its own rope_theta, partial_rotary_factor and mrope_section override the Scene's.
// r = rotary_dim if it is given, else int(head_dim · partial_rotary_factor).
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/scaling/scaling.hpp"

namespace posiscope {

inline constexpr std::size_t kMostLayers = 4096;    // of layer_types and no_rope_layers
inline constexpr std::size_t kMostLayerTypes = 64;  // each a dictionary of its own
// LongRoPE has two factors a pair, and every layer type may have its own.
inline constexpr std::size_t kMostScalingValues = std::size_t{4} * kLargestWidth;

struct RopeSettings {
    ChosenScaling chosen;
    RopeContext context;
    bool nested = false;                 // one object per layer type
    bool turns = true;                   // false in a NoPE layer: q and k are unchanged
    std::vector<std::int64_t> sections;  // M-RoPE; empty without
    bool interleaved_sections = false;
    std::vector<std::int64_t> grid;  // [t, h, w] sizes; empty: every axis is the position itself, as for text

    std::int64_t pairs() const { return context.rotary_dim / 2; }
};

// Refused for a layer that the settings do not have, for both spellings at once, for an odd rotary_dim, and as
// choose_scaling() is.
Result<RopeSettings> rope_settings(const SpectrumInput& scene);

// Of a dictionary that holds one for each layer type: refused beyond kMostLayerTypes.
std::optional<Problem> too_many_types(const Json& dictionaries, std::string_view path);

// no_rope_layers: 1 means that the layer does use RoPE, contrary to the name. Without a list, one in `interval` layers
// does not: (layer + 1) mod interval = 0. Without an interval, all layers use it.
bool layer_uses_rope(std::span<const std::int64_t> no_rope_layers, std::optional<std::int64_t> interval,
                     std::int64_t layer);

// ln(1 + floor((p + 1)/floor_scale)) · attn_scale + 1: the factor on q in a NoPE layer of Llama 4.
double nope_query_factor(std::int64_t position, double floor_scale, double attn_scale);

}  // namespace posiscope
