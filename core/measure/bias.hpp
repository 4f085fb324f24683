// bias.hpp — ALiBi's slopes [heads], and its biases [heads, n, n], [n, n] or [heads, 1, n].
#pragma once

#include "core/measure/measure.hpp"

namespace posiscope::measuring {

// Nothing for what is no bias of slopes. `config`: the Scenes of a config, whose heads are meant.
std::optional<Measured> measure_bias(const StoredTensor& dump, std::span<const Scene> config);

}  // namespace posiscope::measuring
