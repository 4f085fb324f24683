// latex.cpp — a Program as equations. Of a built-in encoding they have its numbers, of a typed one the names and their numbers
// after them. Every letter but p, i, j, q, k, h and those of the vectors has its own equation, so that the formula can be
// evaluated (tests/latex.py).
#include "core/code/writing.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

using formula::Notation;

constexpr std::size_t kMostListed = 256;  // longer lists are named alone

constexpr std::pair<std::string_view, std::string_view> kSlots[] = {
    {"position", "p'"}, {"frequency", "\\omega_i"}, {"distance", "\\Delta'"}, {"amplitude", "a_i"},
    {"bias", "\\beta"}, {"scale", "\\sigma"},       {"add", "PE_{(p,j)}"},    {"axis", "\\alpha_i"}};

// Names that have a letter in the literature, or one of the pair's.
constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
    {"omega", "\\omega_i"}, {"kept", "g_i"},       {"ntk_kept", "u_i"}, {"rotations", "r_i"},
    {"ntk", "\\nu_i"},      {"blended", "\\mu_i"}, {"slope", "m_h"},    {"divisors", "s"}};

template <class Table>
std::string_view found(const Table& table, std::string_view name) {
    for (const auto& [from, to] : table)
        if (from == name) return to;
    return {};
}

std::string letter_of(std::string_view name) {
    const std::string_view known = found(kLetters, name);
    return known.empty() ? formula::write(parsed(std::string(name)), Notation::latex) : std::string(known);
}

std::string rotation(const Program& program, std::string_view omega) {
    const std::string p = program.find("position") != nullptr ? "p'\\," : "p";
    return fmt::format(
        "\\begin{{pmatrix}} a' \\\\ b' \\end{{pmatrix}} = {0}\\begin{{pmatrix}} \\cos {1}{2} & -\\sin {1}{2} "
        "\\\\ \\sin {1}{2} & \\cos {1}{2} \\end{{pmatrix}} \\begin{{pmatrix}} a \\\\ b \\end{{pmatrix}}",
        program.attention_factor == 1.0 ? "" : latex_number(program.attention_factor) + "\\,", p, omega);
}

}  // namespace

std::string latex_text(const Program& program, const Scene& scene) {
    const KnownNumbers known = known_numbers(program, scene);
    std::vector<std::string> equations;
    const auto add = [&](std::string_view left, const std::string& right) {
        equations.push_back(fmt::format("{} = {}", left, right));
    };
    const auto right = [&](const ProgramSlot& slot, const std::string& line) {
        const auto name = [&](std::string_view word) {
            const bool is_width = word == "d" && slot.slot == "add";
            const auto number = known.find(word);
            if (program.names_kept || number == known.end()) return letter_of(word);
            return latex_number(is_width ? static_cast<double>(scene.d_model) : number->second);
        };
        return formula::write(parsed(line), Notation::latex, {.name = name});
    };
    const bool meets = program.find("distance") != nullptr || program.find("amplitude") != nullptr;
    for (const ProgramSlot& slot : program.slots) {
        if (slot.slot == "axis" && program.grid.is_null() && !program.names_kept) continue;
        std::string left(found(kSlots, slot.slot));
        const bool scaled = slot.slot == "frequency" && slot.lines.size() > 1;
        if (scaled) left = "\\omega'_i";
        if (slot.slot == "frequency" && !meets && !program.names_kept)
            equations.push_back(rotation(program, left));
        for (const ProgramLine& line : slot.lines)
            add(&line == &slot.lines.back() ? left : letter_of(line.name), right(slot, line.value));
    }
    if (program.names_kept)
        for (const ProgramLine& line : program.constants)
            add(letter_of(line.name), latex_number(known.at(line.name)));
    for (const auto& [name, numbers] : program.lists) {
        if (numbers.size() > kMostListed) continue;
        std::vector<std::string> texts;
        for (const double number : numbers) texts.push_back(latex_number(number));
        add(letter_of(name), fmt::format("({})", fmt::join(texts, ", ")));
    }
    return fmt::format("\\[ {} \\]\n", fmt::join(equations, ", \\quad "));
}

}  // namespace posiscope
