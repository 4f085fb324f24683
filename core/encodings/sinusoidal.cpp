// sinusoidal.cpp — fixed sinusoidal position encoding, added to the input.
// PE(p, 2i) = sin(p ω_i), PE(p, 2i+1) = cos(p ω_i),  ω_i = base^(−2i/d)
// variant        frequencies                 columns       source
// paper          base^(−2i/d)                interleaved   arXiv 1706.03762 §3.5
// halves         base^(−2i/d)                sin | cos     Marian, GPT-NeoX, Transformer-XL: a permutation of `paper`
// tensor2tensor  base^(−i/max(d/2 − 1, 1))   sin | cos     get_timing_signal_1d with min_timescale 1
// fairseq        base^(−i/(d/2 − 1))         sin | cos     get_embedding; d = 2 divides by zero there: refused.
//                Positions are its rows; row padding_idx, where one is set, is 0, and tokens begin at the row after it.
// two_pi         2π base^(−2i/d)             interleaved   a known mistake: ω taken for a frequency in cycles
// double_exponent base^(−4i/d)               interleaved   a known mistake: the 2 of 2i counted twice
#include "core/encodings/sinusoidal.hpp"

#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace sinusoidal {
namespace {

std::string_view variant(const SpectrumInput& scene) {
    return scene.encoding.parameters.at("variant").get_ref<const std::string&>();
}

std::int64_t pairs(const SpectrumInput& scene) { return scene.d_model / 2; }

Result<Spectrum> spectrum(const SpectrumInput& scene) {
    const auto half = static_cast<std::size_t>(pairs(scene));
    const std::string_view name = variant(scene);
    if (name == "tensor2tensor" || name == "fairseq")
        return geometric_spectrum(scene.base, half, std::max<std::uint64_t>(half - 1, 1));
    return geometric_spectrum(scene.base, half, half, name == "double_exponent" ? 2 : 1, name == "two_pi");
}

PairLayout layout(const ActionInput& scene) {
    const std::string_view name = variant(scene);
    const bool halves = name == "halves" || name == "tensor2tensor" || name == "fairseq";
    return halves ? PairLayout::halves : PairLayout::interleaved;
}

std::optional<Problem> check(const SpectrumInput& scene) {
    if (variant(scene) == "fairseq" && scene.d_model < 4)
        return Problem{"fairseq.width", {{"value", std::to_string(scene.d_model)}}};
    return std::nullopt;
}

// One head's (q + p_n)·(k + p_(n − D)) for a fixed n, where p_(n − D) is p_n rotated back.
LogitWaves waves(const Spectrum& spectrum, PairLayout layout, std::int64_t head_dim, double scale,
                 const Contents& contents) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs()), width = 2 * pairs;
    LogitWaves made;
    made.spectrum = spectrum;
    made.even.assign(spectrum.pairs(), 0.0);
    made.odd.assign(spectrum.pairs(), 0.0);
    for (std::int64_t f = 0; f < head_dim; ++f) {
        const std::int64_t column = (contents.head * head_dim + f) % width;
        const PairComponent at = pair_component(layout, pairs, column);
        const auto pair = static_cast<std::size_t>(at.pair), c = static_cast<std::size_t>(column);
        const Turn here = phase(spectrum.step[pair], contents.query);
        const double s = sin(here), co = cos(here);
        const double query = scale * (contents.q[c] + (at.component == 0 ? s : co));
        made.constant += query * contents.k[c];
        made.even[pair] += query * (at.component == 0 ? s : co);
        made.odd[pair] += query * (at.component == 0 ? -co : s);
    }
    return made;
}

Result<Action> action(const ActionInput& scene) {
    auto made = spectrum(scene);
    if (!made) return tl::unexpected(made.error());
    Action result = plain_action(head_dim(scene));
    result.cost = 25.0 * static_cast<double>(scene.d_model);
    // The padding row is not on a circle.
    if (!padding_row(scene))
        result.waves = [made = *made, pair_layout = layout(scene), width = head_dim(scene),
                        scale = result.scale](const Contents& contents) {
            return waves(made, pair_layout, width, scale, contents);
        };
    result.add = [made = std::move(*made), pair_layout = layout(scene),
                  padding = padding_row(scene)](std::int64_t position, std::span<double> x) {
        if (position == padding) return;
        for (std::size_t column = 0; column < x.size(); ++column)
            x[column] += table_value(made, pair_layout, position, static_cast<std::int64_t>(column));
    };
    return result;
}

bool ignores(const SpectrumInput& scene, std::string_view key) {
    return key == "padding_idx" && variant(scene) != "fairseq";
}

FrequencyForm frequency(const SpectrumInput& scene) {
    FrequencyForm form = usual_frequency_form(scene);
    const std::string_view named = variant(scene);
    if (named == "two_pi") form.factor = "2\\pi";
    if (named == "double_exponent") form.times = 4, form.times_letters = "4i";
    if (named == "tensor2tensor" || named == "fairseq") {
        form.times = 1, form.times_letters = "i";
        form.width = std::max<std::int64_t>(form.width / 2 - 1, 1), form.width_letters = "(d/2 − 1)";
    }
    return form;
}

void define(DefinitionPen& pen, int component) {
    const PairLayout order = layout(pen.at.scene);
    const auto pairs = static_cast<std::int64_t>(pen.at.spectrum->pairs());
    const std::int64_t column = dimension(order, pairs, {pen.at.pair, component});
    const std::string_view letters =
        order == PairLayout::halves ? (component == 0 ? "i" : "i + d/2") : (component == 0 ? "2i" : "2i + 1");
    pen.add("PE(").position().add(", ");
    pen.put(DefinitionHandle::pair, letters, Digits::integer(column)).add(") = ");
    if (!pen.at.letters && padding_row(pen.at.scene) == pen.at.position) {
        pen.add("0");
        return;
    }
    pen.add(component == 0 ? "\\sin (" : "\\cos (").angle().add(")");
    pen.equals(table_value(*pen.at.spectrum, order, pen.at.position, column));
}

Result<Program> program(const Scene& scene) {
    const std::string named(variant(scene));
    const bool halves = layout(scene) == PairLayout::halves;
    const std::string_view omega = named == "tensor2tensor" || named == "fairseq" ? "b^(-i/max(d/2 - 1, 1))"
                                   : named == "double_exponent"                   ? "b^(-4i/d)"
                                   : named == "two_pi"                            ? "2*pi*b^(-2i/d)"
                                                                                  : "b^(-2i/d)";
    std::string value =
        fmt::format("{} ? sin(p*omega) : cos(p*omega)", halves ? "j < d/2" : "mod(j, 2) == 0");
    if (const auto row = padding_row(scene)) value = fmt::format("p == {} ? 0 : {}", *row, value);
    return plain_program(
        scene, "sinusoidal, " + named,
        {{"add",
          {{"i", halves ? "mod(j, d/2)" : "floor(j/2)"}, {"omega", std::string(omega)}, {"", value}}}});
}

}  // namespace
}  // namespace sinusoidal

std::optional<std::int64_t> padding_row(const SpectrumInput& scene) {
    const auto index = scene.encoding.parameters.find("padding_idx");
    if (scene.encoding.kind != "sinusoidal" || index == scene.encoding.parameters.end() ||
        sinusoidal::variant(scene) != "fairseq")
        return std::nullopt;
    return index->get<std::int64_t>();
}

std::optional<Problem> at_padding(const Scene& scene) {
    const auto padding = padding_row(scene);
    if (!padding || (scene.position != *padding && scene.position + scene.offset != *padding))
        return std::nullopt;
    return Problem{"fairseq.padding",
                   {{"row", std::to_string(*padding)}, {"first", std::to_string(*padding + 1)}}};
}

const Encoding& sinusoidal_encoding() {
    using namespace sinusoidal;
    static const std::vector<Parameter> parameters = {
        {"variant",
         Parameter::Kind::choice,
         "paper",
         0,
         0,
         false,
         {"paper", "halves", "tensor2tensor", "fairseq", "two_pi", "double_exponent"}},
        {.key = "padding_idx",
         .kind = Parameter::Kind::integer,
         .minimum = 0,
         .maximum = static_cast<double>(kLastPosition)},
    };
    static const Encoding encoding{
        .kind = "sinusoidal",
        .family = Family::absolute,
        .acts = Acts::input,
        .per_head = false,
        .parameters = parameters,
        .pairs = pairs,
        .spectrum = spectrum,
        .layout = layout,
        .check = check,
        .action = action,
        .ignores = ignores,
        .rotating = {.frequency = frequency, .min_width_units = 2},
        .shown = {.colour = "sine", .definition = define, .rank = 3},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
