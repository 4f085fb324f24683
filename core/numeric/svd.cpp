#include "core/numeric/svd.hpp"

#include "core/cost.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace posiscope {
namespace {

// Units of one number in a reflection, and of one step of a sweep.
constexpr double kReflected = 0.6, kSwept = 60.0;

Eigen::Map<const Eigen::MatrixXd> matrix_of(const Table2d& table) {
    return {table.values.data(), static_cast<Eigen::Index>(table.rows),
            static_cast<Eigen::Index>(table.columns)};
}

void count(const Table2d& table, double times) {
    const auto wide = static_cast<double>(std::max(table.rows, table.columns));
    const auto narrow = static_cast<double>(std::min(table.rows, table.columns));
    spend(times * (4.0 * kReflected * wide * narrow * narrow + kSwept * narrow * narrow));
}

}  // namespace

std::vector<double> singular_values(const Table2d& table) {
    count(table, 1.0);
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix_of(table));
    const Eigen::VectorXd& values = svd.singularValues();
    return {values.data(), values.data() + values.size()};
}

std::vector<double> least_squares(const Table2d& table, const std::vector<double>& target, double threshold) {
    if (target.size() != table.rows) throw std::logic_error("least squares: a number for every row");
    count(table, 3.0);
    Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix_of(table), Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(threshold);
    const Eigen::VectorXd solution =
        svd.solve(Eigen::Map<const Eigen::VectorXd>(target.data(), static_cast<Eigen::Index>(target.size())));
    return {solution.data(), solution.data() + solution.size()};
}

}  // namespace posiscope
