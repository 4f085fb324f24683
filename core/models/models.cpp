#include "core/models/models.hpp"

#include "core/encodings/encodings.hpp"
#include "core/json_members.hpp"

#include <algorithm>

namespace posiscope {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The length that the weights were trained with: less than a model's own where dual chunk attention extends it.
std::optional<std::int64_t> trained_length(const Json& row) {
    if (const Json* chunks = object_at(row, "dual_chunk_attention_config"))
        if (const auto original = integer_at(*chunks, "original_max_position_embeddings")) return original;
    return integer_at(row, "max_position_embeddings");
}

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

bool lacks_factors(const Json& dictionary) {
    if (!dictionary.is_object()) return false;
    for (const char* spelling : {"rope_type", "type"})
        if (const std::string& type = text_at(dictionary, spelling); type == "longrope" || type == "su")
            return !dictionary.contains("short_factor") || !dictionary.contains("long_factor");
    return std::any_of(dictionary.begin(), dictionary.end(),
                       [](const Json& inner) { return lacks_factors(inner); });
}

Json absolute_encoding(const ModelRow& row) {
    const auto longest = integer_at(row.row, "max_position_embeddings");
    if (row.encoding.starts_with("learned")) {
        Json encoding{{"kind", "learned"}, {"position_offset", contains(row.encoding, "offset 2") ? 2 : 0}};
        if (longest) encoding["max_position_embeddings"] = *longest;
        return encoding;
    }
    if (row.encoding.starts_with("t5")) return {{"kind", "t5"}};
    if (row.encoding.starts_with("sinusoidal"))
        return {{"kind", "sinusoidal"},
                {"variant", contains(row.encoding, "fairseq")  ? "fairseq"
                            : contains(row.encoding, "halves") ? "halves"
                                                               : "paper"}};
    return nullptr;
}

// Settings that the row has only in words.
void add_worded(const ModelRow& row, Json& encoding, ModelScene& model) {
    if (contains(row.encoding, "NoPE")) encoding["no_rope_layer_interval"] = 4;
    if (contains(row.encoding, "iRoPE")) encoding["attn_temperature_tuning"] = true;
    if (contains(row.encoding, "proportional") && contains(text_at(row.row, "other"), "head_dim 512")) {
        model.notes.push_back(
            {"model.global_head_dim",
             {{"global", "512"}, {"local", std::to_string(*integer_at(row.row, "head_dim"))}}});
        model.scene["head_dim"] = 512;
    }
}

void rotary(const ModelRow& row, ModelScene& model) {
    Json encoding{{"kind", "rope"}};
    const auto head = integer_at(row.row, "head_dim"), turned = integer_at(row.row, "rotary_dim");
    if (head && turned && *turned != *head) encoding["rotary_dim"] = *turned;
    if (const auto longest = integer_at(row.row, "max_position_embeddings"))
        encoding["max_position_embeddings"] = *longest;
    if (const Json scaling = row.row.value("rope_scaling", Json(nullptr)); scaling.is_object()) {
        std::vector<std::string> dropped;  // "note", which has its source in the row
        encoding["rope_scaling"] = known_rope_keys(scaling, dropped);
        if (scaling.contains("full_attention")) {
            encoding["rope_scaling"] = scaling;
            encoding["layer_type"] = "full_attention";
        }
    }
    if (const Json chunks = row.row.value("dual_chunk_attention_config", Json(nullptr)); chunks.is_object())
        encoding["dual_chunk_attention_config"] = chunks;
    if (const Json base = row.row.value("rope_theta", Json(nullptr)); base.is_number())
        model.scene["base"] = base;
    model.scene["layout"] = text_at(row.row, "pairing").starts_with("interleaved") ? "interleaved" : "half";
    add_worded(row, encoding, model);
    model.scene["encoding"] = std::move(encoding);
}

}  // namespace

Result<std::vector<ModelRow>> read_models(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return tl::unexpected(json.error());
    const auto models = json->is_object() ? json->find("models") : json->end();
    if (models == json->end() || !models->is_array()) return refuse("models.form");
    std::vector<ModelRow> rows;
    for (const Json& row : *models) {
        if (!row.is_object() || text_at(row, "name").empty() || text_at(row, "pe").empty())
            return refuse("models.form");
        ModelRow made{text_at(row, "name"),
                      text_at(row, "pe"),
                      text_at(row, "source"),
                      text_at(row, "confidence"),
                      false,
                      row};
        made.unverified = made.confidence.empty() || contains(made.confidence, "unverified") ||
                          contains(made.confidence, "recollection") || contains(made.source, "recollection");
        rows.push_back(std::move(made));
    }
    return rows;
}

Result<ModelScene> model_scene(const ModelRow& row) {
    if (lacks_factors(row.row.value("rope_scaling", Json(nullptr))))
        return failure("model.no_factors", {{"name", row.name}});
    ModelScene model;
    model.unverified = row.unverified;
    if (row.unverified)
        model.notes.push_back(
            {"model.unverified",
             {{"name", row.name}, {"confidence", row.confidence.empty() ? row.source : row.confidence}}});
    const auto heads = integer_at(row.row, "num_heads"), head = integer_at(row.row, "head_dim");
    if (heads && head) {
        model.scene["num_heads"] = *heads;
        model.scene["head_dim"] = *head;
        model.scene["d_model"] = *heads * *head;
        // A rotary encoding acts on heads, whatever d_model is.
        if (!absolute_encoding(row).is_null())
            model.notes.push_back({"model.width_made",
                                   {{"num_heads", std::to_string(*heads)},
                                    {"head_dim", std::to_string(*head)},
                                    {"d_model", std::to_string(*heads * *head)}}});
    } else model.notes.push_back({"model.width_unknown", {{"name", row.name}}});
    if (Json encoding = absolute_encoding(row); !encoding.is_null())
        model.scene["encoding"] = std::move(encoding);
    else rotary(row, model);
    // head_dim is omitted if it is d_model / num_heads.
    if (const auto made = model.scene.find("head_dim");
        made != model.scene.end() && head && *made == *head && *head % 2 == 0)
        model.scene.erase(made);
    remember_training(model.scene, trained_length(row.row));
    const auto laid = overlay(Scene(), model.scene);
    if (!laid) return tl::unexpected(laid.error());
    const auto remarks = remarks_on(laid->scene);
    model.notes.insert(model.notes.end(), remarks.begin(), remarks.end());
    remember_origin(model, row.confidence == "seen" ? "model" : "unverified");
    model.scene["view"]["model"]["name"] = row.name;
    return model;
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
        if (row.name == name) return model_scene(row);
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
    const Json& trained = scene.trained.scene;
    const Json* encoding = object_at(trained, "encoding");
    if (!scene.trained.length || encoding == nullptr) return nullptr;
    static const Json none = nullptr;
    const auto value = [](const Json& object, const char* key) -> const Json& {
        const auto found = object.find(key);
        return found == object.end() ? none : *found;
    };
    const auto fits = [&](const ModelRow& row) {
        return trained_length(row.row) == scene.trained.length &&
               value(row.row, "num_heads") == scene.num_heads &&
               value(row.row, "rope_theta") == value(trained, "base") &&
               value(row.row, "rope_scaling") == value(*encoding, "rope_scaling") &&
               (value(row.row, "head_dim") == head_dim(scene) || scene.head_dim);
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
