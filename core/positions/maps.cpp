// maps.cpp — policies whose ids are plain: masks of layers, and distances that are no difference of two ids.
#include "core/positions/policy.hpp"

#include <algorithm>

namespace posiscope {
namespace {

// A query sees the `window` keys up to its own.  Slips `one_more`, `one_less`: the window is counted without the query's own
// key, or the key at its end is left out.
// Source  Hugging Face, masking_utils.py: sliding_window_overlay, key > query − window; llama.cpp, llama-hparams.cpp: is_masked_swa.
//         Hugging Face's deprecated AttentionMaskConverter has the slip `one_more`.
class Sliding : public RowRule {
public:
    explicit Sliding(const Json& p)
        : window_(count_of(p, "window")),
          by_(slip_is(p, "one_more")   ? 1
              : slip_is(p, "one_less") ? -1
                                       : 0) {}
    bool sees(std::int64_t t, std::int64_t i, bool slip) const override {
        return i > t - window_ - (slip ? by_ : 0);
    }

private:
    std::int64_t window_, by_;
};

// A query sees the keys of its own chunk.  Slip `sliding`: a window of as many keys instead.
// Source  Hugging Face, masking_utils.py: chunked_overlay; Llama 4's layers with positions.
class Chunked : public RowRule {
public:
    explicit Chunked(const Json& p) : chunk_(count_of(p, "chunk")) {}
    bool sees(std::int64_t t, std::int64_t i, bool slip) const override {
        return slip ? i > t - chunk_ : i / chunk_ == t / chunk_;
    }

private:
    std::int64_t chunk_;
};

// Distances below `window` are kept, further ones count groups: ⌊t/G⌋ − ⌊i/G⌋ + w − ⌊w/G⌋.
// Slip `unmapped`: the distances of plain RoPE.
// Source  SelfExtend, arXiv 2401.01325, algorithm 1.
class SelfExtend : public RowRule {
public:
    explicit SelfExtend(const Json& p) : group_(count_of(p, "group")), window_(count_of(p, "window")) {}
    AxisIds distance(std::int64_t t, std::int64_t i, bool slip) const override {
        if (slip || t - i < window_) return on_all_axes(t - i);
        return on_all_axes(t / group_ - i / group_ + window_ - window_ / group_);
    }

private:
    std::int64_t group_, window_;
};

// No distance is above `window`.  Slip `unmapped`.  Source  ReRoPE, https://kexue.fm/archives/9708.
class Rerope : public RowRule {
public:
    explicit Rerope(const Json& p) : window_(count_of(p, "window")) {}
    AxisIds distance(std::int64_t t, std::int64_t i, bool slip) const override {
        return on_all_axes(slip ? t - i : std::min(t - i, window_));
    }

private:
    std::int64_t window_;
};

// Keys have ids i mod s. Queries: t mod s in their own chunk, for the chunk before s + t mod s but at most c − 1, for all
// earlier ones c − 1.  Slip `unmapped`.
// Source  Dual chunk attention, arXiv 2402.17463, section 3. ChunkLlama's code clamps at its chunk_size, which is c − 1 here.
class DualChunk : public RowRule {
public:
    explicit DualChunk(const Json& p) : chunk_(count_of(p, "chunk")), length_(count_of(p, "length")) {}
    AxisIds distance(std::int64_t t, std::int64_t i, bool slip) const override {
        if (slip) return on_all_axes(t - i);
        const std::int64_t apart = t / chunk_ - i / chunk_, in_chunk = t % chunk_;
        const std::int64_t query = apart == 0   ? in_chunk
                                   : apart == 1 ? std::min(chunk_ + in_chunk, length_ - 1)
                                                : length_ - 1;
        return on_all_axes(query - i % chunk_);
    }

private:
    std::int64_t chunk_, length_;
};

std::optional<Problem> check_dual_chunk(const Json& p) {
    if (count_of(p, "length") > count_of(p, "chunk")) return std::nullopt;
    return Problem{"ids.chunk", {{"value", shown(p.at("chunk"))}, {"length", shown(p.at("length"))}}};
}

}  // namespace

const Policy& sliding_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("window", 4, 1),
                                                      slip_parameter({"one_more", "one_less"})};
    static const Policy policy{.kind = "sliding", .parameters = parameters, .rule = make_rule<Sliding>};
    return policy;
}

const Policy& chunked_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("chunk", 4, 1),
                                                      slip_parameter({"sliding"})};
    static const Policy policy{.kind = "chunked", .parameters = parameters, .rule = make_rule<Chunked>};
    return policy;
}

const Policy& self_extend_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("group", 4, 1), count_parameter("window", 8, 1), slip_parameter({"unmapped"})};
    static const Policy policy{
        .kind = "self_extend", .parameters = parameters, .rule = make_rule<SelfExtend>, .fixed_keys = false};
    return policy;
}

const Policy& rerope_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("window", 8, 1),
                                                      slip_parameter({"unmapped"})};
    static const Policy policy{
        .kind = "rerope", .parameters = parameters, .rule = make_rule<Rerope>, .fixed_keys = false};
    return policy;
}

const Policy& dual_chunk_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("chunk", 6, 1), count_parameter("length", 10, 2), slip_parameter({"unmapped"})};
    static const Policy policy{.kind = "dual_chunk",
                               .parameters = parameters,
                               .rule = make_rule<DualChunk>,
                               .check = check_dual_chunk,
                               .fixed_keys = false};
    return policy;
}

}  // namespace posiscope
