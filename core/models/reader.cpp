#include "core/models/reader.hpp"

#include "core/json_members.hpp"

#include <algorithm>

namespace posiscope {
namespace {

constexpr std::size_t kMostUnread = 8;

// Parts of the names of keys that say something about positions or about the scale of logits.
constexpr std::string_view kTelling[] = {"rope",
                                         "rotary",
                                         "position",
                                         "alibi",
                                         "theta",
                                         "sliding",
                                         "window",
                                         "chunk",
                                         "yarn",
                                         "ntk",
                                         "nope",
                                         "mscale",
                                         "softcapp",
                                         "pre_attn_scalar",
                                         "attention_multiplier",
                                         "logn"};
// Keys with such a part that say nothing about positions.
constexpr std::string_view kSilent[] = {"type_vocab_size",
                                        "max_window_layers",
                                        "use_sliding_window",
                                        "final_logit_softcapping",
                                        "image_grid",
                                        "position_biased_input",
                                        "chunk_size",
                                        "chunk_size_feed_forward",
                                        "use_unified_vision_chunk",
                                        "indexer_rope_interleave",
                                        "qk_norm_before_rope",
                                        "vision_chunk_size",
                                        "vision_max_num_chunks",
                                        "original_rope"};

bool telling(std::string_view key) {
    if (std::find(std::begin(kSilent), std::end(kSilent), key) != std::end(kSilent)) return false;
    return std::any_of(std::begin(kTelling), std::end(kTelling),
                       [&](std::string_view part) { return key.find(part) != std::string_view::npos; });
}

}  // namespace

const Json& at_path(const Json& json, std::string_view path) {
    static const Json none;
    const Json* at = &json;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        if (!at->is_object()) return none;
        const auto found = at->find(std::string(path.substr(0, dot)));
        if (found == at->end()) return none;
        at = &*found;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return *at;
}

Reader::Reader(const Json& config, const ModelFamily* family) : config_(config), family_(family) {
    for (const auto& [key, value] : config.items())
        if (!value.is_null()) own_.insert(key);
    type_ = text_at(config_, "model_type");
    if (family_ == nullptr) return;
    for (const auto& [key, value] : family_->when.items()) read_.insert(key);
    for (const auto& [usual, path] : family_->names.items()) {
        const auto& whole = path.get_ref<const std::string&>();
        Json value = at_path(config_, whole);
        if (value.is_null()) continue;
        config_[usual] = std::move(value);
        read_.insert(whole.substr(0, whole.find('.')));
    }
    if (!family_->defaults.is_null()) defaults_ = family_->defaults;
    if (config_.contains("rope_parameters")) defaults_.erase("rope_scaling");  // two names of one thing
}

const Json* Reader::find(const char* name) {
    read_.insert(name);
    const auto found = config_.find(name);
    return found != config_.end() && !found->is_null() ? &*found : nullptr;
}

const Json& Reader::raw(Names names) {
    static const Json null;
    for (const char* name : names)
        if (const Json* found = find(name)) return *found;
    for (const char* name : names)
        if (const Json& given = at_path(config_, std::string("rope_parameters.") + name); !given.is_null()) {
            Json copy = given;
            return config_[name] = std::move(copy);
        }
    for (const char* name : names)
        if (const auto usual = defaults_.find(name); usual != defaults_.end()) {
            // Said once, and then it is as if the file had it.
            notes.push_back(
                {"config.default",
                 {{"key", name},
                  {"value", shown(*usual)},
                  {"source", std::string(family_->source.empty() ? family_->type : family_->source)}}});
            config_[name] = *usual;
            return config_[name];
        }
    return null;
}

std::optional<Json> Reader::value(Names names, Parameter parameter) {
    const Json& given = raw(names);
    if (given.is_null()) return std::nullopt;
    const char* spelling = *names.begin();
    for (const char* name : names)
        if (const Json* found = find(name); found == &given) spelling = name;
    auto good = checked(parameter, given, spelling);
    if (good) return std::move(*good);
    refuse(good.error());
    return std::nullopt;
}

std::optional<std::int64_t> Reader::integer(Names names, double least, double most) {
    const auto found = value(names, {"", Parameter::Kind::integer, nullptr, least, most});
    return found ? std::optional(found->get<std::int64_t>()) : std::nullopt;
}

std::optional<double> Reader::real(Names names, double least, double most, bool above) {
    const auto found = value(names, {"", Parameter::Kind::number, nullptr, least, most, above});
    return found ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<std::string> Reader::text(Names names) {
    const auto found = value(names, {"", Parameter::Kind::text, nullptr});
    return found ? std::optional(found->get<std::string>()) : std::nullopt;
}

bool Reader::flag(Names names) {
    const Json& found = raw(names);
    return found.is_boolean() ? found.get<bool>() : found.is_number() && found.get<double>() != 0.0;
}

bool Reader::assumed(Names names) {
    return std::none_of(names.begin(), names.end(), [&](const char* name) { return own_.contains(name); });
}

bool Reader::says_no(const char* name) { return has({name}) && !flag({name}); }

void Reader::refuse(Problem refusal) {
    if (!problem) problem = std::move(refusal);
}

void Reader::name_unread() {
    std::size_t unread = 0;
    for (const std::string& key : own_) {
        if (read_.contains(key) || !telling(key)) continue;
        const Json& value = config_[key];
        if (value == false || (value.is_structured() && value.empty())) continue;
        if (++unread <= kMostUnread)
            notes.push_back({"config.unread", {{"key", key.substr(0, 80)}, {"value", shown(value)}}});
    }
    if (unread > kMostUnread)
        notes.push_back({"config.unread_more", {{"count", std::to_string(unread - kMostUnread)}}});
}

bool nested(const Json& dictionary) {
    return dictionary.is_object() && !dictionary.empty() &&
           std::all_of(dictionary.begin(), dictionary.end(),
                       [](const Json& inner) { return inner.is_object(); });
}

}  // namespace posiscope
