// reader.hpp — a config.json under the names of its family: usual keys, other spellings, values where it is silent.
#pragma once

#include "core/models/families.hpp"
#include "core/parameter.hpp"
#include "core/scene/scene.hpp"

#include <set>

namespace posiscope {

// Spellings of one key, the first that is given counts.
using Names = std::initializer_list<const char*>;

// Reads keys under any of their names, checks them and keeps the first refusal.
class Reader {
public:
    Reader(const Json& config, const ModelFamily* family);

    const std::string& type() const { return type_; }
    const ModelFamily* family() const { return family_; }
    std::optional<Problem> problem;
    std::vector<Problem> notes;

    // null where neither the config nor the family's defaults give it. A key that is asked for counts as read.
    const Json& raw(Names names);
    bool has(Names names) { return !raw(names).is_null(); }

    std::optional<Json> value(Names names, Parameter parameter);
    std::optional<std::int64_t> integer(Names names, double least, double most);
    std::optional<double> real(Names names, double least, double most, bool above = true);
    std::optional<std::string> text(Names names);
    bool flag(Names names);  // true, or a number other than 0: Llama 4 writes 4 for true
    bool given(const char* name) { return find(name) != nullptr; }  // by the file itself
    bool says_no(const char* name);                                 // given, and false

    // True if none of the names is in the file: the family's default counts.
    bool assumed(Names names);
    void set(const char* name, Json value) { config_[name] = std::move(value); }

    void refuse(Problem refusal);
    // Names keys about positions that nothing asked for.
    void name_unread();

private:
    const Json* find(const char* name);

    Json config_;
    std::set<std::string, std::less<>> own_;   // keys of the file
    std::set<std::string, std::less<>> read_;  // keys that were asked for
    Json defaults_ = empty_object();
    const ModelFamily* family_;
    std::string type_;
};

// The largest number of features or positions that a config may name.
inline constexpr double kWidest = static_cast<double>(kLargestWidth);
inline constexpr double kLast = static_cast<double>(kLastPosition);

// True if this is a dictionary of dictionaries: one for each type of layer.
bool nested(const Json& dictionary);

// A value at a path with dots, or null.
const Json& at_path(const Json& json, std::string_view path);

// The spellings of keys that many families share.
inline constexpr Names kBase = {"rope_theta", "rotary_emb_base", "global_rope_theta",
                                "rotary_embedding_base"};
inline constexpr Names kLocalBase = {"rope_local_base_freq", "local_rope_theta"};
inline constexpr Names kLength = {"max_position_embeddings",
                                  "n_positions",
                                  "max_seq_len",
                                  "max_sequence_length",
                                  "model_max_length",
                                  "seq_length",
                                  "n_ctx",
                                  "max_target_positions",
                                  "max_length"};
inline constexpr Names kHeads = {
    "num_attention_heads",    "n_head", "num_heads", "n_heads", "decoder_attention_heads",
    "encoder_attention_heads"};
inline constexpr Names kKeyHeads = {"num_key_value_heads", "multi_query_group_num", "num_attention_groups",
                                    "n_head_kv", "n_kv_heads"};
inline constexpr Names kWidth = {"hidden_size", "n_embd", "d_model", "dim"};
inline constexpr Names kHead = {"head_dim", "d_kv", "kv_channels", "attention_head_size"};
inline constexpr Names kPart = {"partial_rotary_factor", "rotary_pct", "rotary_percent"};
inline constexpr Names kLayers = {"num_hidden_layers", "n_layer", "num_layers", "n_layers"};

}  // namespace posiscope
