#include "core/precision/trace.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope {
namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;

// A double in radians, reduced to [−π, π) as if π had all its digits.
double reduced(double angle) {
    if (!std::isfinite(angle)) return std::numeric_limits<double>::quiet_NaN();
    return angle < 0x1p60 ? rounded(step_from_radians(angle)).radians() : std::remainder(angle, kWholeTurn);
}

}  // namespace

TraceSteps exact_trace(const TraceOf& of, const Spectrum& spectrum, const ScoreForm* form) {
    const auto p = static_cast<double>(of.position);
    const Turn turn = phase(spectrum.step[of.pair], of.position);
    TraceSteps made;
    made.frequency = spectrum.frequency[of.pair];
    made.position = p;
    made.angle = p * made.frequency;
    made.turns = made.angle / kWholeTurn;
    made.reduced = turn.radians();
    made.value = made.stored = of.sine ? sin(turn) : cos(turn);
    if (form == nullptr) return made;
    made.share = score_share(*form, spectrum, of.pair, of.offset);
    made.score = score_at(*form, spectrum, of.offset);
    return made;
}

TraceSteps rounded_trace(const TraceOf& of, const Spectrum& spectrum, const ScoreForm* form,
                         Precision precision) {
    const double omega = spectrum.frequency[of.pair];
    TraceSteps made;
    made.frequency = rounded_to(precision, omega);
    made.position = rounded_to(precision, static_cast<double>(of.position));
    made.angle = rounded_angle(omega, of.position, precision);
    made.turns = made.angle / kWholeTurn;
    made.reduced = reduced(made.angle);
    made.value = of.sine ? std::sin(made.angle) : std::cos(made.angle);
    const RoundedPoint point = rounded_point(omega, of.position, precision);
    made.stored = of.sine ? point.sine : point.cosine;
    if (form == nullptr) return made;
    made.share = share_in(*form, spectrum, of.pair, of.position + of.offset, of.position, precision);
    made.score = score_in(*form, spectrum, of.position + of.offset, of.position, precision);
    return made;
}

}  // namespace posiscope
