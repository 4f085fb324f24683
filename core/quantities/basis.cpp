// basis.cpp — what the encoding is as a basis: its columns, its rows, and how far apart the rows are.
// dft           power[r, n/2 + 1], the power spectrum of each column over the length, as fractions that sum to 1; strongest[r],
//               the fraction in the strongest bin, 1 where nothing leaks; bins[r], those with more than 1e-6
// columns       column_gram[r, r] = (2/n) PEᵀ PE: the identity if the columns were orthogonal and balanced
// independence  exact_rank of the first n rows as real numbers; nodes, that of all rows; null_vector[n], α with
//               ‖Σ α_p p_p‖ = null_residual, rounding, and ‖α‖ = 1 (null: there is none); log10_determinant of the square table of r rows
// gap           delta[n − 1]; gap[n − 1] = ‖p_i − p_j‖ by distance; least, and least_distance where it is
// chord         of each pair at the offset: chord = 2 |sin(kω/2)|, cycles = 2 |sin(πkω)|, as if ω counted turns,
//               linear = |k| ω; whole and whole_linear, the same of all pairs together
// fourier       of the square wave whose period is the length, its first 512 harmonics: harmonic n = 1, 3, 5 …;
//               frequency = 2πn/length; coefficient |c_n| = 2/(πn); overshoot and error of the sum up to each (fourier.hpp)
// Columns stand in the table's own order. Closed forms, but for the dft of a table of numbers, as a learned one.
#include "core/attention/attention.hpp"
#include "core/attention/identities.hpp"
#include "core/basis/columns.hpp"
#include "core/basis/fourier.hpp"
#include "core/basis/independence.hpp"
#include "core/cost.hpp"
#include "core/encodings/turning.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope {
namespace {

using Shapes = Result<std::vector<Shape>>;

// The pairs of an encoding that is a sinusoidal table, or would be one of cos and sin.
Result<std::int64_t> pairs_of(const Scene& scene, std::string_view quantity) {
    if (rotation_of(scene) == Rotation::spirals) return tl::unexpected(absent(scene, quantity));
    return steady_pairs(scene, quantity);
}

// Sizes are asked for in every frame of a menu: what they announce is spent where it is done.
std::optional<Problem> beyond(std::string_view quantity, double steps, double most = kMostSteps) {
    return steps > most ? too_costly(quantity, steps, most) : std::nullopt;
}
void spend_steps(double steps_a_pair, std::size_t pairs) {
    spend(10.0 * steps_a_pair * static_cast<double>(pairs));
}

Result<std::int64_t> affordable(const Scene& scene, std::string_view quantity, double steps_a_pair) {
    return pairs_of(scene, quantity).and_then([&](std::int64_t pairs) -> Result<std::int64_t> {
        if (auto problem = beyond(quantity, steps_a_pair * static_cast<double>(pairs)))
            return tl::unexpected(std::move(*problem));
        return pairs;
    });
}

std::int64_t bins_of(const Scene& scene) { return scene.length / 2 + 1; }
double dft_steps(const Scene& scene) { return 16.0 * static_cast<double>(bins_of(scene)); }

// A table without pairs, as a learned one: its columns are numbers, and each takes n² steps.
bool only_numbers(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    return encoding.acts == Acts::input && encoding.family != Family::none && encoding.pairs(scene) == 0;
}

Shapes dft_shapes(const Scene& scene) {
    const std::int64_t bins = bins_of(scene);
    const auto shapes = [bins](std::int64_t columns) {
        return std::vector<Shape>{{"power", {columns, bins}}, {"strongest", {columns}}, {"bins", {columns}}};
    };
    if (!only_numbers(scene))
        return affordable(scene, "dft", dft_steps(scene)).map([&](std::int64_t pairs) {
            return shapes(2 * pairs);
        });
    const double steps = 0.15 * static_cast<double>(bins) * static_cast<double>(scene.length) *
                         static_cast<double>(scene.d_model);
    if (auto problem = beyond("dft", steps)) return tl::unexpected(std::move(*problem));
    return shapes(scene.d_model);
}

Result<void> fill_dft_of_numbers(const Scene& scene, std::span<Array> arrays) {
    return input_table(scene, 0, scene.length).map([&](const std::vector<double>& table) {
        const auto width = static_cast<std::size_t>(scene.d_model);
        std::vector<double> column(static_cast<std::size_t>(scene.length));
        auto place = arrays[0].values.begin();
        for (std::size_t c = 0; c < width; ++c) {
            for (std::size_t p = 0; p < column.size(); ++p) column[p] = table[p * width + c];
            const auto power = column_power(column);
            place = std::copy(power.begin(), power.end(), place);
            const Leakage made = leakage(power);
            arrays[1].values[c] = made.fraction;
            arrays[2].values[c] = static_cast<double>(made.above);
        }
    });
}

Result<void> fill_dft(const Scene& scene, std::span<Array> arrays) {
    if (only_numbers(scene)) return fill_dft_of_numbers(scene, arrays);
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const auto pairs = static_cast<std::int64_t>(spectrum->pairs());
    const PairLayout layout = encoding_of(scene).layout(scene);
    auto place = arrays[0].values.begin();
    for (std::int64_t column = 0; column < 2 * pairs; ++column) {
        const auto [pair, component] = pair_component(layout, pairs, column);
        const auto power =
            column_power(spectrum->step[static_cast<std::size_t>(pair)], component == 1, scene.length);
        place = std::copy(power.begin(), power.end(), place);
        const Leakage made = leakage(power);
        arrays[1].values[static_cast<std::size_t>(column)] = made.fraction;
        arrays[2].values[static_cast<std::size_t>(column)] = static_cast<double>(made.above);
    }
    return {};
}

Shapes column_shapes(const Scene& scene) {
    const double pairs = static_cast<double>(encoding_of(scene).pairs(scene));
    return affordable(scene, "columns", 8.0 * pairs).map([](std::int64_t count) {
        return std::vector<Shape>{{"column_gram", {2 * count, 2 * count}}};
    });
}

Result<void> fill_columns(const Scene& scene, std::span<Array> arrays) {
    return steady_spectrum_of(scene).map([&](const Spectrum& spectrum) {
        arrays[0].values = column_gram(spectrum, encoding_of(scene).layout(scene), scene.length);
    });
}

Shapes independence_shapes(const Scene& scene) {
    const auto pairs = pairs_of(scene, "independence");
    if (!pairs) return tl::unexpected(pairs.error());
    const auto n = static_cast<double>(scene.length), width = static_cast<double>(2 * *pairs);
    if (auto problem = beyond("independence", n * n * width, kMostNullSteps))
        return tl::unexpected(std::move(*problem));
    return std::vector<Shape>{{"exact_rank", {}},
                              {"nodes", {}},
                              {"null_vector", {scene.length}},
                              {"null_residual", {}},
                              {"log10_determinant", {}}};
}

Result<void> fill_independence(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    auto null = null_vector(*spectrum, scene.length);
    if (!null) return tl::unexpected(null.error());
    arrays[0].values[0] = static_cast<double>(exact_rank(*spectrum, scene.length));
    arrays[1].values[0] = static_cast<double>(distinct_nodes(*spectrum));
    const bool none = null->weights.empty();
    if (none) null->weights.assign(arrays[2].values.size(), std::numeric_limits<double>::quiet_NaN());
    arrays[2].values = std::move(null->weights);
    arrays[3].values[0] = none ? std::numeric_limits<double>::quiet_NaN() : null->residual;
    arrays[4].values[0] = log10_determinant(*spectrum);
    return {};
}

Shapes gap_shapes(const Scene& scene) {
    return affordable(scene, "gap", static_cast<double>(scene.length)).map([&](std::int64_t) {
        const std::int64_t n = scene.length - 1;
        return std::vector<Shape>{
            {"delta", {n}, "positions"}, {"gap", {n}}, {"least", {}}, {"least_distance", {}, "positions"}};
    });
}

Result<void> fill_gap(const Scene& scene, std::span<Array> arrays) {
    return steady_spectrum_of(scene).map([&](const Spectrum& spectrum) {
        spend_steps(static_cast<double>(scene.length), spectrum.pairs());
        for (std::size_t n = 0; n < arrays[0].values.size(); ++n) {
            const auto delta = static_cast<std::int64_t>(n) + 1;
            arrays[0].values[n] = static_cast<double>(delta);
            arrays[1].values[n] = length_of_distance(spectrum, delta);
        }
        const Gap least = least_gap(spectrum, scene.length);
        arrays[2].values[0] = least.length;
        arrays[3].values[0] = static_cast<double>(least.distance);
    });
}

Shapes chord_shapes(const Scene& scene) {
    return pairs_of(scene, "chord").map([](std::int64_t pairs) {
        return std::vector<Shape>{{"chord", {pairs}},
                                  {"cycles", {pairs}},
                                  {"linear", {pairs}},
                                  {"whole", {}},
                                  {"whole_linear", {}}};
    });
}

Result<void> fill_chord(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const std::size_t pairs = spectrum->pairs();
    double squares = 0.0;
    for (std::size_t i = 0; i < pairs; ++i) {
        arrays[0].values[i] = chord(spectrum->step[i], scene.offset);
        const double cycles = radians_over(*spectrum, i, static_cast<double>(scene.offset));
        arrays[1].values[i] = 2.0 * std::abs(std::sin(std::numbers::pi * std::remainder(cycles, 1.0)));
        arrays[2].values[i] = std::abs(cycles);
        squares += arrays[2].values[i] * arrays[2].values[i];
    }
    arrays[3].values[0] = length_of_distance(*spectrum, scene.offset);
    arrays[4].values[0] = std::sqrt(squares);
    return {};
}

constexpr std::int64_t kHarmonics = 512;

Result<std::vector<Shape>> fourier_shapes(const Scene&) {
    return std::vector<Shape>{{"harmonic", {kHarmonics}},
                              {"frequency", {kHarmonics}, "rad/position"},
                              {"coefficient", {kHarmonics}},
                              {"overshoot", {kHarmonics}},
                              {"error", {kHarmonics}}};
}

Result<void> fill_fourier(const Scene& scene, std::span<Array> arrays) {
    for (std::int64_t terms = 1; terms <= kHarmonics; ++terms) {
        const auto i = static_cast<std::size_t>(terms - 1);
        const std::int64_t harmonic = 2 * terms - 1;
        const SquareSum sum = square_sum(terms);
        arrays[0].values[i] = static_cast<double>(harmonic);
        arrays[1].values[i] =
            2.0 * std::numbers::pi * static_cast<double>(harmonic) / static_cast<double>(scene.length);
        arrays[2].values[i] = square_coefficient(harmonic);
        arrays[3].values[i] = sum.overshoot;
        arrays[4].values[i] = sum.error;
    }
    return {};
}

}  // namespace

extern const Quantity kFourier{"fourier", fourier_shapes, fill_fourier};
extern const Quantity kDft{"dft", dft_shapes, fill_dft};
extern const Quantity kColumns{"columns", column_shapes, fill_columns};
extern const Quantity kIndependence{"independence", independence_shapes, fill_independence};
extern const Quantity kGap{"gap", gap_shapes, fill_gap};
extern const Quantity kChord{"chord", chord_shapes, fill_chord};

}  // namespace posiscope
