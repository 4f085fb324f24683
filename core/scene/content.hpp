// content.hpp — the values of queries and keys before positions are applied.
// equal    every component of q and k is 1.
// seeded   independent components, uniform in [−√3, √3): mean 0, variance 1. A value is a function of
//          (seed, tensor, row, column) only, in integer arithmetic, so it is the same on every platform.
//          `weights` selects attention's projections: seeded (variance 1/d_model) or identity.
// tokens   words: `text` as typed (words.hpp), and `order`, the index of the word at each position ([] = as typed).
//          The input at a position is its word's vector, seeded by the word's UTF-8 bytes: the same word has the
//          same vector everywhere. Everything else is as in `seeded`. Attention has one row per word.
// vectors  `query` and `key` are given feature by feature; a wider head repeats them. Every other tensor is as in
//          `equal`.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

enum class Tensor : std::uint64_t {
    query = 1,
    key = 2,
    value = 3,
    input = 4,
    query_weight = 5,
    key_weight = 6,
    value_weight = 7,
    output_weight = 8,
    position_table = 9,
    relative_key = 10,
    relative_value = 11,
    relative_weight = 12,
    content_bias = 13,
    position_bias = 14,
    bucket_bias = 15,
    kerple = 16,
    fire_in = 17,
    fire_out = 18,
};

// The generator of `seeded`, for every tensor that replaces trained weights.
double seeded_unit(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column);  // [0, 1)
double seeded_value(std::uint64_t seed, Tensor tensor, std::int64_t row,
                    std::int64_t column);  // mean 0, variance 1

// A whole row of it, from column 0 on.
void seeded_values(std::uint64_t seed, Tensor tensor, std::int64_t row, std::span<double> values);

std::span<const std::string_view> content_kinds();
std::span<const Parameter> content_parameters(std::string_view kind);

double content_value(const Choice& content, Tensor tensor, std::int64_t row, std::int64_t column);
// A whole row of content_value.
void content_values(const Choice& content, Tensor tensor, std::int64_t row, std::span<double> values);
// The row of Tensor::input at a position.
std::int64_t input_row(const Choice& content, std::int64_t position);
// The number of rows of attention: the words of `tokens`, else the Scene's length.
std::int64_t content_length(const ScoreInput& scene);
// True if the projections are seeded; else they are the identity.
bool seeded_weights(const Choice& content);

// The Problem, if `query` or `key` of `vectors` is not a list of numbers or is too long.
std::optional<Problem> check_vectors(const Json& parameters);

// Splits a sentence that is given as one text into words.
Json prepared_content(const Json& value);

}  // namespace posiscope
