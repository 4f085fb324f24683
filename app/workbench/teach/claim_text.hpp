// claim_text.hpp — the picture that decides a claim, and the one that shows a section of the notes.
#pragma once

#include "app/panels/guide_claims.hpp"
#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "core/claims/claims.hpp"

namespace posiscope::workbench {

// A claim's scene in the bench that has its figure, in the mode that decides it.
Scene shown(const Claim& claim);
// The same for a section that a figure shows.
Scene shown(const Section& section);

// A claim and its number in sentences.
// `residual` may be null: none is known yet. `own`, of the claim's own Scene, where the other does not decide the claim.
panels::ClaimWords words_of(const Claim& claim, const Result<Residual>* residual,
                            const std::optional<Residual>& own, const Strings& strings);

// The text below its picture: the claim, its verdict, the number of this Scene, and the fix.
std::string below_picture(const Claim& claim, const Scene& scene, const Strings& strings);

// 0 without any rounding: the claim allows for none.
bool exactly_zero(const Residual& residual);

// A number as it is shown: whole ones whole, what only roundings leave as the power of ten that it is at most, the same on
// every system.
std::string_view residual_text(ui::Scratch& scratch, const Residual& residual);

}  // namespace posiscope::workbench
