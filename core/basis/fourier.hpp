// fourier.hpp — the Fourier series of the square wave, sign(sin 2πt/T), over one period T.
// sign(sin 2πt/T) = Σ_n c_n e^{2πint/T},  c_n = 2/(πi n) for odd n, else 0;  S_m = Σ_{j=1…m} (4/π) sin(2π(2j−1)t/T) / (2j−1).
// Near its jumps S_m overshoots, by a share of the jump that tends to Si(π)/π − 1/2 = 0.0895 and not to 0 (Gibbs), while its
// root-mean-square error tends to 0.  Range  1 ≤ m ≤ 2^20.  Error  ≤ 1e-12.  Source  Gibbs, Nature 59 (1899).
#pragma once

#include <cstdint>
#include <span>

namespace posiscope {

inline constexpr double kGibbsOvershoot = 0.0894898722360836;

double square_coefficient(std::int64_t harmonic);  // |c_n|

struct SquareSum {
    double overshoot = 0.0;  // of S_m, as a share of the jump
    double error = 0.0;      // root mean square of S_m less the square wave
};
SquareSum square_sum(std::int64_t terms);

// S_m at t = 0, T/size, 2T/size, …
void square_curve(std::int64_t terms, std::span<double> values);

}  // namespace posiscope
