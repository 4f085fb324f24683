// positions.hpp — what the figures of a row share: the row that the Scene describes, the token that asks and the marked key,
// what is counted over its keys, and which tokens have a column.
#pragma once

#include "app/figures/figure.hpp"
#include "core/positions/positions.hpp"

#include <cmath>

namespace posiscope::figures::rows {

// The later of p and p + k asks, the earlier one is the marked key: one step of decoding reads one more token.
inline std::int64_t step_of(const Scene& scene) {
    return std::max(scene.position, scene.position + scene.offset);
}
inline std::int64_t key_of(const Scene& scene) {
    return std::min(scene.position, scene.position + scene.offset);
}
// The same scene with another step, or another marked key, at or before it.
void set_step(Frame& f, std::int64_t step);
void set_key(Frame& f, std::int64_t key);

const Kept<Json>& ids_of(Frame& f);  // the view's; null where there are none
const Row& row_of(Frame& f);         // in the layer that is selected
const Kept<Row>& kept_row(Frame& f);
const Row& row_of(Derived& derived, const Scene& scene);
// False in a layer of a rotary model that rotates nothing (NoPE).
bool layer_rotates(Frame& f);
// Null while it is counted, and for rows past kMostTokens.
const RowCount* count_of(Frame& f);
// Says so where the row is too long; whether it did.
bool too_long(Frame& f, Rect area);

// "−10", "−13 to −3".
std::string_view errors(Frame& f, const RowCount& count);
// "unrotated" of a policy: "positions.PREFIX.POLICY.SLIP", or "positions.right.POLICY".
std::string_view sentence_key(Frame& f, std::string_view prefix);
// Filled in with every number of the row's count.
std::string_view sentence(Frame& f, std::string_view key, const RowCount& count);
// The same of a mask that is wrong: KEY_more where no key is missing, KEY_fewer where none is too many.
std::string_view mask_sentence(Frame& f, std::string_view key, const RowCount& count);

// Tokens 0 … step side by side; where there is no room for all, the first ones and those up to the step.
class Columns {
public:
    // `least`: a column's narrowest width; `reserve`: as many tokens will come, so that columns keep their width, where
    // they can be as wide as `wanted`.
    Columns(float left, float right, std::int64_t step, std::int64_t reserve, float least, float wanted,
            float zoom = 1.0F);

    int count() const { return count_; }
    float width() const { return width_; }
    bool is_gap(int column) const { return column == gap_; }
    std::int64_t token(int column) const {
        return gap_ < 0 || column < gap_ ? column : last_ - (count_ - 1 - column);
    }
    float left(int column) const { return left_ + width_ * static_cast<float>(column); }
    float middle(int column) const { return left_ + width_ * (static_cast<float>(column) + 0.5F); }
    bool whole() const { return gap_ < 0; }
    std::optional<int> column_of(std::int64_t token) const;
    // The token under x, clamped to the row; those of the gap are none.
    std::optional<std::int64_t> token_at(float x) const;

private:
    float left_, width_;
    int count_ = 0, gap_ = -1;
    std::int64_t last_;
};

// So many tokens have a column from the start, that columns keep their width while the row grows to twice as many.
std::int64_t reserve_for(const Scene& scene, std::int64_t step);

// Diagonal lines over what a query does not see.
void hatch(Frame& f, Rect area);

// A mode of the scores: precision over a cache's life (shifts.cpp).
std::string_view shifts_headline(Frame& f);
void draw_shifts(Frame& f, Rect area);

// Room for a text, in steps: letters are a little wider on a screen than on paper, and what stands beside them must not move.
inline float room_for(float width) { return 8.0F * std::ceil(0.125F * width); }

}  // namespace posiscope::figures::rows
