#include "core/phase/steps.hpp"

namespace posiscope {

Step sum(Step a, Step b) { return fraction(bits(a) + bits(b)); }

Step difference(Step a, Step b) { return fraction(bits(a) - bits(b)); }

}  // namespace posiscope
