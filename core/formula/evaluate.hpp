// evaluate.hpp — the values of a formula, many at once; its slope by one name; and why a value is not finite.
// Shapes   `names` has one Binding for each of Formula::names(), in their order; those of bound names are not read.
// Errors   as the C library's functions, 1 ulp each. log(−1) is NaN and 1/0 infinite: nothing throws but Interrupted
//          (core/cost.hpp: each call is counted). A list read past its end and sums of more than kMostTerms are NaN.
#pragma once

#include "core/formula/formula.hpp"

#include <cstddef>
#include <optional>

namespace posiscope::formula {

inline constexpr double kMostTerms = 65536.0;  // of all sums in one value, those within sums included

// The value of a name: one number, one for each element, or a list.
struct Binding {
    double one = 0.0;
    std::span<const double> each = {};
    std::span<const double> list = {};
    std::size_t element = 0;  // of a list: the one that a slope is by
};

void evaluate(const Formula& formula, std::span<const Binding> names, std::span<double> out);
double value_of(const Formula& formula, std::span<const Binding> names);  // no name may have `each`

// Also the derivative by names[by], of a list by its `element`, exact to rounding (dual numbers). Where a function has a corner it is the slope of the
// side that the value is taken from: of abs at 0, 0.
void evaluate(const Formula& formula, std::span<const Binding> names, std::size_t by, std::span<double> out,
              std::span<double> slope);

// The first operation whose operands are finite and whose value is not, in the evaluation of one element.
struct NotFinite {
    std::string operation;  // "log(0)"
    double value;
    std::uint16_t column;

    bool operator==(const NotFinite&) const = default;
};
std::optional<NotFinite> why_not_finite(const Formula& formula, std::span<const Binding> names,
                                        std::size_t element = 0);

// Units (core/cost.hpp) of one value, sums with their terms left out.
double units(const Formula& formula);

}  // namespace posiscope::formula
