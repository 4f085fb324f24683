// products-inl.hpp — matrix products of small matrices, a tile of the result in registers.
// Included once for each set of instructions, so the guard is Highway's.
#if defined(POSISCOPE_EXPERIMENT_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POSISCOPE_EXPERIMENT_PRODUCTS_INL
#undef POSISCOPE_EXPERIMENT_PRODUCTS_INL
#else
#define POSISCOPE_EXPERIMENT_PRODUCTS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace posiscope::experiment {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sums, right-hand vectors and one left-hand number: 19 of 32 registers, or 11 of 16.
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
constexpr std::size_t kTileRows = 4;
#else
constexpr std::size_t kTileRows = 8;
#endif
constexpr std::size_t kTileVectors = 2;

// A matrix as it is read: element (row, k) at data[row · by_row + k · by_k], so also one transposed.
template <class T>
struct Left {
    const T* data;
    std::size_t by_row, by_k;
};

template <class T>
struct Rows {
    T* data;
    std::size_t stride;
};

// The computed part of a product of causal attention.
enum class Part {
    all,
    lower_result,  // only columns ≤ row are needed
    lower_left,    // the left matrix is 0 where k > row
    upper_left,    // and where k < row
};

struct Extent {
    std::size_t rows, inner, columns;
    bool add = false;  // to what is there
    Part part = Part::all;
};

template <std::size_t kRows, std::size_t kVectors, class D, class T>
HWY_INLINE void tile(D d, Left<T> left, Rows<const T> right, Rows<T> out, std::size_t begin, std::size_t end,
                     bool add) {
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<D> sums[kRows][kVectors];
    for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t v = 0; v < kVectors; ++v)
            sums[r][v] = add ? hn::LoadU(d, out.data + r * out.stride + v * lanes) : hn::Zero(d);
    for (std::size_t k = begin; k < end; ++k) {
        hn::Vec<D> b[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v)
            b[v] = hn::LoadU(d, right.data + k * right.stride + v * lanes);
        for (std::size_t r = 0; r < kRows; ++r) {
            const auto a = hn::Set(d, left.data[r * left.by_row + k * left.by_k]);
            for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(a, b[v], sums[r][v]);
        }
    }
    for (std::size_t r = 0; r < kRows; ++r)
        for (std::size_t v = 0; v < kVectors; ++v)
            hn::StoreU(sums[r][v], d, out.data + r * out.stride + v * lanes);
}

template <std::size_t kRows, class D, class T>
HWY_INLINE void tile_row(D d, const Extent& size, std::size_t row, Left<T> left, Rows<const T> right,
                         Rows<T> out) {
    const std::size_t lanes = hn::Lanes(d), last = row + kRows;
    const std::size_t begin = size.part == Part::upper_left ? std::min(row, size.inner) : 0;
    const std::size_t end = size.part == Part::lower_left ? std::min(last, size.inner) : size.inner;
    const std::size_t columns = size.part == Part::lower_result ? std::min(last, size.columns) : size.columns;
    left.data += row * left.by_row;
    out.data += row * out.stride;
    std::size_t column = 0;
    for (; column < columns && column + kTileVectors * lanes <= size.columns; column += kTileVectors * lanes)
        tile<kRows, kTileVectors>(d, left, {right.data + column, right.stride},
                                  {out.data + column, out.stride}, begin, end, size.add);
    for (; column < columns; column += lanes)
        tile<kRows, 1>(d, left, {right.data + column, right.stride}, {out.data + column, out.stride}, begin,
                       end, size.add);
}

template <class D, class T>
HWY_INLINE void product_in(D d, const Extent& size, Left<T> left, Rows<const T> right, Rows<T> out) {
    std::size_t row = 0;
    for (; row + kTileRows <= size.rows; row += kTileRows)
        tile_row<kTileRows>(d, size, row, left, right, out);
    for (; row < size.rows; ++row) tile_row<1>(d, size, row, left, right, out);
}

// out = left · right, or out + left · right. Columns are a multiple of 16, or 4 or 8.
template <class T>
void product(const Extent& size, Left<T> left, Rows<const T> right, Rows<T> out) {
    if (size.columns % 16 == 0) product_in(hn::CappedTag<T, 16>(), size, left, right, out);
    else if (size.columns % 8 == 0) product_in(hn::CappedTag<T, 8>(), size, left, right, out);
    else product_in(hn::CappedTag<T, 4>(), size, left, right, out);
}

// out[column][row] = from[row][column]
template <class T>
void transpose(std::size_t rows, std::size_t columns, Rows<const T> from, Rows<T> out) {
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            out.data[column * out.stride + row] = from.data[row * from.stride + column];
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope::experiment
HWY_AFTER_NAMESPACE();
#endif
