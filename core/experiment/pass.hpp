// pass.hpp — some sequences through the model, forwards and back: the part that takes the time.
// One source, compiled for every set of instructions; the best one of the processor runs. The order of every sum is
// fixed by the shapes alone, so equal input gives equal bits on any thread and at any address; other vector widths
// add in another order.
// Memory   all of it is in the Workspace; a pass allocates nothing.
// Error    the gradient agrees with central differences in float64 to 1e-7 of its largest entry (tests).
// Highway, not target_clones: there the compiler vectorises by itself, and does not find the order in which values interleave.
#pragma once

#include "core/experiment/tables.hpp"

#include <cstdint>

namespace posiscope::experiment {

// The activations that backward needs of forward; with one `layer` for all, forward alone.
template <class Real>
struct LayerRoom {
    Buffer<Real> x, inverse1, normed1, qkv, weights, mixed, x2, inverse2, normed2, hidden;
};

template <class Real>
struct Workspace {
    std::size_t sequences, length;
    bool kept;  // every layer's numbers, and every attention weight, for backward or to be looked at
    std::vector<LayerRoom<Real>> layers;
    Buffer<Real> x, inverse, normed, logits;           // after the last layer
    Buffer<Real> dx, d_normed, d_wide, weight_across;  // [rows, …] of backward, and one matrix transposed
    Buffer<Real> head_keys, head_queries, head_d, head_weights_d, head_distances;  // of one head

    Workspace(const ModelShape& shape, std::size_t sequences, std::size_t length, bool kept);

    LayerRoom<Real>& layer(std::size_t l) { return layers[kept ? l : 0]; }
    // The attention weights of one head: [length, padded(length)].
    std::size_t weights_at(const ModelShape& shape, std::size_t sequence, std::size_t head) const {
        return kept ? (sequence * shape.heads + head) * length * padded(length) : 0;
    }
};

template <class Real>
struct Pass {
    const Plan& plan;
    const Real* numbers;  // [plan.size]
    const ModelTables<Real>& tables;
    Workspace<Real>& room;
    std::span<const std::int32_t> tokens, targets;  // [sequences, length]; a target of −1 counts for nothing
    std::size_t sequences;                          // at most the room's

    std::size_t rows() const { return sequences * room.length; }
};

// The logits of every position: room.logits [rows, padded(classes)]. So many pieces, one after the other: of the largest
// model on 1024 positions each takes some milliseconds.
std::size_t forward_pieces(const ModelShape& shape);
void forward(const Pass<float>& pass, std::size_t piece);
void forward(const Pass<double>& pass, std::size_t piece);
template <class Real>
void forward(const Pass<Real>& pass) {
    for (std::size_t piece = 0; piece < forward_pieces(pass.plan.shape); ++piece) forward(pass, piece);
}

// The targets of gradients: the trained numbers, and the numbers of an encoding's tables.
template <class Real>
struct Gradient {
    Real* numbers;
    ModelTables<Real>* tables;  // may be null
};

// After forward: −Σ ln p(target) over the targets, from the first piece, and with the last one the gradient of `weight` times
// that sum. Uses the logits up.
std::size_t backward_pieces(const ModelShape& shape);
double backward(const Pass<float>& pass, double weight, const Gradient<float>& gradient, std::size_t piece);
double backward(const Pass<double>& pass, double weight, const Gradient<double>& gradient, std::size_t piece);

// The set of instructions that runs now: "AVX3".
const char* instruction_set();

}  // namespace posiscope::experiment
