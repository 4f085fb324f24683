// PE(p + k) = M_k PE(p): the central identity, as properties.
#include "core/phase/shift.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::shift_test {
namespace {

constexpr double kBound = 4e-16;

struct Draw {
    const Encoding* encoding;
    Step step;
    std::int64_t p, k;
};

Draw draw() {
    const Encoding* encoding =
        find_encoding(*rc::gen::element(std::string("sinusoidal"), std::string("rope")));
    const auto high = *rc::gen::arbitrary<std::uint64_t>();
    const auto p = *rc::gen::inRange<std::int64_t>(0, kLastPosition);
    const auto k = *rc::gen::inRange<std::int64_t>(-p, kLastPosition - p);
    return {encoding, Step{high, 0}, p, k};
}

Block product(const Block& m, const Block& n) {
    return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
}

double gap(const Block& m, const Block& n) {
    return std::max({std::abs(m.a - n.a), std::abs(m.b - n.b), std::abs(m.c - n.c), std::abs(m.d - n.d)});
}

RC_GTEST_PROP(Shift, MovesEveryPositionByTheSameRotation, ()) {
    const Draw d = draw();
    const ShiftCheck check = check_shift(*d.encoding, d.step, d.p, d.k);
    RC_ASSERT(check.max_abs_error() <= kBound);
    RC_ASSERT(check.actual.first == pair_point(*d.encoding, phase(d.step, d.p + d.k)).first);
}

RC_GTEST_PROP(Shift, BlocksAreRotations, ()) {
    const Draw d = draw();
    const Block m = shift_block(*d.encoding, phase(d.step, d.k));
    RC_ASSERT(std::abs(m.a * m.d - m.b * m.c - 1.0) <= kBound);
    const Block back = shift_block(*d.encoding, phase(d.step, -d.k));
    RC_ASSERT(gap(back, Block{m.a, m.c, m.b, m.d}) <= kBound);  // M_{−k} = M_kᵀ
    RC_ASSERT(gap(product(m, back), Block{}) <= kBound);
}

RC_GTEST_PROP(Shift, BlocksCompose, ()) {
    const Draw d = draw();
    const auto other = *rc::gen::inRange<std::int64_t>(-kLastPosition, kLastPosition);
    const Block a = shift_block(*d.encoding, phase(d.step, d.k)),
                b = shift_block(*d.encoding, phase(d.step, other));
    // Each phase is rounded to 2^-65 turns on its own, far below a double's ulp.
    RC_ASSERT(gap(product(a, b), shift_block(*d.encoding, phase(d.step, d.k + other))) <= kBound);
}

TEST(Shift, SinusoidalTurnsClockwiseAndRotaryCounterClockwise) {
    const Turn eighth{std::uint64_t{1} << 61};
    const Block s = shift_block(*find_encoding("sinusoidal"), eighth),
                r = shift_block(*find_encoding("rope"), eighth);
    const PairPoint right{1.0, 0.0};
    EXPECT_LT((s * right).second, 0.0);
    EXPECT_GT((r * right).second, 0.0);
    EXPECT_NEAR(s.b, std::sqrt(0.5), 1e-16);
    EXPECT_NEAR(s.c, -std::sqrt(0.5), 1e-16);
}

TEST(Shift, TheWorkedExample) {
    const Scene opening;
    const ShiftCheck check = check_shift(encoding_of(opening), spectrum_of(opening)->step[10], 10, 3);
    EXPECT_NEAR(check.actual.first, 0.345696, 5e-7);
    EXPECT_NEAR(check.actual.second, -0.938347, 5e-7);
    EXPECT_LE(check.max_abs_error(), kBound);
}

}  // namespace
}  // namespace posiscope::shift_test
