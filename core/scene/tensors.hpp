// tensors.hpp — the queries and keys of a model, from files: content of the kinds `tensors` and `checkpoint`.
// tensors: q and k as they were saved.
// query, key      the files (formats/tensor.hpp); query_name, key_name: their arrays in .safetensors files
// axes            of three dimensions [position, head, feature] or [head, position, feature]; of four the first is the
//                 batch, of two there is one head. `auto`: positions first; of four dimensions heads first.
// batch           the one that is read
// head            of the queries; with H query heads and K key heads, query head h meets key head ⌊h K / H⌋ (GQA)
// start           the position of the first row
// rotated_by      the encoding (encoding, base, layout, …) that had rotated q and k when they were saved; it is undone,
//                 within a few ulp, by the inverse of each pair's 2 × 2 matrix. Empty: they were saved before rotation.
// query_row, key_row  the rows that scores by distance keep fixed; absent: the mean of all rows, so that the score is the mean
//                 logit of queries and keys that are independent of each other
// text            the token of each row, if given
// checkpoint: q = x W_qᵀ + b_q and k = x W_kᵀ + b_k, before rotation (checkpoint.cpp).
// file, key_file  the checkpoint; W_k's, if it is in another file. .npy has W alone.
// layer           whose W_q and W_k are looked for by their names; query_name and key_name say them instead
// head_dim        of a row of W; absent: the width of the checkpoint's q_norm
// norm, norm_eps  what is applied to q and k of each head where the checkpoint has weights for it
// input           x [positions, d_model], as the projections receive it; absent: the seeded input, of variance 1
// query_row, key_row  as above; of seeded input, row 0 where absent
// The Scene's num_heads and head_dim are the files'; its length says how many rows are used, if there are so many.
// Memory   the rows of a few heads, kept between Scenes; of a file, only what is asked for is read.
#pragma once

#include "core/scene/content.hpp"

#include <memory>

namespace posiscope {

inline constexpr std::int64_t kMostStoredRow = std::int64_t{1} << 23;  // numbers of one head: rows · head_dim

// Sizes and type of stored q and k, as their files begin with.
struct StoredHeads {
    std::int64_t rows = 0, heads = 0, key_heads = 0, head_dim = 0;
    std::string dtype;
    bool bias = false, norm = false;  // a checkpoint's, applied after W
};
Result<StoredHeads> stored_heads(const Choice& content);

bool is_stored(const Choice& content);  // the kind is `tensors` or `checkpoint`
bool is_checkpoint(const Choice& content);

// The keys of a content of this kind whose values are paths.
std::span<const char* const> stored_file_keys(std::string_view kind);

// Why a Scene's q and k cannot be used: files that cannot be read or do not fit each other or the Scene's heads. Nothing
// for content of another kind.
std::optional<Problem> stored_problem(const ScoreInput& scene);

// Rows 0 … `rows` − 1 of one head, before rotation: [rows, head_dim] of the Scene, all of them, or the Problem that
// stored_problem has. `head` counts query heads on either side. Files that have changed since their headers were read are
// forgotten and refused (content.replaced); from then on they are read anew.
using StoredRows = std::shared_ptr<const std::vector<double>>;
Result<StoredRows> stored_rows(const ScoreInput& scene, Tensor side, std::int64_t head, std::int64_t rows);

// The head and the vector that scores by distance keep fixed: [head_dim].
std::int64_t stored_head(const Choice& content);
Result<StoredRows> stored_vector(const Choice& content, Tensor side);
std::optional<std::int64_t> stored_row(const Choice& content, Tensor side);  // nothing: the mean of all rows

std::int64_t stored_start(const Choice& content);

// The files of a content of this kind, and the same from the files again if they have changed.
void forget_stored(const std::string& path);

// The Problem of a list of token texts or of a `rotated_by` that no Scene could have.
std::optional<Problem> check_stored(const Json& parameters);

}  // namespace posiscope
