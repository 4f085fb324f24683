// cpp.cpp — a Program in C++20.
#include "core/code/writing.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

// C++'s words end in no _, so that these hide none of them.
std::string cpp_name(std::string_view name) {
    constexpr std::string_view arguments = "pijDqkhd";
    return name.size() == 1 && arguments.find(name) != std::string_view::npos ? std::string(name)
                                                                              : std::string(name) + "_";
}

std::string written(const std::string& line) {
    return formula::write(parsed(line), formula::Notation::cpp, {.name = cpp_name});
}

// `before`: lines that the formula needs; D where the arguments are q and k.
std::string function(const Program& program, std::string_view slot, std::string_view arguments,
                     std::string_view width, std::string_view before = {}) {
    const ProgramSlot* of = program.find(slot);
    if (of == nullptr) return {};
    std::string list;
    for (const char letter : arguments)
        list += fmt::format("{}[[maybe_unused]] double {}", list.empty() ? "" : ", ", letter);
    std::string text = fmt::format("\ninline double {}({}) {{\n{}    [[maybe_unused]] const double d = {};\n",
                                   slot == "add" ? "added" : slot, list, before, width);
    for (const ProgramLine& line : of->lines)
        text += &line == &of->lines.back()
                    ? fmt::format("    return {};\n}}\n", written(line.value))
                    : fmt::format("    const double {} = {};\n", cpp_name(line.name), written(line.value));
    return text;
}

std::string constants_text(const Program& program, const Scene& scene) {
    const std::int64_t length = program.find("add") != nullptr ? scene.length : content_length(scene);
    std::string text = fmt::format("constexpr int length = {}, heads = {}, head_dim = {}, d_model = {};\n"
                                   "constexpr int rotary_dim = {}, rotary_offset = {};\n",
                                   length, scene.num_heads, head_dim(scene), scene.d_model,
                                   rotary_width(program, scene), program.rotary_offset);
    const KnownNumbers known = known_numbers(program, scene);
    for (const char* letter : {"b", "n", "L", "H"})
        text += fmt::format("[[maybe_unused]] const double {} = {};\n", cpp_name(letter),
                            floating_number(known.at(letter)));
    text += "[[maybe_unused]] const double d = rotary_dim;\n";
    for (const ProgramLine& line : program.constants)
        text += fmt::format("const double {} = {};\n", cpp_name(line.name), written(line.value));
    for (const auto& [name, numbers] : program.lists) {
        text += fmt::format("const double {}[] = {{", cpp_name(name));
        for (std::size_t n = 0; n < numbers.size(); ++n)
            text += (n == 0 ? "" : n % 8 == 0 ? ",\n    " : ", ") + floating_number(numbers[n]);
        text += "};\n";
    }
    return text;
}

}  // namespace

std::string cpp_text(const Program& program, const Scene& scene) {
    const auto has = [&](std::string_view slot) { return program.find(slot) != nullptr; };
    const bool rotates = has("frequency"), meets = rotates && (has("distance") || has("amplitude")),
               halves = scene.layout == PairLayout::halves;
    const std::string first = halves ? "rotary_offset + i" : "rotary_offset + 2 * i",
                      second = halves ? "rotary_offset + rotary_dim / 2 + i" : "rotary_offset + 2 * i + 1",
                      factor = floating_number(program.attention_factor);
    const auto mapped = [&](std::string_view place) {
        return has("position") ? fmt::format("position({})", place) : fmt::format("double({})", place);
    };
    constexpr std::string_view apart = "    [[maybe_unused]] const double D = q - k;\n";
    std::string text =
        fmt::format(
            "// Posiscope: {}; C++20\n#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include "
            "<limits>\n#include <numbers>\n#include <vector>\n\nnamespace position {{\n\n",
            program.title) +
        constants_text(program, scene) + function(program, "position", "p", "head_dim") +
        function(program, "frequency", "i", "rotary_dim") + function(program, "distance", "Dqk", "head_dim") +
        function(program, "amplitude", "iD", "head_dim") +
        function(program, "bias", "qkh", "head_dim", apart) +
        function(program, "scale", "qkh", "head_dim", apart) + function(program, "add", "pj", "d_model");
    if (has("add"))
        text += R"(
// [length, d_model]
inline std::vector<double> table() {
    std::vector<double> values;
    for (int p = 0; p < length; ++p)
        for (int j = 0; j < d_model; ++j) values.push_back(added(p, j));
    return values;
}
)";
    if (has("bias"))
        text += R"(
// [heads, length, length], hidden keys included
inline std::vector<double> biases() {
    std::vector<double> values;
    for (int h = 0; h < heads; ++h)
        for (int q = 0; q < length; ++q)
            for (int k = 0; k < length; ++k) values.push_back(bias(q, k, h));
    return values;
}
)";
    if (rotates && !meets)
        text += filled(R"(
// Rotates one head's features of a token at this position.
inline void rotate(double* x, int p) {
    for (int i = 0; i < rotary_dim / 2; ++i) {
        const double angle = AT * frequency(i), c = FACTORstd::cos(angle), s = FACTORstd::sin(angle);
        double &first = x[FIRST], &second = x[SECOND];
        const double u = first, v = second;
        first = u * c - v * s;
        second = u * s + v * c;
    }
}
)",
                       {{"FIRST", first},
                        {"SECOND", second},
                        {"AT", mapped("p")},
                        {"FACTOR", program.attention_factor == 1.0 ? "" : factor + " * "}});
    text += R"(
// One head's logit of a query at m and a key at j, each [head_dim] before the encoding; without a mask.
inline double logit(const double* q, const double* k, [[maybe_unused]] int m, [[maybe_unused]] int j,
                    [[maybe_unused]] int h = 0) {
    double made = 0.0;
    for (int f = 0; f < head_dim; ++f) made += q[f] * k[f];
)";
    if (rotates)
        text += filled(R"(    const double D = FROM - TO;
    const double seen = SEEN;
    for (int i = 0; i < rotary_dim / 2; ++i) {
        const double u = q[FIRST], v = q[SECOND], w = k[FIRST], x = k[SECOND];
        const double angle = seen * frequency(i);
        made += SIZE((u * w + v * x) * std::cos(angle) + (u * x - v * w) * std::sin(angle)) - (u * w + v * x);
    }
)",
                       {{"FIRST", first},
                        {"SECOND", second},
                        {"SEEN", has("distance") ? "distance(D, m, j)" : "D"},
                        {"SIZE", (program.attention_factor == 1.0 ? "" : factor + " * " + factor + " * ") +
                                     (has("amplitude") ? "amplitude(i, D) * " : "")},
                        {"FROM", mapped("m")},
                        {"TO", mapped("j")}});
    text += fmt::format(
        "    made /= std::sqrt(double(head_dim));\n{}{}    return made;\n}}\n\n}}  // namespace position\n",
        has("scale") ? "    made *= scale(m, j, h);\n" : "",
        has("bias") ? "    made += bias(m, j, h);\n" : "");
    return text;
}

}  // namespace posiscope
