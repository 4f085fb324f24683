// search.hpp — everything that a matrix is compared with, and how near each came.
#pragma once

#include "core/recognise/candidate.hpp"
#include "core/recognise/slips.hpp"

#include <cmath>
#include <functional>

namespace posiscope::recognition {

// A candidate that was compared, and its distance.
struct Tried {
    Likeness like;
    Difference off;
    double amplitude = 1.0;                    // 0: noise is not looked for
    bool typed = false;                        // with a base near the fitted one
    int cost = 0;                              // 4 for each slip, and how unusual its spectrum is
    bool beside = false;                       // a slip that is said beside an answer without one
    bool usual = false;                        // of a base that most models use, or of the config
    std::function<Difference()> in_full = {};  // where `off` stopped early

    // Another base for the same answer.
    bool varies(const Tried& other) const;
};

inline constexpr int kSlipCost = 4;
// Of an answer: its slips, and another spectrum than the config's.
int cost_of(const Known& known, std::size_t slips, bool with_config);

// Which function comes first in a cache of both. Models of neighbouring pairs have either: GPT-J, CodeGen and RoFormer store
// sin, then cos.
enum class CacheOrder { unknown, cosine_first, either };

Problem cut_slip(const Known& known);

// Holds references to what it is made of, and so does what it takes.
class Search {
public:
    Search(const StoredTensor& dump, const Matrix& matrix, const Precision& precision, CacheOrder cache,
           bool with_config);

    // Tables that begin at position 0, or one off.
    void look(std::span<const Known> config, std::span<const Known> models);
    // Those of a scaling that no config names.
    void look_scaled();
    // Those whose rows hold other positions than their own, and those of which some rows or columns fit nothing.
    void look_at_rows(std::span<const Known> config, std::span<const Known> models);
    // Those that were cut from the middle, and those whose base only all numbers together tell.
    void look_within(std::span<const Known> config, std::span<const Known> models);
    // A query that is rotated: every pair keeps its length, and turns from its first row on.
    void look_for_query(std::span<const Known> config, std::span<const Known> models);

    // Whether the numbers have digits enough for more than a comparison with known tables.
    bool tells() const;
    bool fits() const;
    std::vector<Tried> take() { return std::move(tried_); }

private:
    void compare_with(const Arrangement& a, Order order, const Known& known, const Slipped& slipped,
                      std::int64_t start);
    Tried tried_of(const Arrangement& a, Order order, const Known& known, const Slipped& slipped,
                   const Waves& waves, const Difference& off, std::int64_t start) const;
    void look_for_query(const Arrangement& a, const Known& known, const Slipped& slipped, double longest);
    std::vector<Known> scaled(const Arrangement& a, std::span<const double> rates) const;
    std::vector<Problem> arrangement_slips(const Arrangement& a, Order order, const Known& known) const;
    std::string kind_of(const Arrangement& a, Order order) const;

    const StoredTensor& dump_;
    const Matrix& matrix_;
    const Precision& precision_;
    CacheOrder cache_;
    bool with_config_;
    double best_square_ = HUGE_VAL;
    // Of the dump's columns, each about its mean: constant ones are like a slow cosine, and say nothing.
    double range_ = 0.0, variance_ = 0.0;
    std::int64_t allowance_ = std::int64_t{1} << 22;  // of positions that a cut table may begin at
    std::vector<Tried> tried_;
};

}  // namespace posiscope::recognition
