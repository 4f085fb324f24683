// bias.hpp — ALiBi's slopes and biases.
#pragma once

#include "core/recognise/form.hpp"
#include "core/recognise/recognise.hpp"

namespace posiscope::recognition {

// Adds what the dump is like as slopes [heads] or as a bias.
void look_for_bias(const StoredTensor& dump, const Precision& precision, std::span<const Scene> config,
                   std::vector<Likeness>& found);

}  // namespace posiscope::recognition
