#include "core/scores/fit.hpp"

#include <Eigen/SVD>
#include <cmath>

namespace posiscope {

Fit fit_decay(const Spectrum& spectrum, PairOrder order, double decay, std::int64_t length) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    Eigen::MatrixXd terms(length, 2 * pairs);
    Eigen::VectorXd target(length);
    for (std::int64_t distance = 0; distance < length; ++distance) {
        target(distance) = std::exp(-static_cast<double>(distance) / decay);
        for (std::int64_t i = 0; i < pairs; ++i) {
            const Turn turn = phase(spectrum.step[static_cast<std::size_t>(i)], distance);
            terms(distance, dimension(order, pairs, {i, 0})) = cos(turn);
            terms(distance, dimension(order, pairs, {i, 1})) = sin(turn);
        }
    }
    Eigen::BDCSVD<Eigen::MatrixXd> svd(terms, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(0x1p-52 * static_cast<double>(std::max(terms.rows(), terms.cols())));
    const Eigen::VectorXd key = svd.solve(target);
    Fit fit;
    fit.key.assign(key.begin(), key.end());
    fit.query.assign(fit.key.size(), 0.0);
    for (std::int64_t i = 0; i < pairs; ++i)
        fit.query[static_cast<std::size_t>(dimension(order, pairs, {i, 0}))] = 1.0;
    fit.rms = (terms * key - target).norm() / std::sqrt(static_cast<double>(length));
    return fit;
}

}  // namespace posiscope
