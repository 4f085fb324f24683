#include "tests/bench/core_floors.hpp"

#include <algorithm>
#include <atomic>
#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/core_floors.cpp"
#include <hwy/foreach_target.h>
// This one after that one.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace posiscope::floors {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

void write_piece(float* out, std::size_t count, bool past) {
    const Floats d;
    const auto v = hn::Set(d, 0.3F);
    if (past)
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::Stream(v, d, out + i);
    else
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::Store(v, d, out + i);
    hwy::FlushStream();
}

void copy_piece(const float* x, float* out, std::size_t count) {
    const Floats d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::Stream(hn::Load(d, x + i), d, out + i);
    hwy::FlushStream();
}

void rewrite_piece(float* x, std::size_t count) {
    const Floats d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::Store(hn::Neg(hn::Load(d, x + i)), d, x + i);
}

// Twelve sums that differ, so that none of them is left out: more than the multipliers hold at a time.
template <class D>
double multiply_add(D d, double count) {
    using T = hn::TFromD<D>;
    const auto factor = hn::Set(d, T(0.999)), term = hn::Set(d, T(0.001));
    auto a = hn::Iota(d, T(1)), b = hn::Iota(d, T(2)), c = hn::Iota(d, T(3)), e = hn::Iota(d, T(4));
    auto f = hn::Iota(d, T(5)), g = hn::Iota(d, T(6)), h = hn::Iota(d, T(7)), i = hn::Iota(d, T(8));
    auto j = hn::Iota(d, T(9)), k = hn::Iota(d, T(10)), l = hn::Iota(d, T(11)), m = hn::Iota(d, T(12));
    for (auto left = static_cast<std::int64_t>(count / (12.0 * static_cast<double>(hn::Lanes(d)))); left > 0;
         --left) {
        a = hn::MulAdd(a, factor, term), b = hn::MulAdd(b, factor, term), c = hn::MulAdd(c, factor, term);
        e = hn::MulAdd(e, factor, term), f = hn::MulAdd(f, factor, term), g = hn::MulAdd(g, factor, term);
        h = hn::MulAdd(h, factor, term), i = hn::MulAdd(i, factor, term), j = hn::MulAdd(j, factor, term);
        k = hn::MulAdd(k, factor, term), l = hn::MulAdd(l, factor, term), m = hn::MulAdd(m, factor, term);
    }
    a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
    return static_cast<double>(
        hn::GetLane(hn::SumOfLanes(d, hn::Add(a, hn::Add(hn::Add(j, k), hn::Add(l, m))))));
}

double multiply_add_floats(double count) { return multiply_add(Floats(), count); }
double multiply_add_doubles(double count) { return multiply_add(hn::ScalableTag<double>(), count); }

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope::floors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posiscope::floors {
namespace {

HWY_EXPORT(write_piece);
HWY_EXPORT(copy_piece);
HWY_EXPORT(rewrite_piece);
HWY_EXPORT(multiply_add_floats);
HWY_EXPORT(multiply_add_doubles);

constexpr std::size_t kPieces = 64;
constexpr std::size_t kPiece = 64;  // floats: whole vectors of any target

// piece(first, count) for each of some pieces.
template <class Piece>
void divided(std::size_t size, Workers& workers, const Piece& piece) {
    const std::size_t each = (size / kPieces + kPiece - 1) / kPiece * kPiece;
    workers.run(kPieces, [&](std::int64_t task, int) {
        const std::size_t first = std::min(size, static_cast<std::size_t>(task) * each);
        piece(first, std::min(each, size - first));
    });
}

// Somebody might look at it.
std::atomic<double> looked_at;

}  // namespace

void write(std::span<float> out, Workers& workers) {
    divided(out.size(), workers, [&](std::size_t first, std::size_t count) {
        HWY_DYNAMIC_DISPATCH(write_piece)(out.data() + first, count, false);
    });
}

void write_past(std::span<float> out, Workers& workers) {
    divided(out.size(), workers, [&](std::size_t first, std::size_t count) {
        HWY_DYNAMIC_DISPATCH(write_piece)(out.data() + first, count, true);
    });
}

void copy_past(std::span<const float> x, std::span<float> out, Workers& workers) {
    divided(out.size(), workers, [&](std::size_t first, std::size_t count) {
        HWY_DYNAMIC_DISPATCH(copy_piece)(x.data() + first, out.data() + first, count);
    });
}

void rewrite(std::span<float> x, Workers& workers) {
    divided(x.size(), workers, [&](std::size_t first, std::size_t count) {
        HWY_DYNAMIC_DISPATCH(rewrite_piece)(x.data() + first, count);
    });
}

void multiply_add_float(double count, Workers& workers) {
    workers.run(kPieces, [&](std::int64_t, int) {
        looked_at = HWY_DYNAMIC_DISPATCH(multiply_add_floats)(count / kPieces);
    });
}

void multiply_add_double(double count, Workers& workers) {
    const int tasks = workers.count();  // so few that handing them out costs nothing beside them
    workers.run(tasks, [&](std::int64_t, int) {
        looked_at = HWY_DYNAMIC_DISPATCH(multiply_add_doubles)(count / tasks);
    });
}

}  // namespace posiscope::floors
#endif
