#include "core/code/code_sketch.hpp"

#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"

#include <fmt/format.h>

namespace posiscope {

std::string code_number(double value) { return fmt::format("{}", value); }

std::string latex_number(double value) {
    const std::string text = code_number(value);
    const auto e = text.find('e');
    return e == std::string::npos
               ? text
               : fmt::format("({} \\cdot 10^{{{}}})", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

CodeSketch bias_program(const Scene& scene, std::string title) {
    CodeSketch program;
    program.makes = CodeSketch::Makes::bias;
    program.title = std::move(title);
    program.sizes = {{"length", std::to_string(content_length(scene))},
                     {"heads", std::to_string(scene.num_heads)}};
    return program;
}

Result<CodeSketch> program_of(const Scene& scene) {
    const auto program = encoding_of(scene).slots.program;
    if (program == nullptr) throw std::logic_error("no program of " + scene.encoding.kind);
    return program(scene);
}

}  // namespace posiscope
