// rows-inl.hpp — what is done to the model's rows one by one, forwards and back: norm, bias and ReLU, the turning of
// pairs, the loss. Rows are padded; the padding is 0 and stays 0.
#if defined(POSISCOPE_EXPERIMENT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POSISCOPE_EXPERIMENT_ROWS_INL
#undef POSISCOPE_EXPERIMENT_ROWS_INL
#else
#define POSISCOPE_EXPERIMENT_ROWS_INL
#endif

#include <cmath>
#include <cstdint>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace posiscope::experiment {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Wide = hn::CappedTag<T, 16>;

template <class T>
T total(hn::Vec<Wide<T>> sums) {
    return hn::GetLane(hn::SumOfLanes(Wide<T>(), sums));
}

constexpr double kNormEpsilon = 1e-6;

template <class T>
struct Norm {
    std::size_t rows, width, stride;
    const T* gain;
};

// y = x · gain / √(mean x² + ε); the root's inverse is kept.
template <class T>
void norm(const Norm<T>& size, const T* x, T* inverse, T* y) {
    const Wide<T> d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < size.rows; ++row, x += size.stride, y += size.stride) {
        auto squares = hn::Zero(d);
        for (std::size_t f = 0; f < size.stride; f += lanes) {
            const auto v = hn::LoadU(d, x + f);
            squares = hn::MulAdd(v, v, squares);
        }
        const T mean = total<T>(squares) / static_cast<T>(size.width);
        inverse[row] = T(1) / std::sqrt(mean + static_cast<T>(kNormEpsilon));
        const auto factor = hn::Set(d, inverse[row]);
        for (std::size_t f = 0; f < size.stride; f += lanes)
            hn::StoreU(hn::Mul(hn::Mul(hn::LoadU(d, x + f), factor), hn::LoadU(d, size.gain + f)), d, y + f);
    }
}

// dx += what dy comes to before the norm; d_gain += its gradient.
template <class T>
void norm_back(const Norm<T>& size, const T* x, const T* inverse, const T* dy, T* dx, T* d_gain) {
    const Wide<T> d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < size.rows; ++row) {
        const T *x_row = x + row * size.stride, *dy_row = dy + row * size.stride;
        T* const dx_row = dx + row * size.stride;
        const auto factor = hn::Set(d, inverse[row]);
        auto dot = hn::Zero(d);
        for (std::size_t f = 0; f < size.stride; f += lanes) {
            const auto unit = hn::Mul(hn::LoadU(d, x_row + f), factor), by = hn::LoadU(d, dy_row + f);
            const auto product = hn::Mul(unit, by);
            hn::StoreU(hn::Add(hn::LoadU(d, d_gain + f), product), d, d_gain + f);
            dot = hn::MulAdd(product, hn::LoadU(d, size.gain + f), dot);
        }
        const auto mean = hn::Set(d, total<T>(dot) / static_cast<T>(size.width));
        for (std::size_t f = 0; f < size.stride; f += lanes) {
            const auto unit = hn::Mul(hn::LoadU(d, x_row + f), factor);
            const auto by = hn::Mul(hn::LoadU(d, dy_row + f), hn::LoadU(d, size.gain + f));
            const auto change = hn::Mul(factor, hn::NegMulAdd(unit, mean, by));
            hn::StoreU(hn::Add(hn::LoadU(d, dx_row + f), change), d, dx_row + f);
        }
    }
}

// x = max(x + bias, 0)
template <class T>
void bias_relu(std::size_t rows, std::size_t stride, const T* bias, T* x) {
    const Wide<T> d;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t f = 0; f < stride; f += hn::Lanes(d), x += hn::Lanes(d))
            hn::StoreU(hn::Max(hn::Add(hn::LoadU(d, x), hn::LoadU(d, bias + f)), hn::Zero(d)), d, x);
}

// dx = 0 where the result was 0.
template <class T>
void relu_back(std::size_t count, const T* y, T* dx) {
    const Wide<T> d;
    for (std::size_t at = 0; at < count; at += hn::Lanes(d))
        hn::StoreU(hn::IfThenElseZero(hn::Gt(hn::LoadU(d, y + at), hn::Zero(d)), hn::LoadU(d, dx + at)), d,
                   dx + at);
}

// sums += every row, or every row + bias for a row of `x`.
template <class T>
void add_rows(std::size_t rows, std::size_t stride, const T* x, T* sums) {
    const Wide<T> d;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t f = 0; f < stride; f += hn::Lanes(d), x += hn::Lanes(d))
            hn::StoreU(hn::Add(hn::LoadU(d, sums + f), hn::LoadU(d, x)), d, sums + f);
}

template <class T>
void add_to_rows(std::size_t rows, std::size_t stride, const T* bias, T* x) {
    const Wide<T> d;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t f = 0; f < stride; f += hn::Lanes(d), x += hn::Lanes(d))
            hn::StoreU(hn::Add(hn::LoadU(d, x), hn::LoadU(d, bias + f)), d, x);
}

template <class D, class V>
HWY_INLINE V partners(D, V x) {
    return hn::OddEven(hn::DupEven(x), hn::DupOdd(x));
}

// Positions of one side, each with its own map; rows of `x` are `stride` apart.
template <class T>
struct Turning {
    std::size_t sequences, positions, width, stride;
    const T *along, *across;  // [positions, width]
};

template <class T>
void turn(const Turning<T>& by, T* x) {
    const Wide<T> d;
    for (std::size_t s = 0; s < by.sequences; ++s)
        for (std::size_t p = 0; p < by.positions; ++p, x += by.stride)
            for (std::size_t f = 0; f < by.width; f += hn::Lanes(d)) {
                const auto v = hn::LoadU(d, x + f);
                const auto along = hn::LoadU(d, by.along + p * by.width + f);
                const auto across = hn::LoadU(d, by.across + p * by.width + f);
                hn::StoreU(hn::MulAdd(partners(d, v), across, hn::Mul(v, along)), d, x + f);
            }
}

// By the transposed maps.
template <class T>
void turn_back(const Turning<T>& by, T* x) {
    const Wide<T> d;
    for (std::size_t s = 0; s < by.sequences; ++s)
        for (std::size_t p = 0; p < by.positions; ++p, x += by.stride)
            for (std::size_t f = 0; f < by.width; f += hn::Lanes(d)) {
                const auto v = hn::LoadU(d, x + f);
                const auto along = hn::LoadU(d, by.along + p * by.width + f);
                const auto across = hn::LoadU(d, by.across + p * by.width + f);
                hn::StoreU(hn::MulAdd(v, along, partners(d, hn::Mul(v, across))), d, x + f);
            }
}

// −Σ ln p(target), and each row of logits made its gradient times `weight`.
template <class T>
double cross_entropy(std::size_t rows, std::size_t classes, std::size_t stride, const std::int32_t* targets,
                     T weight, T* logits) {
    const Wide<T> d;
    const std::size_t lanes = hn::Lanes(d);
    double loss = 0.0;
    for (std::size_t row = 0; row < rows; ++row, logits += stride) {
        if (targets[row] < 0) {
            for (std::size_t c = 0; c < stride; c += lanes) hn::StoreU(hn::Zero(d), d, logits + c);
            continue;
        }
        const auto target = static_cast<std::size_t>(targets[row]);
        T most = logits[0];
        for (std::size_t c = 1; c < classes; ++c) most = std::max(most, logits[c]);
        const T chosen = logits[target] - most;
        auto sums = hn::Zero(d);
        for (std::size_t c = 0; c < classes; c += lanes) {
            const auto there = hn::FirstN(d, std::min(lanes, classes - c));
            const auto e =
                hn::IfThenElseZero(there, hn::Exp(d, hn::Sub(hn::LoadU(d, logits + c), hn::Set(d, most))));
            sums = hn::Add(sums, e);
            hn::StoreU(e, d, logits + c);
        }
        const T sum = total<T>(sums);
        loss += std::log(static_cast<double>(sum)) - static_cast<double>(chosen);
        const auto factor = hn::Set(d, weight / sum);
        for (std::size_t c = 0; c < classes; c += lanes)
            hn::StoreU(hn::Mul(hn::LoadU(d, logits + c), factor), d, logits + c);
        logits[target] -= weight;
    }
    return loss;
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope::experiment
HWY_AFTER_NAMESPACE();
#endif
