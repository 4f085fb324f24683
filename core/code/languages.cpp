// languages.cpp — writes a CodeSketch in NumPy, PyTorch and C++.
#include "core/code/code_sketch.hpp"

#include <fmt/format.h>
#include <iterator>

namespace posiscope {
namespace {

bool uses(const CodeSketch& program, std::string_view word) {
    const auto in = [&](const std::vector<CodeLine>& lines) {
        for (const CodeLine& line : lines)
            if (line.value.find(word) != std::string::npos) return true;
        return false;
    };
    for (const CodeFunction& function : program.functions)
        if (function.value.find(word) != std::string::npos) return true;
    return in(program.constants) || in(program.body);
}

std::string list(const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ") + code_number(values[i]);
    return text;
}

// ---- Python ----------------------------------------------------------------------------------------------------

// Names that differ between NumPy and PyTorch.
struct Python {
    std::string_view import, array, positions, outer, sin, cos, zeros, copy;
};
constexpr Python kNumpy{
    "import numpy as np", "np.array({})",  "np.arange(length)",           "np.outer({}, {})",
    "np.sin(angle)",      "np.cos(angle)", "np.zeros((length, d_model))", "np.array(x, dtype=float)"};
constexpr Python kPytorch{"import torch",
                          "torch.tensor({}, dtype=torch.float64)",
                          "torch.arange(length, dtype=torch.float64)",
                          "torch.outer({}, {})",
                          "angle.sin()",
                          "angle.cos()",
                          "torch.zeros(length, d_model, dtype=torch.float64)",
                          "x.clone()"};

std::string filled(std::string_view pattern, std::initializer_list<std::string_view> words) {
    std::string text;
    auto word = words.begin();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern.substr(i, 2) != "{}") {
            text += pattern[i];
            continue;
        }
        text += *word++;
        ++i;
    }
    return text;
}

// "rotary_offset + " where features come before the rotated ones.
std::string offset_of(const CodeSketch& program) {
    const bool offset = std::any_of(program.sizes.begin(), program.sizes.end(),
                                    [](const CodeLine& size) { return size.name == "rotary_offset"; });
    return offset ? "rotary_offset + " : "";
}

// A slice of a head's features: from … to of half pairs, or from … to:step of interleaved ones.
std::string features(const CodeSketch& program, const std::string& from, const std::string& to,
                     const std::string& interleaved_from, const std::string& interleaved_to) {
    const std::string offset = offset_of(program);
    if (!program.halves) return offset + interleaved_from + ":" + offset + interleaved_to;
    return (from.empty() ? (offset.empty() ? "" : "rotary_offset") : offset + from) + ":" + offset + to;
}

std::string python(const CodeSketch& program, const Python& words) {
    std::string text = fmt::format("# Posiscope: {}\n{}\n", program.title, words.import);
    std::string functions;
    for (const std::string_view name : {"ceil", "floor", "log1p", "log", "pi"})
        if (uses(program, name) && !(name == "log" && !uses(program, "log(")))
            functions += fmt::format("{}{}", functions.empty() ? "" : ", ", name);
    if (!functions.empty()) text += fmt::format("from math import {}\n", functions);
    text += "\n";
    for (const auto& [name, value] : program.sizes) text += fmt::format("{} = {}\n", name, value);
    if (uses(program, "pick("))
        text += "\n\ndef pick(condition, yes, no):\n    return yes if condition else no\n\n\n";
    for (const auto& [name, value] : program.constants) text += fmt::format("{} = {}\n", name, value);
    if (!program.divisors.empty()) text += fmt::format("divisors = [\n    {}]\n", list(program.divisors));

    for (const CodeFunction& function : program.functions)
        text += fmt::format("\n\ndef {}({}):\n    return {}\n", function.name,
                            fmt::join(function.arguments, ", "), function.value);
    const bool bias = program.makes == CodeSketch::Makes::bias;
    text += bias ? "\n\ndef bias_at(head, query, key):\n" : "\n\ndef frequency(i):\n";
    for (const auto& [name, value] : program.body) text += fmt::format("    {} = {}\n", name, value);
    text += fmt::format("    return {}\n\n\n", program.body.back().name);
    if (bias)
        return text +
               fmt::format(
                   "bias = {}\n",
                   filled(words.array, {"[[[bias_at(h, i, j) for j in range(length)]\n"
                                        "                  for i in range(length)] for h in range(heads)]"}));

    const bool table = program.makes == CodeSketch::Makes::table;
    const std::string_view frequencies = table ? "omega" : "inv_freq";
    text +=
        fmt::format("{} = {}\n", frequencies, filled(words.array, {"[frequency(i) for i in range(pairs)]"}));
    text += fmt::format("angle = {}\n", filled(words.outer, {words.positions, frequencies}));
    if (table) {
        text += fmt::format("table = {}\n", words.zeros);
        text += fmt::format("table[:, {}] = {}\n", program.halves ? ":pairs" : "0:2 * pairs:2", words.sin);
        text += fmt::format("table[:, {}] = {}\n", program.halves ? "pairs:2 * pairs" : "1:2 * pairs:2",
                            words.cos);
        if (program.zero) text += fmt::format("table[{}] = 0.0\n", *program.zero);
        return text;
    }
    const std::string first = features(program, "", "pairs", "0", "rotary_dim:2"),
                      second = features(program, "pairs", "rotary_dim", "1", "rotary_dim:2");
    return text +
           fmt::format("cos = {} * attention_factor\nsin = {} * attention_factor\n\n\n"
                       "def rotate(x):  # [length, features]\n    y = {}\n"
                       "    a, b = x[:, {}], x[:, {}]\n"
                       "    y[:, {}] = a * cos - b * sin\n    y[:, {}] = a * sin + b * cos\n    return y\n",
                       words.cos, words.sin, words.copy, first, second, first, second);
}

}  // namespace

std::string numpy_text(const CodeSketch& program) { return python(program, kNumpy); }
std::string pytorch_text(const CodeSketch& program) { return python(program, kPytorch); }

// ---- C++ -------------------------------------------------------------------------------------------------------

std::string cpp_text(const CodeSketch& program) {
    std::string text =
        fmt::format("// Posiscope: {}\n#include <algorithm>\n#include <cmath>\n#include <cstdlib>\n"
                    "#include <vector>\n\nnamespace position {{\n\n"
                    "using std::abs, std::ceil, std::floor, std::log, std::log1p, std::max, "
                    "std::min, std::pow;\n\n",
                    program.title);
    for (const auto& [name, value] : program.sizes)
        text += fmt::format("constexpr long {} = {};\n", name, value);
    text += "constexpr double pi = 3.14159265358979323846;\n";
    if (uses(program, "pick("))
        text +=
            "inline double pick(bool condition, double yes, double no) { return condition ? yes : no; }\n";
    for (const auto& [name, value] : program.constants)
        text += fmt::format("const double {} = {};\n", name, value);
    if (!program.divisors.empty())
        text += fmt::format("const double divisors[] = {{\n    {}}};\n", list(program.divisors));

    for (const CodeFunction& function : program.functions)
        text += fmt::format("\ninline double {}(double {}) {{ return {}; }}\n", function.name,
                            fmt::join(function.arguments, ", double "), function.value);
    const bool bias = program.makes == CodeSketch::Makes::bias;
    text +=
        bias ? "\ninline double bias_at([[maybe_unused]] int head, [[maybe_unused]] int query, int key) {\n"
             : "\ninline double frequency(long i) {\n";
    for (const auto& [name, value] : program.body)
        text += fmt::format("    const double {} = {};\n", name, value);
    text += fmt::format("    return {};\n}}\n\n", program.body.back().name);
    switch (program.makes) {
        case CodeSketch::Makes::bias:
            text += "// [heads, length, length]\ninline std::vector<double> bias() {\n"
                    "    std::vector<double> values;\n"
                    "    for (int h = 0; h < heads; ++h)\n        for (int i = 0; i < length; ++i)\n"
                    "            for (int j = 0; j < length; ++j) values.push_back(bias_at(h, i, j));\n"
                    "    return values;\n}\n";
            break;
        case CodeSketch::Makes::table:
            text += fmt::format(
                "// [length, d_model]\ninline std::vector<double> table() {{\n"
                "    std::vector<double> values(static_cast<std::size_t>(length * d_model));\n"
                "    for (long p = 0; p < length; ++p)\n        for (long i = 0; i < pairs; ++i) {{\n"
                "            const double angle = static_cast<double>(p) * frequency(i);\n"
                "            values[static_cast<std::size_t>(p * d_model + {})] = {}std::sin(angle);\n"
                "            values[static_cast<std::size_t>(p * d_model + {})] = {}std::cos(angle);\n"
                "        }}\n    return values;\n}}\n",
                program.halves ? "i" : "2 * i",
                program.zero ? fmt::format("p == {} ? 0.0 : ", *program.zero) : "",
                program.halves ? "pairs + i" : "2 * i + 1",
                program.zero ? fmt::format("p == {} ? 0.0 : ", *program.zero) : "");
            break;
        case CodeSketch::Makes::rotation:
            text += fmt::format(
                "// Rotates rotary_dim features of x, of a token at this position.\n"
                "inline void rotate(double* x, long position) {{\n    for (long i = 0; i < pairs; ++i) {{\n"
                "        const double angle = static_cast<double>(position) * frequency(i);\n"
                "        const double c = std::cos(angle) * attention_factor;\n"
                "        const double s = std::sin(angle) * attention_factor;\n"
                "        double &first = x[{}], &second = x[{}];\n        const double a = first, b = "
                "second;\n"
                "        first = a * c - b * s;\n        second = a * s + b * c;\n    }}\n}}\n",
                offset_of(program) + (program.halves ? "i" : "2 * i"),
                offset_of(program) + (program.halves ? "pairs + i" : "2 * i + 1"));
            break;
    }
    return text + "\n}  // namespace position\n";
}

}  // namespace posiscope
