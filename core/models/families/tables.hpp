// tables.hpp — the rows of the family table, by how the layers rotate. Rows of one model_type are in one file: the first
// whose `when` holds counts. Sources are files below src/transformers/models of huggingface/transformers, unless another
// repository is named.
#pragma once

#include "core/models/families.hpp"

namespace posiscope::family_rows {

std::span<const ModelFamily> halves();
std::span<const ModelFamily> interleaved();
std::span<const ModelFamily> layered();
std::span<const ModelFamily> others();

}  // namespace posiscope::family_rows
