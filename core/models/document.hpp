// document.hpp — a person's config.json, edited: what a Scene changes is changed in it, and the rest stays as it is written.
// A Scene keeps the text that its model was read from, in view.model.config. Keys keep their nesting, order and spelling.
// Every edit is read back and held against the Scene; one that the config has no place for is refused. Keys of our own
// (nope, shared_object, …) are never written.
#pragma once

#include "core/models/config.hpp"

namespace posiscope {

using Document = nlohmann::ordered_json;  // in the order of its text

// The text that the Scene's model was read from; empty without a model, and where the text was too long to keep.
std::string_view document_of(const Scene& scene);

// The same text where the Scene has the rotation that was read; else the document with the Scene's. Refused without a document.
Result<std::string> edited_document(const Scene& scene);

// The rotary keys of the edited document, in their places: {"text_config": {"rope_parameters": {…}}}. Null if it has none.
Result<Document> rotary_part(const Scene& scene);

// The same for settings given at launch, after the config was read, with the Scene's rope_parameters whole. vLLM 0.30 with
// transformers 5.17 lets a rope_scaling take the place of all that was read: without rope_theta inside it the base is
// 10,000, and a rope_theta beside it is not looked at (vLLM issue 58675).
Result<Document> launch_part(const Scene& scene, const Json& parameters);

}  // namespace posiscope
