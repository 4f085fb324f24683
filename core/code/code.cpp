#include "core/code/code.hpp"

#include "core/code/languages.hpp"
#include "core/code/scalings.hpp"

#include <array>

namespace posiscope {
namespace {

template <std::string (*Spell)(const Program&)>
Result<std::string> program_text(const Scene& scene) {
    return program_of(scene).map(Spell);
}

std::string latex(const Program& program) { return "\\[ " + program.latex + " \\]\n"; }

constexpr std::array kForms = {
    CodeForm{"numpy", program_text<numpy_text>}, CodeForm{"pytorch", program_text<pytorch_text>},
    CodeForm{"cpp", program_text<cpp_text>},     CodeForm{"rope_parameters", rope_parameters_text},
    CodeForm{"llama_cpp", llama_cpp_flags},      CodeForm{"latex", program_text<latex>},
};

}  // namespace

std::span<const CodeForm> code_forms() { return kForms; }

const CodeForm* find_code_form(std::string_view id) {
    for (const CodeForm& form : kForms)
        if (form.id == id) return &form;
    return nullptr;
}

}  // namespace posiscope
