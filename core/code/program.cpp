// program.cpp — the formulas of encodings; those of RoPE's scalings are in scalings.cpp.
#include "core/code/program.hpp"

#include "core/code/scalings.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace posiscope {
namespace {

std::string whole(std::int64_t value) { return std::to_string(value); }

std::string variant_of(const Scene& scene) {
    return scene.encoding.parameters.at("variant").get<std::string>();
}

// A parameter that may be absent or null.
std::optional<double> given(const Scene& scene, const char* key) {
    const auto found = scene.encoding.parameters.find(key);
    return found != scene.encoding.parameters.end() && found->is_number()
               ? std::optional(found->get<double>())
               : std::nullopt;
}

Result<Program> sinusoidal(const Scene& scene) {
    const std::string variant = variant_of(scene);
    Program program;
    program.title = "sinusoidal, " + variant;
    program.halves = encoding_of(scene).layout(scene) == PairLayout::halves;
    program.sizes = {{"length", whole(scene.length)},
                     {"d_model", whole(scene.d_model)},
                     {"pairs", whole(scene.d_model / 2)}};
    program.constants = {{"base", code_number(scene.base)}};
    const std::string b = latex_number(scene.base);
    std::string exponent, factor;
    if (variant == "tensor2tensor" || variant == "fairseq") {
        program.body = {{"omega", "pow(base, -i / max(pairs - 1.0, 1.0))"}};
        exponent = fmt::format("-i/{}", std::max<std::int64_t>(scene.d_model / 2 - 1, 1));
    } else if (variant == "double_exponent") {
        program.body = {{"omega", "pow(base, -4.0 * i / d_model)"}};
        exponent = fmt::format("-4i/{}", scene.d_model);
    } else if (variant == "two_pi") {
        program.body = {{"omega", "2.0 * pi * pow(base, -2.0 * i / d_model)"}};
        exponent = fmt::format("-2i/{}", scene.d_model);
        factor = "2\\pi \\cdot ";
    } else {
        program.body = {{"omega", "pow(base, -2.0 * i / d_model)"}};
        exponent = fmt::format("-2i/{}", scene.d_model);
    }
    if (variant == "fairseq")
        if (const auto row = given(scene, "padding_idx"))
            if (static_cast<std::int64_t>(*row) < scene.length)
                program.zero = static_cast<std::int64_t>(*row);
    const std::string first = program.halves ? "i" : "2i";
    const std::string second = program.halves ? fmt::format("i+{}", scene.d_model / 2) : "2i+1";
    program.latex = fmt::format("PE_{{(p,{})}} = \\sin(p\\,\\omega_i), \\quad "
                                "PE_{{(p,{})}} = \\cos(p\\,\\omega_i), \\quad "
                                "\\omega_i = {}{}^{{{}}}",
                                first, second, factor, b, exponent);
    if (program.zero) program.latex += fmt::format(", \\quad PE_{{({},c)}} = 0", *program.zero);
    return program;
}

// Two rules, one up to head `last` and one after it.
std::string up_to(std::uint64_t last, const std::string& first, const std::string& rest) {
    return fmt::format("\\begin{{cases}} 2^{{{0}}} & h \\le {1} \\\\ 2^{{{2}}} & h > {1} \\end{{cases}}",
                       first, last, rest);
}

std::string alibi_slope(std::uint64_t heads) {
    const std::uint64_t series = std::bit_floor(heads);
    const std::string first = fmt::format("-8h/{}", series);
    if (series == heads) return fmt::format("2^{{{}}}", first);
    return up_to(series, first, fmt::format("-4(2(h-{0})-1)/{0}", series));
}

std::string mpt_slope(const Program& program, std::uint64_t heads) {
    const std::string& most = program.constants[0].value;
    const std::uint64_t series = std::bit_ceil(heads);
    if (series == heads) return fmt::format("2^{{-{}h/{}}}", most, series);
    return up_to(series / 2, fmt::format("-{} \\cdot 2h/{}", most, series),
                 fmt::format("-{}(2(h-{})-1)/{}", most, series / 2, series));
}

// −m_h (i − j) with m_h = 2^(−8k/P): the series of P = 2^⌊log2 H⌋, then odd terms of the series of 2P.
Result<Program> alibi(const Scene& scene) {
    const std::string variant = variant_of(scene);
    const auto heads = static_cast<std::uint64_t>(scene.num_heads);
    Program program;
    program.makes = Program::Makes::bias;
    program.title = "alibi, " + variant;
    program.sizes = {{"length", whole(content_length(scene))}, {"heads", whole(scene.num_heads)}};
    if (variant == "mpt") {
        const bool odd_first = std::bit_ceil(heads) != heads;
        program.constants = {
            {"bias_max", code_number(scene.encoding.parameters.at("alibi_bias_max").get<double>())},
            {"series", code_number(static_cast<double>(std::bit_ceil(heads)))}};
        if (odd_first)
            program.body = {{"k", "pick(head < series / 2, 2.0 * (head + 1), 2.0 * (head - series / 2) + 1)"},
                            {"slope", "pow(2.0, -bias_max * k / series)"}};
        else program.body = {{"slope", "pow(2.0, -bias_max * (head + 1) / series)"}};
    } else {
        program.constants = {{"series", code_number(static_cast<double>(std::bit_floor(heads)))}};
        program.body = {{"slope", "pick(head < series, pow(2.0, -8.0 * (head + 1) / series), "
                                  "pow(2.0, -4.0 * (2.0 * (head - series) + 1) / series))"}};
    }
    if (variant == "bloom")
        program.body.push_back(
            {"bias", scene.causal ? "pick(key > query, 0.0, slope * key)" : "slope * key"});
    else
        program.body.push_back(
            {"bias", scene.causal ? "-slope * max(query - key, 0)" : "-slope * abs(query - key)"});
    program.latex = fmt::format("b_h(i,j) = {}, \\quad m_h = {}, \\quad h = 1, \\dots, {}",
                                variant == "bloom" ? "m_h\\,j"
                                : scene.causal     ? "-m_h\\,(i-j)"
                                                   : "-m_h\\,|i-j|",
                                variant == "mpt" ? mpt_slope(program, heads) : alibi_slope(heads), heads);
    return program;
}

Result<Program> kerple(const Scene& scene) {
    const auto a = given(scene, "bias_a"), p = given(scene, "bias_p");
    if (!a || !p) return failure("code.kerple_seeded");
    if (variant_of(scene) == "power" && scene.encoding.parameters.at("weighted").get<bool>())
        return failure("code.no_formula", {{"kind", scene.encoding.kind}});
    Program program;
    program.makes = Program::Makes::bias;
    program.title = "kerple, " + variant_of(scene);
    program.sizes = {{"length", whole(content_length(scene))}, {"heads", whole(scene.num_heads)}};
    program.constants = {{"a", code_number(*a)}, {"p", code_number(*p)}};
    program.body = {{"distance", scene.causal ? "max(query - key, 0)" : "abs(query - key)"}};
    const bool power = variant_of(scene) == "power";
    program.body.push_back({"bias", power ? "-a * pow(distance, p)" : "-p * log1p(a * distance)"});
    program.latex =
        power ? fmt::format("b(i,j) = -{}\\,|i-j|^{{{}}}", latex_number(*a), latex_number(*p))
              : fmt::format("b(i,j) = -{}\\,\\ln(1 + {}\\,|i-j|)", latex_number(*p), latex_number(*a));
    return program;
}

}  // namespace

std::string code_number(double value) { return fmt::format("{}", value); }

std::string latex_number(double value) {
    const std::string text = code_number(value);
    const auto e = text.find('e');
    return e == std::string::npos
               ? text
               : fmt::format("({} \\cdot 10^{{{}}})", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

Result<Program> program_of(const Scene& scene) {
    const std::string& kind = scene.encoding.kind;
    if (kind == "sinusoidal") return sinusoidal(scene);
    if (kind == "rope") return rope_program(scene);
    if (kind == "alibi") return alibi(scene);
    if (kind == "kerple") return kerple(scene);
    return failure("code.no_formula", {{"kind", kind}});
}

}  // namespace posiscope
