#include "core/numeric/svd.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <rapidcheck/gtest.h>
#include <stdexcept>

namespace posiscope::svd_test {
namespace {

double norm(const std::vector<double>& x) {
    double squares = 0.0;
    for (const double value : x) squares += value * value;
    return std::sqrt(squares);
}

Table2d random_table(std::size_t rows, std::size_t columns) {
    Table2d made(rows, columns);
    for (double& value : made.values) value = *rc::gen::inRange(-1000, 1001) / 1000.0;
    return made;
}

// Product of a table with its transpose, or of two.
Table2d product(const Table2d& x, const Table2d& y) {
    Table2d made(x.rows, y.columns);
    for (std::size_t j = 0; j < y.columns; ++j)
        for (std::size_t k = 0; k < x.columns; ++k)
            for (std::size_t i = 0; i < x.rows; ++i) made(i, j) += x(i, k) * y(k, j);
    return made;
}

// Columns at right angles to one another, each of length 1: those of a cosine transform.
Table2d orthogonal(std::size_t n) {
    Table2d made(n, n);
    const auto size = static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            made(i, k) =
                std::sqrt((k == 0 ? 1.0 : 2.0) / size) *
                std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / size);
    return made;
}

TEST(Svd, KnownSingularValues) {
    Table2d two(2, 2);  // (3 0; 4 5): 3√5 and √5
    two.values = {3.0, 4.0, 0.0, 5.0};
    const std::vector<double> values = singular_values(two);
    EXPECT_NEAR(values[0], 3.0 * std::sqrt(5.0), 1e-14);
    EXPECT_NEAR(values[1], std::sqrt(5.0), 1e-14);
    EXPECT_EQ(singular_values(Table2d(3, 5)), std::vector<double>(3));  // all zeros
    Table2d column(4, 1);
    column.values = {1.0, -2.0, 2.0, 4.0};
    EXPECT_NEAR(singular_values(column).at(0), 5.0, 1e-14);
    // The Hilbert matrix of 10 rows, of condition 1.6e13; its extremes by power iteration in fractions.
    Table2d hilbert(10, 10);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j) hilbert(i, j) = 1.0 / static_cast<double>(i + j + 1);
    const std::vector<double> small = singular_values(hilbert);
    EXPECT_NEAR(small.front(), 1.7519196702651775, 1e-14);
    EXPECT_NEAR(small.back(), 1.0931538193796657e-13, 2e-16);
}

// All but one singular value are roundings of it, and roundings of those: too small in the end to be squared.
TEST(Svd, SettlesWhereOneValueIsAllThereIs) {
    Table2d table(114, 64);
    for (std::size_t j = 0; j < 64; j += 2)
        for (std::size_t i = 0; i < 114; ++i) table(i, j) = 1e12;
    const std::vector<double> values = singular_values(table);
    EXPECT_NEAR(values[0] / (1e12 * std::sqrt(114.0 * 32.0)), 1.0, 1e-14);
    EXPECT_LT(values[1], 1e-14 * std::sqrt(114.0 * 64.0) * values[0]);
}

// U diag(s) Vᵀ of chosen s over 16 orders of magnitude, with zeros and equals among them.
TEST(Svd, FindsTheValuesThatWereChosen) {
    const std::size_t n = 60;
    std::vector<double> chosen(n);
    for (std::size_t i = 0; i < n; ++i) chosen[i] = std::pow(10.0, -0.25 * static_cast<double>(i / 3 * 3));
    for (std::size_t i = n - 5; i < n; ++i) chosen[i] = 0.0;
    Table2d left = orthogonal(n);
    Table2d right(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            left(i, j) *= chosen[j];
            right(i, j) = orthogonal(n)(j, n - 1 - i);
        }
    const std::vector<double> values = singular_values(product(left, right));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(values[i], chosen[i], 1e-14 * 60) << i;
}

// Σ s² = ‖A‖², and a table and its transpose have the same values.
RC_GTEST_PROP(Svd, KeepsTheNormAndIsTheSameTurned, ()) {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 24), columns = *rc::gen::inRange<std::size_t>(1, 24);
    const Table2d table = random_table(rows, columns);
    Table2d turned(columns, rows);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) turned(j, i) = table(i, j);
    const std::vector<double> values = singular_values(table), again = singular_values(turned);
    RC_ASSERT(values.size() == std::min(rows, columns));
    RC_ASSERT(std::abs(norm(values) - norm(table.values)) <= 1e-13 * (1.0 + norm(values)));
    for (std::size_t i = 0; i < values.size(); ++i)
        RC_ASSERT(std::abs(values[i] - again[i]) <= 1e-13 * (1.0 + values[0]));
}

// What is left over stands at right angles to every column, whatever the rank.
RC_GTEST_PROP(Svd, LeavesNothingThatAColumnCouldTake, ()) {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 20), columns = *rc::gen::inRange<std::size_t>(1, 20);
    const auto rank = *rc::gen::inRange<std::size_t>(1, 6);
    const Table2d table = product(random_table(rows, rank), random_table(rank, columns));
    std::vector<double> target(rows);
    for (double& value : target) value = *rc::gen::inRange(-1000, 1001) / 1000.0;
    const std::vector<double> solution = least_squares(table, target, 1e-11);
    std::vector<double> left = target;
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i) left[i] -= table(i, j) * solution[j];
    for (std::size_t j = 0; j < columns; ++j) {
        double along = 0.0;
        for (std::size_t i = 0; i < rows; ++i) along += table(i, j) * left[i];
        RC_ASSERT(std::abs(along) <= 1e-9 * (1.0 + norm(target)));
    }
}

// A typed encoding has numbers of any size.
TEST(Svd, AnySizeOfNumbersSettles) {
    for (const double size : {1e300, 1e200, 1e-200, 1e-300, 5e-324}) {
        Table2d table(64, 2);
        for (std::size_t i = 0; i < 64; ++i) table(i, 0) = size, table(i, 1) = 0.0;
        const std::vector<double> values = singular_values(table);
        EXPECT_NEAR(values[0] / size, 8.0, 1e-12);
        EXPECT_EQ(values[1], 0.0);
        if (size < 1e-300) continue;  // its inverse is beyond a double
        EXPECT_NEAR(least_squares(table, std::vector<double>(64, 1.0), 1e-12)[0] * size, 1.0, 1e-12);
    }
    Table2d wide(100, 3);
    for (std::size_t i = 0; i < 100; ++i) {
        wide(i, 0) = std::pow(10.0, 3.0 * static_cast<double>(i));
        wide(i, 1) = std::sin(static_cast<double>(i));
        wide(i, 2) = std::pow(10.0, -3.0 * static_cast<double>(i));
    }
    EXPECT_TRUE(std::isfinite(singular_values(wide)[0]));
    for (const double none : {HUGE_VAL, std::nan("")}) {
        Table2d broken(4, 2);
        broken(2, 1) = none;
        EXPECT_TRUE(std::isnan(singular_values(broken)[0]));
        EXPECT_TRUE(std::isnan(least_squares(broken, std::vector<double>(4), 1e-12)[1]));
    }
}

// x + y = 2 has many solutions; (1, 1) is the shortest.
TEST(Svd, OfAllSolutionsTheShortest) {
    Table2d sum(1, 2);
    sum.values = {1.0, 1.0};
    const std::vector<double> solution = least_squares(sum, {2.0}, 1e-12);
    EXPECT_NEAR(solution[0], 1.0, 1e-15);
    EXPECT_NEAR(solution[1], 1.0, 1e-15);
    EXPECT_EQ(least_squares(Table2d(3, 2), {1.0, 2.0, 3.0}, 1e-12), std::vector<double>(2));
    EXPECT_THROW(least_squares(Table2d(3, 2), {1.0}, 1e-12), std::logic_error);
}

}  // namespace
}  // namespace posiscope::svd_test
