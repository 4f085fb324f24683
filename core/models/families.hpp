// families.hpp — how the official code of each model family reads its config.json: one row per model_type, of families.json.
// To add a family: a row there, and a case in tests/reference/families.py. Of rows with one model_type the first whose `when`
// holds counts. Keys that any family may have (rope_theta, head_dim, …) need no row; config.cpp reads them under all their names.
// Sources are files below src/transformers/models of huggingface/transformers, unless another repository is named.
#pragma once

#include "core/json.hpp"
#include "core/problem.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

// The kind of layer l, for a config without layer_types.
struct LayerRule {
    enum class Form {
        none,
        last,    // every n-th layer counted from 1, n under `key` (or a text such as "LLLG"), is `other`
        first,   // layers 0, n, 2n, … are `other`
        from,    // layers n and later are `other`
        listed,  // `key` holds one number per layer, which `map` names
        rope,    // no_rope_layers (1: rotates) or no_rope_layer_interval: layers without rotation are `other`
        full,    // `key` holds the numbers, from 1, of the layers that are `other`
    };
    Form form = Form::none;
    std::string key;          // a path with dots
    std::int64_t n = 0;       // where the config does not say
    std::string most, other;  // the kind of the other layers comes first
    Json map;                 // {"0": "full_attention", …}
};

// Members that are Json are null where the row has none.
struct ModelFamily {
    std::string type;             // model_type; several are separated by spaces
    Json when;                    // the row holds only for configs with these values
    Json encoding;                // other than RoPE; "refused" if there is none like it
    std::string layout = "half";  // of RoPE's pairs, unless rope_interleave says otherwise
    Json names;                   // usual key → the family's own, a path with dots
    Json defaults;                // values of its configuration class, where config.json is silent
    // Layer kind → settings; "$key" is a value of the config, and {"scaling": true} takes the config's scaling object over.
    Json kinds;
    LayerRule layers = {};
    Json gathered;       // a scaling object made of keys outside of any object
    Json scaling;        // laid over the config's scaling object
    int head_times = 1;  // head_dim is so many times hidden_size / num_attention_heads, unless it is given
    bool text_axis = false;       // its axes of images cannot be shown: sections are left out
    bool softmax_mscale = false;  // YaRN's mscale_all_dim multiplies the softmax scale
    bool qk_norm = false;         // q and k are normalized, whatever the config says
    std::string note;             // string family.NOTE: something that this program does not show
    std::string source;           // the official file that was read; empty: none was found
};

std::span<const ModelFamily> families();

// The row for a config's model_type, or null.
const ModelFamily* family_of(std::string_view model_type, const Json& config);

// That no official code was read for it, and what of it this program does not show.
std::vector<Problem> remarks_on(const ModelFamily& family, std::string_view model_type);

}  // namespace posiscope
