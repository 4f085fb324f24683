#include "core/code/code.hpp"

#include "core/code/code_sketch.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <array>
#include <fmt/format.h>

namespace posiscope {
namespace {

template <std::string (*Spell)(const CodeSketch&)>
Result<std::string> program_text(const Scene& scene) {
    return program_of(scene).map(Spell);
}

// Python, with what makes q and k of a checkpoint's weights.
template <std::string (*Spell)(const CodeSketch&), Arrays arrays>
Result<std::string> python_text(const Scene& scene) {
    auto program = program_of(scene);
    if (!program) return tl::unexpected(program.error());
    if (!is_checkpoint(scene.content)) return Spell(*program);
    for (CodeLine& size : program->sizes)
        if (size.name == "length") size.value = std::to_string(content_length(scene));
    return projection_text(scene, *program, arrays).map([&](const std::string& added) {
        return Spell(*program) + added;
    });
}

std::string latex(const CodeSketch& program) { return "\\[ " + program.latex + " \\]\n"; }

// By its CodeSketch; an encoding without one, or without one for these settings, by the formulas that it would be typed as.
template <Result<std::string> (*Typed)(const Scene&), Result<std::string> (*Otherwise)(const Scene&)>
Result<std::string> typed_or(const Scene& scene) {
    if (encoding_of(scene).slots.program != nullptr)
        if (auto made = Otherwise(scene)) return made;
    return as_typed(scene).and_then(Typed);
}

constexpr std::array kForms = {
    CodeForm{"numpy", typed_or<typed_numpy, python_text<numpy_text, Arrays::numpy>>},
    CodeForm{"pytorch", typed_or<typed_pytorch, python_text<pytorch_text, Arrays::pytorch>>},
    CodeForm{"flex_attention", flex_attention},
    CodeForm{"cpp", typed_or<typed_cpp, program_text<cpp_text>>},
    CodeForm{"config", config_text},
    CodeForm{"rope_parameters", rope_parameters_text},
    CodeForm{"vllm", vllm_flags},
    CodeForm{"llama_cpp", llama_cpp_flags},
    CodeForm{"latex", typed_or<typed_latex, program_text<latex>>},
};

}  // namespace

std::span<const CodeForm> code_forms() { return kForms; }

const CodeForm* find_code_form(std::string_view id) {
    for (const CodeForm& form : kForms)
        if (form.id == id) return &form;
    return nullptr;
}

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
