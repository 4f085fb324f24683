#include "core/experiment/learnable.hpp"

#include <array>

namespace posiscope::experiment {

extern const Learnable kLearned, kShaw, kTransformerXl, kT5, kKerple, kFire;

const Learnable* find_learnable(std::string_view kind) {
    static constexpr std::array list = {&kLearned, &kShaw, &kTransformerXl, &kT5, &kKerple, &kFire};
    for (const Learnable* learnable : list)
        if (learnable->kind == kind) return learnable;
    return nullptr;
}

}  // namespace posiscope::experiment
