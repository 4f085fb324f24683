#include "core/models/models.hpp"

#include "core/encodings/encodings.hpp"
#include "core/json_members.hpp"

#include <algorithm>

namespace posiscope {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The number of letters to change: enough to find a mistyped name.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            corner = above;
        }
    }
    return row.back();
}

// Notes and origin of a model of the list.
void as_listed(ModelRow& row) {
    ModelScene& model = row.model;
    model.unverified = row.unverified;
    if (row.unverified)
        model.notes.insert(model.notes.begin(),
                           {"model.unverified", {{"name", row.name}, {"confidence", row.confidence}}});
    remember_origin(model, row.confidence == "seen" ? "model" : "unverified");
    model.scene["view"]["model"]["name"] = row.name;
}

}  // namespace

Result<std::vector<ModelRow>> read_models(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return tl::unexpected(json.error());
    const auto models = json->is_object() ? json->find("models") : json->end();
    if (models == json->end() || !models->is_array()) return refuse("models.form");
    std::vector<ModelRow> rows;
    for (const Json& row : *models) {
        const Json* config = row.is_object() ? object_at(row, "config") : nullptr;
        if (config == nullptr || text_at(row, "name").empty()) return refuse("models.form");
        auto model = read_config_text(config->dump());
        if (!model) return tl::unexpected(in_file(model.error(), text_at(row, "name")));
        ModelRow made{.name = text_at(row, "name"),
                      .source = text_at(row, "source"),
                      .confidence = text_at(row, "confidence"),
                      .model = std::move(*model),
                      .scene = {}};
        made.unverified = made.confidence.empty() || contains(made.confidence, "unverified");
        as_listed(made);
        made.scene = with_model(Scene(), made.model)->scene;
        rows.push_back(std::move(made));
    }
    return rows;
}

void name_origin(ModelScene& model, std::span<const ModelRow> rows, std::string_view path) {
    const auto laid = overlay(Scene(), model.scene);
    const ModelRow* known = laid ? model_of(rows, laid->scene, "") : nullptr;
    if (known != nullptr) remember_origin(model, known->confidence == "seen" ? "model" : "unverified");
    model.scene["view"]["model"]["name"] =
        known != nullptr ? known->name : std::string(path.substr(path.rfind('/') + 1));
}

Result<ModelScene> model_scene(std::span<const ModelRow> rows, std::string_view name) {
    const ModelRow* nearest = nullptr;
    std::size_t least = 0;
    for (const ModelRow& row : rows) {
        if (row.name == name) return row.model;
        // "Meta-Llama-3.1-8B" is near "meta-llama/Meta-Llama-3.1-8B": the owner may be missing.
        const std::string_view short_name = std::string_view(row.name).substr(row.name.find('/') + 1);
        const std::size_t changes = std::min(distance(name, row.name), distance(name, short_name));
        if (nearest == nullptr || changes < least) {
            nearest = &row;
            least = changes;
        }
    }
    return refuse("model.unknown", {{"name", std::string(name.substr(0, 80))},
                                    {"nearest", nearest == nullptr ? "?" : nearest->name}});
}

Result<Overlaid> with_model(const Scene& scene, const ModelScene& model) {
    Json partial = model.scene;
    if (const auto trained = partial.find("trained"); trained != partial.end())
        if (const Json& length = (*trained)["length"]; !length.is_null()) partial["length"] = length;
    if (!partial.contains("trained")) partial["trained"] = nullptr;  // from another model
    if (!partial.contains("head_dim")) partial["head_dim"] = nullptr;
    if (const auto origin = model.scene.find("view"); origin != model.scene.end()) {
        partial["view"] = scene.view;
        partial["view"].update(*origin);
    }
    return overlay(scene, partial);
}

const ModelRow* model_of(std::span<const ModelRow> rows, const Scene& scene, std::string_view name) {
    if (!scene.trained.length || object_at(scene.trained.scene, "encoding") == nullptr) return nullptr;
    // Both may have other notes of the same rotation, such as a list of layers that a rule gives as well.
    constexpr const char* kTold[] = {"kind", "rope_scaling", "rotary_dim", "partial_rotary_factor",
                                     "dual_chunk_attention_config"};
    static const Json none = nullptr;
    const auto value = [](const Json& object, const char* key) -> const Json& {
        const auto found = object.is_object() ? object.find(key) : object.end();
        return found == object.end() ? none : *found;
    };
    const auto fits = [&](const ModelRow& row) {
        const Json &its = row.scene.trained.scene, &here = scene.trained.scene;
        return row.scene.trained.length == scene.trained.length && row.scene.num_heads == scene.num_heads &&
               row.scene.head_dim.value_or(row.scene.d_model / row.scene.num_heads) ==
                   scene.head_dim.value_or(scene.d_model / scene.num_heads) &&
               value(its, "base") == value(here, "base") && std::ranges::all_of(kTold, [&](const char* key) {
                   return value(value(its, "encoding"), key) == value(value(here, "encoding"), key);
               });
    };
    const ModelRow* first = nullptr;
    for (const ModelRow& row : rows) {
        if (!fits(row)) continue;
        if (row.name == name) return &row;
        if (first == nullptr) first = &row;
    }
    return first;
}

}  // namespace posiscope
