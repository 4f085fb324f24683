// models.hpp — known models by name: the rows of assets/models.json, each with where its values were seen.
// A row gives head_dim and num_heads but no hidden_size: d_model = num_heads × head_dim, and a note says so where the
// encoding is as wide as d_model. What a row says in words only (NoPE intervals, position offsets, Gemma 4's global head_dim) is put into settings here.
// A row whose LongRoPE factor lists were not seen is refused: without them there is no spectrum.
#pragma once

#include "core/models/origin.hpp"

namespace posiscope {

struct ModelRow {
    std::string name;
    std::string encoding;  // as the row words it: "rope", "learned absolute (offset 2)", …
    std::string source;
    std::string confidence;  // "seen", "seen second-hand", "partly unverified: …"
    bool unverified = false;
    Json row;

    bool operator==(const ModelRow&) const = default;
};

// The rows of models.json, in its order.
Result<std::vector<ModelRow>> read_models(std::string_view text);

// Gives a config.json the file's name, or that of the known model whose settings it has: then training is known too.
void name_origin(ModelScene& model, std::span<const ModelRow> rows, std::string_view path);

// The row of that name, or a Problem that names the nearest one.
Result<ModelScene> model_scene(std::span<const ModelRow> rows, std::string_view name);
Result<ModelScene> model_scene(const ModelRow& row);

// A Scene with that model in it, over the length it was trained for.
Result<Overlaid> with_model(const Scene& scene, const ModelScene& model);

// The row that a Scene's trained settings and heads are those of; `name` first, since several may share them. Null
// where none is.
const ModelRow* model_of(std::span<const ModelRow> rows, const Scene& scene, std::string_view name = {});

}  // namespace posiscope
