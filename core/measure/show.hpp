// show.hpp — numbers and lists of indices as sentences of this folder show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace posiscope::measuring {

inline constexpr std::size_t kMostShown = 6;  // of a list

std::string text(double value);
std::string text(std::int64_t value);
std::string few_digits(double value);              // two, of a difference
std::string rounded_up(double value, int digits);  // so that nothing exceeds it
template <class List>
std::int64_t count_in(const List& list) {
    return static_cast<std::int64_t>(list.size());
}
// Runs as "4–7", and no more than kMostShown of them.
std::string listed(std::span<const std::int64_t> list);

// True if two numbers are equal but for so much of the larger one.
bool near(double a, double b, double relative = 1e-5);

}  // namespace posiscope::measuring
