// Rows of all sequences go through a layer together; attention goes head by head.
#include "core/experiment/pass.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/experiment/pass.cpp"
#include <hwy/foreach_target.h>
// These after that one.
#include "core/experiment/attention-inl.hpp"
#include "core/experiment/products-inl.hpp"
#include "core/experiment/rows-inl.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace posiscope::experiment {
namespace {
namespace HWY_NAMESPACE {

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

template <class T>
Turning<T> turning(const Pass<T>& pass, const Buffer<T>& along, const Buffer<T>& across) {
    const std::size_t width = padded(pass.plan.shape.width);
    return {pass.sequences, pass.room.length, width, 3 * width, along.data(), across.data()};
}

template <class T>
const T* of_head(const Buffer<T>& buffer, std::size_t at) {
    return buffer.empty() ? nullptr : buffer.data() + at;
}

template <class T>
T* of_head(Buffer<T>& buffer, std::size_t at) {
    return buffer.empty() ? nullptr : buffer.data() + at;
}

// The first number of a head's part of each table.
template <class T>
struct HeadPlaces {
    std::size_t bias, weight, relative, across, content;

    HeadPlaces(const Pass<T>& pass, std::size_t head) {
        const std::size_t width = pass.plan.shape.head_dim(), n = pass.room.length;
        bias = head * pass.tables.bias_size + (pass.tables.by_distance ? n - 1 : 0);
        weight = head * pass.tables.weight_size + (pass.tables.weight_by_distance ? n - 1 : 0);
        relative = head * (2 * n - 1) * width;
        across = head * width * ModelTables<T>::distance_stride(n);
        content = head * width;
    }
};

template <class T>
Head<T> head_of(const Pass<T>& pass, LayerRoom<T>& layer, std::size_t sequence, std::size_t head) {
    const ModelShape& shape = pass.plan.shape;
    const ModelTables<T>& tables = pass.tables;
    const std::size_t width = padded(shape.width), n = pass.room.length;
    const HeadPlaces<T> at(pass, head);
    const T* const q = layer.qkv.data() + sequence * n * 3 * width + head * shape.head_dim();
    return {
        .length = n,
        .head_dim = shape.head_dim(),
        .stride = 3 * width,
        .causal = shape.causal,
        .scale = static_cast<T>(1.0 / std::sqrt(static_cast<double>(shape.head_dim()))),
        .q = q,
        .k = q + width,
        .v = q + 2 * width,
        .weights = layer.weights.data() + pass.room.weights_at(shape, sequence, head),
        .bias = of_head(tables.bias, at.bias),
        .bias_stride = tables.by_distance ? -1 : static_cast<std::ptrdiff_t>(padded(n)),
        .weight = of_head(tables.weight, at.weight),
        .weight_stride = tables.weight_by_distance ? -1 : static_cast<std::ptrdiff_t>(padded(n)),
        .content_query = of_head(tables.content_query, at.content),
        .relative_key = of_head(tables.relative_key, at.relative),
        .relative_key_across = of_head(tables.relative_key_across, at.across),
        .relative_value = of_head(tables.relative_value, at.relative),
        .relative_value_across = of_head(tables.relative_value_across, at.across),
    };
}

template <class T>
void embed(const Pass<T>& pass, T* x) {
    const std::size_t width = padded(pass.plan.shape.width), n = pass.room.length;
    for (std::size_t row = 0; row < pass.rows(); ++row, x += width) {
        const auto letter = static_cast<std::size_t>(pass.tokens[row]);
        std::copy_n(pass.numbers + pass.plan.embedding + letter * width, width, x);
        if (pass.tables.input.empty()) continue;
        const T* const added = pass.tables.input.data() + row % n * width;
        for (std::size_t f = 0; f < width; ++f) x[f] += added[f];
    }
}

// q, k and v of every row.
template <class T>
void project(const Pass<T>& pass, std::size_t l) {
    const ModelShape& shape = pass.plan.shape;
    const LayerPlan& at = pass.plan.layers[l];
    LayerRoom<T>& layer = pass.room.layer(l);
    const std::size_t rows = pass.rows(), width = padded(shape.width);
    const T* const w = pass.numbers;
    norm<T>({rows, shape.width, width, w + at.norm1}, layer.x.data(), layer.inverse1.data(),
            layer.normed1.data());
    product<T>({rows, shape.width, 3 * width}, {layer.normed1.data(), width, 1}, {w + at.qkv, 3 * width},
               {layer.qkv.data(), 3 * width});
    if (!pass.tables.query_along.empty()) {
        turn(turning(pass, pass.tables.query_along, pass.tables.query_across), layer.qkv.data());
        turn(turning(pass, pass.tables.key_along, pass.tables.key_across), layer.qkv.data() + width);
    }
}

template <class T>
void attend_with(const Pass<T>& pass, std::size_t l, std::size_t h) {
    const ModelShape& shape = pass.plan.shape;
    LayerRoom<T>& layer = pass.room.layer(l);
    const std::size_t width = padded(shape.width);
    for (std::size_t s = 0; s < pass.sequences; ++s)
        attend(head_of(pass, layer, s, h), pass.room,
               {layer.mixed.data() + s * pass.room.length * width + h * shape.head_dim(), width});
}

// The part after attention.
template <class T>
void feed_forward(const Pass<T>& pass, std::size_t l, T* next) {
    const ModelShape& shape = pass.plan.shape;
    const LayerPlan& at = pass.plan.layers[l];
    LayerRoom<T>& layer = pass.room.layer(l);
    const std::size_t rows = pass.rows(), width = padded(shape.width), hidden = padded(shape.hidden);
    const T* const w = pass.numbers;
    std::copy_n(layer.x.data(), rows * width, layer.x2.data());
    product<T>({rows, shape.width, width, true}, {layer.mixed.data(), width, 1}, {w + at.out, width},
               {layer.x2.data(), width});
    norm<T>({rows, shape.width, width, w + at.norm2}, layer.x2.data(), layer.inverse2.data(),
            layer.normed2.data());
    product<T>({rows, shape.width, hidden}, {layer.normed2.data(), width, 1}, {w + at.in, hidden},
               {layer.hidden.data(), hidden});
    bias_relu<T>(rows, hidden, w + at.in_bias, layer.hidden.data());
    std::copy_n(layer.x2.data(), rows * width, next);
    add_to_rows<T>(rows, width, w + at.back_bias, next);
    product<T>({rows, shape.hidden, width, true}, {layer.hidden.data(), hidden, 1}, {w + at.back, width},
               {next, width});
}

// The order in a layer: q, k and v, its heads, the rest. Then the logits.
template <class T>
void forward_piece(const Pass<T>& pass, std::size_t piece) {
    const ModelShape& shape = pass.plan.shape;
    const std::size_t rows = pass.rows(), width = padded(shape.width), classes = padded(shape.classes);
    Workspace<T>& room = pass.room;
    if (const std::size_t l = piece / (shape.heads + 2), part = piece % (shape.heads + 2); l < shape.layers) {
        if (piece == 0) embed(pass, room.layer(0).x.data());
        if (part == 0) project(pass, l);
        else if (part <= shape.heads) attend_with(pass, l, part - 1);
        else feed_forward(pass, l, l + 1 < shape.layers ? room.layer(l + 1).x.data() : room.x.data());
        return;
    }
    norm<T>({rows, shape.width, width, pass.numbers + pass.plan.norm}, room.x.data(), room.inverse.data(),
            room.normed.data());
    product<T>({rows, shape.width, classes}, {room.normed.data(), width, 1},
               {pass.numbers + pass.plan.output, classes}, {room.logits.data(), classes});
}

// A matrix's two gradients: d_matrix += left^T · d, and d_left = d · matrix^T.
template <class T>
struct Through {
    std::size_t rows, inner, columns;  // matrix [inner, columns], stored padded
    const T* left;                     // [rows, padded(inner)]
    const T* matrix;
    const T* d;  // [rows, padded(columns)]
    T* d_matrix;
    T* d_left;
};

template <class T>
void product_back(Workspace<T>& room, const Through<T>& by) {
    const std::size_t inner = padded(by.inner), columns = padded(by.columns);
    product<T>({by.inner, by.rows, columns, true}, {by.left, 1, inner}, {by.d, columns},
               {by.d_matrix, columns});
    transpose<T>(by.inner, by.columns, {by.matrix, columns}, {room.weight_across.data(), inner});
    // Columns past `inner` were another matrix's.
    for (std::size_t column = 0; inner != by.inner && column < by.columns; ++column)
        std::fill(room.weight_across.data() + column * inner + by.inner,
                  room.weight_across.data() + (column + 1) * inner, T(0));
    product<T>({by.rows, by.columns, inner}, {by.d, columns, 1}, {room.weight_across.data(), inner},
               {by.d_left, inner});
}

// By the angles of the pairs: of (a, b) rotated by φ, a changes with −b and b with a.
template <class T>
void angles_back(const Pass<T>& pass, const T* turned, const T* d, T* d_angle) {
    const ModelShape& shape = pass.plan.shape;
    const std::size_t stride = 3 * padded(shape.width), pairs = shape.head_dim() / 2;
    for (std::size_t row = 0; row < pass.rows(); ++row, turned += stride, d += stride) {
        T* const at = d_angle + row % pass.room.length * pairs;
        for (std::size_t f = 0; f < shape.width; f += 2)
            at[f % shape.head_dim() / 2] += d[f + 1] * turned[f] - d[f] * turned[f + 1];
    }
}

template <class T>
void attention_back(const Pass<T>& pass, std::size_t l, const Gradient<T>& gradient) {
    const ModelShape& shape = pass.plan.shape;
    LayerRoom<T>& layer = pass.room.layer(l);
    Workspace<T>& room = pass.room;
    const std::size_t width = padded(shape.width), n = room.length;
    // The padding of q, k and v, which held something else.
    if (width != shape.width) std::fill_n(room.d_wide.data(), pass.rows() * 3 * width, T(0));
    for (std::size_t s = 0; s < pass.sequences; ++s)
        for (std::size_t h = 0; h < shape.heads; ++h) {
            T* const dq = room.d_wide.data() + s * n * 3 * width + h * shape.head_dim();
            HeadGradient<T> to{dq, dq + width, dq + 2 * width, nullptr, nullptr, nullptr, nullptr, nullptr};
            if (gradient.tables != nullptr) {
                const HeadPlaces<T> at(pass, h);
                to.bias = of_head(gradient.tables->bias, at.bias);
                to.weight = of_head(gradient.tables->weight, at.weight);
                to.content_query = of_head(gradient.tables->content_query, at.content);
                to.relative_key = of_head(gradient.tables->relative_key, at.relative);
                to.relative_value = of_head(gradient.tables->relative_value, at.relative);
            }
            attend_back(head_of(pass, layer, s, h), room,
                        {room.d_normed.data() + s * n * width + h * shape.head_dim(), width}, to);
        }
    if (pass.tables.query_along.empty()) return;
    if (gradient.tables != nullptr && !gradient.tables->angle.empty())
        for (const std::size_t side : {std::size_t{0}, width})
            angles_back(pass, layer.qkv.data() + side, room.d_wide.data() + side,
                        gradient.tables->angle.data());
    turn_back(turning(pass, pass.tables.query_along, pass.tables.query_across), room.d_wide.data());
    turn_back(turning(pass, pass.tables.key_along, pass.tables.key_across), room.d_wide.data() + width);
}

// room.dx holds what flows into the layer's result, and then what flows into its input.
template <class T>
void feed_back(const Pass<T>& pass, std::size_t l, const Gradient<T>& gradient) {
    const ModelShape& shape = pass.plan.shape;
    const LayerPlan& at = pass.plan.layers[l];
    LayerRoom<T>& layer = pass.room.layer(l);
    Workspace<T>& room = pass.room;
    const std::size_t rows = pass.rows(), width = padded(shape.width), hidden = padded(shape.hidden);
    const T* const w = pass.numbers;
    T *const dw = gradient.numbers, *const dx = room.dx.data(), *const dn = room.d_normed.data();
    add_rows<T>(rows, width, dx, dw + at.back_bias);
    product_back<T>(room, {rows, shape.hidden, shape.width, layer.hidden.data(), w + at.back, dx,
                           dw + at.back, room.d_wide.data()});
    relu_back<T>(rows * hidden, layer.hidden.data(), room.d_wide.data());
    add_rows<T>(rows, hidden, room.d_wide.data(), dw + at.in_bias);
    product_back<T>(room, {rows, shape.width, shape.hidden, layer.normed2.data(), w + at.in,
                           room.d_wide.data(), dw + at.in, dn});
    norm_back<T>({rows, shape.width, width, w + at.norm2}, layer.x2.data(), layer.inverse2.data(), dn, dx,
                 dw + at.norm2);
    product_back<T>(room,
                    {rows, shape.width, shape.width, layer.mixed.data(), w + at.out, dx, dw + at.out, dn});
}

// ... and what is before it.
template <class T>
void project_back(const Pass<T>& pass, std::size_t l, const Gradient<T>& gradient) {
    const ModelShape& shape = pass.plan.shape;
    const LayerPlan& at = pass.plan.layers[l];
    LayerRoom<T>& layer = pass.room.layer(l);
    Workspace<T>& room = pass.room;
    const std::size_t rows = pass.rows(), width = padded(shape.width);
    const T* const w = pass.numbers;
    T *const dw = gradient.numbers, *const dx = room.dx.data(), *const dn = room.d_normed.data();
    product_back<T>(room, {rows, shape.width, 3 * width, layer.normed1.data(), w + at.qkv, room.d_wide.data(),
                           dw + at.qkv, dn});
    norm_back<T>({rows, shape.width, width, w + at.norm1}, layer.x.data(), layer.inverse1.data(), dn, dx,
                 dw + at.norm1);
}

template <class T>
void embed_back(const Pass<T>& pass, const Gradient<T>& gradient) {
    const std::size_t width = padded(pass.plan.shape.width);
    const bool input = gradient.tables != nullptr && !gradient.tables->input.empty();
    for (std::size_t row = 0; row < pass.rows(); ++row) {
        const T* const dx = pass.room.dx.data() + row * width;
        const auto letter = static_cast<std::size_t>(pass.tokens[row]);
        add_rows<T>(1, width, dx, gradient.numbers + pass.plan.embedding + letter * width);
        if (input) add_rows<T>(1, width, dx, gradient.tables->input.data() + row % pass.room.length * width);
    }
}

// The loss; of each layer, the last one first, what follows attention, attention, the rest; and the letters.
template <class T>
double backward_piece(const Pass<T>& pass, double weight, const Gradient<T>& gradient, std::size_t piece) {
    const ModelShape& shape = pass.plan.shape;
    if (piece > 0 && piece <= 3 * shape.layers) {
        const std::size_t l = shape.layers - 1 - (piece - 1) / 3;
        switch ((piece - 1) % 3) {
            case 0: feed_back(pass, l, gradient); break;
            case 1: attention_back(pass, l, gradient); break;
            default: project_back(pass, l, gradient); break;
        }
        return 0.0;
    }
    Workspace<T>& room = pass.room;
    const std::size_t rows = pass.rows(), width = padded(shape.width), classes = padded(shape.classes);
    T* const dw = gradient.numbers;
    if (piece > 0) {
        embed_back(pass, gradient);
        return 0.0;
    }
    const double loss = cross_entropy<T>(rows, shape.classes, classes, pass.targets.data(),
                                         static_cast<T>(weight), room.logits.data());
    product_back<T>(room,
                    {rows, shape.width, shape.classes, room.normed.data(), pass.numbers + pass.plan.output,
                     room.logits.data(), dw + pass.plan.output, room.d_normed.data()});
    std::fill_n(room.dx.data(), rows * width, T(0));
    norm_back<T>({rows, shape.width, width, pass.numbers + pass.plan.norm}, room.x.data(),
                 room.inverse.data(), room.d_normed.data(), room.dx.data(), dw + pass.plan.norm);
    return loss;
}

void forward_float(const Pass<float>& pass, std::size_t piece) { forward_piece(pass, piece); }
void forward_double(const Pass<double>& pass, std::size_t piece) { forward_piece(pass, piece); }
double backward_float(const Pass<float>& pass, double weight, const Gradient<float>& gradient,
                      std::size_t piece) {
    return backward_piece(pass, weight, gradient, piece);
}
double backward_double(const Pass<double>& pass, double weight, const Gradient<double>& gradient,
                       std::size_t piece) {
    return backward_piece(pass, weight, gradient, piece);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace posiscope::experiment
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posiscope::experiment {
namespace {

HWY_EXPORT(target_name);
HWY_EXPORT(forward_float);
HWY_EXPORT(forward_double);
HWY_EXPORT(backward_float);
HWY_EXPORT(backward_double);

}  // namespace

template <class Real>
Workspace<Real>::Workspace(const ModelShape& shape, std::size_t made_for, std::size_t positions, bool keep)
    : sequences(made_for), length(positions), kept(keep) {
    const std::size_t rows = sequences * length, width = padded(shape.width), hidden = padded(shape.hidden);
    const std::size_t matrix = length * padded(length), head_dim = shape.head_dim();
    for (std::size_t l = 0; l < (kept ? shape.layers : 1); ++l)
        layers.push_back({Buffer<Real>(rows * width), Buffer<Real>(rows), Buffer<Real>(rows * width),
                          Buffer<Real>(rows * 3 * width),
                          Buffer<Real>(kept ? sequences * shape.heads * matrix : matrix),
                          Buffer<Real>(rows * width), Buffer<Real>(rows * width), Buffer<Real>(rows),
                          Buffer<Real>(rows * width), Buffer<Real>(rows * hidden)});
    x = Buffer<Real>(rows * width);
    inverse = Buffer<Real>(rows);
    normed = Buffer<Real>(rows * width);
    logits = Buffer<Real>(rows * padded(shape.classes));
    head_keys = Buffer<Real>(head_dim * padded(length));
    head_queries = Buffer<Real>(length * 3 * width);
    head_distances = Buffer<Real>(length * ModelTables<Real>::distance_stride(length));
    if (!kept) return;
    dx = Buffer<Real>(rows * width);
    d_normed = Buffer<Real>(rows * width);
    d_wide = Buffer<Real>(rows * std::max(3 * width, hidden));
    weight_across = Buffer<Real>(width * std::max({3 * width, hidden, padded(shape.classes)}));
    head_weights_d = Buffer<Real>(matrix);
}

template struct Workspace<float>;
template struct Workspace<double>;

std::size_t forward_pieces(const ModelShape& shape) { return shape.layers * (shape.heads + 2) + 1; }
std::size_t backward_pieces(const ModelShape& shape) { return 3 * shape.layers + 2; }

void forward(const Pass<float>& pass, std::size_t piece) { HWY_DYNAMIC_DISPATCH(forward_float)(pass, piece); }
void forward(const Pass<double>& pass, std::size_t piece) {
    HWY_DYNAMIC_DISPATCH(forward_double)(pass, piece);
}

double backward(const Pass<float>& pass, double weight, const Gradient<float>& gradient, std::size_t piece) {
    return HWY_DYNAMIC_DISPATCH(backward_float)(pass, weight, gradient, piece);
}
double backward(const Pass<double>& pass, double weight, const Gradient<double>& gradient,
                std::size_t piece) {
    return HWY_DYNAMIC_DISPATCH(backward_double)(pass, weight, gradient, piece);
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace posiscope::experiment
#endif
