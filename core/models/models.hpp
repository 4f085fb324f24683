// models.hpp — known models by name: the rows of assets/models.json, each a config.json with the source of its values. A row is
// read as its config is, so that a model and its opened config.json are the same Scene.
#pragma once

#include "core/models/origin.hpp"

namespace posiscope {

struct ModelRow {
    std::string name;
    std::string source;
    std::string confidence;  // "seen", "seen second-hand", "partly unverified: …"
    bool unverified = false;
    ModelScene model;  // of its config
    Scene scene;       // with it, and else as at first

    bool operator==(const ModelRow&) const = default;
};

// The rows of models.json, in its order. Refused if a row's config is.
Result<std::vector<ModelRow>> read_models(std::string_view text);

// Names the origin of a config.json: the file, or the known model with the same settings, whose training is known.
void name_origin(ModelScene& model, std::span<const ModelRow> rows, std::string_view path);

// The row of that name, or a Problem that names the nearest one.
Result<ModelScene> model_scene(std::span<const ModelRow> rows, std::string_view name);

// The Scene with that model applied, over the length it was trained for.
Result<Overlaid> with_model(const Scene& scene, const ModelScene& model);

// The row with a Scene's trained settings and heads, `name` preferred, since several may share them. Null if none has.
const ModelRow* model_of(std::span<const ModelRow> rows, const Scene& scene, std::string_view name = {});

}  // namespace posiscope
