// scores.cpp — group C, notes 000, 002 and 004: RoPE's score, its code, and length.
// The Scene's content is q at p + k and k at p, so that Δ = query − key = k, as in the figures; the chosen pair gives the one
// angle θ that the notes write.  ⟨q, k⟩ = Σ even, the complex product Σ q k̄ = Σ even − i Σ odd (score.hpp).
// C1   |score − ⟨q, k⟩ cos kθ|                         C2   max |‖R_p e‖ − 1|
// C3   |score(p + k + t, p + t) − score(p + k, p)|     C4   |score − (Σ even cos Δθ + Σ odd sin Δθ)|
// C5   |Σ q k̄ e^{iΔω} − (Σ q k̄) e^{iΔθ}|               C6   |score interleaved − score in halves| on the same q and k
// C7   largest ω as defined by ω with the doubled exponent
// C9   |score − the score at −Δ|                       C12  largest difference that the note's check prints, in float32
// C15  bytes of cos and sin for every position         C16  max |score| past training, of one fitted to decay within
// C18  pairs that turn                                 C19  max |PE − the class's table| at p and p + k
// C21  positions that the encoding has                 B32  first distance at which Σ cos Δω is below 0
#include "core/scores/score.hpp"

#include "core/attention/expansion.hpp"

#include "core/claims/measuring.hpp"
#include "core/precision/precision.hpp"
#include "core/scaling/trained.hpp"
#include "core/scene/content.hpp"
#include "core/scores/below.hpp"
#include "core/scores/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace posiscope::claims {
namespace {

constexpr double kDecay = 200.0;     // positions, of the fitted score
constexpr double kStays = 1.05;      // the largest score that the fit was asked for is 1
constexpr double kMostFitted = 6e8;  // length · width²
constexpr std::int64_t kFar = 4000;  // the shift while none is set

using Complex = std::complex<double>;

struct Score {
    Spectrum spectrum;
    ScoreForm form;
    std::int64_t distance;  // query − key = k
    double even, odd;       // of all pairs, and of the features that do not turn
    double size;            // Σ |even| + |odd|: what roundings are measured by
};

Result<Score> score_of(const Case& at) {
    return rotary(at).map([&](Spectrum spectrum) {
        ScoreForm form = score_form(at.scene, spectrum, ScoreKind::dot);
        Score made{std::move(spectrum), std::move(form), at.scene.offset, 0.0, 0.0, 1.0};
        made.even = made.form.constant;
        for (const double even : made.form.even) made.even += even, made.size += std::abs(even);
        for (const double odd : made.form.odd) made.odd += odd, made.size += std::abs(odd);
        return made;
    });
}

Turn angle(const Case& at, const Score& score, std::int64_t distance) {
    return phase(score.spectrum.step[static_cast<std::size_t>(at.scene.pair)], distance);
}

// Σ q k e^{i(m+n)ω}: what the product is without the conjugate; features that do not turn keep their part.
Complex unconjugated(const Case& at, const Score& score, std::int64_t moved) {
    const std::int64_t both = 2 * (at.scene.position + moved) + at.scene.offset;
    const PairLayout layout = encoding_of(at.scene).layout(at.scene);
    const auto pairs = static_cast<std::int64_t>(score.spectrum.pairs());
    Complex sum = score.form.constant;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto feature = [&](Tensor tensor, int component) {
            return content_value(at.scene.content, tensor, 0, dimension(layout, pairs, {i, component}));
        };
        const Turn turn = phase(score.spectrum.step[static_cast<std::size_t>(i)], both);
        sum += Complex(feature(Tensor::query, 0), feature(Tensor::query, 1)) *
               Complex(feature(Tensor::key, 0), feature(Tensor::key, 1)) * Complex(cos(turn), sin(turn));
    }
    return sum;
}

Result<Residual> product_factors_out(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        const double here = score_at(s.form, s.spectrum, s.distance);
        const double written = s.even * cos(angle(at, s, at.scene.offset));
        return at_most(std::abs(here - written), kExact * s.size,
                       {{"score", here},
                        {"written", written},
                        {"product", s.even},
                        {"other_sign", score_at(s.form, s.spectrum, -s.distance)},
                        {"unconjugated", unconjugated(at, s, 0).real()},
                        {"unconjugated_moved", unconjugated(at, s, 100).real()}});
    });
}

Result<Residual> length_stays(const Case& at) {
    const Encoding& encoding = encoding_of(at.scene);
    const std::int64_t pairs = encoding.pairs(at.scene);
    if (encoding.acts != Acts::query_key || pairs == 0) return tl::unexpected(not_for(at, "rope"));
    const auto action = action_of(at.scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->turn || at.scene.position >= action->positions) return tl::unexpected(not_for(at, "rope"));
    std::vector<double> x(static_cast<std::size_t>(head_dim(at.scene)), 1.0);
    action->turn(Side::query, at.scene.position, x);
    const PairLayout layout = encoding.layout(at.scene);
    double most = 0.0;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const double a = x[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))],
                     b = x[static_cast<std::size_t>(dimension(layout, pairs, {i, 1}))];
        most = std::max(most, std::abs(std::hypot(a, b) / std::numbers::sqrt2 - 1.0));
    }
    return at_most(most, kExact, {{"p", real(at.scene.position)}});
}

Result<Residual> distance_alone(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        const std::int64_t p = at.scene.position, t = at.scene.shift > 0 ? at.scene.shift : kFar;
        const std::int64_t slipped = at.slip == Slip::next ? 1 : 0;
        const double here = score_at(s.form, s.spectrum, at.slip == Slip::sign ? -s.distance : s.distance);
        const double moved = score_between(s.form, s.spectrum, p + at.scene.offset + t + slipped, p + t);
        const auto drift = [&](std::int64_t far) {
            return score_in(s.form, s.spectrum, p + at.scene.offset + far, p + far, Precision::float32) -
                   here;
        };
        return at_most(std::abs(moved - here), kExact * s.size,
                       {{"score", here},
                        {"t", real(t)},
                        {"drift", drift(100000)},
                        {"drift_further", drift(1000000)},
                        {"drift_furthest", drift(10000000)}});
    });
}

Result<Residual> cosine_and_the_rest(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        const Turn turn = angle(at, s, s.distance);
        const double here = score_at(s.form, s.spectrum, s.distance);
        const double cosine = s.even * cos(turn), others = s.odd * sin(turn);
        return seen_unless(s.distance == 0, at_most(std::abs(here - (cosine + others)), kExact * s.size,
                                                    {{"score", here},
                                                     {"cosine", cosine},
                                                     {"others", others},
                                                     {"pairs", static_cast<double>(s.spectrum.pairs())}}));
    });
}

Result<Residual> complex_product(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        Complex sum = s.form.constant, product = sum;
        for (std::size_t i = 0; i < s.form.even.size(); ++i) {
            const Turn turn = phase(s.spectrum.step[i], s.distance);
            const Complex both(s.form.even[i], -s.form.odd[i]);
            sum += both * Complex(cos(turn), sin(turn));
            product += both;
        }
        const Turn turn = angle(at, s, s.distance);
        return seen_unless(s.distance == 0,
                           at_most(std::abs(sum - product * Complex(cos(turn), sin(turn))), kExact * s.size,
                                   {{"score", sum.real()},
                                    {"imaginary", sum.imag()},
                                    {"unconjugated", unconjugated(at, s, 0).real()},
                                    {"unconjugated_moved", unconjugated(at, s, 100).real()},
                                    {"pairs", static_cast<double>(s.spectrum.pairs())}}));
    });
}

Result<Residual> layouts_agree(const Case& at) {
    if (auto good = rotary(at); !good) return tl::unexpected(good.error());
    const std::int64_t p = at.scene.position;
    const auto here = mixed_scores(at.scene, p + at.scene.offset, p);
    if (!here) return tl::unexpected(here.error());
    const auto moved = mixed_scores(at.scene, p + 100 + at.scene.offset, p + 100);
    if (!moved) return tl::unexpected(moved.error());
    return at_most(std::abs(here->interleaved - here->half), 1e-9,
                   {{"interleaved", here->interleaved},
                    {"half", here->half},
                    {"mixed", here->mixed},
                    {"mixed_moved", moved->mixed}});
}

Result<Residual> exponent_once(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::size_t pairs = spectrum.pairs();
        const double right = geometric_spectrum(at.scene.base, pairs, pairs).frequency.back(),
                     written = geometric_spectrum(at.scene.base, pairs, pairs, 2).frequency.back();
        constexpr double turn = 2.0 * std::numbers::pi;
        return as_they_are(within(right / written, 1.0 - kExact, 1.0 + kExact,
                                  {{"right", right},
                                   {"written", written},
                                   {"right_wavelength", turn / right},
                                   {"written_wavelength", turn / written},
                                   {"d", 2.0 * static_cast<double>(pairs)}}));
    });
}

Result<Residual> sign_does_not_matter(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        const double plus = score_at(s.form, s.spectrum, s.distance),
                     minus = score_at(s.form, s.spectrum, -s.distance);
        return at_most(std::abs(plus - minus), kExact * s.size, {{"plus", plus}, {"minus", minus}});
    });
}

// verify_rope_property: for distances 1, 2, 3 the score of query 0 and key Δ against that of 1 and 1 + Δ, in float32.
Result<Residual> check_prints_zero(const Case& at) {
    return score_of(at).map([&](const Score& s) {
        double most = 0.0, exact = 0.0;
        for (const std::int64_t distance : {1, 2, 3}) {
            const auto in = [&](std::int64_t q, std::int64_t k) {
                return score_in(s.form, s.spectrum, q, k, Precision::float32);
            };
            const std::int64_t further = distance + 1 + (at.slip == Slip::next ? 1 : 0);
            most = std::max(
                most, std::abs(in(0, distance) - (at.slip == Slip::sign ? in(further, 1) : in(1, further))));
            exact = std::max(exact, std::abs(score_between(s.form, s.spectrum, 0, distance) -
                                             score_between(s.form, s.spectrum, 1, 1 + distance)));
        }
        return at_most(most, 1e-6 * s.size, {{"exact", exact}});
    });
}

Result<Residual> nothing_stored(const Case& at) {
    return rotary(at).map([&](const Spectrum& spectrum) {
        const double columns = 2.0 * static_cast<double>(spectrum.pairs());
        return at_most(2.0 * real(at.scene.length) * columns * 4.0, 0.0,
                       {{"n", real(at.scene.length)}, {"d", columns}});
    });
}

Result<Residual> fitted_score_stays(const Case& at) {
    const auto spectrum = rotary(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const auto trained = steady_spectrum_of(trained_scene(at.scene));
    if (!trained) return tl::unexpected(trained.error());
    const std::int64_t length = at.scene.trained.length.value_or(at.scene.length);
    const double width = 2.0 * static_cast<double>(trained->pairs());
    if (auto problem = too_costly(at.claim, real(length) * width * width, kMostFitted))
        return tl::unexpected(std::move(*problem));
    if (auto good = affordable(at, 0.1 * real(at.scene.length) * width); !good)
        return tl::unexpected(good.error());
    if (trained->pairs() != spectrum->pairs()) return tl::unexpected(not_for(at, "rope"));
    const Fit fit = fit_decay(*trained, PairLayout::interleaved, kDecay, length);
    ScoreForm form;
    for (std::size_t i = 0; i < trained->pairs(); ++i) {  // q = (1, 0) in every pair, so odd = k₂
        form.even.push_back(fit.key[2 * i]);
        form.odd.push_back(fit.key[2 * i + 1]);
    }
    std::vector<double> scores(static_cast<std::size_t>(at.scene.length));
    score_curve(form, *spectrum, 0, 1, scores);
    double within_training = 0.0, beyond = 0.0, first = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t n = 0; n < scores.size(); ++n) {
        double& most = static_cast<std::int64_t>(n) < length ? within_training : beyond;
        most = std::max(most, std::abs(scores[n]));
        if (std::isnan(first) && std::abs(scores[n]) > kStays) first = static_cast<double>(n);
    }
    Scene told = at.scene;
    told.trained.length = length;
    const auto training = training_of(told);
    if (!training) return tl::unexpected(training.error());
    return at_most(beyond, kStays,
                   {{"within", within_training},
                    {"first", first},
                    {"trained", real(length)},
                    {"n", real(at.scene.length)},
                    {"unseen", static_cast<double>(training->new_angles.count)},
                    {"pairs", static_cast<double>(spectrum->pairs())}});
}

Result<Residual> something_turns(const Case& at) {
    const double pairs = real(encoding_of(at.scene).pairs(at.scene));
    return within(pairs, 1.0, kInfinity);
}

Result<Residual> table_of_the_class(const Case& at) {
    const Encoding& encoding = encoding_of(at.scene);
    if (encoding.acts != Acts::input) return tl::unexpected(not_for(at, "sinusoidal, learned"));
    const auto action = action_of(at.scene);
    if (!action || !action->add) return tl::unexpected(not_for(at, "sinusoidal, learned"));
    double most = 0.0;
    for (const std::int64_t p : {at.scene.position, at.scene.position + at.scene.offset}) {
        if (p >= action->positions) return tl::unexpected(not_for(at, "sinusoidal"));
        std::vector<double> row(static_cast<std::size_t>(at.scene.d_model), 0.0);
        action->add(p, row);
        for (std::size_t column = 0; column < row.size(); ++column) {
            const double even = static_cast<double>(column - column % 2);
            const double angle = real(p) * std::exp(even * -(std::log(10000.0) / real(at.scene.d_model)));
            most =
                std::max(most, std::abs(row[column] - (column % 2 == 0 ? std::sin(angle) : std::cos(angle))));
        }
    }
    return at_most(
        most, 1e-15 * (100.0 + 4.0 * real(std::max(at.scene.position, at.scene.position + at.scene.offset))));
}

Result<Residual> table_ends(const Case& at) {
    if (!encoding_of(at.scene).rows) return tl::unexpected(not_for(at, "learned"));
    const auto action = action_of(at.scene);
    if (!action) return tl::unexpected(action.error());
    return within(real(action->positions), 1.0, real(kLastPosition));
}

// Any base will do as long as equal vectors are more alike than chance at every distance of the text.
Result<Residual> base_is_free(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const auto pairs = static_cast<std::int64_t>(spectrum->pairs());
    const std::int64_t farthest = std::max(kFarthestSum, at.scene.length);
    if (auto problem = too_costly(at.claim, real(pairs) * real(farthest), kMostSummed))
        return tl::unexpected(std::move(*problem));
    const auto first = first_below_zero(*spectrum, farthest);
    const auto base = least_base(2 * pairs, at.scene.length - 1);
    Residual made =
        within(first ? real(*first) : kInfinity, real(at.scene.length), kInfinity,
               {{"n", real(at.scene.length)}, {"least", base.value_or(kInfinity)}, {"base", at.scene.base}});
    if (!first) return in_form("never", std::move(made));
    return made.holds() || base ? made : in_form("no_base", std::move(made));
}

}  // namespace

std::span<const Measure> score_measures() {
    static constexpr std::array list = {
        Measure{.id = "C1", .unit = {}, .of = product_factors_out},
        Measure{.id = "C2", .unit = {}, .of = length_stays},
        Measure{.id = "C3", .unit = {}, .of = distance_alone, .identity = true},
        Measure{.id = "C4", .unit = {}, .of = cosine_and_the_rest},
        Measure{.id = "C5", .unit = {}, .of = complex_product},
        Measure{.id = "C6", .unit = {}, .of = layouts_agree},
        Measure{.id = "C7", .unit = {}, .of = exponent_once},
        Measure{.id = "C9", .unit = {}, .of = sign_does_not_matter},
        Measure{.id = "C12", .unit = {}, .of = check_prints_zero, .identity = true},
        Measure{.id = "C15", .unit = "bytes", .of = nothing_stored},
        Measure{.id = "C16", .unit = {}, .of = fitted_score_stays},
        Measure{.id = "C18", .unit = "pairs", .of = something_turns},
        Measure{.id = "C19", .unit = {}, .of = table_of_the_class},
        Measure{.id = "C21", .unit = "positions", .of = table_ends},
        Measure{.id = "B32", .unit = "positions", .of = base_is_free},
    };
    return list;
}

}  // namespace posiscope::claims
