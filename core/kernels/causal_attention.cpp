// Keys are packed into panels, feature by feature, as wide as the registers hold; a tile of some rows times one panel
// stays in registers while all features are added up. Tiles right of the diagonal are not computed. The softmax
// follows at once, while the rows are still in the caches.
#include "core/kernels/causal_attention.hpp"

#include <algorithm>
#include <hwy/aligned_allocator.h>
#include <limits>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/causal_attention.cpp"
#include <hwy/foreach_target.h>
// These after that one.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef POSISCOPE_CAUSAL_ATTENTION_ONCE
#define POSISCOPE_CAUSAL_ATTENTION_ONCE
namespace posiscope {
namespace {

struct Job {
    std::size_t rows;
    std::size_t features;
    float scale;
    AttentionValues values;
    const float* q;
    const float* k;
    float* panels;  // [panels, features, keys of a panel], zero past the last key
    float* out;
};

struct Tiling {
    std::size_t keys;  // of a panel
    std::size_t rows;  // of a task
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
using V = hn::Vec<Floats>;

// Sums, a panel's vectors and one query feature fill 28 of 32 registers, or 15 of 16.
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
constexpr std::size_t kRows = 6, kVectors = 2;
#else
constexpr std::size_t kRows = 8, kVectors = 3;
#endif

Tiling tiling() { return {kVectors * hn::Lanes(Floats()), 4 * kRows}; }

void pack(const Job& job, std::size_t panel) {
    const std::size_t keys = kVectors * hn::Lanes(Floats()), first = panel * keys;
    const std::size_t count = std::min(keys, job.rows - first);
    float* to = job.panels + panel * keys * job.features;
    for (std::size_t f = 0; f < job.features; ++f, to += keys) {
        for (std::size_t j = 0; j < count; ++j) to[j] = job.k[(first + j) * job.features + f];
        std::fill(to + count, to + keys, 0.0F);
    }
}

// Rows row … row + kRows − 1 against one panel, up to the diagonal.
HWY_INLINE void tile(const Job& job, std::size_t row, std::size_t panel) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d), keys = kVectors * lanes, first = panel * keys;
    const float* q[kRows];
    for (std::size_t r = 0; r < kRows; ++r) q[r] = job.q + std::min(row + r, job.rows - 1) * job.features;
    const float* k = job.panels + first * job.features;
    V sums[kRows][kVectors];
    for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
    for (std::size_t f = 0; f < job.features; ++f, k += keys) {
        V key[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) key[v] = hn::Load(d, k + v * lanes);
        for (std::size_t r = 0; r < kRows; ++r) {
            const V feature = hn::Set(d, q[r][f]);
            for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(feature, key[v], sums[r][v]);
        }
    }
    const V scale = hn::Set(d, job.scale);
    for (std::size_t r = 0; r < kRows && row + r < job.rows; ++r) {
        float* const out = job.out + (row + r) * job.rows + first;
        if (first + keys <= row + r + 1) {
            for (std::size_t v = 0; v < kVectors; ++v)
                hn::StoreU(hn::Mul(sums[r][v], scale), d, out + v * lanes);
            continue;
        }
        HWY_ALIGN float part[kVectors * hn::MaxLanes(d)];
        for (std::size_t v = 0; v < kVectors; ++v) hn::Store(hn::Mul(sums[r][v], scale), d, part + v * lanes);
        if (first <= row + r) std::copy_n(part, row + r + 1 - first, out);
    }
}

// e^{x − most} in place; their sum.
HWY_INLINE V exponential(V x, V most) { return hn::Exp(Floats(), hn::Sub(x, most)); }

void softmax(float* x, std::size_t count) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d), whole = count / lanes * lanes;
    // The last, partial vector, padded with values that add nothing.
    HWY_ALIGN float rest[hn::MaxLanes(d)];
    std::fill_n(rest, lanes, -std::numeric_limits<float>::max());
    std::copy(x + whole, x + count, rest);
    V most = hn::Load(d, rest);
    for (std::size_t at = 0; at < whole; at += lanes) most = hn::Max(most, hn::LoadU(d, x + at));
    most = hn::MaxOfLanes(d, most);
    const V last = exponential(hn::Load(d, rest), most);
    V sum = last;
    for (std::size_t at = 0; at < whole; at += lanes) {
        const V e = exponential(hn::LoadU(d, x + at), most);
        sum = hn::Add(sum, e);
        hn::StoreU(e, d, x + at);
    }
    const V share = hn::Div(hn::Set(d, 1.0F), hn::SumOfLanes(d, sum));
    for (std::size_t at = 0; at < whole; at += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(d, x + at), share), d, x + at);
    hn::Store(hn::Mul(last, share), d, rest);
    std::copy_n(rest, count - whole, x + whole);
}

void attend_rows(const Job& job, std::size_t begin) {
    const std::size_t end = std::min(job.rows, begin + 4 * kRows), keys = kVectors * hn::Lanes(Floats());
    for (std::size_t panel = 0; panel * keys < end; ++panel)
        for (std::size_t row = begin; row < end; row += kRows)
            if (panel * keys < row + kRows) tile(job, row, panel);
    if (job.values == AttentionValues::shares)
        for (std::size_t row = begin; row < end; ++row) softmax(job.out + row * job.rows, row + 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posiscope {
namespace {

HWY_EXPORT(tiling);
HWY_EXPORT(pack);
HWY_EXPORT(attend_rows);

}  // namespace

void causal_attention(const AttentionSize& size, std::span<const float> q, std::span<const float> k,
                      std::span<float> out, Workers& workers) {
    const auto rows = static_cast<std::size_t>(size.rows), features = static_cast<std::size_t>(size.features);
    if (q.size() != rows * features || k.size() != q.size() || out.size() != rows * rows)
        throw std::logic_error("causal_attention: not q, k [rows, features] and out [rows, rows]");
    if (rows == 0) return;
    const Tiling tiling = HWY_DYNAMIC_DISPATCH(tiling)();
    const std::size_t panels = (rows + tiling.keys - 1) / tiling.keys;
    const auto room = hwy::AllocateAligned<float>(std::max<std::size_t>(1, panels * tiling.keys * features));
    const Job job{rows, features, size.scale, size.values, q.data(), k.data(), room.get(), out.data()};
    workers.run(static_cast<std::int64_t>(panels), [&](std::int64_t panel, int) {
        HWY_DYNAMIC_DISPATCH(pack)(job, static_cast<std::size_t>(panel));
    });
    // The longest rows first, so that the last tasks are short ones.
    const std::size_t tasks = (rows + tiling.rows - 1) / tiling.rows;
    workers.run(static_cast<std::int64_t>(tasks), [&](std::int64_t task, int) {
        HWY_DYNAMIC_DISPATCH(attend_rows)(job, (tasks - 1 - static_cast<std::size_t>(task)) * tiling.rows);
    });
}

}  // namespace posiscope
#endif
