// languages.hpp — writes a CodeSketch in one language. Cannot fail: program_of() has refused encodings without a formula.
#pragma once

#include "core/code/code_sketch.hpp"

namespace posiscope {

std::string numpy_text(const CodeSketch& program);
std::string pytorch_text(const CodeSketch& program);
std::string cpp_text(const CodeSketch& program);

}  // namespace posiscope
