#include "core/encodings/rope_settings.hpp"

#include "core/json_members.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace {

// One object per layer type: all its values are objects.
bool is_nested(const Json& dictionary) {
    return dictionary.is_object() && !dictionary.empty() &&
           std::all_of(dictionary.begin(), dictionary.end(),
                       [](const Json& value) { return value.is_object(); });
}

const Json& value_or_null(const Json& parameters, const char* key) {
    static const Json null;
    const auto found = parameters.find(key);
    return found == parameters.end() ? null : *found;
}

Result<std::vector<std::int64_t>> whole_numbers(const Json& list, std::string_view path, std::int64_t least,
                                                std::int64_t most) {
    std::vector<std::int64_t> numbers;
    if (list.is_null()) return numbers;
    numbers.reserve(list.size());
    for (const Json& item : list) {
        const bool plain = item.is_number_integer() && item >= least && item <= most;
        if (plain) {
            numbers.push_back(item.get<std::int64_t>());
            continue;
        }
        const Parameter bounded{"", Parameter::Kind::integer, nullptr, static_cast<double>(least),
                                static_cast<double>(most)};
        auto good = checked(bounded, item, fmt::format("{}[{}]", path, numbers.size()));
        if (!good) return tl::unexpected(good.error());
        numbers.push_back(good->get<std::int64_t>());
    }
    return numbers;
}

Result<std::string> layer_type(const Json& parameters, const Json& dictionaries, std::int64_t layer) {
    std::string type =
        dictionaries.contains("full_attention") ? "full_attention" : dictionaries.begin().key();
    if (const Json& types = value_or_null(parameters, "layer_types"); !types.is_null()) {
        if (layer >= static_cast<std::int64_t>(types.size()))
            return refuse("layer.past_end", {{"path", "encoding.layer"},
                                             {"value", std::to_string(layer)},
                                             {"list", "layer_types"},
                                             {"count", std::to_string(types.size())}});
        const Json& named = types[static_cast<std::size_t>(layer)];
        if (!named.is_string())
            return refuse("value.kind", {{"path", fmt::format("encoding.layer_types[{}]", layer)},
                                         {"kind", "text"},
                                         {"value", shown(named)}});
        type = named.get<std::string>();
    }
    type = parameters.value("layer_type", type);
    if (dictionaries.contains(type)) return type;
    std::vector<std::string> known;
    for (const auto& [key, value] : dictionaries.items()) known.push_back(key);
    return refuse("value.choice", {{"path", "encoding.layer_type"},
                                   {"value", Json(type).dump(-1, ' ', false, Json::error_handler_t::replace)},
                                   {"choices", fmt::format("{}", fmt::join(known, ", "))}});
}

std::optional<Problem> read_layers(const Json& parameters, std::int64_t layer, RopeSettings& settings) {
    const auto list =
        whole_numbers(value_or_null(parameters, "no_rope_layers"), "encoding.no_rope_layers", 0, 1);
    if (!list) return list.error();
    if (!list->empty() && layer >= static_cast<std::int64_t>(list->size()))
        return Problem{"layer.past_end",
                       {{"path", "encoding.layer"},
                        {"value", std::to_string(layer)},
                        {"list", "no_rope_layers"},
                        {"count", std::to_string(list->size())}}};
    std::optional<std::int64_t> interval;
    if (const auto given = number_at(parameters, "no_rope_layer_interval"))
        interval = static_cast<std::int64_t>(*given);
    settings.turns = layer_uses_rope(*list, interval, layer) && !settings.chosen.shared.value("nope", false);
    return std::nullopt;
}

std::span<const Parameter> dual_chunk_parameters() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"chunk_size", Kind::integer, 8192, 1, static_cast<double>(kLastPosition)},
        {"local_size", Kind::integer, 1024, 0, static_cast<double>(kLastPosition)},
        {"original_max_position_embeddings", Kind::integer, 0, 0, static_cast<double>(kLastPosition)},
        {"sparse_attention_enabled", Kind::boolean, nullptr},
    };
    return parameters;
}

std::optional<Problem> read_axes(const Json& parameters, RopeSettings& settings) {
    const Json& shared = settings.chosen.shared;
    const Json &own = value_or_null(shared, "mrope_section"), &four = value_or_null(shared, "xdrope_section");
    const Json& section = !four.is_null() ? four
                          : own.is_null() ? value_or_null(parameters, "mrope_section")
                                          : own;
    const std::size_t axes = four.is_null() ? 3 : 4;
    auto sections =
        whole_numbers(section, axes == 4 ? "encoding.rope_scaling.xdrope_section" : "encoding.mrope_section",
                      0, kLargestWidth);
    if (!sections) return sections.error();
    settings.interleaved_sections =
        shared.value("mrope_interleaved", parameters.value("mrope_interleaved", false));
    auto grid = whole_numbers(value_or_null(parameters, "grid"), "encoding.grid", 1, kLastPosition);
    if (!grid) return grid.error();
    std::int64_t sum = 0;
    for (const std::int64_t count : *sections) sum += count;
    if (!sections->empty() && (sections->size() != axes || sum != settings.pairs()))
        return Problem{axes == 4 ? "xdrope_section.sum" : "mrope_section.sum",
                       {{"count", std::to_string(sections->size())},
                        {"sum", std::to_string(sum)},
                        {"pairs", std::to_string(settings.pairs())}}};
    if (!grid->empty() && grid->size() != 3)
        return Problem{"grid.count",
                       {{"path", "encoding.grid"}, {"value", std::to_string(grid->size())}, {"needed", "3"}}};
    settings.sections = std::move(*sections);
    settings.grid = std::move(*grid);
    return std::nullopt;
}

// The window, the chunks and the temperature of the layer.
std::optional<Problem> read_reach(const Json& parameters, std::int64_t head_dim, RopeSettings& settings) {
    const Json& shared = settings.chosen.shared;
    const auto size = [&](const char* key) -> std::optional<std::int64_t> {
        auto given = number_at(shared, key);
        // One beside the types is that of every layer; one inside a type's object is its own.
        if (!given && !settings.nested) given = number_at(parameters, key);
        return given ? std::optional(static_cast<std::int64_t>(*given)) : std::nullopt;
    };
    settings.window = size("sliding_window");
    settings.chunk = size("attention_chunk_size");
    if (const Json& chunks = value_or_null(parameters, "dual_chunk_attention_config"); !chunks.is_null()) {
        auto read = checked_all(dual_chunk_parameters(), chunks, "encoding.dual_chunk_attention_config");
        if (!read) return read.error();
        const DualChunk made{read->at("chunk_size").get<std::int64_t>(),
                             read->at("local_size").get<std::int64_t>(),
                             read->at("original_max_position_embeddings").get<std::int64_t>()};
        if (made.length() < 1)
            return Problem{
                "chunks.local",
                {{"local", std::to_string(made.local_size)}, {"chunk", std::to_string(made.chunk_size)}}};
        settings.chunks = made;
    }
    settings.query_beta = number_at(shared, "llama_4_scaling_beta").value_or(0.0);
    if (settings.query_beta != 0.0) {
        const auto original = number_at(settings.chosen.settings, "original_max_position_embeddings");
        const auto beside = number_at(shared, "original_max_position_embeddings");
        const auto most = settings.context.max_position_embeddings;
        if (!original && !beside && !most) return Problem{"scaling.length_missing", {}};
        settings.query_original = original ? *original : beside ? *beside : static_cast<double>(*most);
    }
    if (const auto offset = number_at(parameters, "rotary_offset"))
        settings.rotary_offset = static_cast<std::int64_t>(*offset);
    if (settings.rotary_offset + settings.context.rotary_dim > head_dim)
        return Problem{"rotary_offset.past",
                       {{"offset", std::to_string(settings.rotary_offset)},
                        {"rotary_dim", std::to_string(settings.context.rotary_dim)},
                        {"head_dim", std::to_string(head_dim)}}};
    return std::nullopt;
}

}  // namespace

std::optional<Problem> too_many_types(const Json& dictionaries, std::string_view path) {
    if (dictionaries.size() <= kMostLayerTypes) return std::nullopt;
    return Problem{"layer.types",
                   {{"path", std::string(path)},
                    {"count", std::to_string(dictionaries.size())},
                    {"maximum", std::to_string(kMostLayerTypes)}}};
}

Result<RopeSettings> rope_settings(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const Json& older = value_or_null(parameters, "rope_scaling");
    const Json& newer = value_or_null(parameters, "rope_parameters");
    if (!older.is_null() && !newer.is_null())
        return refuse("settings.both", {{"first", "rope_scaling"}, {"second", "rope_parameters"}});
    std::string path = older.is_null() ? "encoding.rope_parameters" : "encoding.rope_scaling";
    const Json* dictionary = older.is_null() ? &newer : &older;
    const std::int64_t layer = parameters.value("layer", std::int64_t{0});

    RopeSettings settings;
    settings.nested = is_nested(*dictionary);
    if (settings.nested) {
        if (auto problem = too_many_types(*dictionary, path)) return tl::unexpected(std::move(*problem));
        const auto type = layer_type(parameters, *dictionary, layer);
        if (!type) return tl::unexpected(type.error());
        dictionary = &dictionary->at(*type);
        path = join_path(path, *type);
    }
    auto chosen = choose_scaling(*dictionary, path);
    if (!chosen) return tl::unexpected(chosen.error());
    // Hugging Face reads truncate only from the outer object, so a nested one has no effect there.
    if (settings.nested && chosen->settings.contains("truncate") &&
        !chosen->shared.value("shared_object", false))
        chosen->settings["truncate"] = true;
    settings.chosen = std::move(*chosen);

    RopeContext& context = settings.context;
    const Json& shared = settings.chosen.shared;
    context.base = number_at(shared, "rope_theta").value_or(scene.base);
    context.head_dim = head_dim(scene);
    context.partial_rotary_factor =
        number_at(shared, "partial_rotary_factor")
            .value_or(number_at(parameters, "partial_rotary_factor").value_or(1.0));
    context.length = scene.length;
    if (const auto given = number_at(parameters, "max_position_embeddings"))
        context.max_position_embeddings = static_cast<std::int64_t>(*given);
    else context.max_position_embeddings = scene.trained.length;
    context.rotary_dim =
        static_cast<std::int64_t>(static_cast<double>(context.head_dim) * context.partial_rotary_factor);
    if (settings.chosen.scaling->spans_head) context.rotary_dim = context.head_dim;
    else if (const auto given = number_at(parameters, "rotary_dim"))
        context.rotary_dim = static_cast<std::int64_t>(*given);
    if (context.rotary_dim < 2 || context.rotary_dim % 2 != 0 || context.rotary_dim > context.head_dim)
        return refuse("rotary_dim.odd", {{"value", std::to_string(context.rotary_dim)},
                                         {"head_dim", std::to_string(context.head_dim)}});
    if (auto problem = read_layers(parameters, layer, settings)) return tl::unexpected(std::move(*problem));
    if (auto problem = read_axes(parameters, settings)) return tl::unexpected(std::move(*problem));
    if (auto problem = read_reach(parameters, context.head_dim, settings))
        return tl::unexpected(std::move(*problem));
    return settings;
}

std::int64_t reach_of(const SpectrumInput& scene) { return reach_of(scene, scene.length); }

std::int64_t reach_of(const SpectrumInput& scene, std::int64_t length) {
    if (!takes_scalings(scene)) return length;
    const auto settings = rope_settings(scene);
    if (!settings) return length;
    length = std::min({length, settings->window.value_or(length), settings->chunk.value_or(length)});
    if (settings->chunks) length = std::min(length, settings->chunks->chunk_size + 1);
    return length;
}

std::int64_t DualChunk::distance(std::int64_t query, std::int64_t key) const {
    const std::int64_t apart = query / length() - key / length();
    const std::int64_t at = apart == 0   ? query % length()
                            : apart == 1 ? std::min(query % length() + length(), chunk_size)
                                         : std::min(2 * length() - 1, chunk_size);
    return at - key % length();
}

double DualChunk::key_factor(std::int64_t n) const {
    if (original == 0) return 1.0;
    return std::max(1.0, 0.1 * std::log(static_cast<double>(n) / static_cast<double>(original)) + 1.0);
}

bool layer_uses_rope(std::span<const std::int64_t> no_rope_layers, std::optional<std::int64_t> interval,
                     std::int64_t layer) {
    if (!no_rope_layers.empty()) return no_rope_layers[static_cast<std::size_t>(layer)] == 1;
    return !interval || (layer + 1) % *interval != 0;
}

double query_factor(std::int64_t position, double beta, double original) {
    return 1.0 + beta * std::log1p(std::floor(static_cast<double>(position) / original));
}

double nope_query_factor(std::int64_t position, double floor_scale, double attn_scale) {
    return std::log1p(std::floor(static_cast<double>(position + 1) / floor_scale)) * attn_scale + 1.0;
}

}  // namespace posiscope
