// shift.cpp — group A, note 000 (and 002, 003): the shift as a linear map, the circles, the dot product.
// A1   max |PE(p + k) − M_k PE(p)|                     A2   max of |det − 1|, |M_k M_k − M_2k|, |M_kᵀ − M_−k|
// A3   max |‖pair‖ − 1| over the length                A4   ω of pair 0 by that of the last pair: < 1 were low pairs slow
// A5   ω of the last pair, within 5 % of 10^−4         A6   max |PE| over the length
// A7   how many frequencies; d were it one a dimension A8   the chosen pair's max |actual − computed|
// A9   |p_m·p_n − Σ cos ωΔ|                            A10  distances at which the dot product rises
// A11  |p_{i+δ}·p_j − p_i·p_{j−δ}|                     A12  |‖p_i − p_j‖² − (d − 2f)|
// A13  max − min over i of p_{i+k}ᵀ W_qᵀ W_k p_i/√D    A14  its largest change from one i to the next
// Everything at the Scene's position and offset unless it says "over the length".
#include "core/attention/identities.hpp"

#include "core/basis/independence.hpp"
#include "core/claims/measuring.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::claims {
namespace {

PairPoint claimed_point(const Encoding& encoding, Step step, const Case& at) {
    return shift_block(encoding, phase(step, at.claimed_offset())) *
           pair_point(encoding, phase(step, at.scene.position));
}

double difference(PairPoint a, PairPoint b) {
    return std::max(std::abs(a.first - b.first), std::abs(a.second - b.second));
}

double shift_error(const Encoding& encoding, Step step, const Case& at) {
    return difference(pair_point(encoding, phase(step, at.scene.position + at.scene.offset)),
                      claimed_point(encoding, step, at));
}

Result<Residual> linear_shift(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        double most = 0.0;
        for (const Step step : spectrum.step)
            most = std::max(most, shift_error(encoding_of(at.scene), step, at));
        return at_most(most, kExact, {{"p", real(at.scene.position)}, {"k", real(at.scene.offset)}});
    });
}

Result<Residual> block_rotates(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const Encoding& encoding = encoding_of(at.scene);
        double most = 0.0;
        for (const Step step : spectrum.step) {
            const Block m = shift_block(encoding, phase(step, at.scene.offset));
            const Block twice = shift_block(encoding, phase(step, 2 * at.scene.offset));
            const Block claimed = shift_block(encoding, phase(step, at.claimed_offset()));
            most = std::max({most, std::abs(m.a * m.d - m.b * m.c - 1.0),
                             std::abs(m.a * claimed.a + m.b * claimed.c - twice.a),
                             std::abs(m.a * claimed.b + m.b * claimed.d - twice.b)});
        }
        const double turned =
            radians_over(spectrum, static_cast<std::size_t>(at.scene.pair), real(at.scene.offset));
        return at_most(most, kExact,
                       {{"determinant", 1.0},
                        {"turned", encoding.acts == Acts::query_key ? turned : -turned},
                        {"pair", real(at.scene.pair)}});
    });
}

// Rows of the encoding itself, padding, attention factor and growth included: of every pair the two components.
template <class Visit>
Result<Spectrum> each_pair(const Case& at, Visit&& visit) {
    const Encoding& encoding = encoding_of(at.scene);
    const std::int64_t pairs = encoding.pairs(at.scene);
    if (pairs == 0) return tl::unexpected(not_for(at, "sinusoidal, rope"));
    const auto spectrum = steady_spectrum_of(at.scene);
    if (!spectrum) return spectrum;
    const auto action = action_of(at.scene);
    if (!action) return tl::unexpected(action.error());
    const PairLayout layout = encoding.layout(at.scene);
    const bool adds = encoding.acts == Acts::input;
    std::vector<double> row(static_cast<std::size_t>(adds ? at.scene.d_model : head_dim(at.scene)));
    for (const std::int64_t p : sampled_positions(at.scene, kMostSamples / real(2 * pairs))) {
        if (p >= action->positions) break;
        std::fill(row.begin(), row.end(), 0.0);
        if (adds && action->add) action->add(p, row);
        if (!adds) {
            for (std::int64_t i = 0; i < pairs; ++i)
                row[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))] = 1.0;
            if (action->turn) action->turn(Side::query, p, row);
        }
        for (std::int64_t i = 0; i < pairs; ++i)
            visit(PairPoint{row[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))],
                            row[static_cast<std::size_t>(dimension(layout, pairs, {i, 1}))]});
    }
    return spectrum;
}

Result<Residual> on_circles(const Case& at) {
    double most = 0.0;
    return each_pair(at,
                     [&](PairPoint point) {
                         most = std::max(most, std::abs(std::hypot(point.first, point.second) - 1.0));
                     })
        .map([&](const Spectrum& spectrum) {
            return at_most(most, kExact, {{"length", std::sqrt(static_cast<double>(spectrum.pairs()))}});
        });
}

Result<Residual> bounded(const Case& at) {
    double most = 0.0;
    return each_pair(at,
                     [&](PairPoint point) {
                         most = std::max({most, std::abs(point.first), std::abs(point.second)});
                     })
        .map([&](const Spectrum&) { return at_most(most, 1.0 + kExact); });
}

Result<Residual> low_pairs_are_slow(const Case& at) {
    return circles(at).map([](const Spectrum& spectrum) {
        const double first = spectrum.frequency.front(), last = spectrum.frequency.back();
        constexpr double turn = 6.283185307179586;
        return seen_unless(first == last,
                           as_they_are(within(first / last, 0.0, std::nextafter(1.0, 0.0),
                                              {{"first", first},
                                               {"last", last},
                                               {"first_wavelength", turn / first},
                                               {"last_wavelength", turn / last},
                                               {"last_pair", real(std::ssize(spectrum.frequency)) - 1.0}})));
    });
}

Result<Residual> last_frequency(const Case& at) {
    return circles(at).map([](const Spectrum& spectrum) {
        return as_they_are(within(spectrum.frequency.back(), 0.95e-4, 1.05e-4,
                                  {{"last_pair", real(std::ssize(spectrum.frequency)) - 1.0}}));
    });
}

Result<Residual> a_frequency_each(const Case& at) {
    return circles(at).map([](const Spectrum& spectrum) {
        const double dimensions = 2.0 * static_cast<double>(spectrum.pairs());
        return within(real(distinct_frequencies(spectrum)), dimensions, dimensions,
                      {{"dimensions", dimensions}});
    });
}

Result<Residual> worked_example(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const Step step = spectrum.step[static_cast<std::size_t>(at.scene.pair)];
        const Encoding& encoding = encoding_of(at.scene);
        const PairPoint actual = pair_point(encoding, phase(step, at.scene.position + at.scene.offset));
        return at_most(shift_error(encoding, step, at), 5e-7,  // what prints as 0.000000
                       {{"first", actual.first}, {"second", actual.second}});
    });
}

// A cosine does not see the sign of i − j, but that of j: the slip is i + j.
std::int64_t claimed_distance(const Case& at) {
    return at.slip == Slip::sign ? 2 * at.scene.position + at.scene.offset : at.claimed_offset();
}

Result<Residual> dot_of_difference(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const double product = dot_product(spectrum, at.scene.position, at.scene.position + at.scene.offset);
        return at_most(std::abs(product - dot_of_distance(spectrum, claimed_distance(at))),
                       rounding(spectrum), {{"product", product}});
    });
}

Result<Residual> dot_falls(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const double pairs = static_cast<double>(spectrum->pairs());
    if (auto good = affordable(at, 0.25 * real(at.scene.length) * pairs); !good)
        return tl::unexpected(good.error());
    ScoreForm form;
    form.even.assign(spectrum->pairs(), 1.0);
    form.odd.assign(spectrum->pairs(), 0.0);
    std::vector<double> dot(static_cast<std::size_t>(at.scene.length));
    score_curve(form, *spectrum, 0, 1, dot);
    double rises = 0.0, first = 0.0;
    for (std::size_t n = 0; n + 1 < dot.size(); ++n)
        if (dot[n + 1] > dot[n] + rounding(*spectrum)) {
            if (rises == 0.0) first = static_cast<double>(n);
            ++rises;
        }
    return seen_unless(at.scene.length < 2, at_most(rises, 0.0,
                                                    {{"first", first},
                                                     {"steps", real(at.scene.length - 1)},
                                                     {"here", dot_of_distance(*spectrum, at.scene.offset)},
                                                     {"most", pairs}}));
}

Result<Residual> translation(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::int64_t i = at.scene.position, j = i + at.scene.offset, moved = at.scene.shift + 1;
        const std::int64_t claimed = at.slip == Slip::sign ? -moved : moved + (at.slip == Slip::next ? 1 : 0);
        const double product = dot_product(spectrum, i + moved, j);
        return at_most(std::abs(product - dot_product(spectrum, i, j - claimed)), rounding(spectrum),
                       {{"product", product}});
    });
}

Result<Residual> squared_distance(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::int64_t i = at.scene.position, j = i + at.scene.offset;
        const double width = 2.0 * static_cast<double>(spectrum.pairs());
        const double claimed = width - 2.0 * dot_of_distance(spectrum, claimed_distance(at));
        return at_most(std::abs(squared_distance(spectrum, i, j) - claimed), rounding(spectrum),
                       {{"distance", length_of_distance(spectrum, i - j)}});
    });
}

// p_{i+k}ᵀ W_qᵀ W_k p_i / √head_dim of head 0, for every key i whose query is there: the cells of p · p′ in Terms.
Result<std::vector<double>> along_the_diagonal(const Case& at) {
    Scene scene = at.scene;
    if (encoding_of(scene).acts != Acts::input) return tl::unexpected(not_for(at, "sinusoidal, learned"));
    if (scene.content.kind == "tokens")
        scene.content = {"seeded",
                         {{"seed", scene.content.parameters.at("seed")},
                          {"weights", scene.content.parameters.at("weights")}}};
    const std::int64_t k = scene.offset, partners = scene.length - std::abs(k);
    if (partners < 2) scene.length = std::abs(k) + 2;
    const double inner = real(scene.num_heads * head_dim(scene));
    if (auto good = affordable(at, 0.1 * real(scene.length) * real(scene.d_model) * inner); !good)
        return tl::unexpected(good.error());
    const auto made = project(scene, Added::position_only);
    if (!made) return tl::unexpected(made.error());
    const std::int64_t width = made->shape.head_dim;
    std::vector<double> scores;
    for (std::int64_t i = std::max<std::int64_t>(0, -k); i < scene.length - std::max<std::int64_t>(0, k);
         ++i) {
        double sum = 0.0;
        for (std::int64_t f = 0; f < width; ++f)
            sum += made->q[static_cast<std::size_t>((i + k) * width + f)] *
                   made->k[static_cast<std::size_t>(i * width + f)];
        scores.push_back(sum / std::sqrt(real(width)));
    }
    return scores;
}

Result<Residual> sees_only_distance(const Case& at) {
    return along_the_diagonal(at).map([&](const std::vector<double>& scores) {
        const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
        return at_most(*most - *least, 1e-10,
                       {{"least", *least}, {"most", *most}, {"k", real(at.scene.offset)}});
    });
}

Result<Residual> same_everywhere(const Case& at) {
    return along_the_diagonal(at).map([&](const std::vector<double>& scores) {
        double most = 0.0;
        for (std::size_t i = 0; i + 1 < scores.size(); ++i)
            most = std::max(most, std::abs(scores[i + 1] - scores[i]));
        return at_most(most, 1e-10, {{"k", real(at.scene.offset)}});
    });
}

}  // namespace

std::span<const Measure> shift_measures() {
    static constexpr std::array list = {
        Measure{.id = "A1", .unit = {}, .of = linear_shift, .identity = true},
        Measure{.id = "A2", .unit = {}, .of = block_rotates, .identity = true},
        Measure{.id = "A3", .unit = {}, .of = on_circles},
        Measure{.id = "A4", .unit = {}, .of = low_pairs_are_slow},
        Measure{.id = "A5", .unit = "rad/position", .of = last_frequency},
        Measure{.id = "A6", .unit = {}, .of = bounded},
        Measure{.id = "A7", .unit = "frequencies", .of = a_frequency_each},
        Measure{.id = "A8", .unit = {}, .of = worked_example, .identity = true},
        Measure{.id = "A9", .unit = {}, .of = dot_of_difference, .identity = true},
        Measure{.id = "A10", .unit = "steps", .of = dot_falls},
        Measure{.id = "A11", .unit = {}, .of = translation, .identity = true},
        Measure{.id = "A12", .unit = {}, .of = squared_distance, .identity = true},
        Measure{.id = "A13", .unit = {}, .of = sees_only_distance},
        Measure{.id = "A14", .unit = {}, .of = same_everywhere},
    };
    return list;
}

}  // namespace posiscope::claims
