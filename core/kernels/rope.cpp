// A table of cosines and sines for some thousand rows is made once for all heads, exact to the last place, in the
// order of the features: sin, cos, sin, cos … for interleaved pairs, sines before cosines for halves. The products
// are added in float64: memory is so much slower that this costs nothing, and the only roundings are the table's
// and the last one.
#include "core/kernels/rope.hpp"

#include "core/kernels/pe_table.hpp"

#include <algorithm>
#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rope.cpp"
#include <hwy/foreach_target.h>
// This one after that one.
#include <hwy/highway.h>

#ifndef POSISCOPE_ROPE_ONCE
#define POSISCOPE_ROPE_ONCE
namespace posiscope {
namespace {

constexpr std::int64_t kRowsOfTable = 4096;
constexpr std::int64_t kRowsOfTask = 256;
constexpr std::size_t kPastCaches = std::size_t{8} << 20;  // bytes

// Some neighbouring rows of one head.
struct Rows {
    PairOrder order;
    std::size_t count;
    std::size_t pairs;
    std::size_t head_dim;
    const float* table;  // [count, 2·pairs]
    const float* x;
    float* out;
    bool past_caches;
};

}  // namespace
}  // namespace posiscope
#endif

HWY_BEFORE_NAMESPACE();
namespace posiscope {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Doubles = hn::ScalableTag<double>;
using Half = hn::Half<Floats>;
using VF = hn::Vec<Floats>;
using VD = hn::Vec<Doubles>;

template <bool kPast>
HWY_INLINE void store(VD low, VD high, float* out) {
    const VF v = hn::Combine(Floats(), hn::DemoteTo(Half(), high), hn::DemoteTo(Half(), low));
    if constexpr (kPast) hn::Stream(v, Floats(), out);
    else hn::StoreU(v, Floats(), out);
}

HWY_INLINE VD load(const float* x) { return hn::PromoteTo(Doubles(), hn::LoadU(Half(), x)); }

// Features (a, b, a, b, …) by (sin, cos, sin, cos, …).
HWY_INLINE VD turned(VD x, VD sine_cosine) {
    const Doubles d;
    const VD minus_on_a = hn::OddEven(hn::Zero(d), hn::Set(d, -0.0));
    const VD sine = hn::Xor(hn::DupEven(sine_cosine), minus_on_a);
    return hn::MulAdd(x, hn::DupOdd(sine_cosine), hn::Mul(hn::Shuffle01(x), sine));
}

template <bool kPast>
HWY_INLINE void turn_interleaved(std::size_t pairs, const float* table, const float* x, float* out) {
    const std::size_t lanes = hn::Lanes(Floats()), half = lanes / 2, width = 2 * pairs;
    std::size_t at = 0;
    for (; at + lanes <= width; at += lanes)
        store<kPast>(turned(load(x + at), load(table + at)),
                     turned(load(x + at + half), load(table + at + half)), out + at);
    for (; at < width; at += 2) {
        const double a = x[at], b = x[at + 1], sine = table[at], cosine = table[at + 1];
        out[at] = static_cast<float>(a * cosine - b * sine);
        out[at + 1] = static_cast<float>(a * sine + b * cosine);
    }
}

template <bool kPast>
HWY_INLINE void turn_halves(std::size_t pairs, const float* table, const float* x, float* out) {
    const std::size_t lanes = hn::Lanes(Floats()), half = lanes / 2;
    std::size_t at = 0;
    for (; at + lanes <= pairs; at += lanes) {
        const VD a0 = load(x + at), b0 = load(x + pairs + at), a1 = load(x + at + half),
                 b1 = load(x + pairs + at + half);
        const VD s0 = load(table + at), c0 = load(table + pairs + at);
        const VD s1 = load(table + at + half), c1 = load(table + pairs + at + half);
        store<kPast>(hn::NegMulAdd(b0, s0, hn::Mul(a0, c0)), hn::NegMulAdd(b1, s1, hn::Mul(a1, c1)),
                     out + at);
        store<kPast>(hn::MulAdd(b0, c0, hn::Mul(a0, s0)), hn::MulAdd(b1, c1, hn::Mul(a1, s1)),
                     out + pairs + at);
    }
    for (; at < pairs; ++at) {
        const double a = x[at], b = x[pairs + at], sine = table[at], cosine = table[pairs + at];
        out[at] = static_cast<float>(a * cosine - b * sine);
        out[pairs + at] = static_cast<float>(a * sine + b * cosine);
    }
}

template <PairOrder kOrder, bool kPast>
void turn(const Rows& rows) {
    const std::size_t width = 2 * rows.pairs;
    for (std::size_t row = 0; row < rows.count; ++row) {
        const float* const table = rows.table + row * width;
        const float* const x = rows.x + row * rows.head_dim;
        float* const out = rows.out + row * rows.head_dim;
        if constexpr (kOrder == PairOrder::halves) turn_halves<kPast>(rows.pairs, table, x, out);
        else turn_interleaved<kPast>(rows.pairs, table, x, out);
        if (out != x) std::copy(x + width, x + rows.head_dim, out + width);
    }
    if (kPast) hwy::FlushStream();
}

template <PairOrder kOrder>
void turn(const Rows& rows) {
    // Writing past the caches needs whole vectors at their own bounds.
    const std::size_t lanes = hn::Lanes(Floats());
    const std::size_t piece = kOrder == PairOrder::halves ? rows.pairs : 2 * rows.pairs;
    if (rows.past_caches && piece % lanes == 0 && rows.head_dim % lanes == 0 &&
        reinterpret_cast<std::uintptr_t>(rows.out) % (lanes * sizeof(float)) == 0)
        turn<kOrder, true>(rows);
    else turn<kOrder, false>(rows);
}

void turn_rows(const Rows& rows) {
    if (rows.order == PairOrder::halves) turn<PairOrder::halves>(rows);
    else turn<PairOrder::interleaved>(rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posiscope {
namespace {

HWY_EXPORT(turn_rows);

}  // namespace

void rope(const Spectrum& spectrum, const RopeShape& shape, std::span<const float> x, std::span<float> out,
          Workers& workers) {
    const auto head_dim = static_cast<std::size_t>(shape.head_dim), width = 2 * spectrum.pairs();
    const std::size_t head = static_cast<std::size_t>(shape.rows) * head_dim;
    if (width > head_dim || x.size() != static_cast<std::size_t>(shape.heads) * head ||
        out.size() != x.size())
        throw std::logic_error("rope: x and out are not [heads, rows, head_dim ≥ 2·pairs]");
    if (width == 0 || x.empty()) {
        if (x.data() != out.data()) std::copy(x.begin(), x.end(), out.begin());
        return;
    }
    const std::int64_t of_table = std::min(shape.rows, kRowsOfTable);
    const auto table = hwy::AllocateAligned<float>(static_cast<std::size_t>(of_table) * width);
    const bool past_caches = x.data() != out.data() && out.size_bytes() > kPastCaches;
    for (std::int64_t begin = 0; begin < shape.rows; begin += of_table) {
        const std::int64_t count = std::min(of_table, shape.rows - begin);
        pe_table(spectrum,
                 {shape.order, shape.first + begin, count, Precision::exact, spectrum.attention_factor},
                 {table.get(), static_cast<std::size_t>(count) * width}, workers);
        workers.run((count + kRowsOfTask - 1) / kRowsOfTask, [&](std::int64_t task, int) {
            const std::int64_t row = task * kRowsOfTask;
            const auto rows = static_cast<std::size_t>(std::min(kRowsOfTask, count - row));
            for (std::size_t h = 0; h < static_cast<std::size_t>(shape.heads); ++h) {
                const std::size_t at = h * head + static_cast<std::size_t>(begin + row) * head_dim;
                HWY_DYNAMIC_DISPATCH(turn_rows)
                ({shape.order, rows, spectrum.pairs(), head_dim,
                  table.get() + static_cast<std::size_t>(row) * width, x.data() + at, out.data() + at,
                  past_caches});
            }
        });
    }
}

}  // namespace posiscope
#endif
