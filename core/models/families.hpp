// families.hpp — how the official code of each model family reads its config.json: one row per model_type.
// To add a family: a row in the file of families/ that its layers belong to, and a case in tests/reference/families.py. Keys
// that any family may have (rope_theta, head_dim, …) need no row; config.cpp reads them under all their names.
#pragma once

#include "core/json.hpp"
#include "core/problem.hpp"

#include <span>
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
    const char* key = "";        // a path with dots
    std::int64_t fallback = 0;   // n where the config does not say
    std::string_view most = {};  // the kind of the other layers
    std::string_view other = {};
    std::string_view map = {};  // JSON: {"0": "full_attention", …}
};

struct ModelFamily {
    std::string_view type;       // model_type; several are separated by spaces
    std::string_view when = {};  // JSON: the row holds only for configs with these values
    std::string_view encoding =
        {};  // JSON of an encoding other than RoPE; "refused" if there is none like it
    std::string_view layout = "half";  // of RoPE's pairs, unless rope_interleave says otherwise
    std::string_view names = {};       // JSON: usual key → the family's own, a path with dots
    std::string_view defaults = {};    // JSON: values of its configuration class, where config.json is silent
    std::string_view kinds = {};       // JSON: layer kind → settings; "$key" is a value of the config, and
                                       // {"scaling": true} takes the config's scaling object over
    LayerRule layers = {};
    std::string_view gathered = {};  // JSON: a scaling object made of keys outside of any object
    std::string_view scaling = {};   // JSON laid over the config's scaling object
    int head_times = 1;  // head_dim is so many times hidden_size / num_attention_heads, unless it is given
    bool text_axis = false;        // its axes of images cannot be shown: sections are left out
    bool softmax_mscale = false;   // YaRN's mscale_all_dim multiplies the softmax scale
    bool qk_norm = false;          // q and k are normalized, whatever the config says
    std::string_view note = {};    // string family.NOTE: something that this program does not show
    std::string_view source = {};  // the official file that was read; empty: none was found
};

std::span<const ModelFamily> families();

// The row for a config's model_type, or null.
const ModelFamily* family_of(std::string_view model_type, const Json& config);

// That no official code was read for it, and what of it this program does not show.
std::vector<Problem> remarks_on(const ModelFamily& family, std::string_view model_type);

}  // namespace posiscope
