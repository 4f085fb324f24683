#include "core/code/code_sketch.hpp"

#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"
#include "core/models/document.hpp"
#include "core/models/rescale.hpp"
#include "core/scaling/frequency_laws.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace {

// The parts of a scaling's formula.
struct Writing {
    CodeSketch& program;
    const RopeContext& context;
    const Json& settings;

    double value(const char* key, double fallback) const {
        return number_at(settings, key).value_or(fallback);
    }
    void constant(const char* name, double value) { program.constants.push_back({name, code_number(value)}); }
    void once(const char* name, std::string value) { program.constants.push_back({name, std::move(value)}); }
    void each(const char* name, std::string value) { program.body.push_back({name, std::move(value)}); }
};

using Write = Result<void> (*)(Writing& to);

Result<void> linear(Writing& to) {
    to.constant("factor", to.value("factor", 1.0));
    to.each("scaled", "omega / factor");
    to.program.latex = fmt::format("\\omega'_i = \\omega_i / {}", latex_number(to.value("factor", 1.0)));
    return {};
}

void by_alpha(Writing& to, double alpha) {
    to.each("scaled", "omega * pow(alpha, -i / max(pairs - 1.0, 1.0))");
    to.program.latex = fmt::format("\\omega'_i = \\omega_i \\cdot {}^{{-2i/{}}}", latex_number(alpha),
                                   std::max<std::int64_t>(to.context.rotary_dim - 2, 2));
}

Result<void> ntk(Writing& to) {
    const double alpha = to.value("alpha", to.value("factor", 1.0));
    to.constant("alpha", alpha);
    if (to.settings.value("variant", "") == "fixed") {
        to.each("scaled", "omega * pow(alpha, -(i + 1.0) / pairs)");
        to.program.latex = fmt::format("\\omega'_i = \\omega_i \\cdot {}^{{-2(i+1)/{}}}", latex_number(alpha),
                                       to.context.rotary_dim);
        return {};
    }
    by_alpha(to, alpha);
    return {};
}

Result<void> dynamic(Writing& to) {
    if (number_at(to.settings, "alpha")) return ntk(to);
    const auto trained = static_cast<double>(to.context.max_position_embeddings.value_or(1));
    const double factor = to.value("factor", 1.0);
    to.constant("factor", factor);
    to.constant("trained", trained);
    to.once("alpha", "factor * max(1.0 * length, trained) / trained - (factor - 1.0)");
    by_alpha(to,
             factor * std::max(static_cast<double>(to.context.length), trained) / trained - (factor - 1.0));
    return {};
}

// The pairs at the ends of YaRN's ramp, as its code computes them.
void ramp_by_pair(Writing& to, const std::string& name, double fast, double slow, bool truncate) {
    const auto pair_with = [](double turns) {
        return fmt::format("rotary_dim * log(original / ({} * 2.0 * pi)) / (2.0 * log(base))",
                           code_number(turns));
    };
    const std::string low = pair_with(fast), high = pair_with(slow);
    to.once((name + "low").c_str(), fmt::format("max({}, 0.0)", truncate ? "floor(" + low + ")" : low));
    to.once((name + "high").c_str(),
            fmt::format("min({}, rotary_dim - 1.0)", truncate ? "ceil(" + high + ")" : high));
    to.once((name + "width").c_str(), fmt::format("pick({0}low == {0}high, 0.001, {0}high - {0}low)", name));
}

// "kept" alone, or "(kept) * 0.9".
std::string times(std::string expression, double share) {
    return share == 1.0 ? expression : fmt::format("({}) * {}", expression, code_number(share));
}

std::string times_latex(const std::string& formula, double share) {
    return share == 1.0 ? formula : fmt::format("{}\\,\\bigl({}\\bigr)", latex_number(share), formula);
}

// "g_i = …", the part that pair i keeps of its frequency, as the code has it.
std::string ramp_latex(const Writing& to, const char* letter, double fast, double slow, double original,
                       bool truncate, double share) {
    const PairRange range =
        correction_range(fast, slow, to.context.rotary_dim, to.context.base, original, truncate);
    return fmt::format(
        "{}_i = {}", letter,
        times_latex(fmt::format("1 - \\min\\bigl(\\max\\bigl(\\frac{{i - {}}}{{{}}}, 0\\bigr), 1\\bigr)",
                                latex_number(range.low),
                                range.low == range.high ? "0.001" : latex_number(range.high - range.low)),
                    share));
}

std::string ramp_by_rotations_latex(double fast, double slow, double original, double share) {
    const std::string turns = fmt::format("{}\\,\\omega_i/(2\\pi)", latex_number(original));
    const std::string ramp =
        fast > slow ? fmt::format("\\min\\bigl(\\max\\bigl(\\frac{{{} - {}}}{{{}}}, 0\\bigr), 1\\bigr)",
                                  turns, latex_number(slow), latex_number(fast - slow))
                    : fmt::format("\\begin{{cases}} 1 & {} \\ge {} \\\\ 0 & \\text{{else}} \\end{{cases}}",
                                  turns, latex_number(slow));
    return "g_i = " + times_latex(ramp, share);
}

void kept_by_pair(Writing& to, const std::string& name, double share) {
    to.each((name + "kept").c_str(),
            times(fmt::format("1.0 - min(max((i - {0}low) / {0}width, 0.0), 1.0)", name), share));
}

void kept_by_rotations(Writing& to, double fast, double slow, double share) {
    to.constant("fast", fast);
    to.constant("slow", slow);
    to.each("rotations", "original * omega / (2.0 * pi)");
    to.each("kept", times("pick(rotations < slow, 0.0, pick(rotations >= fast, 1.0, "
                          "(rotations - slow) / max(fast - slow, 1e-300)))",
                          share));
}

double or_default(const Writing& to, const char* key, double fallback) {
    const double value = to.value(key, fallback);
    return value == 0.0 ? fallback : value;  // as in Python's `or`
}

Result<void> yarn_frequencies(Writing& to, double fast, double slow, bool by_rotations) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    const auto factor = factor_or_ratio(to.context, to.settings, *original);
    if (!factor) return tl::unexpected(factor.error());
    to.constant("factor", *factor);
    to.constant("original", *original);
    const double share = to.value("extrapolation_factor", 1.0);
    const bool truncate = to.settings.value("truncate", true);
    const std::string kept =
        ", \\quad " + (by_rotations ? ramp_by_rotations_latex(fast, slow, *original, share)
                                    : ramp_latex(to, "g", fast, slow, *original, truncate, share));
    if (by_rotations) {
        kept_by_rotations(to, fast, slow, share);
    } else {
        ramp_by_pair(to, "", fast, slow, truncate);
        kept_by_pair(to, "", share);
    }
    if (to.settings.value("blend", "linear") == "log") {
        to.each("scaled", "omega * pow(factor, kept - 1.0)");
        to.program.latex =
            fmt::format("\\omega'_i = \\omega_i \\cdot {}^{{-(1-g_i)}}", latex_number(*factor)) + kept;
        return {};
    }
    to.each("scaled", "omega / factor * (1.0 - kept) + omega * kept");
    to.program.latex = fmt::format("\\omega'_i = \\frac{{\\omega_i}}{{{}}}(1-g_i) + \\omega_i\\,g_i",
                                   latex_number(*factor)) +
                       kept;
    return {};
}

Result<void> yarn(Writing& to) {
    const double fast = or_default(to, "beta_fast", 32.0), slow = or_default(to, "beta_slow", 1.0);
    return yarn_frequencies(to, fast, slow, to.settings.at("ramp") == "paper");
}

Result<void> ntk_by_parts(Writing& to) {
    if (to.settings.at("variant") != "repo")
        return yarn_frequencies(to, to.value("beta_fast", 32.0), to.value("beta_slow", 1.0),
                                to.settings.at("ramp") == "paper");
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    const auto factor = factor_or_ratio(to.context, to.settings, *original);
    if (!factor) return tl::unexpected(factor.error());
    to.constant("factor", *factor);
    to.constant("original", *original);
    ramp_by_pair(to, "ntk_", 1.25, 0.75, true);
    ramp_by_pair(to, "", 16.0, 2.0, true);
    kept_by_pair(to, "ntk_", to.value("ntk_factor", 1.0));
    kept_by_pair(to, "", to.value("extrapolation_factor", 1.0));
    to.each("ntk", "omega * pow(factor, -i / max(pairs - 1.0, 1.0))");
    to.each("blended", "omega / factor * (1.0 - ntk_kept) + ntk * ntk_kept");
    to.each("scaled", "blended * (1.0 - kept) + omega * kept");
    to.program.latex =
        fmt::format("\\omega'_i = \\bigl[\\tfrac{{\\omega_i}}{{{0}}}(1-h_i) + \\omega_i \\cdot "
                    "{0}^{{-2i/{1}}}\\,h_i\\bigr](1-g_i) + "
                    "\\omega_i\\,g_i, \\quad {2}, \\quad {3}",
                    latex_number(*factor), std::max<std::int64_t>(to.context.rotary_dim - 2, 2),
                    ramp_latex(to, "h", 1.25, 0.75, *original, true, to.value("ntk_factor", 1.0)),
                    ramp_latex(to, "g", 16.0, 2.0, *original, true, to.value("extrapolation_factor", 1.0)));
    return {};
}

Result<void> llama3(Writing& to) {
    const double factor = to.value("factor", 8.0), low = to.value("low_freq_factor", 1.0),
                 high = to.value("high_freq_factor", 4.0),
                 original = to.value("original_max_position_embeddings", 8192.0);
    to.constant("factor", factor);
    to.constant("original", original);
    kept_by_rotations(to, high, low, 1.0);
    to.each("scaled", "(1.0 - kept) * omega / factor + kept * omega");
    to.program.latex = fmt::format("\\omega'_i = (1-g_i)\\,\\omega_i/{} + g_i\\,\\omega_i, \\quad {}",
                                   latex_number(factor), ramp_by_rotations_latex(high, low, original, 1.0));
    return {};
}

Result<void> longrope(Writing& to) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    const bool is_long = static_cast<double>(to.context.length) > *original;
    for (const Json& divisor : to.settings.at(is_long ? "long_factor" : "short_factor"))
        to.program.divisors.push_back(divisor.get<double>());
    to.each("scaled", "omega / divisors[i]");
    to.program.latex = "\\omega'_i = \\omega_i / e_i, \\quad e = (";
    for (const double divisor : to.program.divisors)
        to.program.latex += (to.program.latex.back() == '(' ? "" : ", ") + latex_number(divisor);
    to.program.latex += ")";
    return {};
}

Result<void> proportional(Writing& to) {
    const double half = to.context.partial_rotary_factor * static_cast<double>(to.context.head_dim) / 2.0;
    to.constant("factor", to.value("factor", 1.0));
    to.constant("turning", std::floor(half));
    to.each("scaled", "pick(i < turning, omega / factor, 0.0)");
    to.program.latex = fmt::format(
        "\\omega'_i = \\begin{{cases}} \\omega_i/{} & i < {} \\\\ 0 & \\text{{else}} \\end{{cases}}",
        latex_number(to.value("factor", 1.0)), latex_number(std::floor(half)));
    return {};
}

Result<void> theta_scale(Writing& to) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    to.constant("factor", to.value("factor", 1.0));
    to.constant("original", *original);
    to.once("power", "log(factor * original / (2.0 * pi)) / log(original / (2.0 * pi))");
    to.each("scaled", "pow(omega, power)");
    to.program.latex = fmt::format("\\omega'_i = \\omega_i^{{\\ln({0}\\cdot{1}/(2\\pi))/\\ln({1}/(2\\pi))}}",
                                   latex_number(to.value("factor", 1.0)), latex_number(*original));
    return {};
}

Result<void> fope(Writing& to) {
    if (const auto kept = number_at(to.settings, "num_inv_freq")) {
        to.constant("kept", *kept);
        to.each("scaled", "pick(i < kept, omega, 0.0)");
        to.program.latex = fmt::format(
            "\\omega'_i = \\begin{{cases}} \\omega_i & i < {} \\\\ 0 & \\text{{else}} \\end{{cases}}",
            latex_number(*kept));
        return {};
    }
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    to.constant("original", *original);
    to.each("scaled", "pick(omega > 2.0 * pi / original, omega, 0.0)");
    to.program.latex = fmt::format("\\omega'_i = \\begin{{cases}} \\omega_i & \\omega_i > 2\\pi/{} \\\\ 0 & "
                                   "\\text{{else}} \\end{{cases}}",
                                   latex_number(*original));
    return {};
}

struct ScalingCode {
    std::string_view rope_type;
    Write write;
    bool hugging_face;  // has this rope_type
};
constexpr ScalingCode kScalings[] = {
    {"default", [](Writing&) { return Result<void>(); }, true},
    {"linear", linear, true},
    {"ntk", ntk, false},
    {"ntk_by_parts", ntk_by_parts, false},
    {"dynamic", dynamic, true},
    {"yarn", yarn, true},
    {"llama3", llama3, true},
    {"longrope", longrope, true},
    {"proportional", proportional, true},
    {"theta_scale", theta_scale, false},
    {"fope", fope, false},
};

const ScalingCode* code_of(std::string_view rope_type) {
    const auto found = std::find_if(std::begin(kScalings), std::end(kScalings),
                                    [&](const ScalingCode& one) { return one.rope_type == rope_type; });
    return found == std::end(kScalings) ? nullptr : found;
}

// The settings of a layer with one position for all pairs; others need more than one table of frequencies.
Result<RopeSettings> plain_settings(const Scene& scene, bool with_chunks = false) {
    if (!takes_scalings(scene)) return failure("code.not_rope", {{"kind", scene.encoding.kind}});
    auto settings = rope_settings(scene);
    if (!settings) return settings;
    if (!settings->turns) return failure("code.nope_layer");
    if (!settings->grid.empty()) return failure("code.on_grid");
    if (settings->chunks && !with_chunks) return failure("code.dual_chunks");
    return settings;
}

}  // namespace

namespace {

// The distance that dual chunks rotate a query at i and a key at j by.
std::string distance_latex(const DualChunk& chunks, std::int64_t length) {
    const double factor = chunks.key_factor(length);
    return fmt::format(
        "i - j \\to \\begin{{cases}} i \\bmod {0} - j \\bmod {0} & \\lfloor i/{0} \\rfloor = \\lfloor j/{0} "
        "\\rfloor \\\\ \\min(i \\bmod {0} + {0}, {1}) - j \\bmod {0} & \\lfloor i/{0} \\rfloor = \\lfloor "
        "j/{0} \\rfloor + 1 \\\\ {2} - j \\bmod {0} & \\text{{else}} \\end{{cases}}{3}",
        chunks.length(), chunks.chunk_size, std::min(2 * chunks.length() - 1, chunks.chunk_size),
        factor == 1.0 ? "" : fmt::format(", \\quad k' = {}\\,k", latex_number(factor)));
}

// A layer's use of positions besides rotating: the factor on queries, the distance that dual chunks rotate.
void add_functions(CodeSketch& program, const RopeSettings& settings, std::int64_t length) {
    const auto constant = [&](const char* name, double value) {
        program.constants.push_back({name, code_number(value)});
    };
    if (settings.query_beta != 0.0) {
        constant("query_beta", settings.query_beta);
        constant("query_original", settings.query_original);
        program.functions.push_back(
            {"query_factor", {"position"}, "1.0 + query_beta * log1p(floor(position / query_original))"});
    }
    if (settings.rotary_offset != 0)
        program.sizes.push_back({"rotary_offset", std::to_string(settings.rotary_offset)});
    if (!settings.chunks) return;
    constant("chunk_size", static_cast<double>(settings.chunks->chunk_size));
    constant("chunk", static_cast<double>(settings.chunks->length()));
    constant("key_factor", settings.chunks->key_factor(length));
    program.functions.push_back(
        {"distance",
         {"query", "key"},
         "pick(floor(query / chunk) == floor(key / chunk), query - chunk * floor(query / chunk), "
         "min(pick(floor(query / chunk) == floor(key / chunk) + 1, "
         "query - chunk * floor(query / chunk) + chunk, 2 * chunk - 1), chunk_size)) "
         "- (key - chunk * floor(key / chunk))"});
}

}  // namespace

Result<CodeSketch> rope_program(const Scene& scene) {
    const auto settings = plain_settings(scene, true);
    if (!settings) return tl::unexpected(settings.error());
    const auto spectrum = scaled_spectrum(settings->context, settings->chosen);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const std::string_view type = settings->chosen.scaling->rope_type;
    const ScalingCode* scaling = code_of(type);
    if (scaling == nullptr) throw std::logic_error("no program for " + std::string(type));

    const RopeContext& context = settings->context;
    CodeSketch program;
    program.makes = CodeSketch::Makes::rotation;
    program.halves = scene.layout == PairLayout::halves;
    program.title = fmt::format("rope, {}, {}", type, program.halves ? "half layout" : "interleaved layout");
    program.sizes = {{"length", std::to_string(scene.length)},
                     {"rotary_dim", std::to_string(context.rotary_dim)},
                     {"pairs", std::to_string(context.rotary_dim / 2)}};
    program.constants = {{"base", code_number(context.base)}};
    program.body = {{"omega", "pow(base, -2.0 * i / rotary_dim)"}};
    Writing writing{program, context, settings->chosen.settings};
    if (auto done = scaling->write(writing); !done) return tl::unexpected(done.error());
    program.constants.push_back({"attention_factor", code_number(spectrum->attention_factor)});
    if (spectrum->logit_factor != 1.0)
        program.constants.push_back({"softmax_factor", code_number(spectrum->logit_factor)});

    add_functions(program, *settings, scene.length);

    const std::string omega =
        fmt::format("\\omega_i = {}^{{-2i/{}}}", latex_number(context.base), context.rotary_dim);
    const bool scaled = !program.latex.empty();
    program.latex = fmt::format(
        "\\begin{{pmatrix}} a' \\\\ b' \\end{{pmatrix}} = {}\\begin{{pmatrix}} \\cos p\\omega{} & "
        "-\\sin p\\omega{} \\\\ \\sin p\\omega{} & \\cos p\\omega{} \\end{{pmatrix}} \\begin{{pmatrix}} a "
        "\\\\ b \\end{{pmatrix}}, \\quad {}{}{}",
        spectrum->attention_factor == 1.0 ? "" : latex_number(spectrum->attention_factor) + "\\,",
        scaled ? "'_i" : "_i", scaled ? "'_i" : "_i", scaled ? "'_i" : "_i", scaled ? "'_i" : "_i", omega,
        scaled ? ", \\quad " : "", program.latex);
    if (spectrum->logit_factor != 1.0)
        program.latex += fmt::format(", \\quad s = {}\\,\\frac{{q \\cdot k}}{{\\sqrt{{{}}}}}",
                                     latex_number(spectrum->logit_factor), context.head_dim);
    if (settings->query_beta != 0.0)
        program.latex +=
            fmt::format(", \\quad q' = q\\,(1 + {}\\ln(1 + \\lfloor p/{} \\rfloor))",
                        latex_number(settings->query_beta), latex_number(settings->query_original));
    if (settings->chunks) program.latex += ", \\quad " + distance_latex(*settings->chunks, scene.length);
    return program;
}

namespace {

// rope_parameters as transformers 5 writes them, for one kind of layer.
Result<Json> made_parameters(const Scene& scene) {
    const auto settings = plain_settings(scene);
    if (!settings) return tl::unexpected(settings.error());
    const std::string type(settings->chosen.scaling->rope_type);
    const ScalingCode* scaling = code_of(type);
    if (scaling == nullptr || !scaling->hugging_face)
        return failure("code.not_in_configs", {{"rope_type", type}});
    // Keys that no other reader has.
    constexpr std::string_view kOwn[] = {"ramp", "magnitude_scaling_policy", "blend", "mscale_coefficient"};
    constexpr std::string_view kUnsaid[] = {
        "mscale_in_softmax", "sliding_window", "attention_chunk_size",  "nope",
        "shared_object",     "rope_theta",     "partial_rotary_factor", "head_dim"};
    const auto among = [](std::span<const std::string_view> list, std::string_view key) {
        return std::ranges::find(list, key) != list.end();
    };
    Json dictionary = Json::object();
    const Json& chosen = settings->chosen.settings;
    for (const Parameter& parameter : settings->chosen.scaling->parameters) {
        const std::string key(parameter.key);
        if (!chosen.contains(key) || chosen.at(key).is_null() || among(kUnsaid, key)) continue;
        const bool usual = chosen.at(key) == parameter.fallback;
        if (!usual && (among(kOwn, key) || key == "extrapolation_factor" || key == "attn_factor"))
            return failure("code.not_in_configs", {{"rope_type", type + ", " + key}});
        if (!usual || type == "llama3" || key == "factor") dictionary[key] = chosen.at(key);
    }
    for (const auto& [key, value] : settings->chosen.shared.items())
        if (!value.is_null() && !among(kUnsaid, key)) dictionary[key] = value;
    dictionary["rope_type"] = type;
    dictionary["rope_theta"] = settings->context.base;
    const RopeContext& context = settings->context;
    // A model's own code knows qk_rope_head_dim or rotary_dim, and would take a part of that.
    const double part = context.rotary_dim < context.head_dim && context.partial_rotary_factor == 1.0 &&
                                document_of(scene).empty()
                            ? static_cast<double>(context.rotary_dim) / static_cast<double>(context.head_dim)
                            : context.partial_rotary_factor;
    if (part != 1.0) dictionary["partial_rotary_factor"] = part;
    return dictionary;
}

// The same for all kinds of layers that rotate: one object where they are alike, else one under the name of each.
Result<Json> parameters_of_layers(const Scene& scene) {
    const RopeLayers layers = rope_layers(scene);
    Json made = Json::object();
    for (std::size_t kind = 0; kind < layers.kinds.size(); ++kind) {
        if (!layers.kinds[kind].turns) continue;
        Scene one = scene;
        one.encoding.parameters = with_kind(scene, layers, kind);
        one.encoding.parameters.erase("kind");
        auto parameters = made_parameters(one);
        if (!parameters) return parameters;
        const int type = layers.kinds[kind].type;
        made[type < 0 ? std::to_string(kind) : layers.types[static_cast<std::size_t>(type)]] = *parameters;
    }
    if (made.empty()) return made_parameters(scene);
    const auto is_first = [&](const Json& parameters) { return parameters == *made.begin(); };
    if (std::all_of(made.begin(), made.end(), is_first)) return Json(*made.begin());
    for (const auto& [name, parameters] : made.items())  // the names that vLLM's models of two bases know
        if (name != "full_attention" && name != "sliding_attention")
            return failure("code.not_at_launch", {{"name", name}});
    return made;
}

bool has_document(const Scene& scene) { return !document_of(scene).empty() && takes_scalings(scene); }

Json in_parameters(const Json& made) { return Json{{"rope_parameters", made}}; }

std::int64_t served_length(const Scene& scene) {
    return std::max(scene.length, scaled_length(scene).value_or(0));
}

}  // namespace

// The rotary keys of the model's own config, with what the Scene changes; else those of transformers.
Result<std::string> rope_parameters_text(const Scene& scene) {
    if (has_document(scene)) {
        const auto part = rotary_part(scene);
        if (!part) return tl::unexpected(part.error());
        if (!part->empty()) return part->dump(2) + "\n";
    }
    return made_parameters(scene).map([](const Json& made) { return in_parameters(made).dump(2) + "\n"; });
}

// vLLM has no flags for its settings since pull request 28006.
Result<std::string> vllm_flags(const Scene& scene) {
    const auto parameters = parameters_of_layers(scene);
    if (!parameters) return tl::unexpected(parameters.error());
    const auto keys =
        has_document(scene) ? launch_part(scene, *parameters) : Document(in_parameters(*parameters));
    if (!keys) return tl::unexpected(keys.error());
    return fmt::format("--max-model-len {} --hf-overrides '{}'\n", served_length(scene), keys->dump());
}

Result<std::string> config_text(const Scene& scene) { return edited_document(scene); }

// Names and meanings as in llama.cpp's common/arg.cpp; its YaRN ramp is the code's, truncated.
Result<std::string> llama_cpp_flags(const Scene& scene) {
    const auto settings = plain_settings(scene);
    if (!settings) return tl::unexpected(settings.error());
    const auto spectrum = scaled_spectrum(settings->context, settings->chosen);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const std::string type(settings->chosen.scaling->rope_type);
    const RopeContext& context = settings->context;
    const Json& chosen = settings->chosen.settings;
    std::string flags = fmt::format("-c {}", served_length(scene));
    double base = context.base;
    if (type == "linear") {
        flags += fmt::format(" --rope-scaling linear --rope-scale {}",
                             code_number(number_at(chosen, "factor").value_or(1.0)));
    } else if (type == "yarn") {
        if (chosen.at("ramp") != "code" || chosen.at("blend") != "linear" ||
            chosen.at("mscale_coefficient") != 0.1 || !chosen.at("truncate").get<bool>() ||
            number_at(chosen, "attention_factor") || number_at(chosen, "mscale_all_dim").value_or(0.0) != 0.0)
            return failure("code.not_in_llama_cpp", {{"rope_type", type}});
        const auto original = original_length(context, chosen);
        const auto factor = original ? factor_or_ratio(context, chosen, *original) : original;
        if (!factor) return tl::unexpected(factor.error());
        flags += fmt::format(" --rope-scaling yarn --rope-scale {} --yarn-orig-ctx {}", code_number(*factor),
                             code_number(*original));
        const auto add = [&](const char* flag, const char* key, double usual) {
            const double value = number_at(chosen, key).value_or(usual);
            if (value != usual && value != 0.0) flags += fmt::format(" {} {}", flag, code_number(value));
        };
        add("--yarn-beta-fast", "beta_fast", 32.0);
        add("--yarn-beta-slow", "beta_slow", 1.0);
        add("--yarn-ext-factor", "extrapolation_factor", 1.0);
        add("--yarn-attn-factor", "attn_factor", 1.0);
    } else if (type == "ntk" && chosen.at("variant") == "aware") {
        // ω_i α^(−2i/(r−2)) = (b α^(r/(r−2)))^(−2i/r): only another base.
        const auto r = static_cast<double>(context.rotary_dim);
        if (r > 2.0)
            base *= std::pow(number_at(chosen, "alpha").value_or(number_at(chosen, "factor").value_or(1.0)),
                             r / (r - 2.0));
        flags += " --rope-scaling none";
    } else if (type == "default") {
        flags += " --rope-scaling none";
    } else {
        return failure("code.not_in_llama_cpp", {{"rope_type", type}});
    }
    return flags + fmt::format(" --rope-freq-base {}\n", code_number(base));
}

}  // namespace posiscope
