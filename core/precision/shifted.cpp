#include "core/precision/shifted.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

std::vector<double> shifted_errors(const Spectrum& spectrum, Precision precision, std::int64_t offset,
                                   std::size_t count) {
    std::vector<double> errors(count, 0.0);
    const auto rounded = [precision](double value) { return rounded_to(precision, value); };
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
        const Turn step = phase(spectrum.step[i], offset);
        const double c = rounded(cos(step)), s = rounded(sin(step));
        double x = 1.0, y = 0.0;
        Turn turned{};
        for (std::size_t n = 1; n < count; ++n) {
            if (n % 64 == 1) spend(6400.0);
            const double moved = rounded(rounded(x * c) - rounded(y * s));
            y = rounded(rounded(x * s) + rounded(y * c));
            x = moved;
            turned = {turned.fraction + step.fraction};
            errors[n] = std::max(errors[n], std::hypot(x - cos(turned), y - sin(turned)));
        }
    }
    return errors;
}

}  // namespace posiscope
