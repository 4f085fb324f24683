// lists.hpp — lists of ids that are no text from its beginning: a device's part of a text, drafts of one, images; and lists that no
// rule gives.
#pragma once

#include "core/positions/recognise.hpp"

namespace posiscope {

// The sentence about one list of ids: ids.is.NAME or ids.slip.NAME. None where no rule is recognised.
struct ListFound {
    Problem said;
    bool slip = false;
};
std::optional<ListFound> known_list(const std::vector<std::int64_t>& ids);

// Row and column of each patch of one image, on two axes or more, of which the others stay; nothing for others.
std::optional<ListFound> grid_of(const std::vector<std::vector<std::int64_t>>& axes);

// Sequences of one batch, each its own row of offsets: prefills from 0 and decodes that go on from anywhere; or documents whose
// offsets are not where the ids begin anew.
std::optional<ListFound> known_batch(const std::vector<std::int64_t>& ids,
                                     const std::vector<std::int64_t>& bounds);

}  // namespace posiscope
