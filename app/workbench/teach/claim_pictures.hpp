// claim_pictures.hpp — the picture that decides a claim, and the one that shows a section of the notes.
#pragma once

#include "core/claims/claims.hpp"

namespace posiscope::workbench {

// A claim's scene in the bench that has its figure, in the mode that decides it.
Scene shown(const Claim& claim);
// The same for a section that a figure shows.
Scene shown(const Section& section);

}  // namespace posiscope::workbench
