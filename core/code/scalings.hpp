// scalings.hpp — RoPE and its scalings as formulas, config objects and flags.
#pragma once

#include "core/code/program.hpp"

namespace posiscope {

Result<Program> rope_program(const Scene& scene);
Result<std::string> rope_parameters_text(const Scene& scene);
Result<std::string> vllm_flags(const Scene& scene);
Result<std::string> llama_cpp_flags(const Scene& scene);

}  // namespace posiscope
