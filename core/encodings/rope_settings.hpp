// rope_settings.hpp — the settings of a rope encoding in one layer.
// `rope_scaling` (or `rope_parameters`, the newer spelling) is one object, or one per layer type:
// {"full_attention": {…}, "sliding_attention": {…}}. The one in use is layer_type, else layer_types[layer], else
// full_attention, else the first. Its own rope_theta, partial_rotary_factor and mrope_section override the Scene's.
// Layers of one type are a kind: their base, scaling, window and whether they rotate at all.
// r = rotary_dim if it is given, else int(head_dim · partial_rotary_factor).
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/scaling/scaling.hpp"

namespace posiscope {

inline constexpr std::size_t kMostLayers = 4096;    // of layer_types and no_rope_layers
inline constexpr std::size_t kMostLayerTypes = 64;  // each a dictionary of its own
// LongRoPE has two factors a pair, and every layer type may have its own.
inline constexpr std::size_t kMostScalingValues = std::size_t{4} * kLargestWidth;

// Dual chunk attention: keys repeat their positions every L = chunk_size − local_size, and a query takes the position that
// keeps its distance to every key at most chunk_size.
struct DualChunk {
    std::int64_t chunk_size = 0, local_size = 0;
    std::int64_t original = 0;  // the trained length; 0: unknown, and then keys are not scaled

    std::int64_t length() const { return chunk_size - local_size; }
    // The distance that is rotated for query i and key j ≤ i.
    std::int64_t distance(std::int64_t query, std::int64_t key) const;
    // The factor on keys in a sequence of n positions: max(1, 0.1 ln(n / original) + 1).
    double key_factor(std::int64_t n) const;
};

struct RopeSettings {
    ChosenScaling chosen;
    RopeContext context;
    bool nested = false;                 // one object per layer type
    bool turns = true;                   // false in a NoPE layer: q and k are unchanged
    std::vector<std::int64_t> sections;  // of M-RoPE (t, h, w) or XD-RoPE (p, w, h, t); empty without
    bool interleaved_sections = false;
    std::int64_t rotary_offset = 0;  // features of a head before the rotated ones
    // A query sees the keys at distances 0 … window − 1, or those of its own chunk; absent: all of them.
    std::optional<std::int64_t> window, chunk;
    std::optional<DualChunk> chunks;
    double query_beta = 0.0, query_original = 1.0;  // llama_4_scaling_beta and the length that it counts in
    std::vector<std::int64_t> grid;  // [t, h, w] sizes; empty: every axis is the position itself, as for text

    std::int64_t pairs() const { return context.rotary_dim / 2; }
};

// Refused for a layer that the settings do not have, for both spellings at once, for an odd rotary_dim, and as
// choose_scaling() is.
Result<RopeSettings> rope_settings(const SpectrumInput& scene);

// The number of distances that occur in `length` positions: bounded by the window or the chunks of the layer.
std::int64_t reach_of(const SpectrumInput& scene);
std::int64_t reach_of(const SpectrumInput& scene, std::int64_t length);

// Refuses a dictionary of layer types beyond kMostLayerTypes.
std::optional<Problem> too_many_types(const Json& dictionaries, std::string_view path);

// no_rope_layers: 1 means that the layer does use RoPE, contrary to the name. Without a list, one in `interval` layers
// does not: (layer + 1) mod interval = 0. Without an interval, all layers use it.
bool layer_uses_rope(std::span<const std::int64_t> no_rope_layers, std::optional<std::int64_t> interval,
                     std::int64_t layer);

// ln(1 + floor((p + 1)/floor_scale)) · attn_scale + 1: the factor on q in a NoPE layer of Llama 4.
double nope_query_factor(std::int64_t position, double floor_scale, double attn_scale);

// 1 + beta · ln(1 + floor(p / original)): the factor on every query of Ministral 3 and Mistral 4.
double query_factor(std::int64_t position, double beta, double original);

}  // namespace posiscope
