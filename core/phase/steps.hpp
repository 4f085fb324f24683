// steps.hpp — sums and differences of steps, modulo one turn and with all 96 bits.
#pragma once

#include "core/phase/phase.hpp"

namespace posiscope {

Step sum(Step a, Step b);
Step difference(Step a, Step b);  // a − b

}  // namespace posiscope
