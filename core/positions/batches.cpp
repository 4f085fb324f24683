// batches.cpp — policies of what is read at once: padding, tables that begin later, packed documents, chunks that are read
// elsewhere, trees of drafts, images in text.
#include "core/positions/policy.hpp"

#include <algorithm>

namespace posiscope {
namespace {

// Pads on the left. Ids cumsum(mask) − 1, pads filled with `fill`.  Slip `arange`: 0 … n − 1.
// Source  Hugging Face, generation/utils.py: attention_mask.cumsum(-1) − 1, and where the mask is 0 a 1 up to 4.57, a 0 from 5.2
//         on. The slip is what its models do themselves where they get no ids (modeling_llama.py).
class LeftPadding : public RowRule {
public:
    explicit LeftPadding(const Json& p) : pads_(count_of(p, "pads")), fill_(count_of(p, "fill")) {}
    RowToken token(std::int64_t i) const override {
        return i < pads_ ? RowToken{.kind = RowToken::Kind::pad} : RowToken{.place = i - pads_};
    }
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        return on_all_axes(slip ? i : i < pads_ ? fill_ : i - pads_);
    }
    std::int64_t pads() const override { return pads_; }

private:
    std::int64_t pads_, fill_;
};

// Tables with rows before that of the first token. Ids cumsum(mask) · mask + offset − 1, so that pads read row offset − 1.
// Slip `zero`: ids from 0.
// Source  Hugging Face, modeling_roberta.py: create_position_ids_from_input_ids (offset is padding_idx + 1);
//         modeling_opt.py: OPTLearnedPositionalEmbedding (offset 2).
class OffsetTable : public RowRule {
public:
    explicit OffsetTable(const Json& p) : pads_(count_of(p, "pads")), offset_(count_of(p, "first")) {}
    RowToken token(std::int64_t i) const override {
        return i < pads_ ? RowToken{.kind = RowToken::Kind::pad} : RowToken{.place = i - pads_};
    }
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        const std::int64_t place = std::max<std::int64_t>(i - pads_, slip ? 0 : -1);
        return on_all_axes(place + (slip ? 0 : offset_));
    }
    std::int64_t pads() const override { return pads_; }

private:
    std::int64_t pads_, offset_;
};

// Documents in one row; the last goes on. Ids restart, and the mask is by blocks.  Slips `run_on`: ids 0 … n − 1;
// `unmasked`: no mask between documents.
// Source  Hugging Face, data/data_collator.py: DataCollatorWithFlattening, and cu_seqlens of FlashAttention.
class Packed : public RowRule {
public:
    explicit Packed(const Json& p) : run_on_(slip_is(p, "run_on")), unmasked_(slip_is(p, "unmasked")) {
        std::int64_t at = 0;
        for (const Json& length : p.at("lengths")) {
            begins_.push_back(at);
            at += length.get<std::int64_t>();
        }
    }
    RowToken token(std::int64_t i) const override {
        const auto document = std::upper_bound(begins_.begin(), begins_.end(), i) - begins_.begin() - 1;
        return {.place = i - begins_[static_cast<std::size_t>(document)], .document = document};
    }
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        return on_all_axes(slip && run_on_ ? i : token(i).place);
    }
    bool sees(std::int64_t t, std::int64_t i, bool slip) const override {
        return (slip && unmasked_) || token(t).document == token(i).document;
    }

private:
    bool run_on_, unmasked_;
    std::vector<std::int64_t> begins_;
};

std::optional<Problem> check_lengths(const Json& parameters) {
    const Json& lengths = parameters.at("lengths");
    constexpr std::size_t kMostDocuments = 256;
    const Problem problem{"ids.lengths",
                          {{"value", shown(lengths)}, {"maximum", std::to_string(kMostDocuments)}}};
    if (lengths.empty() || lengths.size() > kMostDocuments) return problem;
    for (const Json& length : lengths)
        if (!length.is_number_integer() || length.get<double>() < 1.0 || length.get<double>() > kMostCount)
            return problem;
    return std::nullopt;
}

// A chunk whose keys were made at `stored` …, and are used again after `first` tokens. Its keys are rotated by first − stored.
// Slip `unrotated`: they stay as they were.
// Source  prefix-independent caches, where a chunk is made by itself at 0 (CacheBlend, arXiv 2405.16444, section 4.3); llama.cpp,
//         server-context.cpp: n_cache_reuse, llama_memory_seq_add by head_p − head_c.
class ReusedChunk : public RowRule {
public:
    explicit ReusedChunk(const Json& p)
        : first_(count_of(p, "first")), size_(count_of(p, "size")), stored_(count_of(p, "stored")) {}
    AxisIds key_id(std::int64_t t, std::int64_t i, bool slip) const override {
        const bool stored = slip && i < t && i >= first_ && i < first_ + size_;
        return on_all_axes(stored ? i - first_ + stored_ : i);
    }

private:
    std::int64_t first_, size_, stored_;
};

// A tree of drafts after a prefix, by `parents`: for each draft the index of an earlier one, or −1 for the last token of the
// prefix; drafts after these are a chain. Without `parents` each node has `branches` children, by depth. Ids are depths, a
// token sees its ancestors.  Slips `row`: ids 0 … n − 1; `causal`: a token sees all drafts before it.
// Source  SpecInfer, arXiv 2305.09781, section 4.2; Medusa's medusa_position_ids and tree mask.
class Tree : public RowRule {
public:
    explicit Tree(const Json& p)
        : prefix_(count_of(p, "prefix")),
          branches_(count_of(p, "branches")),
          rows_(slip_is(p, "row")),
          causal_(slip_is(p, "causal")) {
        for (const Json& parent : p.at("parents")) {
            parents_.push_back(parent.get<std::int64_t>());
            depths_.push_back(parents_.back() < 0 ? 1
                                                  : depths_[static_cast<std::size_t>(parents_.back())] + 1);
        }
    }
    RowToken token(std::int64_t i) const override {
        return {.place = i < prefix_ ? i : prefix_ - 1 + depth(i)};
    }
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        return on_all_axes(slip && rows_ ? i : token(i).place);
    }
    bool sees(std::int64_t t, std::int64_t i, bool slip) const override {
        if (i < prefix_ || (slip && causal_)) return true;
        std::int64_t at = t;
        if (!parents_.empty() && at > listed_end()) at = std::max(i, listed_end());  // along the chain
        while (at > i && at >= prefix_) at = parent(at);
        return at == i;
    }

private:
    std::int64_t listed_end() const { return prefix_ + static_cast<std::int64_t>(parents_.size()) - 1; }
    std::int64_t depth(std::int64_t node) const {
        if (!parents_.empty()) {
            const std::int64_t past = std::max<std::int64_t>(0, node - listed_end());
            return depths_[static_cast<std::size_t>(node - past - prefix_)] + past;
        }
        std::int64_t depth = 0;
        for (std::int64_t at = node; at >= prefix_; at = parent(at)) ++depth;
        return depth;
    }
    // Level by level where there is no list: those of the first level have the last token of the prefix.
    std::int64_t parent(std::int64_t node) const {
        const std::int64_t draft = node - prefix_;
        return prefix_ +
               (parents_.empty() ? draft / branches_ - 1 : parents_[static_cast<std::size_t>(draft)]);
    }

    std::int64_t prefix_, branches_;
    bool rows_, causal_;
    std::vector<std::int64_t> parents_, depths_;
};

std::optional<Problem> check_parents(const Json& parameters) {
    const Json& parents = parameters.at("parents");
    constexpr std::size_t kMostDrafts = 256;
    const Problem problem{"ids.parents",
                          {{"value", shown(parents)}, {"maximum", std::to_string(kMostDrafts)}}};
    if (parents.size() > kMostDrafts) return problem;
    for (std::size_t n = 0; n < parents.size(); ++n)
        if (!parents[n].is_number_integer() || parents[n].get<double>() < -1.0 ||
            parents[n].get<double>() >= static_cast<double>(n))
            return problem;
    return std::nullopt;
}

// An image or a video of t × h × w patches between two texts. Text advances all three axes; the patches count from where
// the image begins, each on its own axis, the first one by `step`; text goes on at the largest id + 1.
// Slips  `flat`: 0 … n − 1 on all axes; `patches`: text goes on after as many ids as there are patches; `grid`: text goes on
//         after the larger one of rows and columns, before the times of a video's last frames.
// Source  Hugging Face up to 5.1, modeling_qwen2_vl.py: get_rope_index (step 1); modeling_qwen2_5_vl.py: t · second_per_grid_t ·
//         tokens_per_second, 2 in released configs (tokens_per_second 2) at 2 frames a second, with a temporal patch of 2; vLLM,
//         qwen2_5_vl.py: get_mrope_input_positions. Hugging Face from 5.3 on has the slip `grid`. It cuts seconds to whole ones
//         first, so that half a second a step is 0; vLLM cuts their product.
class Images : public RowRule {
public:
    explicit Images(const Json& p)
        : before_(count_of(p, "before")),
          t_(count_of(p, "frames")),
          h_(count_of(p, "rows")),
          w_(count_of(p, "columns")),
          step_(count_of(p, "step")),
          flat_(slip_is(p, "flat")),
          grid_(slip_is(p, "grid")) {}
    int axes() const override { return 3; }
    RowToken token(std::int64_t i) const override {
        const std::int64_t patch = i - before_;
        if (patch < 0 || patch >= t_ * h_ * w_) return {.place = i};
        return {.kind = RowToken::Kind::patch,
                .place = i,
                .patch = {patch / (h_ * w_), patch / w_ % h_, patch % w_}};
    }
    AxisIds key_id(std::int64_t, std::int64_t i, bool slip) const override {
        if (i < before_ || (slip && flat_)) return on_all_axes(i);
        const std::int64_t patch = i - before_, after = patch - t_ * h_ * w_;
        if (after < 0)
            return {before_ + patch / (h_ * w_) * step_, before_ + patch / w_ % h_, before_ + patch % w_};
        if (slip && !grid_) return on_all_axes(i);
        const std::int64_t last_time = slip ? 0 : (t_ - 1) * step_;
        return on_all_axes(before_ + std::max({last_time, h_ - 1, w_ - 1}) + 1 + after);
    }

private:
    std::int64_t before_, t_, h_, w_, step_;
    bool flat_, grid_;
};

}  // namespace

const Policy& left_padding_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("pads", 3), count_parameter("fill", 1, 0, 1), slip_parameter({"arange"})};
    static const Policy policy{
        .kind = "left_padding", .parameters = parameters, .rule = make_rule<LeftPadding>, .both_ways = true};
    return policy;
}

const Policy& offset_table_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("pads", 3), count_parameter("first", 2, 1, 4096), slip_parameter({"zero"})};
    static const Policy policy{
        .kind = "offset_table", .parameters = parameters, .rule = make_rule<OffsetTable>, .both_ways = true};
    return policy;
}

const Policy& packed_policy() {
    static const std::vector<Parameter> parameters = {
        {.key = "lengths", .kind = Parameter::Kind::list, .fallback = Json{3, 4, 2}},
        slip_parameter({"run_on", "unmasked"})};
    static const Policy policy{.kind = "packed",
                               .parameters = parameters,
                               .rule = make_rule<Packed>,
                               .check = check_lengths,
                               .both_ways = true};
    return policy;
}

const Policy& reused_chunk_policy() {
    static const std::vector<Parameter> parameters = {count_parameter("first", 6), count_parameter("size", 5),
                                                      count_parameter("stored", 0, 0, 1e9),
                                                      slip_parameter({"unrotated"})};
    static const Policy policy{
        .kind = "reused_chunk", .parameters = parameters, .rule = make_rule<ReusedChunk>};
    return policy;
}

const Policy& tree_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("prefix", 4, 1),
        count_parameter("branches", 2, 2, 64),
        {.key = "parents", .kind = Parameter::Kind::list, .fallback = Json::array()},
        slip_parameter({"row", "causal"})};
    static const Policy policy{
        .kind = "tree", .parameters = parameters, .rule = make_rule<Tree>, .check = check_parents};
    return policy;
}

const Policy& images_policy() {
    static const std::vector<Parameter> parameters = {
        count_parameter("before", 3),         count_parameter("frames", 1, 1, 4096),
        count_parameter("rows", 2, 1, 4096),  count_parameter("columns", 3, 1, 4096),
        count_parameter("step", 1, 0, 10000), slip_parameter({"flat", "patches", "grid"})};
    static const Policy policy{
        .kind = "images", .parameters = parameters, .rule = make_rule<Images>, .both_ways = true};
    return policy;
}

}  // namespace posiscope
