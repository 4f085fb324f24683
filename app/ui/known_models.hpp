// known_models.hpp — the models in assets/models.json, which is embedded in the program.
#pragma once

#include "app/ui/strings.hpp"
#include "core/measure/reference.hpp"
#include "core/models/models.hpp"

namespace posiscope::ui {

const std::vector<ModelRow>& known_models();

// "RoPE · yarn · 2 kinds of layers": its encoding, its scaling, and how many kinds of layers it has.
std::string encoding_words(const Strings& strings, const ModelRow& row);

// The spectra of known models, with which dumped tables are compared.
std::vector<measuring::Reference> known_spectra();

}  // namespace posiscope::ui
