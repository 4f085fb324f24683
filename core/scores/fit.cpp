#include "core/scores/fit.hpp"

#include "core/numeric/svd.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

Fit fit_decay(const Spectrum& spectrum, PairLayout layout, double decay, std::int64_t length) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const auto feature = [&](std::int64_t pair, int half) {
        return static_cast<std::size_t>(dimension(layout, pairs, {pair, half}));
    };
    Table2d terms(static_cast<std::size_t>(length), 2 * spectrum.pairs());
    std::vector<double> target(terms.rows);
    for (std::size_t row = 0; row < terms.rows; ++row) {
        const auto distance = static_cast<std::int64_t>(row);
        target[row] = std::exp(-static_cast<double>(distance) / decay);
        for (std::int64_t i = 0; i < pairs; ++i) {
            const Turn turn = phase(spectrum.step[static_cast<std::size_t>(i)], distance);
            terms(row, feature(i, 0)) = cos(turn);
            terms(row, feature(i, 1)) = sin(turn);
        }
    }
    Fit fit;
    fit.key =
        least_squares(terms, target, 0x1p-52 * static_cast<double>(std::max(terms.rows, terms.columns)));
    fit.query.assign(fit.key.size(), 0.0);
    for (std::int64_t i = 0; i < pairs; ++i) fit.query[feature(i, 0)] = 1.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < terms.rows; ++row) {
        double difference = -target[row];
        for (std::size_t column = 0; column < terms.columns; ++column)
            difference += terms(row, column) * fit.key[column];
        squares += difference * difference;
    }
    fit.rms = std::sqrt(squares / static_cast<double>(length));
    return fit;
}

}  // namespace posiscope
