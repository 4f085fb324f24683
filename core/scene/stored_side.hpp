// stored_side.hpp — one side of a content from files, as they have it: q or k, or what W_q or W_k makes of the input.
#pragma once

#include "core/formats/tensor.hpp"
#include "core/scene/content.hpp"

#include <functional>

namespace posiscope {

struct StoredSide {
    std::int64_t rows = 0, heads = 0, head_dim = 0;  // heads of this side: k may have fewer
    std::string path, name, dtype;
    bool bias = false, norm = false;  // of a checkpoint: what is applied after W
    std::string bias_name = {}, norm_name = {}, norm_bias_name = {};  // their arrays; "" where there is none
    // One row of one head: [head_dim]. Neighbouring rows of a head are computed together.
    std::function<Result<void>(std::int64_t head, std::int64_t row, std::span<double> into)> read;
    // The present stamps of the opened files.
    std::function<std::vector<FileStamp>()> stamps;
};

Result<StoredSide> stored_side(const Choice& content, Tensor side);

// The side of a content of the kind `checkpoint` (checkpoint.cpp).
Result<StoredSide> checkpoint_side(const Choice& content, Tensor side);

const std::string& text_of(const Choice& content, const char* key);  // "" where there is none
std::int64_t number_of(const Choice& content, const char* key);

}  // namespace posiscope
