// action.hpp — the effect of an encoding on attention, so that attention is written once for all encodings.
// An encoding adds to the input, rotates q and k, or adds to the logits; it leaves the members it does not use empty.
//   logit(h, i, j) = weight(h, i, j) · scale · (q_i·k_j + content(h, i, j)) + bias(h, i, j)
//   output(h, i)   = Σ_j a_ij v_j, plus what `value` adds for each a_ij
// i and j are positions of the query and the key; `by_distance` says that only i − j matters.
#pragma once

#include "core/phase/frequencies.hpp"
#include "core/scene/scene.hpp"

#include <functional>
#include <span>

namespace posiscope {

enum class Side { query, key };

// One query and one key in one head.
struct Meeting {
    std::int64_t head = 0;
    std::int64_t query = 0;  // position
    std::int64_t key = 0;
    std::span<const double> q;  // [head_dim], rotated if the encoding rotates
    std::span<const double> k;
};

// A logit as a sum of waves of the distance D: constant + Σ_i (even_i cos D ω_i + odd_i sin D ω_i) e^(D growth_i). The scale
// is included. score_curve evaluates it with a few products per pair and distance.
struct LogitWaves {
    Spectrum spectrum;
    std::vector<double> even, odd;
    double constant = 0.0;
};

// One query and one key before the encoding acts: [d_model] if it adds to the input, else [head_dim].
struct Contents {
    std::int64_t head = 0;
    std::int64_t query = 0;  // position; unused if logits depend on distance alone
    std::span<const double> q, k;
};

struct Action {
    double scale = 1.0;                          // 1/√head_dim; T5 has none
    std::int64_t positions = kLastPosition + 1;  // 0 … positions − 1; a learned table ends
    bool by_distance = true;                     // weight, bias and content depend only on i − j
    bool beside_waves = false;                   // weight and bias are not in `waves`

    std::function<void(std::int64_t position, std::span<double> x)> add;  // x [d_model]
    std::function<void(Side side, std::int64_t position, std::span<double> x)>
        turn;  // x [head_dim], any head
    std::function<double(const Meeting&)> content;
    std::function<double(std::int64_t head, std::int64_t query, std::int64_t key)> weight;
    std::function<double(std::int64_t head, std::int64_t query, std::int64_t key)> bias;
    std::function<void(std::int64_t head, std::int64_t query, std::int64_t key, double share,
                       std::span<double> output)>
        value;
    // The logit of these contents at any distance; empty if it is not a sum of waves.
    std::function<LogitWaves(const Contents&)> waves;

    // Units (core/cost.hpp) of one vector that it adds to or rotates; without these, of one logit's content, weight and bias.
    double cost = 20.0;
    double cost_beside_vectors = 20.0;  // of one logit's content, weight and bias where there are vectors
    double distance_cost = 0.0;         // and once for each distance that it meets

    double vector_units() const { return add || turn ? cost : 0.0; }
    double meeting_units() const {
        return !content && !weight && !bias ? 0.0 : add || turn ? cost_beside_vectors : cost;
    }
};

// An Action with the usual scale 1/√head_dim and no other effect.
Action plain_action(std::int64_t head_dim);

// The Problem of a position past a table; `end` is one past its last.
Problem past_table(std::int64_t position, std::int64_t end);

}  // namespace posiscope
