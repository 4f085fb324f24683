// claims.hpp — the picture that decides a claim.
#pragma once

#include "core/claims/claims.hpp"

namespace posiscope::workbench {

// A claim's scene in the bench that has its figure, in the mode that decides it.
Scene shown(const Claim& claim);

}  // namespace posiscope::workbench
