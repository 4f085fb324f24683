// rope_settings.hpp — what a rope encoding's parameters come to in one layer.
// `rope_scaling` (or `rope_parameters`, the newer spelling) is one dictionary, or one for each layer type:
// {"full_attention": {…}, "sliding_attention": {…}}. Which one counts: layer_type, else layer_types[layer], else
// full_attention, else the first. A dictionary's own rope_theta, partial_rotary_factor and mrope_section come
// before the Scene's.
// r = rotary_dim where it is given, else int(head_dim · partial_rotary_factor).
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/scaling/scaling.hpp"

namespace posiscope {

struct RopeSettings {
    ChosenScaling chosen;
    RopeContext context;
    bool nested = false;                 // one dictionary for each layer type
    bool turns = true;                   // false in a NoPE layer: q and k pass
    std::vector<std::int64_t> sections;  // M-RoPE; empty without
    bool interleaved_sections = false;
    std::vector<std::int64_t> grid;  // [t, h, w] sizes; empty: every axis is the position itself, as for text

    std::int64_t pairs() const { return context.rotary_dim / 2; }
};

Result<RopeSettings> rope_settings(const Scene& scene);

// no_rope_layers: 1 means that the layer uses RoPE, whatever the name says. Without a list, every
// interval-th layer goes without: (layer + 1) mod interval = 0. No interval: all layers use it.
bool layer_uses_rope(std::span<const std::int64_t> no_rope_layers, std::optional<std::int64_t> interval,
                     std::int64_t layer);

// ln(1 + floor((p + 1)/floor_scale)) · attn_scale + 1: what a NoPE layer of Llama 4 multiplies q by.
double nope_query_factor(std::int64_t position, double floor_scale, double attn_scale);

}  // namespace posiscope
