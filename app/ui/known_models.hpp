// known_models.hpp — the models that travel with the program, as assets/models.json has them.
#pragma once

#include "core/models/models.hpp"

namespace posiscope::ui {

const std::vector<ModelRow>& known_models();

}  // namespace posiscope::ui
