// tokens.hpp — attention over a row of tokens that get their positions from ids (positions/positions.hpp), as a Scene's
// `view.ids` describes them. Without ids a row's position is its number.
// For token i and a query at step t:
//   a table is read at row query_id(i); q is rotated by query_id(t), k by key_id(t, i); a bias is that of the used distance;
//   what is right where only the rotation of keys slips, is right; what the ids' mask hides has logit −∞
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/positions/positions.hpp"

namespace posiscope {

// The ids of a checked Scene's view; null for those that are the numbers of the rows.
const Json& token_ids(const Json& view);

// The part of a Scene that attention depends on, with its ids where it has some.
struct TokenInput : AttentionInput {
    Json ids;  // or null

    TokenInput() = default;
    TokenInput(const AttentionInput& plain) : AttentionInput(plain) {}
    TokenInput(const Scene& scene) : AttentionInput(scene), ids(token_ids(scene.view)) {}

    bool operator==(const TokenInput&) const = default;
    // Copies nothing.
    bool is_of(const Scene& scene) const {
        return static_cast<const AttentionInput&>(*this) == static_cast<const AttentionInput&>(scene) &&
               ids == token_ids(scene.view);
    }
};

// The ids of the rows that attention has.
class TokenRow {
public:
    // Nothing where there are none.
    static std::optional<TokenRow> of(const TokenInput& scene);

    const Row& row() const { return row_; }
    // Why a query does not see a key, whatever the Scene's own mask says.
    enum class Cause { none, pad, document, evicted, policy };
    Cause hides(std::int64_t query, std::int64_t key) const;
    bool pad(std::int64_t row) const { return row_.token(row + start_).kind == RowToken::Kind::pad; }

private:
    TokenRow(Row row, std::int64_t start) : row_(std::move(row)), start_(start) {}

    Row row_;
    std::int64_t start_ = 0;  // the token of the first row
};

// The keys that the Scene's mask and its layer let a query see; chunks count from the first token that is no pad.
// Source  Hugging Face, masking_utils.py: chunked_overlay, left_padding.
Sight sight_of(const TokenInput& scene);

// The row of a table that token i reads: its id. Refused on axes that the encoding does not have.
Result<std::int64_t> table_row(const TokenInput& scene, std::int64_t i);

// A Scene's Action with the ids of its tokens in place of the positions that it is asked for; `masked`: with −∞ where they
// hide. Refused for ids past a table's end among the first `tokens`, on axes that the encoding does not have, and of code
// that reads from left to right where the mask does not.
Result<Action> with_ids(const AttentionInput& scene, const Json& ids, std::int64_t tokens, bool masked);

}  // namespace posiscope
