// conventions.cpp — group B, note 001, first half: labels, the factor 2π, the complex form, chords.
// f = base^(−2i/d) is what the note calls a frequency; "cycles" is its 6.1.4, where the angle is 2π f p.
// B1   the written 10000^(2i/d) of the chosen pair; ω if it were an angular frequency
// B2   max |PE − PE in cycles| over the length         B3   dimensions that never change, in cycles
// B4   |p·p′ − p·p′ in cycles| at the offset           B6   max |(Re, Im) − (sin, cos)| over the length
// B7   max |sin φ + i cos φ − e^{iφ}| over the length  B8   |p_m·p_n − Re⟨c_m, c_n⟩|
// B9   fraction of the power of the chosen pair's sine column outside its strongest bin
// B10  max relative difference between ratios of neighbouring frequencies
// B11  dφ/dp of the chosen pair in cycles, by f                B12  |T^p c_0 − c_p| by repeated squaring
// B13  max |6.1.17 − (p_{i+k} − p_i)| of the chosen pair
// B14  |‖p_{i+k} − p_i‖ − 2 |sin(π f k)||, f of the chosen pair
// B15  (k √Σω² − ‖p_{i+k} − p_i‖)/‖…‖: what the linear approximation adds
#include "core/attention/identities.hpp"
#include "core/basis/columns.hpp"
#include "core/claims/measuring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace posiscope::claims {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

using Complex = std::complex<double>;

Complex unit(Turn turn) { return {cos(turn), sin(turn)}; }

// 6.1.1 and 6.1.4 for the Scene's base and width, whatever the Scene's own variant is.
struct Conventions {
    Spectrum radians, cycles;
};
Result<Conventions> conventions(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::size_t pairs = spectrum.pairs();
        return Conventions{geometric_spectrum(at.scene.base, pairs, pairs),
                           geometric_spectrum(at.scene.base, pairs, pairs, 1, true)};
    });
}

std::size_t chosen(const Case& at) { return static_cast<std::size_t>(at.scene.pair); }

std::vector<std::int64_t> positions_for(const Case& at, const Spectrum& spectrum) {
    return sampled_positions(at.scene, kMostSamples / static_cast<double>(spectrum.pairs()));
}

Result<Residual> angular_frequency(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const double pairs = static_cast<double>(spectrum.pairs()), omega = spectrum.frequency[chosen(at)];
        const double written = std::pow(at.scene.base, real(at.scene.pair) / pairs);
        return as_they_are(
            within(written, omega * (1.0 - kExact), omega * (1.0 + kExact),
                   {{"frequency", omega}, {"wavelength", kTurn / omega}, {"pair", real(at.scene.pair)}}));
    });
}

Result<Residual> same_table_in_cycles(const Case& at) {
    return conventions(at).map([&](const Conventions& both) {
        double most = 0.0, sum = 0.0;
        const auto positions = positions_for(at, both.radians);
        for (const std::int64_t p : positions)
            for (std::size_t i = 0; i < both.radians.pairs(); ++i) {
                const Turn a = phase(both.radians.step[i], p), b = phase(both.cycles.step[i], p);
                const double sine = std::abs(sin(a) - sin(b)), cosine = std::abs(cos(a) - cos(b));
                most = std::max({most, sine, cosine});
                sum += sine + cosine;
            }
        const double count = 2.0 * static_cast<double>(positions.size() * both.radians.pairs());
        return at_most(most, kExact, {{"mean", sum / count}});
    });
}

Result<Residual> every_dimension_moves(const Case& at) {
    return in_cycles(at).map([&](const Spectrum& spectrum) {
        double still = 0.0;
        // Two positions are enough: what turns by whole turns alone never moves.
        for (const Step step : spectrum.step)
            still += std::abs(phase(step, 1).radians()) < kExact ? 2.0 : 0.0;
        return at_most(still, 0.0, {{"dimensions", 2.0 * static_cast<double>(spectrum.pairs())}});
    });
}

Result<Residual> same_product_in_cycles(const Case& at) {
    return conventions(at).map([&](const Conventions& both) {
        const double radians = dot_of_distance(both.radians, at.scene.offset),
                     cycles = dot_of_distance(both.cycles, at.scene.offset);
        return at_most(std::abs(radians - cycles), rounding(both.radians),
                       {{"radians", radians}, {"cycles", cycles}, {"k", real(at.scene.offset)}});
    });
}

Result<Residual> real_then_imaginary(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        double most = 0.0;
        for (const std::int64_t p : positions_for(at, spectrum))
            for (const Step step : spectrum.step) {
                const Turn turn = phase(step, p);
                const Complex code = std::conj(unit(turn));  // 6.1.6
                most = std::max({most, std::abs(code.real() - sin(turn)), std::abs(code.imag() - cos(turn))});
            }
        return at_most(most, kExact);
    });
}

Result<Residual> sine_first_is_euler(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        double most = 0.0, conjugate = 0.0;
        for (const std::int64_t p : positions_for(at, spectrum)) {
            most = std::max(most, literal_residual(spectrum, p));
            conjugate = std::max(conjugate, conjugate_residual(spectrum, p));
        }
        return at_most(most, kExact, {{"conjugate", conjugate}});
    });
}

Result<Residual> real_part_is_the_product(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::int64_t i = at.scene.position;
        Complex sum = 0.0;
        for (const Step step : spectrum.step) {
            const Complex other = std::conj(unit(phase(step, i + at.scene.offset + (at.slip == Slip::next))));
            sum += std::conj(unit(phase(step, i))) * (at.slip == Slip::sign ? other : std::conj(other));
        }
        const double product = dot_product(spectrum, i, i + at.scene.offset);
        return at_most(std::abs(product - sum.real()), rounding(spectrum),
                       {{"product", product}, {"imaginary", sum.imag()}});
    });
}

Result<Residual> nothing_leaks(const Case& at) {
    const auto spectrum = circles(at);
    if (!spectrum) return tl::unexpected(spectrum.error());
    if (auto good = affordable(at, 16.0 * real(at.scene.length)); !good) return tl::unexpected(good.error());
    const auto power = column_power(spectrum->step[chosen(at)], false, at.scene.length);
    const Leakage made = leakage(power);
    double second = 0.0;
    for (std::size_t bin = 0; bin < power.size(); ++bin)
        if (static_cast<std::int64_t>(bin) != made.bin) second = std::max(second, power[bin]);
    return seen_unless(at.scene.length < 2,
                       at_most(1.0 - made.fraction, 1e-9,
                               {{"strongest", made.fraction},
                                {"both", made.fraction + second},
                                {"waves", radians_over(*spectrum, chosen(at), real(at.scene.length)) / kTurn},
                                {"bins", real(made.above)},
                                {"all_bins", real(at.scene.length / 2 + 1)},
                                {"n", real(at.scene.length)}}));
}

Result<Residual> evenly_spaced(const Case& at) {
    return circles(at).map([](const Spectrum& spectrum) {
        const auto& omega = spectrum.frequency;
        const double ratio = omega.size() > 1 ? omega[1] / omega[0] : 1.0;
        double most = 0.0;
        for (std::size_t i = 0; i + 1 < omega.size(); ++i)
            most = std::max(most, std::abs(omega[i + 1] / omega[i] / ratio - 1.0));
        return seen_unless(omega.size() < 3, at_most(most, kExact, {{"ratio", ratio}}));
    });
}

Result<Residual> phase_rate(const Case& at) {
    return conventions(at).map([&](const Conventions& both) {
        const double f = both.radians.frequency[chosen(at)], rate = both.cycles.frequency[chosen(at)];
        return as_they_are(within(rate / f, 1.0 - kExact, 1.0 + kExact, {{"frequency", f}, {"rate", rate}}));
    });
}

Result<Residual> powers_of_one_step(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        const std::int64_t p = at.scene.position;
        double most = 0.0;
        for (const Step step : spectrum.step) {
            Complex power = 1.0, square = std::conj(unit(phase(step, 1)));
            if (at.slip == Slip::sign) square = std::conj(square);
            for (std::int64_t rest = p + (at.slip == Slip::next); rest > 0; rest /= 2, square *= square)
                if (rest % 2 == 1) power *= square;
            most = std::max(most, std::abs(power - std::conj(unit(phase(step, p)))));
        }
        return at_most(most, 1e-15 * (1000.0 + real(p)), {{"p", real(p)}});  // p times the first rounding
    });
}

Result<Residual> difference_of_a_pair(const Case& at) {
    return conventions(at).and_then([&](const Conventions& both) {
        return circles(at).map([&](const Spectrum& spectrum) {
            const std::int64_t i = at.scene.position, k = at.scene.offset;
            const Turn a = phase(spectrum.step[chosen(at)], i), b = phase(spectrum.step[chosen(at)], i + k);
            const Step f = both.cycles.step[chosen(at)];
            // π f k and π f (2i + k); half a turn too much in one is in the other too, and their product does not see it.
            const double half = 0.5 * phase(f, k).radians(), middle = phase(f, i).radians() + half;
            const double sine = 2.0 * std::cos(middle) * std::sin(half),
                         cosine = -2.0 * std::sin(middle) * std::sin(half);
            const double error =
                std::max(std::abs(sine - (sin(b) - sin(a))), std::abs(cosine - (cos(b) - cos(a))));
            return seen_unless(k == 0, at_most(error, kExact, {{"pair", real(at.scene.pair)}}));
        });
    });
}

Result<Residual> chord_of_one_pair(const Case& at) {
    return conventions(at).and_then([&](const Conventions& both) {
        return circles(at).map([&](const Spectrum& spectrum) {
            const std::int64_t k = at.scene.offset;
            const double whole = length_of_distance(spectrum, k),
                         written = chord(both.cycles.step[chosen(at)], k);
            return seen_unless(whole <= rounding(spectrum),
                               at_most(std::abs(whole - written), rounding(spectrum),
                                       {{"whole", whole},
                                        {"written", written},
                                        {"pair_chord", chord(spectrum.step[chosen(at)], k)},
                                        {"k", real(k)},
                                        {"pair", real(at.scene.pair)}}));
        });
    });
}

Result<Residual> linear_in_distance(const Case& at) {
    return circles(at).map([&](const Spectrum& spectrum) {
        double squares = 0.0;
        for (const double omega : spectrum.frequency) squares += omega * omega;
        const double linear = std::abs(real(at.scene.offset)) * std::sqrt(squares),
                     whole = length_of_distance(spectrum, at.scene.offset);
        const double excess = whole == 0.0 ? (linear == 0.0 ? 0.0 : kInfinity) : linear / whole - 1.0;
        return seen_unless(at.scene.offset == 0,
                           within(excess, -kExact, 0.05,
                                  {{"linear", linear}, {"whole", whole}, {"k", real(at.scene.offset)}}));
    });
}

}  // namespace

std::span<const Measure> convention_measures() {
    static constexpr std::array list = {
        Measure{.id = "B1", .unit = {}, .of = angular_frequency},
        Measure{.id = "B2", .unit = {}, .of = same_table_in_cycles},
        Measure{.id = "B3", .unit = "dimensions", .of = every_dimension_moves},
        Measure{.id = "B4", .unit = {}, .of = same_product_in_cycles},
        Measure{.id = "B6", .unit = {}, .of = real_then_imaginary},
        Measure{.id = "B7", .unit = {}, .of = sine_first_is_euler},
        Measure{.id = "B8", .unit = {}, .of = real_part_is_the_product, .identity = true},
        Measure{.id = "B9", .unit = {}, .of = nothing_leaks},
        Measure{.id = "B10", .unit = {}, .of = evenly_spaced},
        Measure{.id = "B11", .unit = {}, .of = phase_rate},
        Measure{.id = "B12", .unit = {}, .of = powers_of_one_step, .identity = true},
        Measure{.id = "B13", .unit = {}, .of = difference_of_a_pair},
        Measure{.id = "B14", .unit = {}, .of = chord_of_one_pair},
        Measure{.id = "B15", .unit = {}, .of = linear_in_distance},
    };
    return list;
}

}  // namespace posiscope::claims
