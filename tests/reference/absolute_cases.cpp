// Tables that are added to the input.
#include "core/attention/attention.hpp"
#include "tests/core/scenes.hpp"
#include "tests/reference/reference.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::reference {
namespace {

void compare_table(Case& c, const char* variant, const Json& width, double base,
                   const std::vector<std::int64_t>& positions, const Json& padding = nullptr) {
    Json encoding = {{"kind", "sinusoidal"}, {"variant", variant}};
    if (!padding.is_null()) encoding["padding_idx"] = padding;
    const Json partial = {{"encoding", encoding}, {"base", base},   {"d_model", width},
                          {"head_dim", width},    {"num_heads", 1}, {"pair", 0}};
    const Scene made = scene(partial.dump());
    std::vector<double> rows;
    for (const std::int64_t position : positions) {
        const auto row = input_table(made, position, 1);
        ASSERT_TRUE(row) << to_string(row.error());
        rows.insert(rows.end(), row->begin(), row->end());
    }
    c.expect("output", rows, static_cast<double>(*std::max_element(positions.begin(), positions.end())));
}

std::vector<std::int64_t> counted(const Json& count) {
    std::vector<std::int64_t> positions(count.get<std::size_t>());
    std::iota(positions.begin(), positions.end(), 0);
    return positions;
}

Handler table(const char* function, const char* variant, const char* length, const char* width) {
    return {function, [=](Case& c) {
                compare_table(c, variant, c.input(width), c.inputs().value("base", 10000.0),
                              counted(c.input(length)));
            }};
}

void fairseq(Case& c) {
    compare_table(c, "fairseq", c.input("embedding_dim"), 10000.0, counted(c.input("num_embeddings")),
                  c.input("padding_idx"));
}

void tensor2tensor(Case& c) {
    compare_table(c, "tensor2tensor", c.input("channels"), c.input("max_timescale").get<double>(),
                  counted(c.input("length")));
}

void sinusoidal_txl(Case& c) {
    compare_table(c, "halves", c.input("demb"), 10000.0, whole(c.input("pos_seq")));
}

}  // namespace

Handlers absolute_handlers() {
    return {
        {"sinusoidal_interleaved_xlm", table("create_sinusoidal_embeddings", "paper", "n_pos", "d_model")},
        {"sinusoidal_interleaved_annotated",
         table("PositionalEncoding.__init__", "paper", "max_len", "d_model")},
        {"sinusoidal_halves_marian",
         table("MarianSinusoidalPositionalEmbedding.create_weight", "halves", "n_pos", "d_model")},
        {"sinusoidal_halves_neox", table("SinusoidalPositionalEmbedding", "halves", "seq", "dim")},
        {"sinusoidal_fairseq", {"SinusoidalPositionalEmbedding.get_embedding", fairseq}},
        {"sinusoidal_t2t", {"get_timing_signal_1d", tensor2tensor}},
        {"sinusoidal_txl", {"PositionalEmbedding.forward", sinusoidal_txl}},
    };
}

}  // namespace posiscope::reference
