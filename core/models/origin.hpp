// origin.hpp — where a Scene's settings come from, as its view holds it under "model".
// {"from": "config", "name": "config.json", "length": 131072, "ignored": ["betafast"], "overruled": [[counts, loses]]}
#pragma once

#include "core/models/config.hpp"

namespace posiscope {

// For as long as the trained length is the one that came along: a person who sets another one knows better.
struct Origin {
    bool assumed = false;  // from a config.json, which says how weights are run and not how they were trained
    bool unverified = false;     // a known model whose values were not all seen
    std::vector<Problem> notes;  // keys of the config that were passed over or overruled
};
Origin origin_of(const Scene& scene);
// A known model's name, or the file's; empty where nothing was opened.
std::string_view origin_name(const Scene& scene);

// Puts it there; `from` is "config", "model" or "unverified".
void remember_origin(ModelScene& model, std::string_view from);

}  // namespace posiscope
