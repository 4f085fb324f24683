#include "core/attention/identities.hpp"

#include "core/basis/columns.hpp"
#include "core/cost.hpp"
#include "core/numeric/svd.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace posiscope {
namespace {

double largest_difference(const Block& x, const Block& y) {
    return std::max({std::abs(x.a - y.a), std::abs(x.b - y.b), std::abs(x.c - y.c), std::abs(x.d - y.d)});
}

Block operator*(const Block& x, const Block& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

// Units of a sine and a cosine of a phase, which is what most of a sum over pairs takes.
constexpr double kAngle = 30.0;
void spend_angles(const Spectrum& spectrum, double each) {
    spend(kAngle * each * static_cast<double>(spectrum.pairs()));
}

std::complex<double> unit(Turn turn) { return {cos(turn), sin(turn)}; }

double largest(std::span<const double> values) {
    double most = 0.0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
}

}  // namespace

double shift_residual(const Encoding& encoding, const Spectrum& spectrum, std::int64_t position,
                      std::int64_t offset) {
    spend_angles(spectrum, 4.0);
    double most = 0.0;
    for (const Step& step : spectrum.step)
        most = std::max(most, check_shift(encoding, step, position, offset).max_abs_error());
    return most;
}

double composition_residual(const Encoding& encoding, const Spectrum& spectrum, std::int64_t a,
                            std::int64_t b) {
    spend_angles(spectrum, 3.0);
    double most = 0.0;
    for (const Step& step : spectrum.step) {
        const Block product = shift_block(encoding, phase(step, a)) * shift_block(encoding, phase(step, b));
        most = std::max(most, largest_difference(product, shift_block(encoding, phase(step, a + b))));
    }
    return most;
}

double dot_product(const Spectrum& spectrum, std::int64_t i, std::int64_t j) {
    spend_angles(spectrum, 2.0);
    double sum = 0.0;
    for (const Step& step : spectrum.step) {
        const Turn x = phase(step, i), y = phase(step, j);
        sum += sin(x) * sin(y) + cos(x) * cos(y);
    }
    return sum;
}

double dot_of_distance(const Spectrum& spectrum, std::int64_t distance) {
    spend_angles(spectrum, 1.0);
    double sum = 0.0;
    for (const Step& step : spectrum.step) sum += cos(phase(step, distance));
    return sum;
}

double chord(Step step, std::int64_t distance) {
    return 2.0 * std::abs(std::sin(0.5 * phase(step, distance).radians()));
}

double length_of_distance(const Spectrum& spectrum, std::int64_t distance) {
    spend_angles(spectrum, 1.0);
    double sum = 0.0;
    for (const Step& step : spectrum.step) {
        const double half_sine = std::sin(0.5 * phase(step, distance).radians());
        sum += half_sine * half_sine;
    }
    return 2.0 * std::sqrt(sum);
}

double squared_distance(const Spectrum& spectrum, std::int64_t i, std::int64_t j) {
    spend_angles(spectrum, 3.0);
    double sum = 0.0;
    for (const Step& step : spectrum.step) {
        const Turn x = phase(step, i), y = phase(step, j);
        sum += std::pow(sin(x) - sin(y), 2) + std::pow(cos(x) - cos(y), 2);
    }
    return sum;
}

double power_residual(const Spectrum& spectrum, std::int64_t position) {
    constexpr std::int64_t counted_at_once = 1 << 16;
    double most = 0.0;
    for (const Step& step : spectrum.step) {
        const std::complex<double> once = std::conj(unit(phase(step, 1)));
        std::complex<double> power = 1.0;
        for (std::int64_t n = 0; n < position; ++n) {
            if (n % counted_at_once == 0)
                spend(4.0 * static_cast<double>(std::min(counted_at_once, position - n)));
            power *= once;
        }
        most = std::max(most, std::abs(power - std::conj(unit(phase(step, position)))));
    }
    return most;
}

double conjugate_residual(const Spectrum& spectrum, std::int64_t position) {
    spend_angles(spectrum, 2.0);
    double most = 0.0;
    for (const Step& step : spectrum.step) {
        const Turn turn = phase(step, position);
        const std::complex<double> pair{sin(turn), cos(turn)};
        most = std::max(most, std::abs(pair - std::complex<double>(0.0, 1.0) * std::conj(unit(turn))));
    }
    return most;
}

double literal_residual(const Spectrum& spectrum, std::int64_t position) {
    spend_angles(spectrum, 2.0);
    double most = 0.0;
    for (const Step& step : spectrum.step) {
        const Turn turn = phase(step, position);
        most = std::max(most, std::abs(std::complex<double>(sin(turn), cos(turn)) - unit(turn)));
    }
    return most;
}

Orthogonality orthogonality(const Spectrum& spectrum, std::int64_t length) {
    Orthogonality result;
    result.least_sin = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < spectrum.pairs(); ++a)
        for (std::size_t b = 0; b < spectrum.pairs(); ++b) {
            const auto made = column_products(spectrum.step[a], spectrum.step[b], length);
            result.sin_cos = std::max(result.sin_cos, std::abs(made.sin_cos));
            if (a == b) {
                result.least_sin = std::min(result.least_sin, made.sin_sin);
                continue;
            }
            result.sin_sin = std::max(result.sin_sin, std::abs(made.sin_sin));
            result.cos_cos = std::max(result.cos_cos, std::abs(made.cos_cos));
        }
    return result;
}

Result<Rank> table_rank(const Spectrum& spectrum, std::int64_t length) {
    // The decomposition keeps some copies of the table.
    if (auto problem =
            too_large(8.0 * static_cast<double>(length) * 2.0 * static_cast<double>(spectrum.pairs())))
        return tl::unexpected(std::move(*problem));
    const std::size_t pairs = spectrum.pairs();
    Table2d table(static_cast<std::size_t>(length), 2 * pairs);
    for (std::size_t m = 0; m < pairs; ++m) {
        spend(2.0 * kAngle * static_cast<double>(length));
        for (std::int64_t i = 0; i < length; ++i) {
            const Turn turn = phase(spectrum.step[m], i);
            table(static_cast<std::size_t>(i), m) = sin(turn);
            table(static_cast<std::size_t>(i), m + pairs) = cos(turn);
        }
    }
    const auto longer = static_cast<double>(std::max(table.rows, table.columns));
    Rank result;
    result.singular_values = singular_values(std::move(table));
    const double least = longer * 0x1p-52 * result.singular_values.front();
    result.rank = std::count_if(result.singular_values.begin(), result.singular_values.end(),
                                [&](double s) { return s > least; });
    return result;
}

Gap least_gap(const Spectrum& spectrum, std::int64_t length) {
    Gap best{std::numeric_limits<double>::infinity(), 1};
    for (std::int64_t distance = 1; distance < length; ++distance)
        if (const double gap = length_of_distance(spectrum, distance); gap < best.length)
            best = {gap, distance};
    return best;
}

Result<Equivariance> equivariance(const AttentionInput& whole, std::span<const std::int64_t> order) {
    const AttentionInput scene = attended(whole);
    const auto plain = attention(scene);
    if (!plain) return tl::unexpected(plain.error());
    auto moved = project(scene, Added::sum, order);
    if (!moved) return tl::unexpected(moved.error());
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    const Attention other = attend(*action, moved->shape, std::move(moved->q), std::move(moved->k), moved->v);
    const auto n = static_cast<std::size_t>(scene.length),
               width = static_cast<std::size_t>(plain->shape.head_dim);
    std::vector<double> differences, permuted,
        pooled(static_cast<std::size_t>(plain->shape.heads) * width, 0.0);
    for (std::size_t at = 0; at < other.output.size(); ++at) {
        const std::size_t feature = at % width, i = at / width % n, head = at / width / n;
        const auto token = static_cast<std::size_t>(order[i]);
        differences.push_back(other.output[at] - plain->output[at]);
        permuted.push_back(other.output[at] - plain->output[(head * n + token) * width + feature]);
        pooled[head * width + feature] += differences.back() / static_cast<double>(n);
    }
    return Equivariance{largest(differences), largest(permuted), largest(pooled)};
}

}  // namespace posiscope
