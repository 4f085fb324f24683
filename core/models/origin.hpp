// origin.hpp — the source of a Scene's settings, stored in its view under "model".
// {"from": "config", "name": "config.json", "length": 131072, "ignored": ["betafast"], "overruled": [[counts, loses]],
//  "qk_norm": "use_qk_norm", "config": "{…}"}: its text as it was read, up to kMostKept bytes (document.hpp); "shortened": true, of a longer one
//  without its long members
#pragma once

#include "core/models/config.hpp"

namespace posiscope {

// Valid only while the trained length is the one that the source set: setting another one ends the assumption.
struct Origin {
    bool assumed = false;     // from a config.json, which says how weights are run, not how they were trained
    bool unverified = false;  // a known model, some of whose values have no public source
    std::vector<Problem> notes;  // keys of the config that were ignored or overruled, and qk-norm
};
Origin origin_of(const Scene& scene);
// The name of a known model or of the file; empty if there is none.
std::string_view origin_name(const Scene& scene);

// Stores it; `from` is "config", "model" or "unverified".
void remember_origin(ModelScene& model, std::string_view from);

}  // namespace posiscope
