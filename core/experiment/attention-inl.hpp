// attention-inl.hpp — one head's attention over one sequence, forwards and back, with whatever an encoding adds.
// Formulas are those of tables.hpp. Right of the diagonal of causal attention nothing is computed, tile by tile.
#if defined(POSISCOPE_EXPERIMENT_ATTENTION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef POSISCOPE_EXPERIMENT_ATTENTION_INL
#undef POSISCOPE_EXPERIMENT_ATTENTION_INL
#else
#define POSISCOPE_EXPERIMENT_ATTENTION_INL
#endif

#include "core/experiment/pass.hpp"
#include "core/experiment/products-inl.hpp"
#include "core/experiment/rows-inl.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace posiscope::experiment {
namespace {
namespace HWY_NAMESPACE {

// One head of one sequence: where its rows begin, and how far apart they are.
template <class T>
struct Head {
    std::size_t length, head_dim, stride;  // stride of q, k and v
    bool causal;
    T scale;
    const T *q, *k, *v;
    T* weights;                  // [length, padded(length)]
    const T* bias;               // row 0's, or null
    std::ptrdiff_t bias_stride;  // −1 for a bias by distance
    const T* weight;             // as the bias
    std::ptrdiff_t weight_stride;
    const T *content_query, *relative_key, *relative_key_across, *relative_value, *relative_value_across;

    std::size_t keys() const { return padded(length); }
    std::size_t seen(std::size_t query) const { return causal ? query + 1 : length; }
    std::size_t distances() const { return causal ? length : 2 * length - 1; }
    std::size_t distance_stride() const { return ModelTables<T>::distance_stride(length); }
    Part part(Part of_causal) const { return causal ? of_causal : Part::all; }
};

template <class T>
const T* bias_row(const Head<T>& head, std::size_t query) {
    return head.bias + static_cast<std::ptrdiff_t>(query) * head.bias_stride;
}

template <class T>
const T* weight_row(const Head<T>& head, std::size_t query) {
    return head.weight + static_cast<std::ptrdiff_t>(query) * head.weight_stride;
}

// Logits in place of q·k in one row become attention weights; past what the query sees they are 0.
template <class T>
void softmax_row(const Head<T>& head, std::size_t query, const T* by_distance) {
    const Wide<T> d;
    const std::size_t lanes = hn::Lanes(d), seen = head.seen(query);
    T* const row = head.weights + query * head.keys();
    const auto scale = hn::Set(d, head.scale), least = hn::Set(d, -std::numeric_limits<T>::max() / 2);
    auto most = least;
    std::size_t at = 0;
    for (; at < seen; at += lanes) {
        auto x = hn::LoadU(d, row + at);
        if (by_distance != nullptr) x = hn::Add(x, hn::LoadU(d, by_distance + at));
        x = hn::Mul(x, scale);
        if (head.weight != nullptr) x = hn::Mul(x, hn::LoadU(d, weight_row(head, query) + at));
        if (head.bias != nullptr) x = hn::Add(x, hn::LoadU(d, bias_row(head, query) + at));
        if (at + lanes > seen) x = hn::IfThenElse(hn::FirstN(d, seen - at), x, least);
        most = hn::Max(most, x);
        hn::StoreU(x, d, row + at);
    }
    std::fill(row + at, row + head.keys(), T(0));
    most = hn::MaxOfLanes(d, most);
    auto sums = hn::Zero(d);
    for (at = 0; at < seen; at += lanes) {
        auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, row + at), most));
        if (at + lanes > seen) e = hn::IfThenElseZero(hn::FirstN(d, seen - at), e);
        sums = hn::Add(sums, e);
        hn::StoreU(e, d, row + at);
    }
    const auto factor = hn::Set(d, T(1) / total<T>(sums));
    for (at = 0; at < seen; at += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, row + at), factor), d, row + at);
}

// rows[i][r] = matrix[i][j] at r = j − i + length − 1, 0 elsewhere.
template <class T>
void shift_to_distances(const Head<T>& head, const T* matrix, T* rows) {
    const std::size_t stride = head.distance_stride();
    for (std::size_t i = 0; i < head.length; ++i, rows += stride, matrix += head.keys()) {
        std::fill_n(rows, stride, T(0));
        std::copy_n(matrix, head.seen(i), rows + head.length - 1 - i);
    }
}

template <class T>
const T* content_queries(const Head<T>& head, T* room) {
    if (head.content_query == nullptr) return head.q;
    for (std::size_t i = 0; i < head.length; ++i)
        for (std::size_t f = 0; f < head.head_dim; ++f)
            room[i * head.stride + f] = head.q[i * head.stride + f] + head.content_query[f];
    return room;
}

// out [length, head_dim], rows `out.stride` apart.
template <class T>
void attend(const Head<T>& head, Workspace<T>& room, Rows<T> out) {
    const std::size_t n = head.length, keys = head.keys(), width = head.head_dim;
    transpose<T>(n, width, {head.k, head.stride}, {room.head_keys.data(), keys});
    const T* const q = content_queries(head, room.head_queries.data());
    product<T>({n, width, keys, false, head.part(Part::lower_result)}, {q, head.stride, 1},
               {room.head_keys.data(), keys}, {head.weights, keys});
    const std::size_t stride = head.distance_stride();
    T* const distances = room.head_distances.data();
    if (head.relative_key != nullptr)
        product<T>({n, width, padded(head.distances())}, {head.q, head.stride, 1},
                   {head.relative_key_across, stride}, {distances, stride});
    for (std::size_t i = 0; i < n; ++i)
        softmax_row(head, i, head.relative_key == nullptr ? nullptr : distances + i * stride + n - 1 - i);
    product<T>({n, n, width, false, head.part(Part::lower_left)}, {head.weights, keys, 1},
               {head.v, head.stride}, out);
    if (head.relative_value == nullptr) return;
    shift_to_distances(head, head.weights, distances);
    product<T>({n, head.distances(), width, true}, {distances, stride, 1}, {head.relative_value, width}, out);
}

// Gradients of q, k and v (rows `stride` apart), and of the encoding's trained numbers; null: not wanted.
template <class T>
struct HeadGradient {
    T *q, *k, *v;
    T *bias, *weight;  // row 0's
    T *content_query, *relative_key, *relative_value;
};

// Gradients of one row of the bias and of the scale's factor, and the row's q·k; null: not wanted.
template <class T>
struct RowGradient {
    T *bias, *weight;
    const T* product;
};

// d_weights holds what flows into the weights and becomes what flows into q·k.
template <class T>
void softmax_row_back(const Head<T>& head, std::size_t query, T* d_weights, const RowGradient<T>& to) {
    const Wide<T> d;
    const std::size_t lanes = hn::Lanes(d), seen = head.seen(query);
    const T* const weights = head.weights + query * head.keys();
    auto sums = hn::Zero(d);
    for (std::size_t at = 0; at < seen; at += lanes)
        sums = hn::MulAdd(hn::LoadU(d, weights + at), hn::LoadU(d, d_weights + at), sums);
    const auto mean = hn::Set(d, total<T>(sums)), scale = hn::Set(d, head.scale);
    std::size_t at = 0;
    for (; at < seen; at += lanes) {
        const auto change = hn::Mul(hn::LoadU(d, weights + at), hn::Sub(hn::LoadU(d, d_weights + at), mean));
        if (to.bias != nullptr) hn::StoreU(hn::Add(hn::LoadU(d, to.bias + at), change), d, to.bias + at);
        auto scaled = hn::Mul(change, scale);
        if (to.weight != nullptr)
            hn::StoreU(hn::MulAdd(scaled, hn::LoadU(d, to.product + at), hn::LoadU(d, to.weight + at)), d,
                       to.weight + at);
        if (head.weight != nullptr) scaled = hn::Mul(scaled, hn::LoadU(d, weight_row(head, query) + at));
        hn::StoreU(scaled, d, d_weights + at);
    }
    std::fill(d_weights + at, d_weights + head.keys(), T(0));
}

template <class T>
void attend_back(const Head<T>& head, Workspace<T>& room, Rows<const T> d_out, const HeadGradient<T>& to) {
    const std::size_t n = head.length, keys = head.keys(), width = head.head_dim;
    const std::size_t stride = head.distance_stride();
    T *const d_weights = room.head_weights_d.data(), *const distances = room.head_distances.data();
    transpose<T>(n, width, {head.v, head.stride}, {room.head_keys.data(), keys});
    product<T>({n, width, keys, false, head.part(Part::lower_result)}, {d_out.data, d_out.stride, 1},
               {room.head_keys.data(), keys}, {d_weights, keys});
    if (head.relative_value != nullptr) {
        product<T>({n, width, padded(head.distances())}, {d_out.data, d_out.stride, 1},
                   {head.relative_value_across, stride}, {distances, stride});
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < head.seen(i); ++j)
                d_weights[i * keys + j] += distances[i * stride + n - 1 - i + j];
        if (to.relative_value != nullptr) {
            shift_to_distances(head, head.weights, distances);
            product<T>({head.distances(), n, width, true}, {distances, 1, stride}, d_out,
                       {to.relative_value, width});
        }
    }
    if (to.weight != nullptr) {  // q·k once more; who has relative keys has no weight
        transpose<T>(n, width, {head.k, head.stride}, {room.head_keys.data(), keys});
        product<T>({n, width, keys}, {head.q, head.stride, 1}, {room.head_keys.data(), keys},
                   {distances, stride});
    }
    const auto row = [](T* first, std::size_t query, std::ptrdiff_t apart) {
        return first == nullptr ? nullptr : first + static_cast<std::ptrdiff_t>(query) * apart;
    };
    for (std::size_t i = 0; i < n; ++i)
        softmax_row_back(head, i, d_weights + i * keys,
                         {row(to.bias, i, head.bias_stride), row(to.weight, i, head.weight_stride),
                          distances + i * stride});
    const Part lower = head.part(Part::lower_left), upper = head.part(Part::upper_left);
    product<T>({n, n, width, false, upper}, {head.weights, 1, keys}, d_out, {to.v, head.stride});
    product<T>({n, n, width, false, lower}, {d_weights, keys, 1}, {head.k, head.stride}, {to.q, head.stride});
    const T* const q = content_queries(head, room.head_queries.data());
    product<T>({n, n, width, false, upper}, {d_weights, 1, keys}, {q, head.stride}, {to.k, head.stride});
    if (to.content_query != nullptr)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t f = 0; f < width; ++f) to.content_query[f] += to.q[i * head.stride + f];
    if (head.relative_key == nullptr) return;
    shift_to_distances(head, d_weights, distances);
    product<T>({n, head.distances(), width, true}, {distances, stride, 1}, {head.relative_key, width},
               {to.q, head.stride});
    if (to.relative_key != nullptr)
        product<T>({head.distances(), n, width, true}, {distances, 1, stride}, {head.q, head.stride},
                   {to.relative_key, width});
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope::experiment
HWY_AFTER_NAMESPACE();
#endif
