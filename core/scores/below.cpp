#include "core/scores/below.hpp"

#include "core/scores/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope {
namespace {

constexpr double kLeastBase = 2.0, kMostBase = 1e18, kStep = 1.001;

}  // namespace

std::optional<std::int64_t> first_below_zero(const Spectrum& spectrum, std::int64_t limit) {
    ScoreForm form;
    form.even.assign(spectrum.pairs(), 1.0);
    form.odd.assign(spectrum.pairs(), 0.0);
    std::array<double, 4096> sums{};
    constexpr auto kPiece = static_cast<std::int64_t>(sums.size());
    std::int64_t size = 64;  // most fail early
    for (std::int64_t first = 0; first <= limit; first += size, size = std::min(2 * size, kPiece)) {
        const std::span<double> piece(sums.data(),
                                      static_cast<std::size_t>(std::min(size, limit - first + 1)));
        score_curve(form, spectrum, first, 1, piece);
        const auto below = std::ranges::find_if(piece, [](double sum) { return sum < 0.0; });
        if (below != piece.end()) return first + (below - piece.begin());
    }
    return std::nullopt;
}

std::optional<double> least_base(std::int64_t head_dim, std::int64_t length) {
    const auto pairs = static_cast<std::size_t>(head_dim / 2);
    ScoreForm form;
    form.even.assign(pairs, 1.0);
    form.odd.assign(pairs, 0.0);
    // Bases that are enough lie between others that are not, so every step is tried. What fails at one base fails near it at
    // the next.
    std::int64_t failed = length;
    for (double base = kLeastBase; base <= kMostBase; base *= kStep) {
        const Spectrum spectrum = geometric_spectrum(base, pairs, pairs);
        if (score_at(form, spectrum, failed) < 0.0) continue;
        const auto below = first_below_zero(spectrum, length);
        if (!below) return base;
        failed = *below;
    }
    return std::nullopt;
}

}  // namespace posiscope
