// placed.hpp — a Scene's Action at the positions of the rows that attention has.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// The Scene's Action; where q and k are stored, its position 0 is that of their first row (scene/tensors.hpp).
Result<Action> attention_action(const AttentionInput& scene);

}  // namespace posiscope
