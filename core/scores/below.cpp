#include "core/scores/below.hpp"

#include "core/scores/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope {
namespace {

constexpr double kGridRatio = 1.05, kWithin = 1.001;  // of bases
constexpr double kMostBase = 1e18;

}  // namespace

std::optional<std::int64_t> first_below_zero(const Spectrum& spectrum, std::int64_t limit) {
    ScoreForm form;
    form.even.assign(spectrum.pairs(), 1.0);
    form.odd.assign(spectrum.pairs(), 0.0);
    std::array<double, 4096> sums{};
    constexpr auto kPiece = static_cast<std::int64_t>(sums.size());
    for (std::int64_t first = 0; first <= limit; first += kPiece) {
        const std::span<double> piece(sums.data(),
                                      static_cast<std::size_t>(std::min(kPiece, limit - first + 1)));
        score_curve(form, spectrum, first, 1, piece);
        const auto below = std::ranges::find_if(piece, [](double sum) { return sum < 0.0; });
        if (below != piece.end()) return first + (below - piece.begin());
    }
    return std::nullopt;
}

std::optional<double> least_base(std::int64_t head_dim, std::int64_t length) {
    const auto pairs = static_cast<std::size_t>(head_dim / 2);
    const auto enough = [&](double base) {
        return !first_below_zero(geometric_spectrum(base, pairs, pairs), length);
    };
    double too_small = 1.0, good = 2.0;
    while (!enough(good)) {
        too_small = good;
        good *= kGridRatio;
        if (good > kMostBase) return std::nullopt;
    }
    while (good > kWithin * too_small) {
        const double middle = std::sqrt(good * too_small);
        (enough(middle) ? good : too_small) = middle;
        if (too_small <= 1.0) return good;
    }
    return good;
}

}  // namespace posiscope
