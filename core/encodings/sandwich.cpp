// sandwich.cpp — Sandwich: the dot products of sinusoidal position vectors as a bias.
// bias_h(D) = (Σ_{k=1…d̄/2} cos(D · 10000^(−2k/d̄)) − d̄/2) / (8(h + 1)/H),  h = 0 … H − 1
// k starts at 1, so the term of frequency 1 is not used; another public copy forgets the cosine.
// Error    1e-15 · d̄ for any D.  Source  arXiv 2212.10356; NVIDIA/NeMo sandwich_relative_position_embedding.py.
#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"

namespace posiscope {
namespace sandwich {
namespace {

// Frequencies 1 … d̄/2 of 10000^(−2k/d̄): one pair more than the usual spectrum, without its first.
Spectrum sandwich_spectrum(std::int64_t bar_d) {
    const auto half = static_cast<std::size_t>(bar_d / 2);
    return geometric_spectrum(10000.0, half + 1, half);
}

double slope(std::int64_t head, std::int64_t heads) {
    return static_cast<double>(heads) / (8.0 * static_cast<double>(head + 1));
}

double bias_of(const Spectrum& spectrum, std::int64_t head, std::int64_t heads, std::int64_t distance) {
    double sum = 0.0;
    for (std::size_t k = 1; k < spectrum.pairs(); ++k) sum += cos(phase(spectrum.step[k], distance)) - 1.0;
    return sum * slope(head, heads);
}

Result<Action> action(const ActionInput& scene) {
    Action result = plain_action(head_dim(scene));
    const auto bar_d = scene.encoding.parameters.at("bar_d").get<std::int64_t>();
    result.cost = 12.0 * static_cast<double>(bar_d);
    result.waves = [bar_d, heads = scene.num_heads, scale = result.scale](const Contents& contents) {
        LogitWaves made;
        made.spectrum = sandwich_spectrum(bar_d);
        const double each = slope(contents.head, heads);
        made.even.assign(made.spectrum.pairs(), each);
        made.even.front() = 0.0;
        made.odd.assign(made.spectrum.pairs(), 0.0);
        made.constant = -each * static_cast<double>(bar_d / 2);
        for (std::size_t f = 0; f < contents.q.size(); ++f)
            made.constant += scale * contents.q[f] * contents.k[f];
        return made;
    };
    result.bias = [spectrum = sandwich_spectrum(bar_d),
                   heads = scene.num_heads](std::int64_t head, std::int64_t query, std::int64_t key) {
        return bias_of(spectrum, head, heads, query - key);
    };
    return result;
}

std::optional<Problem> check(const SpectrumInput& scene) {
    const auto bar_d = scene.encoding.parameters.at("bar_d").get<std::int64_t>();
    if (bar_d % 2 == 0) return std::nullopt;
    return Problem{"value.odd", {{"path", "encoding.bar_d"}, {"value", std::to_string(bar_d)}}};
}

HeadNumbers head_numbers(const ActionInput& scene, const Action&, std::int64_t head) {
    return {.list = {{{"×", slope(head, scene.num_heads)}, {}}}, .inverse = true};
}

void define(DefinitionPen& pen, int) {
    const auto width = pen.at.scene.encoding.parameters.at("bar_d").get<std::int64_t>();
    pen.add("\\text{bias} = ").put("H", Digits::integer(pen.at.scene.num_heads)).add("/(8 \\cdot (");
    pen.head("h").add(" + 1)) \\cdot \\sum (\\cos (").distance().add("\\,/\\,10000^{2n/");
    pen.put("d", Digits::integer(width)).add("}) − 1)").equals_bias();
}

Result<Program> program(const Scene& scene) {
    Program made = plain_program(scene, "sandwich",
                                 {{"bias", {{"", "H/(8(h + 1))*sum(m, 1, w/2, cos(D*10000^(-2m/w)) - 1)"}}}});
    made.constant("w", scene.encoding.parameters.at("bar_d").get<double>());
    return made;
}

}  // namespace
}  // namespace sandwich

const Encoding& sandwich_encoding() {
    using namespace sandwich;
    static const std::vector<Parameter> parameters = {
        {"bar_d", Parameter::Kind::integer, 128, 2, static_cast<double>(kLargestWidth)}};
    static const Encoding encoding{
        .kind = "sandwich",
        .family = Family::bias,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .check = check,
        .action = action,
        .logits = {.bias = true},
        .shown = {.colour = "green", .definition = define, .head_numbers = head_numbers},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
