#include "core/code/code.hpp"

#include "core/code/program.hpp"
#include "core/scene/tensors.hpp"

#include <array>

namespace posiscope {
namespace {

// Programs have one position for each token.
Result<Program> program_of_positions(const Scene& scene) {
    auto program = program_of(scene);
    if (program && !program->grid.is_null()) return failure("code.on_grid");
    return program;
}

// Python, with what makes q and k of a checkpoint's weights.
template <Arrays arrays>
Result<std::string> python(const Scene& scene) {
    const auto program = program_of_positions(scene);
    if (!program) return tl::unexpected(program.error());
    std::string text = python_text(*program, scene, arrays);
    if (!is_checkpoint(scene.content)) return text;
    return projection_text(scene, arrays).map([&](const std::string& added) { return text + added; });
}

template <std::string (*write)(const Program&, const Scene&)>
Result<std::string> program_text(const Scene& scene) {
    return program_of_positions(scene).map([&](const Program& program) { return write(program, scene); });
}

Result<std::string> latex(const Scene& scene) {
    return program_of(scene).map([&](const Program& program) { return latex_text(program, scene); });
}

constexpr std::array kForms = {
    CodeForm{"numpy", python<Arrays::numpy>},
    CodeForm{"pytorch", python<Arrays::pytorch>},
    CodeForm{"jax", python<Arrays::jax>},
    CodeForm{"flex_attention", flex_attention},
    CodeForm{"cpp", program_text<cpp_text>},
    CodeForm{"config", config_text},
    CodeForm{"rope_parameters", rope_parameters_text},
    CodeForm{"vllm", vllm_flags},
    CodeForm{"llama_cpp", llama_cpp_flags},
    CodeForm{"latex", latex},
};

}  // namespace

std::span<const CodeForm> code_forms() { return kForms; }

const CodeForm* find_code_form(std::string_view id) {
    for (const CodeForm& form : kForms)
        if (form.id == id) return &form;
    return nullptr;
}

}  // namespace posiscope
