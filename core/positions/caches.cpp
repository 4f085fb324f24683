// caches.cpp — policies of what a cache keeps, and which ids its keys then have.
#include "core/positions/policy.hpp"

#include <algorithm>

namespace posiscope {
namespace {

// A prompt of some tokens, then one token a step. Ids s_t = tokens so far.  Slips `reset`: 0 at every step; `ahead`: the
// count includes the token itself.
// Source  Hugging Face, generation/utils.py: cache_position; llama.cpp, batch.pos.
class Decode : public RowRule {
public:
    explicit Decode(const Json& p) : prompt_(count_of(p, "prompt")), zero_(slip_is(p, "reset")) {}
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        return on_all_axes(!slip || i < prompt_ ? i : zero_ ? 0 : i + 1);
    }
    std::int64_t first_decoded() const override { return prompt_; }

private:
    std::int64_t prompt_;
    bool zero_;
};

// A cache of `window` slots, token p in slot p mod window; its id stays p.  Slip `slot`: the slot is the id.
// Source  Mistral's reference code, cache.py: the rotating buffer.
class Rolling : public RowRule {
public:
    explicit Rolling(const Json& p) : window_(count_of(p, "window")) {}
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        return on_all_axes(slip ? i % window_ : i);
    }
    bool is_cache() const override { return true; }
    bool kept(std::int64_t t, std::int64_t i) const override { return i > t - window_; }
    std::int64_t slot(std::int64_t, std::int64_t i) const override { return i % window_; }
    std::int64_t first_left() const override { return window_; }

private:
    std::int64_t window_;
};

// StreamingLLM: the first `sinks` tokens and the `recent` ones before the query. Ids by place in the cache; keys are stored
// unrotated, or rotated anew.  Slip `rotated`: keys stay rotated by their own number, the query has its place in the cache.
// Source  arXiv 2309.17453, section 3.2, and its repository: pos_shift/modify_llama.py, kv_cache.py.
class Sinks : public RowRule {
public:
    explicit Sinks(const Json& p) : sinks_(count_of(p, "sinks")), recent_(count_of(p, "recent")) {}
    AxisIds key_id(std::int64_t t, std::int64_t i, bool slip) const override {
        return on_all_axes(i == t || !slip ? slot(t, i) : i);
    }
    bool is_cache() const override { return true; }
    bool kept(std::int64_t t, std::int64_t i) const override { return i < sinks_ || i >= t - recent_; }
    std::int64_t slot(std::int64_t t, std::int64_t i) const override {
        return i < sinks_ ? i : i - std::max<std::int64_t>(0, t - sinks_ - recent_);
    }
    std::int64_t first_left() const override { return sinks_ + recent_ + 1; }

private:
    std::int64_t sinks_, recent_;
};

// After a prompt all but `kept` rows leave the cache: the `recent` ones stay, and of the others the first four and some
// spread evenly, which stand for those that attention chose. Keys keep their ids and s_t counts all tokens read. With
// `each_step` the number of rows stays what it is, and the recent ones move on.  Slip `kept_rows`: s_t is the number of rows.
// Source  SnapKV, arXiv 2404.14469; H2O, arXiv 2306.14048; TOVA, arXiv 2401.06104, whose caches report the rows they keep.
class Eviction : public RowRule {
public:
    explicit Eviction(const Json& p)
        : prompt_(count_of(p, "prompt")),
          recent_(std::min(count_of(p, "recent"), prompt_)),
          kept_(std::min(count_of(p, "kept"), prompt_)),
          first_(std::min<std::int64_t>(4, kept_ - recent_)),
          chosen_(kept_ - recent_ - first_),
          among_(prompt_ - recent_ - first_),
          each_step_(p.at("each_step").get<bool>()) {}
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        if (!slip || i < prompt_) return on_all_axes(i);
        return on_all_axes(each_step_ ? kept_ : kept_ + i - prompt_);
    }
    bool is_cache() const override { return true; }
    bool kept(std::int64_t t, std::int64_t i) const override {
        if (t < prompt_ || i >= first_recent(t) || i < first_) return true;
        const std::int64_t before = chosen_before(i);
        return before < chosen_ && chosen_at(before) == i;
    }
    std::int64_t slot(std::int64_t t, std::int64_t i) const override {
        if (t < prompt_ || i < first_) return i;
        const std::int64_t recent = first_recent(t);
        return first_ + (i < recent ? chosen_before(i) : chosen_ + i - recent);
    }
    std::int64_t first_decoded() const override { return prompt_; }
    std::int64_t first_left() const override {
        return kept_ < prompt_ ? prompt_ : each_step_ ? prompt_ + 1 : 0;
    }

private:
    std::int64_t first_recent(std::int64_t t) const { return each_step_ ? t - recent_ : prompt_ - recent_; }
    std::int64_t chosen_at(std::int64_t n) const { return first_ + (2 * n + 1) * among_ / (2 * chosen_); }
    // How many of them are before token i.
    std::int64_t chosen_before(std::int64_t i) const {
        if (chosen_ == 0 || i <= first_) return 0;
        std::int64_t n = std::min(chosen_, (i - first_) * chosen_ / std::max<std::int64_t>(among_, 1));
        while (n > 0 && chosen_at(n - 1) >= i) --n;
        while (n < chosen_ && chosen_at(n) < i) ++n;
        return n;
    }

    std::int64_t prompt_, recent_, kept_;
    std::int64_t first_, chosen_,
        among_;  // of the rows that are not recent: the first ones, others, out of how many
    bool each_step_;
};

std::optional<Problem> check_eviction(const Json& p) {
    if (count_of(p, "recent") <= count_of(p, "kept")) return std::nullopt;
    return Problem{"ids.recent", {{"value", shown(p.at("recent"))}, {"maximum", shown(p.at("kept"))}}};
}

// A full cache of n_ctx rows drops half of what follows the first n_keep; those after it move up, and their keys are rotated
// by as much.  Slip `unrotated`: ids move, keys stay as they were rotated when they were stored.
// Source  llama.cpp, tools/main/main.cpp: n_discard = n_left / 2, llama_memory_seq_rm, llama_memory_seq_add (the shift of K).
class ContextShift : public RowRule {
public:
    explicit ContextShift(const Json& p)
        : context_(count_of(p, "n_ctx")), keep_(count_of(p, "n_keep")), discard_((context_ - keep_) / 2) {}
    AxisIds key_id(std::int64_t t, std::int64_t i, bool slip) const override {
        return on_all_axes(slot(slip ? i : t, i));
    }
    bool is_cache() const override { return true; }
    bool kept(std::int64_t t, std::int64_t i) const override {
        return i < keep_ || i - shifts(t) * discard_ >= keep_;
    }
    std::int64_t slot(std::int64_t t, std::int64_t i) const override {
        return i < keep_ ? i : i - shifts(t) * discard_;
    }
    std::int64_t first_left() const override { return context_; }

private:
    // Made before token t is read.
    std::int64_t shifts(std::int64_t t) const { return t < context_ ? 0 : 1 + (t - context_) / discard_; }

    std::int64_t context_, keep_, discard_;
};

std::optional<Problem> check_shift(const Json& p) {
    if (count_of(p, "n_keep") + 2 <= count_of(p, "n_ctx")) return std::nullopt;
    return Problem{"ids.n_keep",
                   {{"value", shown(p.at("n_keep"))},
                    {"context", shown(p.at("n_ctx"))},
                    {"maximum", std::to_string(count_of(p, "n_ctx") - 2)}}};
}

}  // namespace

const Policy& decode_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("prompt", 8),
                                                      slip_parameter({"reset", "ahead"})};
    static const Policy policy{.kind = "decode", .parameters = parameters, .rule = make_rule<Decode>};
    return policy;
}

const Policy& rolling_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("window", 8, 1),
                                                      slip_parameter({"slot"})};
    static const Policy policy{.kind = "rolling", .parameters = parameters, .rule = make_rule<Rolling>};
    return policy;
}

const Policy& sinks_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("sinks", 4), count_parameter("recent", 3), slip_parameter({"rotated"})};
    static const Policy policy{
        .kind = "sinks", .parameters = parameters, .rule = make_rule<Sinks>, .fixed_keys = false};
    return policy;
}

const Policy& eviction_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("prompt", 24, 1, 1e9),
        count_parameter("kept", 14, 1),
        count_parameter("recent", 8),
        {.key = "each_step", .kind = Parameter::Kind::boolean, .fallback = false},
        slip_parameter({"kept_rows"})};
    static const Policy policy{
        .kind = "eviction", .parameters = parameters, .rule = make_rule<Eviction>, .check = check_eviction};
    return policy;
}

const Policy& context_shift_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("n_ctx", 16, 2), count_parameter("n_keep", 4), slip_parameter({"unrotated"})};
    static const Policy policy{.kind = "context_shift",
                               .parameters = parameters,
                               .rule = make_rule<ContextShift>,
                               .check = check_shift,
                               .fixed_keys = false};
    return policy;
}

}  // namespace posiscope
