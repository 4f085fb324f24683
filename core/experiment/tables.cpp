#include "core/experiment/tables.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace {

// The pair maps of one side, from what turning does to each unit vector; nothing where it crosses pairs.
std::optional<PairMaps> pair_maps(const Action& action, Side side, std::size_t head_dim,
                                  std::size_t positions) {
    PairMaps maps;
    maps.along.resize(positions * head_dim);
    maps.across.resize(positions * head_dim);
    std::vector<double> unit(head_dim);
    for (std::size_t p = 0; p < positions; ++p)
        for (std::size_t f = 0; f < head_dim; ++f) {
            std::fill(unit.begin(), unit.end(), 0.0);
            unit[f] = 1.0;
            action.turn(side, static_cast<std::int64_t>(p), unit);
            const std::size_t partner = f ^ 1;
            maps.along[p * head_dim + f] = unit[f];
            maps.across[p * head_dim + partner] = unit[partner];
            unit[f] = unit[partner] = 0.0;
            for (const double rest : unit)
                if (rest != 0.0) return std::nullopt;
        }
    return maps;
}

void fill_bias(const Action& action, const ModelShape& shape, Tables& tables) {
    const auto n = static_cast<std::int64_t>(tables.positions);
    for (std::int64_t h = 0; h < static_cast<std::int64_t>(shape.heads); ++h) {
        if (action.by_distance) {
            for (std::int64_t r = 0; r < 2 * n - 1; ++r) {
                const std::int64_t distance = n - 1 - r;
                tables.bias_by_distance.push_back(action.bias(h, std::max<std::int64_t>(distance, 0),
                                                              std::max<std::int64_t>(-distance, 0)));
            }
            continue;
        }
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) tables.bias.push_back(action.bias(h, i, j));
    }
}

template <class Real>
void copy_rows(std::span<const double> from, std::size_t rows, std::size_t columns, Buffer<Real>& to,
               std::size_t stride) {
    if (from.empty()) return;
    to = Buffer<Real>(rows * stride);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            to[row * stride + column] = static_cast<Real>(from[row * columns + column]);
}

template <class Real>
std::vector<double> rows_back(const Buffer<Real>& from, std::size_t rows, std::size_t columns,
                              std::size_t stride) {
    std::vector<double> to;
    if (from.empty()) return to;
    to.reserve(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            to.push_back(static_cast<double>(from[row * stride + column]));
    return to;
}

// A table of one head for all heads, side by side.
template <class Real>
void repeat_heads(std::span<const double> from, const ModelShape& shape, std::size_t positions,
                  Buffer<Real>& to) {
    if (from.empty()) return;
    const std::size_t stride = padded(shape.width), head_dim = shape.head_dim();
    to = Buffer<Real>(positions * stride);
    for (std::size_t p = 0; p < positions; ++p)
        for (std::size_t f = 0; f < shape.width; ++f)
            to[p * stride + f] = static_cast<Real>(from[p * head_dim + f % head_dim]);
}

template <class Real>
Buffer<Real> across(std::span<const double> rows, const ModelShape& shape, std::size_t positions) {
    if (rows.empty()) return {};
    const std::size_t distances = 2 * positions - 1, head_dim = shape.head_dim();
    const std::size_t stride = ModelTables<Real>::distance_stride(positions);
    Buffer<Real> to(shape.heads * head_dim * stride);
    for (std::size_t h = 0; h < shape.heads; ++h)
        for (std::size_t r = 0; r < distances; ++r)
            for (std::size_t f = 0; f < head_dim; ++f)
                to[(h * head_dim + f) * stride + r] =
                    static_cast<Real>(rows[(h * distances + r) * head_dim + f]);
    return to;
}

}  // namespace

std::optional<Tables> tables_of(const Action& action, const ModelShape& shape, std::size_t positions) {
    Tables tables;
    tables.positions = positions;
    if (action.content || action.weight || action.value) return std::nullopt;
    if (action.add) {
        tables.input.resize(positions * shape.width, 0.0);
        for (std::size_t p = 0; p < positions; ++p)
            action.add(static_cast<std::int64_t>(p),
                       std::span(tables.input).subspan(p * shape.width, shape.width));
    }
    if (action.turn) {
        auto query = pair_maps(action, Side::query, shape.head_dim(), positions);
        auto key = pair_maps(action, Side::key, shape.head_dim(), positions);
        if (!query || !key) return std::nullopt;
        tables.query = std::move(*query);
        tables.key = std::move(*key);
    }
    if (action.bias) fill_bias(action, shape, tables);
    return tables;
}

template <class Real>
ModelTables<Real>::ModelTables(const Tables& tables, const ModelShape& shape)
    : positions(tables.positions),
      by_distance(!tables.bias_by_distance.empty()),
      weight_by_distance(!tables.weight_by_distance.empty()) {
    const std::size_t width = padded(shape.width), n = positions;
    copy_rows<Real>(tables.input, n, shape.width, input, width);
    repeat_heads<Real>(tables.query.along, shape, n, query_along);
    repeat_heads<Real>(tables.query.across, shape, n, query_across);
    repeat_heads<Real>(tables.key.along, shape, n, key_along);
    repeat_heads<Real>(tables.key.across, shape, n, key_across);
    const auto of_logits = [&](std::span<const double> near, std::span<const double> whole,
                               Buffer<Real>& to) {
        const std::size_t size = near.empty() ? n * padded(n) : distance_stride(n);
        if (near.empty()) copy_rows<Real>(whole, shape.heads * n, n, to, padded(n));
        else copy_rows<Real>(near, shape.heads, tables.distances(), to, size);
        return size;
    };
    bias_size = of_logits(tables.bias_by_distance, tables.bias, bias);
    weight_size = of_logits(tables.weight_by_distance, tables.weight, weight);
    const std::size_t rows = shape.heads * tables.distances();
    copy_rows<Real>(tables.relative_key, rows, shape.head_dim(), relative_key, shape.head_dim());
    copy_rows<Real>(tables.relative_value, rows, shape.head_dim(), relative_value, shape.head_dim());
    relative_key_across = across<Real>(tables.relative_key, shape, n);
    relative_value_across = across<Real>(tables.relative_value, shape, n);
    copy_rows<Real>(tables.content_query, 1, shape.width, content_query, width);
    copy_rows<Real>(tables.angle, n, shape.head_dim() / 2, angle, shape.head_dim() / 2);
}

template <class Real>
ModelTables<Real> ModelTables<Real>::gradient_room(const Tables& tables, const ModelShape& shape) {
    Tables kept = tables;
    kept.query = kept.key = {};
    kept.angle.assign(tables.angles ? tables.positions * shape.head_dim() / 2 : 0, 0.0);
    ModelTables room(kept, shape);
    room.relative_key_across = room.relative_value_across = {};
    room.clear();
    return room;
}

template <class Real>
Tables ModelTables<Real>::gradient(const Tables& tables, const ModelShape& shape) const {
    Tables made;
    made.positions = positions;
    const std::size_t width = padded(shape.width), n = positions, rows = shape.heads * tables.distances();
    made.input = rows_back(input, n, shape.width, width);
    const auto of_logits = [&](const Buffer<Real>& from, bool near, std::size_t size) {
        return near ? rows_back(from, shape.heads, tables.distances(), size)
                    : rows_back(from, shape.heads * n, n, padded(n));
    };
    (by_distance ? made.bias_by_distance : made.bias) = of_logits(bias, by_distance, bias_size);
    (weight_by_distance ? made.weight_by_distance : made.weight) =
        of_logits(weight, weight_by_distance, weight_size);
    made.angle = rows_back(angle, n, shape.head_dim() / 2, shape.head_dim() / 2);
    made.relative_key = rows_back(relative_key, rows, shape.head_dim(), shape.head_dim());
    made.relative_value = rows_back(relative_value, rows, shape.head_dim(), shape.head_dim());
    made.content_query = rows_back(content_query, 1, shape.width, width);
    return made;
}

template <class Real>
void ModelTables<Real>::clear() {
    for (Buffer<Real>* buffer :
         {&input, &bias, &weight, &angle, &relative_key, &relative_value, &content_query})
        buffer->clear();
}

template struct ModelTables<float>;
template struct ModelTables<double>;

}  // namespace posiscope::experiment
