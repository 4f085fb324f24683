// positions.hpp — which position each token of a row gets: its id, against the one it should get.
// A token i has a true place in its own document, an id that turned its key when it was stored (key_id), and an id as a
// query at step t, when it is the newest (query_id). RoPE sees their difference, tables read row query_id(i); the mask says
// who sees whom. A policy is a rule that code follows for these ids, and a slip of it is what code does by mistake:
//   error = used distance − the distance that the policy means
// Symbols  i token, t step (the token that asks), both 0 …; every value is a closed form of them, so a row may be long.
// Range    i, t ≤ 2^31 − 1; ids of three axes (t, h, w) for images, else all three are equal.  Error  exact.
// Source   the code that assigns the ids, named at each policy (policies.cpp).
#pragma once

#include "core/attention/sight.hpp"
#include "core/parameter.hpp"
#include "core/scene/scene.hpp"

#include <array>
#include <memory>

namespace posiscope {

// Ids of time, height and width.
using AxisIds = std::array<std::int64_t, 3>;
inline constexpr AxisIds on_all_axes(std::int64_t id) { return {id, id, id}; }

struct RowToken {
    enum class Kind { text, pad, patch };

    Kind kind = Kind::text;
    std::int64_t place = 0;     // in its document, pads not counted
    std::int64_t document = 0;  // 0 for all but packed rows
    AxisIds patch{};            // its frame, row and column in the image
};

// One query and one key.
struct RowPair {
    bool seen = false;           // by the mask of the code
    bool meant = false;          // by the mask that is meant
    bool same_document = false;  // else no distance is meant
    std::int64_t place = 0;      // true distance, in their document
    AxisIds should{}, used{};    // distances, by axis

    // The largest error of the axes.
    std::int64_t error() const;
};

// A policy's answers about a row; `slip` asks for the code with the slip of its settings.
class RowRule {
public:
    virtual ~RowRule() = default;

    virtual RowToken token(std::int64_t i) const { return {.place = i}; }
    // The id that the key of token i has for the query at t; stored keys may be rotated anew between two steps.
    virtual AxisIds key_id(std::int64_t, std::int64_t i, bool) const { return on_all_axes(i); }
    virtual AxisIds query_id(std::int64_t t, bool slip) const { return key_id(t, t, slip); }
    // The query's id less the key's, as RoPE has it; maps of distances say otherwise.
    virtual AxisIds distance(std::int64_t t, std::int64_t i, bool slip) const;
    virtual bool kept(std::int64_t, std::int64_t) const { return true; }  // in the cache at step t
    virtual bool sees(std::int64_t t, std::int64_t i, bool slip) const;
    virtual std::int64_t slot(std::int64_t, std::int64_t i) const { return i; }  // of a kept key
    virtual int axes() const { return 1; }
    virtual std::int64_t pads() const { return 0; }  // before the first token
    virtual bool is_cache() const { return false; }  // some keys leave, or change their slots
    // The first step whose query is read by itself; all before are read at once. 0 where the policy has no prompt.
    virtual std::int64_t first_decoded() const { return 0; }
    // The first step at which a row has left the cache; 0 where none ever does.
    virtual std::int64_t first_left() const { return 0; }
};

struct Policy {
    std::string_view kind;  // also "option.ids.KIND.name"
    std::span<const Parameter> parameters;
    std::unique_ptr<RowRule> (*rule)(const Json& parameters);
    std::optional<Problem> (*check)(const Json& parameters) = nullptr;
    // True if a key has one id for all queries, and a distance is the difference of two ids.
    bool fixed_keys = true;
    // The code also reads both ways, so that a key may come later than its query.
    bool both_ways = false;
};

// The value of `slip` where there is none.
inline constexpr std::string_view kNoSlip = "right";

// In the order of the menu; "plain" first.
std::span<const Policy> policies();
std::span<const std::string_view> policy_kinds();
std::span<const Parameter> policy_parameters(std::string_view kind);
const Policy* find_policy(std::string_view kind);  // null when unknown

// The policy of a Scene and its settings: `view.ids` is {"kind": "eviction", "kept": 14, "slip": "kept_rows"}, or a kind alone;
// absent: "plain". Refused with the whole path of a key that is unknown or out of bounds.
Result<Choice> ids_in(const Json& view);

// A row as a Scene describes it.
class Row {
public:
    static Row of(const Choice& ids);
    static Row in(const Json& view);  // of a checked Scene
    // The same in the layer that is selected: its window or its chunks hide keys from the code as from what is meant.
    static Row in_layer(const Json& view, const ScoreInput& scene);

    const Policy& policy() const { return *policy_; }
    // "right", or the slip's name; also "option.ids.slip.NAME.name".
    std::string_view slip() const { return slip_; }
    bool slips() const { return slip_ != kNoSlip; }
    // The slip is in how keys are rotated; ids, and what is looked up or subtracted by them, are right.
    bool rotation_only() const;

    RowToken token(std::int64_t i) const { return rule_->token(i); }
    int axes() const { return rule_->axes(); }
    const Sight& layer() const { return layer_; }
    // The same layer behind the row's pads: chunks count from the first token.
    Sight behind_pads(Sight layer) const;
    bool is_cache() const { return rule_->is_cache(); }
    bool kept(std::int64_t t, std::int64_t i) const { return i <= t && rule_->kept(t, i); }
    std::int64_t slot(std::int64_t t, std::int64_t i) const { return rule_->slot(t, i); }
    std::int64_t first_decoded() const { return rule_->first_decoded(); }
    std::int64_t first_left() const { return rule_->first_left(); }

    // Both as the code has it, slip included.
    bool sees(std::int64_t t, std::int64_t i) const { return rule_->sees(t, i, slips()); }
    AxisIds distance_used(std::int64_t t, std::int64_t i) const { return rule_->distance(t, i, slips()); }
    AxisIds distance_should(std::int64_t t, std::int64_t i) const { return rule_->distance(t, i, false); }

    AxisIds key_should(std::int64_t t, std::int64_t i) const { return rule_->key_id(t, i, false); }
    AxisIds key_used(std::int64_t t, std::int64_t i) const { return rule_->key_id(t, i, slips()); }
    AxisIds query_should(std::int64_t t) const { return rule_->query_id(t, false); }
    AxisIds query_used(std::int64_t t) const { return rule_->query_id(t, slips()); }
    RowPair pair(std::int64_t t, std::int64_t i) const;

private:
    const Policy* policy_ = nullptr;
    std::string slip_;
    std::shared_ptr<const RowRule> rule_;  // immutable
    Sight layer_;                          // without one every earlier key
};

// The keys whose T5 bucket is another one for the used distance than for the one that is meant, of those that the query at t
// sees and should see. t < kMostTokens. Spends some 40 units a key.
struct T5Buckets;
std::int64_t wrong_buckets(const Row& row, std::int64_t t, const T5Buckets& buckets);

// The keys 0 … t that the query at t sees, counted.
inline constexpr std::int64_t kMostTokens = 1'000'000;  // of a row that is counted or listed
struct RowCount {
    std::int64_t keys = 0;                // seen
    std::int64_t off = 0;                 // of them at a wrong distance
    std::int64_t least = 0, most = 0;     // errors of these
    std::int64_t ahead = 0;               // at a negative distance that should not be: as if they came later
    std::int64_t leaks = 0, missing = 0;  // seen though it should not be; not seen though it should
    std::int64_t evicted = 0;             // no longer in the cache
    std::int64_t row_error = 0;           // query id used − meant, on the first axis
    std::int64_t rows_off = 0;  // tokens 0 … t that are no pads, whose own id is not the one meant
};
// t < kMostTokens. Spends some 40 units a key.
RowCount count_row(const Row& row, std::int64_t t);

}  // namespace posiscope
