// plan.hpp — the trained numbers of the model, in one array: which lie where, how they start and how they learn.
// Model    pre-norm Transformer: RMSNorm (ε 1e-6, gain), attention, ReLU MLP with biases, final norm, untied output.
// Rows     of every matrix are padded (buffer.hpp); an input feature is a row, an output feature a column.
#pragma once

#include "core/experiment/buffer.hpp"
#include "core/random.hpp"

#include <string>
#include <vector>

namespace posiscope::experiment {

struct ModelShape {
    std::size_t layers = 2;
    std::size_t heads = 4;
    std::size_t width = 32;
    std::size_t hidden = 64;  // of the MLP
    std::size_t letters = 16;
    std::size_t classes = 16;
    bool causal = true;

    std::size_t head_dim() const { return width / heads; }
    bool operator==(const ModelShape&) const = default;
};

// A matrix or vector of trained numbers. They start normal, or where the encoding that owns them puts them.
struct Group {
    std::string name = {};
    std::size_t rows = 1, columns = 1;
    std::size_t parts = 1;  // so many times `columns` side by side, each padded
    double mean = 0.0, deviation = 0.0;
    bool decays = false;  // AdamW's weight decay
    double rate = 1.0;    // times the common rate
    std::size_t offset = 0;

    std::size_t stride() const { return parts * padded(columns); }
    std::size_t size() const { return rows * stride(); }
};

struct LayerPlan {
    std::size_t norm1, qkv, out, norm2, in, in_bias, back, back_bias;
};

struct Plan {
    ModelShape shape;
    std::vector<Group> groups;
    std::size_t embedding = 0, norm = 0, output = 0;
    std::vector<LayerPlan> layers;
    std::vector<std::size_t> encoding;  // the groups of the encoding, as offsets
    std::size_t size = 0;

    // `own`: what an encoding trains besides.
    Plan(const ModelShape& shape, std::span<const Group> own);

    std::size_t parameters() const;  // without padding
    template <class Real>
    Buffer<Real> start(Random& random) const;
};

}  // namespace posiscope::experiment
