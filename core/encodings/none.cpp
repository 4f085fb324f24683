// none.cpp — no positional encoding: only the mask depends on the order.
// Without a mask attention is permutation equivariant; a causal mask alone still distinguishes positions.
#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"

namespace posiscope {
namespace none {
namespace {

Result<Action> action(const ActionInput& scene) { return plain_action(head_dim(scene)); }

}  // namespace
}  // namespace none

const Encoding& none_encoding() {
    using namespace none;
    static const Encoding encoding{
        .kind = "none",
        .family = Family::none,
        .acts = Acts::input,
        .per_head = false,
        .parameters = {},
        .action = action,
        .shown = {.colour = "ink_faint", .definition = define_plain_logit},
        .slots = {.program = [](const Scene& scene) -> Result<Program> {
            return plain_program(scene, "none", {});
        }},
    };
    return encoding;
}

}  // namespace posiscope
