// precision.hpp — the angle p·ω as other number formats hold it, and how far that is from the exact one, stage by stage.
//   ω̃ = rounded(ω),  p̃ = rounded(p),  φ̃ = rounded(p̃ ω̃),  then sine and cosine of φ̃, rounded
//   φ̃ − pω = p (ω̃ − ω) + (p̃ − p) ω̃ + (φ̃ − p̃ ω̃):  inverse frequency + position + product
// ω is rounded once, as the best program would have it; one that also computes base^(2i/d) in float32 is up to three times
// further off. tf32 rounds what a matrix product takes, ω and p, and keeps its result in float32.
// Units    radians, not reduced to a turn: an error above π means that nothing of the angle is left.
// Range    0 ≤ p < 2^31. Past a format's largest number (65504 in float16) errors are infinite.
// Error    of the stages ≤ p · 2^-52 · ω; of the table's error ≤ 2e-16, by exact phases (core/phase).
// Source   IEEE 754 binary32 and binary16; bfloat16 and TF32 as their hardware rounds, to nearest even.
#pragma once

#include "core/phase/frequencies.hpp"
#include "core/scores/score.hpp"

#include <vector>

namespace posiscope {

enum class Precision { float32, tf32, bfloat16, float16 };
std::span<const Precision> precisions();
std::string_view precision_name(Precision precision);  // "float32"

// To nearest, ties to even, subnormal numbers kept; ±∞ past the largest.
double rounded_to(Precision precision, double value);

struct PhaseError {
    double inverse_frequency = 0.0, position = 0.0, product = 0.0;  // signed, radians
    double value = 0.0;  // the larger of what rounding does to sin φ̃ and cos φ̃
    double total() const { return inverse_frequency + position + product; }
};
PhaseError phase_error(double frequency, std::int64_t position, Precision precision);

// φ̃ itself, not reduced to a turn; ±∞ past the largest.
double rounded_angle(double frequency, std::int64_t position, Precision precision);

// The largest |p̃ − p| of all positions with as many binary digits as p: half the gap between the numbers there.
double position_error(std::int64_t position, Precision precision);

// sin φ̃ and cos φ̃ as a table in this format holds them.
struct RoundedPoint {
    double sine = 0.0, cosine = 0.0;
};
RoundedPoint rounded_point(double frequency, std::int64_t position, Precision precision);

// The largest difference between such a row of the table and the exact one.
double table_error(const Spectrum& spectrum, std::int64_t position, Precision precision);

// The first position at which rounding may cost a pair more than `bound` radians: |φ̃ − pω| ≤ p ω (u + u′), and another
// p ω u past the last position that the format holds; u is half an ulp of the format, u′ of what its product is kept in.
// An ω that the format holds has no first u, one that is a power of two no u′ either: pair 0 is exact while positions are.
// A bound, not the first position at which it happens.
double first_position_beyond(double frequency, Precision precision, double bound);

// A score from two rows of cos/sin in this format, added in float64: exact arithmetic gives score_at(query − key). And the
// contribution of one pair to it, as score_share has it. NaN past the format's largest number.
double score_in(const ScoreForm& form, const Spectrum& spectrum, std::int64_t query, std::int64_t key,
                Precision precision);
double share_in(const ScoreForm& form, const Spectrum& spectrum, std::size_t pair, std::int64_t query,
                std::int64_t key, Precision precision);

// The first position at which a pair's angle is off by more than `bound` radians, and the pair that is furthest off there;
// none up to 2^31 − 1 is null. Only positions are looked at where the roundings of a pair may add up to that; of those that
// the format holds as one number, the first and the last decide.
struct PairOff {
    std::size_t pair = 0;
    std::int64_t position = 0;
};
std::optional<PairOff> first_pair_off(const Spectrum& spectrum, Precision precision, double bound);

// The first p at which the score of query p + offset and key p is off by more than `bound`; null: none up to `searched`, which
// is below the last position where looking further takes more than `most` units of work.
struct ScoreOff {
    std::optional<std::int64_t> first;
    std::int64_t searched = 0;
};
inline constexpr double kMostSearched = 4e9;    // some seconds
inline constexpr double kSearchedAtOnce = 1e7;  // a part of a frame
ScoreOff first_score_off(const ScoreForm& form, const Spectrum& spectrum, std::int64_t offset,
                         Precision precision, double bound, double most = kMostSearched);

// A key that is rotated again and again, as a cache does that shifts its rows (positions/positions.hpp,
// context_shift): each shift multiplies by the cosine and sine of one step, all in a number format.
// (x, y) ← (rounded(rounded(x c) − rounded(y s)), rounded(rounded(x s) + rounded(y c))),  c, s = rounded cos, sin of kω
// Begins as (1, 0), exactly. Error: its distance from where n shifts by k put it, exact to 1e-15.
// After 0 … errors.size() − 1 shifts by `offset`, the largest of all pairs. Spends some 100 units a pair and shift.
std::vector<double> shifted_errors(const Spectrum& spectrum, Precision precision, std::int64_t offset,
                                   std::size_t count);

}  // namespace posiscope
