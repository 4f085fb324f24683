// languages.hpp — writes a Program in one language. Cannot fail: program_of() has refused encodings without a formula.
#pragma once

#include "core/code/program.hpp"

namespace posiscope {

std::string numpy_text(const Program& program);
std::string pytorch_text(const Program& program);
std::string cpp_text(const Program& program);

}  // namespace posiscope
