// Tables that are added to the input.
#include "core/encodings/sinusoidal_table.hpp"
#include "tests/reference/reference.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::reference {
namespace {

void compare_table(Case& c, const SinusoidalForm& form, const std::vector<std::int64_t>& positions) {
    const auto rows = sinusoidal_rows(form, positions);
    ASSERT_TRUE(rows) << to_string(rows.error());
    const auto furthest = *std::max_element(positions.begin(), positions.end());
    c.expect("output", *rows, static_cast<double>(furthest) * form.min_timescale);
}

std::vector<std::int64_t> counted(std::int64_t first, const Json& count) {
    std::vector<std::int64_t> positions(count.get<std::size_t>());
    std::iota(positions.begin(), positions.end(), first);
    return positions;
}

Handler table(const char* function, const char* variant, const char* length, const char* width) {
    return {function, [=](Case& c) {
                SinusoidalForm form{variant, c.input(width).get<std::int64_t>(),
                                    c.inputs().value("base", 10000.0)};
                compare_table(c, form, counted(0, c.input(length)));
            }};
}

void fairseq(Case& c) {
    SinusoidalForm form{"fairseq", c.input("embedding_dim").get<std::int64_t>()};
    if (const Json& padding = c.input("padding_idx"); !padding.is_null())
        form.padding_idx = padding.get<std::int64_t>();
    compare_table(c, form, counted(0, c.input("num_embeddings")));
}

void tensor2tensor(Case& c) {
    SinusoidalForm form{"tensor2tensor", c.input("channels").get<std::int64_t>(),
                        c.input("max_timescale").get<double>(), c.input("min_timescale").get<double>()};
    compare_table(c, form, counted(c.input("start_index").get<std::int64_t>(), c.input("length")));
}

void transformer_xl(Case& c) {
    compare_table(c, {"halves", c.input("demb").get<std::int64_t>()}, whole(c.input("pos_seq")));
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
        {"sinusoidal_txl", {"PositionalEmbedding.forward", transformer_xl}},
    };
}

}  // namespace posiscope::reference
