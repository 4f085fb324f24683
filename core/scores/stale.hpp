// stale.hpp — scores in a cache whose frequencies change while it stands: dynamic NTK with every token, LongRoPE once. The
// key at n was rotated when the row had n + 1 tokens, that of a prompt when it had all of them; the query at m likewise.
//   stale = 2 F F′ Σ_i g_i cos(m ω_i(m + 1) − n ω_i(n + 1)) + rest,  anew = 2 F² Σ_i g_i cos((m − n) ω_i(m + 1)) + rest
// for every component of q and k 1, two in each pair; `rest` are the features that no pair turns. ω_i(l) and F are the spectrum
// and attention factor of a row of l tokens, F′ those of the key, g_i xPos's factor. `anew` is the dot product of score.hpp.
// Range    0 ≤ n ≤ m < 2^31 − 1.  Error  ≤ 1e-15 times the number of pairs.
// Source   Hugging Face, modeling_rope_utils.py: dynamic_rope_update computes inv_freq anew and leaves the cached keys.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct StaleScore {
    double stale = 0.0, anew = 0.0;
};

// The scores of one query; its spectrum is made once.
class StaleScores {
public:
    // Refused where nothing rotates.
    static Result<StaleScores> of(const SpectrumInput& scene, std::int64_t query, std::int64_t prompt);
    // Spends some 400 units a pair.
    Result<StaleScore> at(std::int64_t key);
    // True if the first key was rotated by another spectrum than the query's.
    Result<bool> changed();

private:
    Result<Spectrum> stored(std::int64_t key);

    SpectrumInput scene_;
    std::int64_t query_ = 0, prompt_ = 0;
    Spectrum now_;
    double rest_ = 0.0;
};

}  // namespace posiscope
