#include "core/encodings/rope_settings.hpp"

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
    if (const auto given = number(parameters, "no_rope_layer_interval"))
        interval = static_cast<std::int64_t>(*given);
    settings.turns = layer_uses_rope(*list, interval, layer);
    return std::nullopt;
}

std::optional<Problem> read_axes(const Json& parameters, RopeSettings& settings) {
    const Json& shared = settings.chosen.shared;
    const Json& own = value_or_null(shared, "mrope_section");
    const Json& section = own.is_null() ? value_or_null(parameters, "mrope_section") : own;
    auto sections = whole_numbers(section, "encoding.mrope_section", 0, kLargestWidth);
    if (!sections) return sections.error();
    settings.interleaved_sections =
        shared.value("mrope_interleaved", parameters.value("mrope_interleaved", false));
    auto grid = whole_numbers(value_or_null(parameters, "grid"), "encoding.grid", 1, kLastPosition);
    if (!grid) return grid.error();
    std::int64_t sum = 0;
    for (const std::int64_t count : *sections) sum += count;
    if (!sections->empty() && (sections->size() != 3 || sum != settings.pairs()))
        return Problem{"mrope_section.sum",
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
    if (settings.nested && chosen->settings.contains("truncate")) chosen->settings["truncate"] = true;
    settings.chosen = std::move(*chosen);

    RopeContext& context = settings.context;
    const Json& shared = settings.chosen.shared;
    context.base = number(shared, "rope_theta").value_or(scene.base);
    context.head_dim = head_dim(scene);
    context.partial_rotary_factor = number(shared, "partial_rotary_factor")
                                        .value_or(number(parameters, "partial_rotary_factor").value_or(1.0));
    context.length = scene.length;
    if (const auto given = number(parameters, "max_position_embeddings"))
        context.max_position_embeddings = static_cast<std::int64_t>(*given);
    else context.max_position_embeddings = scene.trained.length;
    context.rotary_dim =
        static_cast<std::int64_t>(static_cast<double>(context.head_dim) * context.partial_rotary_factor);
    if (settings.chosen.scaling->spans_head) context.rotary_dim = context.head_dim;
    else if (const auto given = number(parameters, "rotary_dim"))
        context.rotary_dim = static_cast<std::int64_t>(*given);
    if (context.rotary_dim < 2 || context.rotary_dim % 2 != 0 || context.rotary_dim > context.head_dim)
        return refuse("rotary_dim.odd", {{"value", std::to_string(context.rotary_dim)},
                                         {"head_dim", std::to_string(context.head_dim)}});
    if (auto problem = read_layers(parameters, layer, settings)) return tl::unexpected(std::move(*problem));
    if (auto problem = read_axes(parameters, settings)) return tl::unexpected(std::move(*problem));
    return settings;
}

bool layer_uses_rope(std::span<const std::int64_t> no_rope_layers, std::optional<std::int64_t> interval,
                     std::int64_t layer) {
    if (!no_rope_layers.empty()) return no_rope_layers[static_cast<std::size_t>(layer)] == 1;
    return !interval || (layer + 1) % *interval != 0;
}

double nope_query_factor(std::int64_t position, double floor_scale, double attn_scale) {
    return std::log1p(std::floor(static_cast<double>(position + 1) / floor_scale)) * attn_scale + 1.0;
}

}  // namespace posiscope
