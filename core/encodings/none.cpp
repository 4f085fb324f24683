// none.cpp — no positional encoding: only the mask depends on the order.
// Without a mask attention is permutation equivariant; a causal mask alone still distinguishes positions.
#include "core/encodings/encodings.hpp"

namespace posiscope {

const Encoding& none_encoding() {
    static const Encoding encoding{"none",
                                   Family::none,
                                   Acts::input,
                                   false,
                                   {},
                                   no_pairs,
                                   no_spectrum,
                                   no_layout,
                                   nullptr,
                                   [](const ActionInput& scene) -> Result<Action> { return plain_action(head_dim(scene)); }};
    return encoding;
}

}  // namespace posiscope
