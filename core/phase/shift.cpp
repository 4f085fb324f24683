#include "core/phase/shift.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

PairPoint pair_point(const Encoding& encoding, Turn angle) {
    const double s = sin(angle);
    const double c = cos(angle);
    return encoding.acts == Acts::query_key ? PairPoint{c, s} : PairPoint{s, c};
}

Block shift_block(const Encoding& encoding, Turn turned) {
    const double s = sin(turned);
    const double c = cos(turned);
    return encoding.acts == Acts::query_key ? Block{c, -s, s, c} : Block{c, s, -s, c};
}

PairPoint operator*(const Block& block, PairPoint point) {
    return {block.a * point.first + block.b * point.second, block.c * point.first + block.d * point.second};
}

double ShiftCheck::max_abs_error() const {
    return std::max(std::abs(actual.first - computed.first), std::abs(actual.second - computed.second));
}

ShiftCheck check_shift(const Encoding& encoding, Step step, std::int64_t position, std::int64_t offset) {
    ShiftCheck check;
    check.before = pair_point(encoding, phase(step, position));
    check.actual = pair_point(encoding, phase(step, position + offset));
    check.block = shift_block(encoding, phase(step, offset));
    check.computed = check.block * check.before;
    return check;
}

}  // namespace posiscope
