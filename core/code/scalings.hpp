// scalings.hpp — RoPE and its scalings as formulas, config objects and flags.
#pragma once

#include "core/code/code_sketch.hpp"

namespace posiscope {

Result<CodeSketch> rope_program(const Scene& scene);
Result<std::string> rope_parameters_text(const Scene& scene);
// The config.json that the Scene's model was read from, with the Scene's rotation (models/document.hpp).
Result<std::string> config_text(const Scene& scene);
Result<std::string> vllm_flags(const Scene& scene);
Result<std::string> llama_cpp_flags(const Scene& scene);

}  // namespace posiscope
