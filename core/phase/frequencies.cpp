#include "core/phase/frequencies.hpp"

#include "core/cost.hpp"

#include <cmath>
#include <limits>

namespace posiscope {

Spectrum geometric_spectrum(double base, std::size_t pairs, std::uint64_t n, unsigned multiple, bool cycles) {
    spend(60.0 * static_cast<double>(pairs));
    Spectrum spectrum;
    spectrum.frequency.reserve(pairs);
    spectrum.step.reserve(pairs);
    const Wide ratio = power(inverse_root(base, n), multiple);
    Wide omega{1, 0, 0, 0};
    for (std::size_t i = 0; i < pairs; ++i, omega = omega * ratio) {
        spectrum.frequency.push_back((cycles ? omega * kTwoPi : omega).to_double());
        spectrum.step.push_back(step_from_turns(cycles ? omega : omega * kInverseTwoPi));
    }
    return spectrum;
}

Spectrum spectrum_from(std::vector<double> frequency, double attention_factor) {
    Spectrum spectrum;
    spectrum.frequency = std::move(frequency);
    spectrum.attention_factor = attention_factor;
    spend(20.0 * static_cast<double>(spectrum.pairs()));
    spectrum.step.reserve(spectrum.pairs());
    for (const double omega : spectrum.frequency) spectrum.step.push_back(step_from_radians(omega));
    return spectrum;
}

LinkedPair linked_pair(double frequency, const Spectrum& other) {
    LinkedPair best;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < other.pairs(); ++i) {
        // A frequency of 0 (a pair without rotation) links only to another 0.
        const double gap =
            frequency == other.frequency[i] ? 0.0 : std::abs(std::log(frequency / other.frequency[i]));
        if (gap < smallest) {
            smallest = gap;
            best = {i, gap < 1e-12};
        }
    }
    return best;
}

}  // namespace posiscope
