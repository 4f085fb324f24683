// PE(p + j) from PE(p) by the angle-addition formula,
//     sin(a + b) = sin a cos b + cos a sin b,   cos(a + b) = cos a cos b − sin a sin b,
// with a the anchor's angle and b one of kJump small rotations, which all anchors share. After kJump rows the anchor
// itself is turned. Sines and cosines stand apart until they are stored, so that no lane is computed twice.
#include "core/kernels/pe_table.hpp"

#include <algorithm>
#include <cstring>
#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <numbers>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/pe_table.cpp"
#include <hwy/foreach_target.h>
// This one after that one.
#include <hwy/highway.h>

#ifndef POSISCOPE_PE_TABLE_ONCE
#define POSISCOPE_PE_TABLE_ONCE
namespace posiscope {
namespace {

constexpr std::size_t kJump = 8;
constexpr std::int64_t kRowsOfTask = 1024;
constexpr std::size_t kPastCaches = std::size_t{8} << 20;  // bytes

// A group is as many pairs as a vector has floats: their cosines, then their sines. What one loop reads stands in
// one piece, because rows 4 KiB apart would push each other out of the first cache.
struct Job {
    const Spectrum& spectrum;
    PeTable table;
    std::size_t group = 0;        // pairs in a group
    std::size_t groups = 0;       // the last one may be part empty
    double* small = nullptr;      // [groups, kJump + 1, 2, group], the turns of 0 … kJump rows
    float* small_fast = nullptr;  // the same, rounded
    bool past_caches = false;

    std::size_t small_size() const { return groups * (kJump + 1) * 2 * group; }
    std::size_t anchor_size() const { return groups * 2 * group; }
};

// Rows [begin, end) of the table, with room of its own for the anchor [groups, 2, group].
struct Rows {
    std::int64_t begin;
    std::int64_t end;
    double* anchor;
    float* out;
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
using VF = hn::Vec<Floats>;
using VD = hn::Vec<Doubles>;

template <class V>
struct Point {
    V cosine;
    V sine;
};

template <class V>
HWY_INLINE Point<V> turned(const Point<V>& a, const Point<V>& b) {
    return {hn::NegMulAdd(a.sine, b.sine, hn::Mul(a.cosine, b.cosine)),
            hn::MulAdd(a.sine, b.cosine, hn::Mul(a.cosine, b.sine))};
}

// A vector's part of a group.
template <class D>
HWY_INLINE Point<hn::Vec<D>> load(D d, const hn::TFromD<D>* cosines) {
    return {hn::Load(d, cosines), hn::Load(d, cosines + hn::Lanes(Floats()))};
}

template <class D>
HWY_INLINE void store(D d, const Point<hn::Vec<D>>& point, hn::TFromD<D>* cosines) {
    hn::Store(point.cosine, d, cosines);
    hn::Store(point.sine, d, cosines + hn::Lanes(Floats()));
}

HWY_INLINE VF rounded(VD low, VD high) {
    const hn::Half<Floats> half;
    return hn::Combine(Floats(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

HWY_INLINE Point<VF> rounded(const Point<VD>& low, const Point<VD>& high) {
    return {rounded(low.cosine, high.cosine), rounded(low.sine, high.sine)};
}

// Taylor's series on an eighth of a turn either way.  Error ≤ 3e-16.
HWY_INLINE Point<VD> point_at(hn::Vec<hn::RebindToUnsigned<Doubles>> turn) {
    static constexpr double kSine[] = {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
                                       -1.0 / 5040,          1.0 / 120,        -1.0 / 6};
    static constexpr double kCosine[] = {1.0 / 20922789888000,
                                         -1.0 / 87178291200,
                                         1.0 / 479001600,
                                         -1.0 / 3628800,
                                         1.0 / 40320,
                                         -1.0 / 720,
                                         1.0 / 24,
                                         -1.0 / 2,
                                         1.0};
    const Doubles d;
    const hn::RebindToUnsigned<Doubles> du;
    const auto quarter = hn::ShiftRight<62>(hn::Add(turn, hn::Set(du, std::uint64_t{1} << 61)));
    const auto rest = hn::BitCast(hn::RebindToSigned<Doubles>(), hn::Sub(turn, hn::ShiftLeft<62>(quarter)));
    const VD x = hn::Mul(hn::ConvertTo(d, rest), hn::Set(d, 2.0 * std::numbers::pi * 0x1p-64));
    const VD square = hn::Mul(x, x);
    VD sine = hn::Zero(d), cosine = hn::Zero(d);
    for (const double factor : kSine) sine = hn::MulAdd(sine, square, hn::Set(d, factor));
    for (const double factor : kCosine) cosine = hn::MulAdd(cosine, square, hn::Set(d, factor));
    sine = hn::MulAdd(hn::Mul(sine, square), x, x);
    const auto sideways = hn::RebindMask(d, hn::TestBit(quarter, hn::Set(du, 1)));
    const auto two = hn::Set(du, 2);
    const auto below = hn::BitCast(d, hn::ShiftLeft<62>(hn::And(quarter, two)));
    const auto left = hn::BitCast(d, hn::ShiftLeft<62>(hn::And(hn::Add(quarter, hn::Set(du, 1)), two)));
    return {hn::Xor(hn::IfThenElse(sideways, sine, cosine), left),
            hn::Xor(hn::IfThenElse(sideways, cosine, sine), below)};
}

// The pair of its group in a lane. Interleaving works within 128 bits; with the pairs in this order it gives
// two whole vectors in the order of columns all the same.
HWY_INLINE std::size_t pair_in(std::size_t lane, PairLayout layout) {
    if (layout == PairLayout::halves) return lane;
    return lane % 4 / 2 * (hn::Lanes(Floats()) / 2) + lane / 4 * 2 + lane % 2;
}

using Turns = hn::RebindToUnsigned<Doubles>;

// The phases of a group's pairs at a position.
HWY_INLINE void get_turns(const Job& job, std::size_t group, std::int64_t position, std::uint64_t* turns) {
    for (std::size_t lane = 0; lane < job.group; ++lane) {
        const std::size_t pair = group * job.group + pair_in(lane, job.table.layout);
        turns[lane] = pair < job.spectrum.pairs() ? phase(job.spectrum.step[pair], position).fraction : 0;
    }
}

HWY_INLINE void put_points(const Job& job, const std::uint64_t* turns, double length, double* to) {
    const Doubles d;
    const VD size = hn::Set(d, length);
    for (std::size_t at = 0; at < job.group; at += hn::Lanes(d)) {
        const Point<VD> point = point_at(hn::Load(Turns(), turns + at));
        store(d, Point<VD>{hn::Mul(point.cosine, size), hn::Mul(point.sine, size)}, to + at);
    }
}

std::size_t group_size() { return hn::Lanes(Floats()); }

void set_small(const Job& job) {
    HWY_ALIGN std::uint64_t one[hn::MaxLanes(Floats())], turns[hn::MaxLanes(Floats())];
    const std::size_t row = 2 * job.group, lanes = hn::Lanes(Doubles());
    double* to = job.small;
    for (std::size_t group = 0; group < job.groups; ++group) {
        get_turns(job, group, 1, one);
        for (std::size_t j = 0; j <= kJump; ++j, to += row) {
            for (std::size_t lane = 0; lane < job.group; ++lane)
                turns[lane] = j * one[lane];  // modulo a turn
            put_points(job, turns, 1.0, to);
        }
    }
    for (std::size_t at = 0; at < job.small_size(); at += 2 * lanes)
        hn::Store(rounded(hn::Load(Doubles(), job.small + at), hn::Load(Doubles(), job.small + at + lanes)),
                  Floats(), job.small_fast + at);
}

void set_anchor(const Job& job, std::int64_t position, double* anchor) {
    HWY_ALIGN std::uint64_t turns[hn::MaxLanes(Floats())];
    for (std::size_t group = 0; group < job.groups; ++group, anchor += 2 * job.group) {
        get_turns(job, group, position, turns);
        put_points(job, turns, job.table.amplitude, anchor);
    }
}

enum class Store { past_caches, whole, part };

template <Store kStore>
HWY_INLINE void store(VF v, float* out) {
    if constexpr (kStore == Store::past_caches) hn::Stream(v, Floats(), out);
    else hn::StoreU(v, Floats(), out);
}

// Stores the pairs of one vector in a row; `left` is the number of remaining pairs, used only by a partial vector.
template <PairLayout kLayout, Store kStore>
HWY_INLINE void write(const Point<VF>& point, std::size_t pairs, std::size_t left, float* out) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr bool kHalves = kLayout == PairLayout::halves;
    const VF first = kHalves ? point.sine : hn::InterleaveLower(d, point.sine, point.cosine);
    const VF second = kHalves ? point.cosine : hn::InterleaveUpper(d, point.sine, point.cosine);
    if constexpr (kStore != Store::part) {
        store<kStore>(first, out);
        store<kStore>(second, kHalves ? out + pairs : out + lanes);
    } else {
        HWY_ALIGN float rest[2 * hn::MaxLanes(d)];
        hn::Store(first, d, rest);
        hn::Store(second, d, rest + lanes);
        std::copy_n(rest, kHalves ? left : 2 * left, out);
        if (kHalves) std::copy_n(rest + lanes, left, out + pairs);
    }
}

// `count` rows of one group, from its anchor, which is then turned by kJump rows. `left`: pairs from this group on.
template <Precision kPrecision, PairLayout kLayout, Store kStore>
HWY_INLINE void write_rows(const Job& job, double* anchor, std::size_t group, std::size_t count,
                           std::size_t left, float* out) {
    const Doubles d;
    const Floats df;
    const std::size_t pairs = job.spectrum.pairs(), half = hn::Lanes(d), row = 2 * hn::Lanes(df);
    const double* const small = job.small + group * (kJump + 1) * row;
    const float* const small_fast = job.small_fast + group * (kJump + 1) * row;
    const Point<VD> low = load(d, anchor), high = load(d, anchor + half);
    const Point<VF> fast = rounded(low, high);
    for (std::size_t j = 0; j < count; ++j, out += 2 * pairs) {
        if constexpr (kPrecision == Precision::fast)
            write<kLayout, kStore>(turned(fast, load(df, small_fast + j * row)), pairs, left, out);
        else
            write<kLayout, kStore>(
                rounded(turned(low, load(d, small + j * row)), turned(high, load(d, small + j * row + half))),
                pairs, left, out);
    }
    store(d, turned(low, load(d, small + kJump * row)), anchor);
    store(d, turned(high, load(d, small + kJump * row + half)), anchor + half);
}

template <Precision kPrecision, PairLayout kLayout, bool kPast>
void fill(const Job& job, const Rows& rows) {
    constexpr Store kStore = kPast ? Store::past_caches : Store::whole;
    const std::size_t lanes = hn::Lanes(Floats()), pairs = job.spectrum.pairs(), whole = pairs / lanes;
    const std::size_t columns = kLayout == PairLayout::halves ? lanes : 2 * lanes,
                      last = static_cast<std::size_t>(rows.end);
    set_anchor(job, job.table.first + rows.begin, rows.anchor);
    for (auto row = static_cast<std::size_t>(rows.begin); row < last; row += kJump) {
        const std::size_t count = std::min(kJump, last - row);
        float* out = rows.out + row * 2 * pairs;
        double* anchor = rows.anchor;
        for (std::size_t group = 0; group < whole; ++group, out += columns, anchor += 2 * lanes)
            if (HWY_LIKELY(count == kJump))
                write_rows<kPrecision, kLayout, kStore>(job, anchor, group, kJump, lanes, out);
            else write_rows<kPrecision, kLayout, kStore>(job, anchor, group, count, lanes, out);
        if (whole < job.groups)
            write_rows<kPrecision, kLayout, Store::part>(job, anchor, whole, count, pairs - whole * lanes,
                                                         out);
    }
    if (kPast) hwy::FlushStream();
}

template <Precision kPrecision, PairLayout kLayout>
void fill(const Job& job, const Rows& rows) {
    // Writing past the caches needs whole vectors at their own bounds.
    const std::size_t bytes = sizeof(float) * hn::Lanes(Floats());
    if (job.past_caches && job.spectrum.pairs() % job.group == 0 &&
        reinterpret_cast<std::uintptr_t>(rows.out) % bytes == 0)
        fill<kPrecision, kLayout, true>(job, rows);
    else fill<kPrecision, kLayout, false>(job, rows);
}

template <Precision kPrecision>
void fill(const Job& job, const Rows& rows) {
    if (job.table.layout == PairLayout::halves) fill<kPrecision, PairLayout::halves>(job, rows);
    else fill<kPrecision, PairLayout::interleaved>(job, rows);
}

void fill_rows(const Job& job, const Rows& rows) {
    if (job.table.precision == Precision::fast) fill<Precision::fast>(job, rows);
    else fill<Precision::exact>(job, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posiscope {
namespace {

HWY_EXPORT(group_size);
HWY_EXPORT(set_small);
HWY_EXPORT(fill_rows);

}  // namespace

void pe_table(const Spectrum& spectrum, const PeTable& table, std::span<float> out, Workers& workers) {
    const std::int64_t rows = table.rows;
    if (out.size() != 2 * spectrum.pairs() * static_cast<std::size_t>(rows))
        throw std::logic_error("pe_table: out is not [rows, 2·pairs]");
    if (out.empty()) return;
    Job job{spectrum, table, HWY_DYNAMIC_DISPATCH(group_size)()};
    job.groups = (spectrum.pairs() + job.group - 1) / job.group;
    job.past_caches = out.size_bytes() > kPastCaches;
    const auto room = hwy::AllocateAligned<double>(
        job.small_size() + static_cast<std::size_t>(workers.count()) * job.anchor_size());
    const auto room_fast = hwy::AllocateAligned<float>(job.small_size());
    job.small = room.get();
    job.small_fast = room_fast.get();
    HWY_DYNAMIC_DISPATCH(set_small)(job);
    const std::int64_t share = (rows + workers.count() - 1) / workers.count();
    const std::int64_t task_rows = std::min(
        static_cast<std::int64_t>(hwy::RoundUpTo(static_cast<std::size_t>(share), kJump)), kRowsOfTask);
    workers.run((rows + task_rows - 1) / task_rows, [&](std::int64_t task, int worker) {
        double* const anchor =
            room.get() + job.small_size() + static_cast<std::size_t>(worker) * job.anchor_size();
        HWY_DYNAMIC_DISPATCH(fill_rows)
        (job, {task * task_rows, std::min(rows, (task + 1) * task_rows), anchor, out.data()});
    });
}

}  // namespace posiscope
#endif
