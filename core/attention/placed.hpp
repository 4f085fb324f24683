// placed.hpp — a Scene's Action at the positions of the rows that attention has, and what is made with it.
#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/tokens.hpp"

namespace posiscope {

// The Scene's Action, by the ids of its tokens; where q and k are stored, its position 0 is that of their first row
// (scene/tensors.hpp). `masked`: what the ids hide has logit −∞.
Result<Action> attention_action(const TokenInput& scene, bool masked = true);

// attention_shape() with the layer behind the pads of the ids.
Result<AttentionShape> attention_shape(const TokenInput& attended);

// project() and attention() with ids; `attended` by attended().
Result<Projected> project_by(const AttentionInput& attended, const Action& action, Added added = Added::sum,
                             std::span<const std::int64_t> order = {});
Result<Attention> token_attention(const TokenInput& scene);

// The Scene with the length that attention uses, and its ids.
TokenInput attended_tokens(TokenInput scene);

}  // namespace posiscope
