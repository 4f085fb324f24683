#include "core/experiment/plan.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace {

std::size_t add(Plan& plan, Group group) {
    group.offset = plan.size;
    plan.size += group.size();
    plan.groups.push_back(std::move(group));
    return plan.groups.back().offset;
}

Group matrix(std::string name, std::size_t rows, std::size_t columns, double deviation) {
    return {
        .name = std::move(name), .rows = rows, .columns = columns, .deviation = deviation, .decays = true};
}

Group gain(std::string name, std::size_t columns) {
    return {.name = std::move(name), .columns = columns, .mean = 1.0};
}

}  // namespace

Plan::Plan(const ModelShape& made, std::span<const Group> own) : shape(made) {
    const double fan = 1.0 / std::sqrt(static_cast<double>(shape.width));
    const double hidden_fan = 1.0 / std::sqrt(static_cast<double>(shape.hidden));
    const double depth = 1.0 / std::sqrt(2.0 * static_cast<double>(shape.layers));
    embedding = add(*this, matrix("embedding", shape.letters, shape.width, 1.0));
    for (std::size_t l = 0; l < shape.layers; ++l) {
        const std::string at = "layer" + std::to_string(l) + ".";
        LayerPlan layer{};
        layer.norm1 = add(*this, gain(at + "norm1", shape.width));
        Group qkv = matrix(at + "qkv", shape.width, shape.width, fan);
        qkv.parts = 3;
        layer.qkv = add(*this, std::move(qkv));
        layer.out = add(*this, matrix(at + "out", shape.width, shape.width, fan * depth));
        layer.norm2 = add(*this, gain(at + "norm2", shape.width));
        layer.in = add(*this, matrix(at + "in", shape.width, shape.hidden, fan));
        layer.in_bias = add(*this, {.name = at + "in_bias", .columns = shape.hidden});
        layer.back = add(*this, matrix(at + "back", shape.hidden, shape.width, hidden_fan * depth));
        layer.back_bias = add(*this, {.name = at + "back_bias", .columns = shape.width});
        layers.push_back(layer);
    }
    norm = add(*this, gain("norm", shape.width));
    output = add(*this, matrix("output", shape.width, shape.classes, fan));
    for (const Group& group : own) encoding.push_back(add(*this, group));
}

std::size_t Plan::parameters() const {
    std::size_t count = 0;
    for (const Group& group : groups) count += group.rows * group.parts * group.columns;
    return count;
}

template <class Real>
Buffer<Real> Plan::start(Random& random) const {
    Buffer<Real> numbers(size);
    for (const Group& group : groups)
        for (std::size_t row = 0; row < group.rows * group.parts; ++row)
            for (std::size_t column = 0; column < group.columns; ++column) {
                double number = group.mean;
                if (group.deviation != 0.0) number += group.deviation * random.normal();
                numbers[group.offset + row * padded(group.columns) + column] = static_cast<Real>(number);
            }
    return numbers;
}

template Buffer<float> Plan::start<float>(Random&) const;
template Buffer<double> Plan::start<double>(Random&) const;

}  // namespace posiscope::experiment
