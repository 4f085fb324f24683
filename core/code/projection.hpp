// projection.hpp — how q and k are made of a checkpoint's weights (scene/tensors.hpp), as Python.
#pragma once

#include "core/code/code_sketch.hpp"

namespace posiscope {

enum class Arrays { numpy, pytorch };  // what the program before it computes with

// The code after the program of an encoding that has `rotate` or `bias`. Fails where the files cannot be read.
Result<std::string> projection_text(const Scene& scene, const CodeSketch& program, Arrays arrays);

}  // namespace posiscope
