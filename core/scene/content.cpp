#include "core/scene/content.hpp"

#include "core/random.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 6> kKinds = {"equal",   "seeded",  "tokens",
                                                    "vectors", "tensors", "checkpoint"};

constexpr double kLargestGiven = 1e6;

// The part of the hash that a row's values share.
std::uint64_t row_state(std::uint64_t seed, Tensor tensor, std::int64_t row) {
    const std::uint64_t state = scattered(scattered(seed) ^ static_cast<std::uint64_t>(tensor));
    return scattered(state ^ static_cast<std::uint64_t>(row));
}

double unit_at(std::uint64_t state, std::int64_t column) {
    return static_cast<double>(scattered(state ^ static_cast<std::uint64_t>(column)) >> 11) * 0x1p-53;
}

// One query and one key are of no word: words are read by attention alone, and leave scores by distance as they are.
bool is_one(const Choice& content, Tensor tensor) {
    return content.kind == "equal" ||
           (content.kind == "tokens" && (tensor == Tensor::query || tensor == Tensor::key));
}

// The key's numbers are the query's where they are tied.
Tensor source_of(const Choice& content, Tensor tensor) {
    const bool tied =
        tensor == Tensor::key && content.kind == "seeded" && content.parameters.value("tied", false);
    return tied ? Tensor::query : tensor;
}

double value_of(double unit) { return (2.0 * unit - 1.0) * std::numbers::sqrt3; }

// The vector of a side that scores by distance keep fixed; null where there is none, and stored_problem says why.
StoredRows stored_or_null(const Choice& content, Tensor tensor) {
    if (tensor != Tensor::query && tensor != Tensor::key) return nullptr;
    return stored_vector(content, tensor).value_or(nullptr);
}

std::uint64_t seed_of(const Choice& content) { return content.parameters.at("seed").get<std::uint64_t>(); }

// A feature of `vectors`.
double given_value(const Choice& content, Tensor tensor, std::int64_t column) {
    if (tensor != Tensor::query && tensor != Tensor::key) return 1.0;
    const Json& values = content.parameters.at(tensor == Tensor::query ? "query" : "key");
    return values[static_cast<std::size_t>(column) % values.size()].get<double>();
}

}  // namespace

std::span<const std::string_view> content_kinds() { return kKinds; }

std::span<const Parameter> content_parameters(std::string_view kind) {
    using Kind = Parameter::Kind;
    static const Parameter seed{"seed", Kind::integer, 0, 0, 4294967295.0};
    static const Parameter weights{"weights", Kind::choice,           "seeded", 0, 0,
                                   false,     {"seeded", "identity"}, true};
    static const Parameter tied{"tied", Kind::boolean, false};  // k is q
    static const std::vector<Parameter> seeded = {seed, tied, weights};
    static const std::vector<Parameter> tokens = {
        {"text", Kind::list, Json{"狗", "咬", "人"}}, {"order", Kind::list, Json::array()}, seed, weights};
    static const std::vector<Parameter> vectors = {{"query", Kind::list, Json{1.0}},
                                                   {"key", Kind::list, Json{1.0}}};
    static const auto last = static_cast<double>(kLastPosition);
    static const std::vector<Parameter> tensors = {
        {"query", Kind::text},
        {"key", Kind::text},
        {"query_name", Kind::text},
        {"key_name", Kind::text},
        {"axes", Kind::choice, "auto", 0, 0, false, {"auto", "position_head", "head_position"}, true},
        {"batch", Kind::integer, 0, 0, 65535, false, {}, true},
        {"head", Kind::integer, 0, 0, static_cast<double>(kLargestWidth / 2 - 1)},
        {"start", Kind::integer, 0, 0, last, false, {}, true},
        {"rotated_by", Kind::dictionary, Json::object(), 0, 4096},
        {"query_row", Kind::integer, nullptr, 0, last},
        {"key_row", Kind::integer, nullptr, 0, last},
        {"text", Kind::list, Json::array()},
    };
    static const std::vector<Parameter> checkpoint = {
        {"file", Kind::text},
        {"key_file", Kind::text},
        {"layer", Kind::integer, 0, 0, 4095},
        {"query_name", Kind::text},
        {"key_name", Kind::text},
        {"head_dim", Kind::integer, nullptr, 2, static_cast<double>(kLargestWidth)},
        {"norm", Kind::choice, "rms", 0, 0, false, {"rms", "rms_plus_one", "layer", "none"}, true},
        {"norm_eps", Kind::number, 1e-6, 0, 1, false, {}, true},
        {"input", Kind::text},
        {"input_name", Kind::text},
        seed,
        {"head", Kind::integer, 0, 0, static_cast<double>(kLargestWidth / 2 - 1)},
        {"start", Kind::integer, 0, 0, last, false, {}, true},
        {"query_row", Kind::integer, nullptr, 0, last},
        {"key_row", Kind::integer, nullptr, 0, last},
        {"text", Kind::list, Json::array()},
    };
    return kind == "seeded"       ? std::span<const Parameter>(seeded)
           : kind == "tokens"     ? std::span<const Parameter>(tokens)
           : kind == "vectors"    ? std::span<const Parameter>(vectors)
           : kind == "tensors"    ? std::span<const Parameter>(tensors)
           : kind == "checkpoint" ? std::span<const Parameter>(checkpoint)
                                  : std::span<const Parameter>();
}

double seeded_unit(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column) {
    return unit_at(row_state(seed, tensor, row), column);
}

double seeded_value(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column) {
    return value_of(seeded_unit(seed, tensor, row, column));
}

void seeded_values(std::uint64_t seed, Tensor tensor, std::int64_t row, std::span<double> values) {
    const std::uint64_t state = row_state(seed, tensor, row);
    for (std::size_t column = 0; column < values.size(); ++column)
        values[column] = value_of(unit_at(state, static_cast<std::int64_t>(column)));
}

double content_value(const Choice& content, Tensor tensor, std::int64_t row, std::int64_t column) {
    if (is_stored(content)) {
        const StoredRows kept = stored_or_null(content, tensor);
        return kept == nullptr ? 1.0 : (*kept)[static_cast<std::size_t>(column) % kept->size()];
    }
    if (is_one(content, tensor)) return 1.0;
    if (content.kind == "vectors") return given_value(content, tensor, column);
    return seeded_value(seed_of(content), source_of(content, tensor), row, column);
}

void content_values(const Choice& content, Tensor tensor, std::int64_t row, std::span<double> values) {
    if (is_stored(content)) {
        const StoredRows kept = stored_or_null(content, tensor);
        for (std::size_t column = 0; column < values.size(); ++column)
            values[column] = kept == nullptr ? 1.0 : (*kept)[column % kept->size()];
        return;
    }
    if (is_one(content, tensor)) {
        std::fill(values.begin(), values.end(), 1.0);
        return;
    }
    if (content.kind == "vectors") {
        for (std::size_t column = 0; column < values.size(); ++column)
            values[column] = given_value(content, tensor, static_cast<std::int64_t>(column));
        return;
    }
    seeded_values(seed_of(content), source_of(content, tensor), row, values);
}

std::int64_t input_row(const Choice& content, std::int64_t position) {
    if (content.kind != "tokens") return position;
    const Json &text = content.parameters.at("text"), &order = content.parameters.at("order");
    const auto at = static_cast<std::size_t>(position);
    const std::size_t word = order.empty() ? at : order[at].get<std::size_t>();
    return static_cast<std::int64_t>(word_hash(text[word].get_ref<const std::string&>()));
}

std::int64_t content_length(const ScoreInput& scene) {
    if (is_stored(scene.content)) {
        const auto heads = stored_heads(scene.content);
        return heads ? std::min(scene.length, heads->rows) : scene.length;
    }
    return scene.content.kind == "tokens"
               ? static_cast<std::int64_t>(scene.content.parameters.at("text").size())
               : scene.length;
}

bool seeded_weights(const Choice& content) {
    const auto weights = content.parameters.find("weights");
    return weights != content.parameters.end() && *weights == "seeded";
}

std::optional<Problem> check_vectors(const Json& parameters) {
    for (const char* key : {"query", "key"}) {
        const Json& values = parameters.at(key);
        bool good = !values.empty() && values.size() <= static_cast<std::size_t>(kLargestWidth);
        for (std::size_t i = 0; good && i < values.size(); ++i)
            good = values[i].is_number() && std::abs(values[i].get<double>()) <= kLargestGiven;
        if (!good)
            return Problem{
                "content.vector",
                {{"path", std::string("content.") + key}, {"maximum", std::to_string(kLargestWidth)}}};
    }
    return std::nullopt;
}

Json prepared_content(const Json& value) {
    Json given = value;
    if (!given.is_object() || !given.contains("kind") || given["kind"] != "tokens") return given;
    if (const auto text = given.find("text"); text != given.end() && text->is_string()) {
        // A text too long for any list of words is kept whole, so that the refusal names its length.
        constexpr std::size_t kMostBytes = 65536;
        const auto& typed = text->get_ref<const std::string&>();
        *text = typed.size() <= kMostBytes ? Json(split_words(typed)) : Json::array({typed});
    }
    return given;
}

}  // namespace posiscope
