// basis.cpp — group B, second half: independence, orthogonality, uniqueness, precision, length.
// B16  n − rank of the rows, as real numbers           B17  n − rank of the rows, as doubles
// B18  min(n, d) − rank in cycles, as real numbers     B19  frequencies that are rational multiples of ω_0, but itself
// B21  largest product of two columns, in units of n/2 B22  least Σ sin² in units of n/2
// B23, B24, B30  least ‖p_i − p_j‖ over the length, of B24 in cycles    B26  pairs with a wavelength above the length
// B28  largest error of the row at p in float32        B29  pairs that meet angles which training never showed
#include "core/basis/independence.hpp"

#include "core/attention/identities.hpp"
#include "core/claims/measuring.hpp"
#include "core/precision/precision.hpp"
#include "core/scaling/trained.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace posiscope::claims {
namespace {

constexpr double kMostPairs = 1024.0;    // of products of columns
constexpr double kMostDecomposed = 2e8;  // n · d · min(n, d)
constexpr double kNear = 0.05;           // columns count as orthogonal, and as balanced, below
constexpr double kApart = 1e-9;          // two vectors as different
constexpr double kOff = 0.01;            // an entry or a logit as off
constexpr double kAngle = 100.0;         // units of one rounded angle and the exact one

double width(const Spectrum& spectrum) { return 2.0 * static_cast<double>(spectrum.pairs()); }

Result<Residual> rows_independent(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const double rank = real(exact_rank(spectrum, at.scene.length)), n = real(at.scene.length);
        return at_most(n - rank, 0.0, {{"rank", rank}, {"n", n}, {"d", width(spectrum)}});
    });
}

Result<Residual> rows_independent_in_doubles(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const double n = real(at.scene.length), d = width(*spectrum);
    if (auto problem = too_costly(at.claim, n * d * std::min(n, d), kMostDecomposed))
        return tl::unexpected(std::move(*problem));
    const auto made = table_rank(*spectrum, at.scene.length);
    if (!made) return tl::unexpected(made.error());
    const double rank = real(made->rank), exact = real(exact_rank(*spectrum, at.scene.length));
    const Residual lost = at_most(exact - rank, 0.0,
                                  {{"rank", rank},
                                   {"n", n},
                                   {"d", d},
                                   {"exact", exact},
                                   {"least", made->singular_values.back() / made->singular_values.front()}});
    if (n > d) return in_form(kUnseen, lost);
    return exact < n ? in_form("dependent", lost) : lost;
}

Result<Residual> columns_independent(const Case& at) {
    return in_cycles(at).map([&](const Spectrum& spectrum) {
        const double rank = real(exact_rank(spectrum, at.scene.length)), n = real(at.scene.length);
        return at_most(std::min(n, width(spectrum)) - rank, 0.0, {{"rank", rank}, {"d", width(spectrum)}});
    });
}

Result<Residual> frequencies_irrational(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        // ω_i/ω_j is ω_0/ω_{j−i}: where one of all ratios is rational, one with ω_0 is, first at the pair pairs/rational.
        const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
        const std::int64_t rational = rational_frequencies(at.scene.base, pairs), first = pairs / rational;
        return seen_unless(pairs < 2,
                           at_most(real(rational - 1), 0.0,
                                   {{"pairs", real(pairs)},
                                    {"others", real(pairs - 1)},
                                    {"first", real(first)},
                                    {"ratio", std::pow(at.scene.base, real(first) / real(pairs))}}));
    });
}

Result<Orthogonality> orthogonality_of(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    if (auto problem = too_costly(at.claim, width(*spectrum), 2.0 * kMostPairs))
        return tl::unexpected(std::move(*problem));
    return orthogonality(*spectrum, at.scene.length);
}

Result<Residual> columns_orthogonal(const Case& at) {
    return orthogonality_of(at).map([&](const Orthogonality& made) {
        return at_most(std::max({made.sin_sin, made.cos_cos, made.sin_cos}), kNear,
                       {{"sin_sin", made.sin_sin},
                        {"cos_cos", made.cos_cos},
                        {"sin_cos", made.sin_cos},
                        {"n", real(at.scene.length)}});
    });
}

Result<Residual> columns_balanced(const Case& at) {
    return orthogonality_of(at).map([&](const Orthogonality& made) {
        const double half = 0.5 * real(at.scene.length);
        return within(made.least_sin, 1.0 - kNear, 1.0 + kNear,
                      {{"sum", made.least_sin * half}, {"half", half}, {"n", real(at.scene.length)}});
    });
}

Result<Gap> gap_of(const Case& at, const Result<Spectrum>& spectrum) {
    if (!spectrum) return tl::unexpected(spectrum.error());
    if (auto good = affordable(at, real(at.scene.length) * static_cast<double>(spectrum->pairs())); !good)
        return tl::unexpected(good.error());
    return least_gap(*spectrum, std::max<std::int64_t>(at.scene.length, 2));
}

Result<Residual> gap_within(const Case& at, const Result<Spectrum>& spectrum, double least, double most) {
    return gap_of(at, spectrum).map([&](const Gap& gap) {
        return seen_unless(at.scene.length < 2,
                           within(gap.length, least, most,
                                  {{"distance", real(gap.distance)}, {"n", real(at.scene.length)}}));
    });
}

// ω_0 = 1 tells all positions apart; without it nothing does at every length.
Result<Residual> positions_differ(const Case& at) {
    const auto spectrum = circles(at);
    return gap_within(at, spectrum, kApart, kInfinity).map([&](const Residual& made) {
        const bool irrational = spectrum->frequency.front() == 1.0;
        return made.said() == "holds" && !irrational ? in_form("apart", made) : made;
    });
}

Result<Residual> positions_differ_in_cycles(const Case& at) {
    return gap_within(at, in_cycles(at), kApart, kInfinity);
}

// Periodic, the gap is 0; supporting long sequences, it is not.
Result<Residual> repeats_and_differs(const Case& at) { return gap_within(at, circles(at), kApart, 0.0); }

Result<Residual> waves_are_local(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const double longest = 2.0 * std::numbers::pi / real(at.scene.length);
        const auto longer = std::count_if(spectrum.frequency.begin(), spectrum.frequency.end(),
                                          [&](double omega) { return omega < longest; });
        return at_most(real(longer), 0.0,
                       {{"pairs", static_cast<double>(spectrum.pairs())}, {"n", real(at.scene.length)}});
    });
}

// The first position at which a row in float32 is off by more than kOff; 2^31 where there is none. A pair is looked at from
// the position on at which roundings may add up to that.
double first_row_off(const Spectrum& spectrum) {
    struct Fast {
        std::size_t pair;
        double from;
    };
    std::vector<Fast> fast;
    for (std::size_t i = 0; i < spectrum.pairs(); ++i)
        fast.push_back({i, first_position_beyond(spectrum.frequency[i], Precision::float32, 0.99 * kOff)});
    std::ranges::sort(fast, {}, &Fast::from);
    for (double p = std::ceil(fast.front().from); p <= real(kLastPosition); ++p) {
        const auto position = static_cast<std::int64_t>(p);
        for (const Fast& one : fast) {
            if (one.from > p) break;
            spend(kAngle);
            const RoundedPoint held =
                rounded_point(spectrum.frequency[one.pair], position, Precision::float32);
            const Turn turn = phase(spectrum.step[one.pair], position);
            if (std::max(std::abs(held.sine - sin(turn)), std::abs(held.cosine - cos(turn))) > kOff) return p;
        }
    }
    return real(kLastPosition) + 1.0;
}

Result<Residual> any_position(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const double reach = first_row_off(spectrum);
        const Residual made =
            at_most(table_error(spectrum, at.scene.position, Precision::float32), kOff,
                    {{"p", real(at.scene.position)},
                     {"reach", reach},
                     {"bfloat16", table_error(spectrum, at.scene.position, Precision::bfloat16)}});
        return reach > real(kLastPosition) ? in_form("held", made) : made;
    });
}

Result<Residual> any_length(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    Scene scene = at.scene;
    if (!scene.trained.length)
        scene.trained.length = scene.length;  // nothing is told: this length is all there was
    const auto training = training_of(scene);
    if (!training) return tl::unexpected(training.error());
    const auto unfinished = std::count_if(training->trained_turns.begin(), training->trained_turns.end(),
                                          [](double t) { return t < 1.0; });
    return at_most(static_cast<double>(training->new_angles.count), 0.0,
                   {{"unfinished", real(unfinished)},
                    {"pairs", static_cast<double>(spectrum->pairs())},
                    {"trained", real(*scene.trained.length)},
                    {"n", real(scene.length)}});
}

}  // namespace

std::span<const Measure> basis_measures() {
    static constexpr std::array list = {
        Measure{.id = "B16", .unit = "rows", .of = rows_independent},
        Measure{.id = "B17", .unit = "rows", .of = rows_independent_in_doubles},
        Measure{.id = "B18", .unit = "columns", .of = columns_independent},
        Measure{.id = "B19", .unit = "frequencies", .of = frequencies_irrational},
        Measure{.id = "B21", .unit = "n/2", .of = columns_orthogonal},
        Measure{.id = "B22", .unit = "n/2", .of = columns_balanced},
        Measure{.id = "B23", .unit = {}, .of = positions_differ},
        Measure{.id = "B24", .unit = {}, .of = positions_differ_in_cycles},
        Measure{.id = "B26", .unit = "pairs", .of = waves_are_local},
        Measure{.id = "B28", .unit = {}, .of = any_position},
        Measure{.id = "B29", .unit = "pairs", .of = any_length},
        Measure{.id = "B30", .unit = {}, .of = repeats_and_differs},
    };
    return list;
}

}  // namespace posiscope::claims
