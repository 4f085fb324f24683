// content.hpp — what queries and keys hold before position enters.
// equal    every component of q and k is 1.
// seeded   independent components, uniform in [−√3, √3): mean 0, variance 1. A value is a function of
//          (seed, tensor, row, column) alone and of integer arithmetic, so it is the same on every platform.
//          `weights` says what attention's projections are: seeded (variance 1/d_model), or identity.
// tokens   words: `text` as typed (words.hpp), and `order`, which of them stands at each position ([] = as typed).
//          The input at a position is its word's vector, seeded by the word's UTF-8 bytes: the same word has the
//          same vector everywhere. Everything else is as in `seeded`. Attention has as many rows as there are words.
// vectors  `query` and `key`, feature by feature, as somebody has them; a head that is wider begins them again. Every
//          other tensor is as in `equal`.
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

// What `seeded` is made of, for every tensor that stands in for trained weights.
double seeded_unit(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column);  // [0, 1)
double seeded_value(std::uint64_t seed, Tensor tensor, std::int64_t row,
                    std::int64_t column);  // mean 0, variance 1

std::span<const std::string_view> content_kinds();
std::span<const Parameter> content_parameters(std::string_view kind);

double content_value(const Choice& content, Tensor tensor, std::int64_t row, std::int64_t column);
// The whole row, as content_value has it.
void content_values(const Choice& content, Tensor tensor, std::int64_t row, std::span<double> values);
// The row of Tensor::input that a position holds.
std::int64_t input_row(const Choice& content, std::int64_t position);
// How many rows attention has: the words of `tokens`, else the Scene's length.
std::int64_t content_length(const Scene& scene);
// Whether the projections are seeded; else they are the identity.
bool seeded_weights(const Choice& content);

// Whether `query` and `key` of `vectors` are numbers, and not too many.
std::optional<Problem> check_vectors(const Json& parameters);

// A sentence that is given as one text becomes its words.
Json prepared_content(const Json& value);

}  // namespace posiscope
