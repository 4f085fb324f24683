
#include "app/commands/checks.hpp"
#include "app/commands/streams.hpp"
#include "core/code/code.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/formats/file.hpp"
#include "core/models/check.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/document.hpp"
#include "core/models/models.hpp"

#include <fmt/format.h>

namespace posiscope::commands {
namespace {

const char* severity_of(const Finding& finding) {
    return finding.severity == Severity::wrong  ? "wrong"
           : finding.severity == Severity::note ? "note"
                                                : "fine";
}

// The same rotation as each program takes it. Neither llama.cpp nor vLLM serves a vision model by such flags.
Json settings_of(const Scene& scene, const Json& config) {
    Json made = Json::object();
    const bool vision = config.contains("patch_size") || config.contains("image_size");
    for (const char* form : {"rope_parameters", "vllm", "llama_cpp"}) {
        if (vision && form != std::string_view("rope_parameters")) continue;
        if (form == std::string_view("llama_cpp") && rope_layers(scene).several()) continue;
        auto written = find_code_form(form)->write(scene);
        if (!written) continue;
        if (form == std::string_view("rope_parameters")) written = Document::parse(*written).dump();
        while (written->ends_with('\n')) written->pop_back();
        made[form] = std::move(*written);
    }
    return made;
}

// One kind of layer of the config, as the Scene that shows it.
struct LayersOfKind {
    std::string name;  // empty: all layers are alike
    std::size_t count = 0;
    bool rotates = true;
    Scene scene;
};

std::vector<LayersOfKind> kinds_of(const Scene& scene) {
    const RopeLayers layers = rope_layers(scene);
    if (!layers.several()) return {{{}, 0, rotation_of(scene) != Rotation::nothing, scene}};
    std::vector<LayersOfKind> made;
    for (std::size_t n = 0; n < layers.kinds.size(); ++n) {
        const RopeLayers::Kind& kind = layers.kinds[n];
        const auto laid = overlay(scene, {{"encoding", with_kind(scene, layers, n)}});
        if (laid)
            made.push_back({kind.type >= 0 ? layers.types[static_cast<std::size_t>(kind.type)]
                            : kind.turns   ? "RoPE"
                                           : "NoPE",
                            kind.count, kind.turns, laid->scene});
    }
    return made;
}

// The kind as numbers; key heads, a window and chunks only where the config gives them.
Json numbers_of(const LayersOfKind& kind, const Json& config) {
    const auto settings = rope_settings(kind.scene);
    if (!kind.rotates || !takes_scalings(kind.scene) || !settings) return Json::object();
    const KindHeads heads = heads_of(config, kind.name);
    Json made{{"base", settings->context.base},
              {"scaling", settings->chosen.scaling->rope_type},
              {"heads", heads.heads.value_or(kind.scene.num_heads)},
              {"head_dim", settings->context.head_dim},
              {"rotary_dim", settings->context.rotary_dim}};
    if (heads.key_heads) made["key_heads"] = *heads.key_heads;
    if (settings->window) made["window"] = *settings->window;
    if (settings->chunk) made["chunk"] = *settings->chunk;
    return made;
}

// "sliding_attention (50 layers): b = 10000, default, 32 heads (16 for keys) of 256, 256 rotated, window 1024".
std::string kind_words(const LayersOfKind& kind, const Json& numbers, const Strings& strings) {
    std::string words = kind.name.empty() ? std::string(strings.text("check.kind.all")) : kind.name;
    if (kind.count > 0) words += strings.format("check.kind.layers", fmt::arg("count", kind.count));
    if (!kind.rotates) return words + std::string(strings.text("check.kind.nope"));
    if (numbers.empty()) return words;
    const auto whole = [&](const char* key) { return numbers.at(key).get<std::int64_t>(); };
    words += fmt::format(": b = {}, {}", to_text(numbers.at("base").get<double>()),
                         numbers.at("scaling").get_ref<const std::string&>());
    const bool keyed = numbers.contains("key_heads");
    words += strings.format(
        keyed ? "check.kind.heads" : "check.kind.heads_alone", fmt::arg("heads", whole("heads")),
        fmt::arg("keys", whole(keyed ? "key_heads" : "heads")), fmt::arg("head_dim", whole("head_dim")),
        fmt::arg("rotary_dim", whole("rotary_dim")));
    if (numbers.contains("window"))
        words += strings.format("check.kind.window", fmt::arg("window", whole("window")));
    if (numbers.contains("chunk"))
        words += strings.format("check.kind.chunk", fmt::arg("chunk", whole("chunk")));
    return words;
}

// An encoding that rotates nothing, or on two axes.
std::string encoding_words(const Scene& scene, const Strings& strings) {
    const Json& parameters = scene.encoding.parameters;
    const std::string name(strings.text(fmt::format("option.encoding.{}.name", scene.encoding.kind)));
    if (encoding_of(scene).rows)
        return strings.format("check.kind.table", fmt::arg("name", name),
                              fmt::arg("rows", parameters.value("max_position_embeddings", std::int64_t{0})),
                              fmt::arg("width", scene.d_model));
    if (rotation_of(scene) == Rotation::nothing || encoding_of(scene).acts != Acts::query_key)
        return strings.format("check.kind.still", fmt::arg("name", name));
    return strings.format("check.kind.axes", fmt::arg("name", name), fmt::arg("base", to_text(scene.base)),
                          fmt::arg("heads", scene.num_heads), fmt::arg("head_dim", head_dim(scene)));
}

std::string lines_of_config(const Json& facts_of, const Strings& strings) {
    std::string text;
    for (const Json& kind : facts_of.at("kinds")) {
        text += printable(kind.at("words").get_ref<const std::string&>()) + "\n";
        for (const Json& finding : kind.at("findings"))
            text += "  " + printable(finding.at("sentence").get_ref<const std::string&>()) + "\n";
    }
    for (const auto& [form, settings] : facts_of.at("settings").items())
        text += printable(strings.format(fmt::format("check.settings.{}", form),
                                         fmt::arg("settings", settings.get<std::string>()))) +
                "\n";
    return text;
}

}  // namespace

bool is_config(const std::string& path) {
    if (refused_yaml(path)) return true;
    if (!path.ends_with(".json")) return false;
    const auto text = read_file(path);
    if (!text) return false;
    const auto json = parse_json(without_infinities(*text));
    // One with an error in it is a config by its words, so that the error is named.
    return json ? looks_like_config(*json) : text->find("\"model_type\"") != std::string::npos;
}

Result<Outcome> check_config(const std::string& path, Part part, const Terminal& terminal) {
    const auto unread = [](const Problem& why) { return Outcome{Exit::unread, {}, {}, why}; };
    if (const auto refused = refused_yaml(path)) return unread(*refused);
    const auto text = read_file(path);
    if (!text) return unread(text.error());
    const auto config = parse_json(without_infinities(*text));
    if (!config) return unread(in_file(config.error(), path));
    const Strings& strings = terminal.strings;
    const auto model = read_model(path, part);
    const auto laid = model ? with_model(Scene(), *model) : tl::unexpected(model.error());
    if (!laid) return tl::unexpected(laid.error());
    Json made{{"kind", "config"},       {"version", 1},
              {"name", path},           {"verdict", "right"},
              {"kinds", Json::array()}, {"settings", settings_of(laid->scene, *config)}};
    for (const LayersOfKind& kind : kinds_of(laid->scene)) {
        Json& one = made["kinds"].emplace_back(Json{{"layers", kind.count}, {"findings", Json::array()}});
        if (!kind.name.empty()) one["name"] = kind.name;
        one["rotates"] = kind.rotates;
        const Json numbers = numbers_of(kind, *config);
        one.update(numbers);
        one["words"] = takes_scalings(kind.scene) ? kind_words(kind, numbers, strings)
                                                  : encoding_words(kind.scene, strings);
        if (!kind.rotates) continue;
        const auto found = check_settings(kind.scene);
        if (!found) return tl::unexpected(found.error());
        for (const Finding& finding : *found) {
            if (finding.severity == Severity::wrong) made["verdict"] = "wrong";
            Json& said = one["findings"].emplace_back(facts(finding.problem, strings));
            said["severity"] = severity_of(finding);
        }
    }
    for (const Problem& note : model->notes) terminal.say(note);
    const Exit exit = made["verdict"] == "wrong" ? Exit::slip : Exit::done;
    return Outcome{exit, lines_of_config(made, strings), std::move(made), {}};
}

}  // namespace posiscope::commands
