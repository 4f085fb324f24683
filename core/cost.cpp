#include "core/cost.hpp"

#include "core/parameter.hpp"

namespace posiscope {

std::optional<Problem> too_costly(std::string_view what, double steps, double most) {
    if (steps <= most) return std::nullopt;
    return Problem{"cost.too_high",
                   {{"what", std::string(what)}, {"steps", to_text(steps)}, {"maximum", to_text(most)}},
                   Cause::failure};
}

}  // namespace posiscope
