// score.hpp — a score as a function of only the distance Δ = query − key.
// s(Δ) = scale · (constant + Σ_i even_i cos(Δω_i) + odd_i sin(Δω_i))
// Sinusoidal   p_m · p_n: even = 1, odd = 0.
// Rotary       q_m · k_n = Re Σ q_i k̄_i e^{iΔω_i}: even = q₁k₁ + q₂k₂, odd = q₁k₂ − q₂k₁, both times the squared
//              attention factor; unrotated features add their plain products to the constant.
// dot          the inner product          norm    ‖a − b‖ of the two vectors: √(|a|² + |b|² − 2 a·b), or where little is left of
//              that difference √(|q − k|² + Σ_i 2 even_i (1 − cos(Δω_i)) − 2 odd_i sin(Δω_i))
// logit        dot / √head_dim, as attention uses it (rotary only: an additive encoding's logit also has the
//              content's three terms, which depend on more than the distance)
// xPos         each pair's contribution is also multiplied by e^{Δ·growth_i}; its norms are not a function of the
//              distance.
// All of this holds for content that stays fixed while the distance changes.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

enum class ScoreKind { dot, norm, logit };

struct ScoreForm {
    std::vector<double> even;
    std::vector<double> odd;
    double constant = 0.0;
    double scale = 1.0;
    double squared_norms = 0.0;  // |q|² + |k|², which a shift does not change
    double squared_apart = 0.0;  // |q − k|², the squared norm at distance 0
    std::vector<double>
        growth;  // ln of a contribution's factor per position of distance; empty: contributions keep their size
    ScoreKind kind = ScoreKind::dot;

    bool operator==(const ScoreForm&) const = default;
};

std::span<const ScoreKind> score_kinds(const SpectrumInput& scene);
ScoreForm score_form(const ScoreInput& scene, const Spectrum& spectrum, ScoreKind kind);

double score_at(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance);

// The contribution of one pair to scale · Σ at a distance; with scale · constant they sum to a dot or logit.
double score_share(const ScoreForm& form, const Spectrum& spectrum, std::size_t pair, std::int64_t distance);

// Scores at first, first + stride, …  Applies the rotation of one stride repeatedly and restarts from exact phases
// every 256 samples.  Error  ≤ 1e-13 · Σ(|even| + |odd|).
void score_curve(const ScoreForm& form, const Spectrum& spectrum, std::int64_t first, std::int64_t stride,
                 std::span<double> scores);

// RoFormer's bound on a score: the mean over j = 1 … pairs of |Σ_{i<j} e^{iΔω_i}|. It trends down but comes back, so it does
// not prove that scores decay.  Source  arXiv 2104.09864, section 3.4.3.
double envelope(const Spectrum& spectrum, std::int64_t distance);

// One pair's contribution as its two products, of cosine and of sine, at a distance that alone matters (Turning::by_distance).
struct ScoreParts {
    double cosine = 0.0, sine = 0.0;
};
ScoreParts score_parts(const ScoreForm& form, const Turning& turning, std::size_t pair,
                       std::int64_t distance);

// The score of two absolute positions, from the encoded vectors themselves: the reference for the claim that it
// depends only on the distance.
double score_between(const ScoreForm& form, const Spectrum& spectrum, std::int64_t query, std::int64_t key);

}  // namespace posiscope
