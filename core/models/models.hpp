// models.hpp — known models by name: the rows of assets/models.json, each with the source of its values.
// A row has head_dim and num_heads but no hidden_size: d_model = num_heads × head_dim, and a note says so if the encoding
// is as wide as d_model. Facts that a row states in words (NoPE intervals, position offsets, Gemma 4's global head_dim)
// become settings here. A row without its LongRoPE factor lists is refused: without them there is no spectrum.
#pragma once

#include "core/models/origin.hpp"

namespace posiscope {

struct ModelRow {
    std::string name;
    std::string encoding;  // in the words of the row: "rope", "learned absolute (offset 2)", …
    std::string source;
    std::string confidence;  // "seen", "seen second-hand", "partly unverified: …"
    bool unverified = false;
    Json row;

    bool operator==(const ModelRow&) const = default;
};

// The rows of models.json, in its order.
Result<std::vector<ModelRow>> read_models(std::string_view text);

// Names the origin of a config.json: the file, or the known model with the same settings, whose training is known.
void name_origin(ModelScene& model, std::span<const ModelRow> rows, std::string_view path);

// The row of that name, or a Problem that names the nearest one.
Result<ModelScene> model_scene(std::span<const ModelRow> rows, std::string_view name);
Result<ModelScene> model_scene(const ModelRow& row);

// The Scene with that model applied, over the length it was trained for.
Result<Overlaid> with_model(const Scene& scene, const ModelScene& model);

// The row with a Scene's trained settings and heads, `name` preferred, since several may share them. Null if none has.
const ModelRow* model_of(std::span<const ModelRow> rows, const Scene& scene, std::string_view name = {});

}  // namespace posiscope
