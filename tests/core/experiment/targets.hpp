// targets.hpp — every set of instructions that the kernels were compiled for and this processor has, one at a time.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace posiscope {

template <class Check>
void for_each_target(const Check& check) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        check();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace posiscope
