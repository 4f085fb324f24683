#include "core/code/program.hpp"

#include "core/code/writing.hpp"
#include "core/encodings/encodings.hpp"
#include "core/formula/evaluate.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {

const ProgramSlot* Program::find(std::string_view slot) const {
    const auto found =
        std::find_if(slots.begin(), slots.end(), [&](const ProgramSlot& one) { return one.slot == slot; });
    return found == slots.end() ? nullptr : &*found;
}

void Program::constant(std::string name, double value) {
    constants.push_back({std::move(name), code_number(value)});
}

void Program::scale(const std::string& factor) {
    const auto found =
        std::find_if(slots.begin(), slots.end(), [](const ProgramSlot& one) { return one.slot == "scale"; });
    if (found == slots.end()) slots.push_back({"scale", {{"", factor}}});
    else found->lines.back().value += "*" + factor;
}

Program plain_program(const Scene& scene, std::string title, std::vector<ProgramSlot> slots) {
    Program made;
    made.title = std::move(title);
    made.slots = std::move(slots);
    made.base = scene.base;
    return made;
}

std::string code_number(double value) { return fmt::format("{}", value); }

std::string latex_number(double value) {
    const std::string text = code_number(value);
    const auto e = text.find('e');
    return e == std::string::npos
               ? text
               : fmt::format("({} \\cdot 10^{{{}}})", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

Result<Program> program_of(const Scene& scene) {
    const FormulaSlots& slots = encoding_of(scene).slots;
    if (slots.program == nullptr)
        return failure(std::string(slots.not_formulas), {{"kind", scene.encoding.kind}});
    return slots.program(scene);
}

std::string floating_number(double value) {
    const std::string text = code_number(value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string>> words) {
    for (const auto& [from, to] : words)
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

formula::Formula parsed(const std::string& line) {
    auto made = formula::parse(line, "encoding");
    if (!made) throw std::logic_error("no formula: " + line);
    return std::move(*made);
}

std::int64_t rotary_width(const Program& program, const Scene& scene) {
    return program.rotary_dim != 0 ? program.rotary_dim : head_dim(scene);
}

KnownNumbers known_numbers(const Program& program, const Scene& scene) {
    KnownNumbers known{{"b", program.base},
                       {"n", static_cast<double>(scene.length)},
                       {"L", static_cast<double>(scene.trained.length.value_or(scene.length))},
                       {"H", static_cast<double>(scene.num_heads)},
                       {"d", static_cast<double>(rotary_width(program, scene))}};
    for (const ProgramLine& line : program.constants) {
        const formula::Formula value = parsed(line.value);
        std::vector<formula::Binding> names;
        for (const formula::Name& name : value.names()) names.push_back({.one = known.at(name.text)});
        known[line.name] = formula::value_of(value, names);
    }
    return known;
}

}  // namespace posiscope
