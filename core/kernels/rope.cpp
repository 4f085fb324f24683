// A table of cosines and sines for some thousand rows is made once for all heads, exact to the last place, in the
// order of the features: sin, cos, sin, cos … for interleaved pairs, sines before cosines for halves. The products
// are added in float64, so that the only roundings are the table's and the last one. Four heads are turned side by
// side: read for each of them, the table would cost as much as a third of the memory's time.
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
constexpr std::int64_t kRowsOfTask = 256;  // where there are few heads
constexpr std::size_t kHeadsTogether = 4;
constexpr std::size_t kPastCaches = std::size_t{8} << 20;  // bytes

// Some neighbouring rows of some heads.
struct Rows {
    PairLayout layout;
    std::size_t count;
    std::size_t heads;
    std::size_t from_head_to_head;  // in floats
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

struct SineCosine {
    VD sine;
    VD cosine;
};

// (sin, cos, sin, cos, …) as what (a, b, a, b, …) and (b, a, b, a, …) are multiplied with.
HWY_INLINE SineCosine spread(VD table) {
    const Doubles d;
    const VD minus_on_a = hn::OddEven(hn::Zero(d), hn::Set(d, -0.0));
    return {hn::Xor(hn::DupEven(table), minus_on_a), hn::DupOdd(table)};
}

HWY_INLINE VD turned(VD x, const SineCosine& by) {
    return hn::MulAdd(x, by.cosine, hn::Mul(hn::Shuffle01(x), by.sine));
}

template <bool kPast, std::size_t kHeads>
HWY_INLINE void turn_interleaved(const Rows& rows, const float* table, const float* x, float* out) {
    const std::size_t lanes = hn::Lanes(Floats()), half = lanes / 2, width = 2 * rows.pairs;
    const std::size_t next = rows.from_head_to_head;
    std::size_t at = 0;
    for (; at + lanes <= width; at += lanes) {
        const SineCosine low = spread(load(table + at)), high = spread(load(table + at + half));
        for (std::size_t h = 0; h < kHeads; ++h) {
            const float* const from = x + h * next + at;
            store<kPast>(turned(load(from), low), turned(load(from + half), high), out + h * next + at);
        }
    }
    for (std::size_t h = 0; h < kHeads; ++h)
        for (std::size_t i = h * next + at, j = at; j < width; i += 2, j += 2) {
            const double a = x[i], b = x[i + 1], sine = table[j], cosine = table[j + 1];
            out[i] = static_cast<float>(a * cosine - b * sine);
            out[i + 1] = static_cast<float>(a * sine + b * cosine);
        }
}

template <bool kPast, std::size_t kHeads>
HWY_INLINE void turn_halves(const Rows& rows, const float* table, const float* x, float* out) {
    const std::size_t lanes = hn::Lanes(Floats()), half = lanes / 2, pairs = rows.pairs;
    const std::size_t next = rows.from_head_to_head;
    std::size_t at = 0;
    for (; at + lanes <= pairs; at += lanes) {
        const SineCosine low{load(table + at), load(table + pairs + at)};
        const SineCosine high{load(table + at + half), load(table + pairs + at + half)};
        for (std::size_t h = 0; h < kHeads; ++h) {
            const float* const from = x + h * next + at;
            float* const to = out + h * next + at;
            const VD a = load(from), b = load(from + pairs), c = load(from + half),
                     d = load(from + pairs + half);
            store<kPast>(hn::NegMulAdd(b, low.sine, hn::Mul(a, low.cosine)),
                         hn::NegMulAdd(d, high.sine, hn::Mul(c, high.cosine)), to);
            store<kPast>(hn::MulAdd(b, low.cosine, hn::Mul(a, low.sine)),
                         hn::MulAdd(d, high.cosine, hn::Mul(c, high.sine)), to + pairs);
        }
    }
    for (std::size_t h = 0; h < kHeads; ++h)
        for (std::size_t i = h * next + at, j = at; j < pairs; ++i, ++j) {
            const double a = x[i], b = x[i + pairs], sine = table[j], cosine = table[j + pairs];
            out[i] = static_cast<float>(a * cosine - b * sine);
            out[i + pairs] = static_cast<float>(a * sine + b * cosine);
        }
}

// kHeads heads side by side: the table is read, and made float64, once for all of them.
template <PairLayout kLayout, bool kPast, std::size_t kHeads>
HWY_INLINE void turn_heads(const Rows& rows, std::size_t head) {
    const std::size_t width = 2 * rows.pairs;
    const float* x = rows.x + head * rows.from_head_to_head;
    float* out = rows.out + head * rows.from_head_to_head;
    for (std::size_t row = 0; row < rows.count; ++row, x += rows.head_dim, out += rows.head_dim) {
        const float* const table = rows.table + row * width;
        if constexpr (kLayout == PairLayout::halves) turn_halves<kPast, kHeads>(rows, table, x, out);
        else turn_interleaved<kPast, kHeads>(rows, table, x, out);
        if (out == x || width == rows.head_dim) continue;
        for (std::size_t h = 0, at = 0; h < kHeads; ++h, at += rows.from_head_to_head)
            std::copy(x + at + width, x + at + rows.head_dim, out + at + width);
    }
}

template <PairLayout kLayout, bool kPast>
void turn(const Rows& rows) {
    std::size_t head = 0;
    for (; head + kHeadsTogether <= rows.heads; head += kHeadsTogether)
        turn_heads<kLayout, kPast, kHeadsTogether>(rows, head);
    for (; head < rows.heads; ++head) turn_heads<kLayout, kPast, 1>(rows, head);
    if (kPast) hwy::FlushStream();
}

template <PairLayout kLayout>
void turn(const Rows& rows) {
    // Writing past the caches needs whole vectors at their own bounds.
    const std::size_t lanes = hn::Lanes(Floats());
    const std::size_t piece = kLayout == PairLayout::halves ? rows.pairs : 2 * rows.pairs;
    if (rows.past_caches && piece % lanes == 0 && rows.head_dim % lanes == 0 &&
        reinterpret_cast<std::uintptr_t>(rows.out) % (lanes * sizeof(float)) == 0)
        turn<kLayout, true>(rows);
    else turn<kLayout, false>(rows);
}

void turn_rows(const Rows& rows) {
    if (rows.layout == PairLayout::halves) turn<PairLayout::halves>(rows);
    else turn<PairLayout::interleaved>(rows);
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
    // Memory is fastest where a task follows the same few heads for long.
    const std::int64_t groups = (shape.heads + static_cast<std::int64_t>(kHeadsTogether) - 1) /
                                static_cast<std::int64_t>(kHeadsTogether);
    const std::int64_t rows_of_task = groups >= std::int64_t{2} * workers.count() ? of_table : kRowsOfTask;
    const bool past_caches = x.data() != out.data() && out.size_bytes() > kPastCaches;
    for (std::int64_t begin = 0; begin < shape.rows; begin += of_table) {
        const std::int64_t count = std::min(of_table, shape.rows - begin);
        pe_table(spectrum,
                 {shape.layout, shape.first + begin, count, Precision::exact, spectrum.attention_factor},
                 {table.get(), static_cast<std::size_t>(count) * width}, workers);
        workers.run((count + rows_of_task - 1) / rows_of_task * groups, [&](std::int64_t task, int) {
            const std::int64_t row = task / groups * rows_of_task;
            const std::size_t first = static_cast<std::size_t>(task % groups) * kHeadsTogether;
            const std::size_t at = static_cast<std::size_t>(begin + row) * head_dim + first * head;
            HWY_DYNAMIC_DISPATCH(turn_rows)
            ({shape.layout, static_cast<std::size_t>(std::min(rows_of_task, count - row)),
              std::min(kHeadsTogether, static_cast<std::size_t>(shape.heads) - first), head, spectrum.pairs(),
              head_dim, table.get() + static_cast<std::size_t>(row) * width, x.data() + at, out.data() + at,
              past_caches});
        });
    }
}

}  // namespace posiscope
#endif
