// known_models.hpp — the models in assets/models.json, which is embedded in the program.
#pragma once

#include "core/models/models.hpp"

namespace posiscope::ui {

const std::vector<ModelRow>& known_models();

}  // namespace posiscope::ui
