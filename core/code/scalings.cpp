#include "core/code/program.hpp"

#include "core/encodings/axes.hpp"
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
    Program& program;
    const RopeContext& context;
    const Json& settings;

    double value(const char* key, double fallback) const {
        return number_at(settings, key).value_or(fallback);
    }
    void constant(const char* name, double value) { program.constant(name, value); }
    void once(std::string name, std::string value) {
        program.constants.push_back({std::move(name), std::move(value)});
    }
    void each(std::string name, std::string value) {  // of pair i, the frequency last
        program.slots.front().lines.push_back({std::move(name), std::move(value)});
    }
};

using Write = Result<void> (*)(Writing& to);

Result<void> linear(Writing& to) {
    to.constant("factor", to.value("factor", 1.0));
    to.each("", "omega/factor");
    return {};
}

constexpr const char* kByAlpha = "omega*alpha^(-i/max(d/2 - 1, 1))";

Result<void> ntk(Writing& to) {
    to.constant("alpha", to.value("alpha", to.value("factor", 1.0)));
    to.each("", to.settings.value("variant", "") == "fixed" ? "omega*alpha^(-2(i + 1)/d)" : kByAlpha);
    return {};
}

Result<void> dynamic(Writing& to) {
    if (number_at(to.settings, "alpha")) return ntk(to);
    to.constant("factor", to.value("factor", 1.0));
    to.constant("trained", static_cast<double>(to.context.max_position_embeddings.value_or(1)));
    to.once("alpha", "factor*max(n, trained)/trained - (factor - 1)");
    to.each("", kByAlpha);
    return {};
}

// The pairs at the ends of YaRN's ramp, as its code computes them.
void ramp_by_pair(Writing& to, const std::string& name, double fast, double slow, bool truncate) {
    const auto pair_with = [](double turns) {
        return fmt::format("d*log(original/({}*2*pi))/(2*log(b))", code_number(turns));
    };
    const std::string low = pair_with(fast), high = pair_with(slow);
    to.once(name + "low", fmt::format("max({}, 0)", truncate ? "floor(" + low + ")" : low));
    to.once(name + "high", fmt::format("min({}, d - 1)", truncate ? "ceil(" + high + ")" : high));
    to.once(name + "width", fmt::format("{0}low == {0}high ? 0.001 : {0}high - {0}low", name));
}

// "kept" alone, or "(kept)*0.9".
std::string times(std::string expression, double share) {
    return share == 1.0 ? expression : fmt::format("({})*{}", expression, code_number(share));
}

void kept_by_pair(Writing& to, const std::string& name, double share) {
    to.each(name + "kept", times(fmt::format("1 - clamp((i - {0}low)/{0}width, 0, 1)", name), share));
}

void kept_by_rotations(Writing& to, double fast, double slow, double share) {
    to.constant("fast", fast);
    to.constant("slow", slow);
    to.each("rotations", "original*omega/(2*pi)");
    to.each("kept",
            times(fast > slow ? "clamp((rotations - slow)/(fast - slow), 0, 1)" : "rotations < slow ? 0 : 1",
                  share));
}

double or_default(const Writing& to, const char* key, double fallback) {
    const double value = to.value(key, fallback);
    return value == 0.0 ? fallback : value;  // as in Python's `or`
}

Result<void> factor_and_original(Writing& to) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    const auto factor = factor_or_ratio(to.context, to.settings, *original);
    if (!factor) return tl::unexpected(factor.error());
    to.constant("factor", *factor);
    to.constant("original", *original);
    return {};
}

Result<void> yarn_frequencies(Writing& to, double fast, double slow, bool by_rotations) {
    if (auto done = factor_and_original(to); !done) return done;
    const double share = to.value("extrapolation_factor", 1.0);
    if (by_rotations) {
        kept_by_rotations(to, fast, slow, share);
    } else {
        ramp_by_pair(to, "", fast, slow, to.settings.value("truncate", true));
        kept_by_pair(to, "", share);
    }
    to.each("", to.settings.value("blend", "linear") == "log" ? "omega*factor^(kept - 1)"
                                                              : "omega/factor*(1 - kept) + omega*kept");
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
    if (auto done = factor_and_original(to); !done) return done;
    ramp_by_pair(to, "ntk_", 1.25, 0.75, true);
    ramp_by_pair(to, "", 16.0, 2.0, true);
    kept_by_pair(to, "ntk_", to.value("ntk_factor", 1.0));
    kept_by_pair(to, "", to.value("extrapolation_factor", 1.0));
    to.each("ntk", "omega*factor^(-i/max(d/2 - 1, 1))");
    to.each("blended", "omega/factor*(1 - ntk_kept) + ntk*ntk_kept");
    to.each("", "blended*(1 - kept) + omega*kept");
    return {};
}

Result<void> llama3(Writing& to) {
    to.constant("factor", to.value("factor", 8.0));
    to.constant("original", to.value("original_max_position_embeddings", 8192.0));
    kept_by_rotations(to, to.value("high_freq_factor", 4.0), to.value("low_freq_factor", 1.0), 1.0);
    to.each("", "(1 - kept)*omega/factor + kept*omega");
    return {};
}

Result<void> longrope(Writing& to) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    const bool is_long = static_cast<double>(to.context.length) > *original;
    to.program.lists.push_back(
        {"divisors", to.settings.at(is_long ? "long_factor" : "short_factor").get<std::vector<double>>()});
    to.each("", "omega/divisors[i]");
    return {};
}

Result<void> proportional(Writing& to) {
    to.constant("factor", to.value("factor", 1.0));
    to.constant("turning", std::floor(to.context.partial_rotary_factor *
                                      static_cast<double>(to.context.head_dim) / 2.0));
    to.each("", "i < turning ? omega/factor : 0");
    return {};
}

Result<void> theta_scale(Writing& to) {
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    to.constant("factor", to.value("factor", 1.0));
    to.constant("original", *original);
    to.once("power", "log(factor*original/(2*pi))/log(original/(2*pi))");
    to.each("", "omega^power");
    return {};
}

Result<void> fope(Writing& to) {
    if (const auto turning = number_at(to.settings, "num_inv_freq")) {
        to.constant("turning", *turning);
        to.each("", "i < turning ? omega : 0");
        return {};
    }
    const auto original = original_length(to.context, to.settings);
    if (!original) return tl::unexpected(original.error());
    to.constant("original", *original);
    to.each("", "omega > 2*pi/original ? omega : 0");
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

// A layer's use of positions besides rotating: the factor on queries, the distance that dual chunks rotate.
void add_slots(Program& program, const RopeSettings& settings, std::int64_t length) {
    if (settings.query_beta != 0.0) {
        program.constant("query_beta", settings.query_beta);
        program.constant("query_original", settings.query_original);
        program.scale("(1 + query_beta*log1p(floor(q/query_original)))");
    }
    if (!settings.chunks) return;
    program.constant("chunk_size", static_cast<double>(settings.chunks->chunk_size));
    program.constant("chunk", static_cast<double>(settings.chunks->length()));
    program.slots.push_back(
        {"distance",
         {{"late", "max(q, k)"},
          {"early", "min(q, k)"},
          {"chunks", "floor(late/chunk) - floor(early/chunk)"},
          {"at", "mod(late, chunk)"},
          {"apart", "(chunks == 0 ? at : min(chunks == 1 ? at + chunk : 2*chunk - 1, chunk_size)) - "
                    "mod(early, chunk)"},
          {"", "q < k ? -apart : apart"}}});
    if (const double factor = settings.chunks->key_factor(length); factor != 1.0) {
        program.constant("key_factor", factor);
        program.scale("key_factor");
    }
}

// The axis of each pair, as conditions on i where few are needed.
std::string axis_text(const PairAxes& axes, Program& program) {
    constexpr std::size_t kMostRuns = 6;
    std::string text;
    std::size_t runs = 0;
    for (std::size_t i = 1; i <= axes.axis.size(); ++i)
        if (i == axes.axis.size()) text += std::to_string(axes.axis[i - 1]);
        else if (axes.axis[i] != axes.axis[i - 1])
            text += fmt::format("i < {} ? {} : ", i, axes.axis[i - 1]), ++runs;
    if (runs < kMostRuns) return text;
    program.lists.push_back({"axes", {axes.axis.begin(), axes.axis.end()}});
    return "axes[i]";
}

}  // namespace

Result<Program> rope_program(const Scene& whole) {
    const PairAxes axes = pair_axes(whole);
    if (axes.parted && axes.sections != 3) return failure("own.not_axes", {{"kind", whole.encoding.kind}});
    Scene scene = whole;
    if (axes.parted) scene.encoding.parameters.erase("grid");
    const auto settings = plain_settings(scene, true);
    if (!settings) return tl::unexpected(settings.error());
    const auto spectrum = scaled_spectrum(settings->context, settings->chosen);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const std::string_view type = settings->chosen.scaling->rope_type;
    const ScalingCode* scaling = code_of(type);
    if (scaling == nullptr) throw std::logic_error("no program for " + std::string(type));

    const RopeContext& context = settings->context;
    Program program =
        plain_program(scene,
                      fmt::format("rope, {}, {}", type,
                                  scene.layout == PairLayout::halves ? "half layout" : "interleaved layout"),
                      {{"frequency", {{"omega", "b^(-2i/d)"}}}});
    program.base = context.base;
    program.rotary_dim = context.rotary_dim;
    program.rotary_offset = settings->rotary_offset;
    program.attention_factor = spectrum->attention_factor;
    Writing writing{program, context, settings->chosen.settings};
    if (auto done = scaling->write(writing); !done) return tl::unexpected(done.error());
    if (spectrum->logit_factor != 1.0) {
        program.constant("softmax_factor", spectrum->logit_factor);
        program.scale("softmax_factor");
    }
    add_slots(program, *settings, scene.length);
    if (!axes.empty() && axes.sections == 3 && context.rotary_dim == head_dim(scene)) {
        program.slots.push_back({"axis", {{"", axis_text(axes, program)}}});
        if (axes.parted) program.grid = axes.grid;
    }
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
