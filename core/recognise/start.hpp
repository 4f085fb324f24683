// start.hpp — where a dump begins that was cut from the middle of a table, and the base that its rows follow from there.
#pragma once

#include "core/recognise/candidate.hpp"
#include "core/recognise/rates.hpp"

namespace posiscope::recognition {

inline constexpr std::int64_t kLastStart = std::int64_t{1} << 18;
inline constexpr std::int64_t kLeastCropped = 8;  // rows; fewer say too little

// Whether the first rows turn at these rates, from whatever position on: all pairs, or as large a part of them.
bool turns_so(const Matrix& matrix, const Arrangement& arrangement, Order order, const Waves& waves,
              double part = 1.0);

// By how much estimated rates may be off: ln b, and the logarithm of what divides all of them.
struct Spread {
    double base = 0.0, divisor = 0.0;
};

// The positions `from` … `to` that the first row may have, by the numbers of three rows. At most 16, the nearest first; none
// where thousands may, or where `allowance`, from which every position that is looked at is taken, is used up.
std::vector<std::int64_t> starts_of(const Matrix& matrix, const Arrangement& arrangement, Order order,
                                    const Waves& waves, Spread spread, std::int64_t from, std::int64_t to,
                                    std::int64_t& allowance);

// ω_i = s^(-1) b^(−i/h) fitted to every number, by Gauss and Newton from an estimate: first to small angles, which tell their
// turns apart. s stays as it is unless it is `free`. Nothing where it does not converge.
std::optional<Geometric> sharpened(const Matrix& matrix, const Arrangement& arrangement, Order order,
                                   Geometric estimate, std::int64_t start, bool free);

}  // namespace posiscope::recognition
