#include "app/commands/check_config.hpp"

#include "app/commands/facts.hpp"
#include "app/commands/printable.hpp"
#include "core/code/code.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/formats/file.hpp"
#include "core/models/check.hpp"
#include "core/models/document.hpp"
#include "core/models/models.hpp"

#include <algorithm>
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
    if (!layers.several()) return {{{}, 0, true, scene}};
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

// "sliding_attention (50 layers): b = 10000, default, window 1024".
std::string kind_words(const LayersOfKind& kind, const Strings& strings) {
    std::string words = kind.name;
    if (kind.count > 0) words += strings.format("check.kind.layers", fmt::arg("count", kind.count));
    if (!kind.rotates) return words + std::string(strings.text("check.kind.nope"));
    const auto settings = rope_settings(kind.scene);
    if (!settings) return words;
    words +=
        fmt::format(": b = {}, {}", to_text(settings->context.base), settings->chosen.scaling->rope_type);
    if (settings->window) words += strings.format("check.kind.window", fmt::arg("window", *settings->window));
    if (settings->chunk) words += strings.format("check.kind.chunk", fmt::arg("chunk", *settings->chunk));
    return words;
}

std::string lines_of_config(const Json& facts_of, const Strings& strings) {
    std::string text;
    for (const Json& kind : facts_of.at("kinds")) {
        const bool several = facts_of.at("kinds").size() > 1;
        if (several) text += printable(kind.at("words").get_ref<const std::string&>()) + "\n";
        for (const Json& finding : kind.at("findings"))
            text += (several ? "  " : "") + printable(finding.at("sentence").get_ref<const std::string&>()) +
                    "\n";
    }
    for (const auto& [form, settings] : facts_of.at("settings").items())
        text += printable(strings.format(fmt::format("check.settings.{}", form),
                                         fmt::arg("settings", settings.get<std::string>()))) +
                "\n";
    return text;
}

}  // namespace

bool is_config(const std::string& path) {
    if (!path.ends_with(".json")) return false;
    const auto text = read_file(path);
    if (!text) return false;
    const auto json = parse_json(*text);
    return json && looks_like_config(*json);
}

Result<Outcome> check_config(const std::string& path, const Terminal& terminal) {
    const auto unread = [](const Problem& why) { return Outcome{Exit::unread, {}, {}, why}; };
    const auto text = read_file(path);
    if (!text) return unread(text.error());
    const auto config = parse_json(*text);
    if (!config) return unread(in_file(config.error(), path));
    const Strings& strings = terminal.strings;
    const auto model = read_model(path);
    const auto laid = model ? with_model(Scene(), *model) : tl::unexpected(model.error());
    if (!laid) return tl::unexpected(laid.error());
    Json made{{"kind", "config"},       {"version", 1},
              {"name", path},           {"verdict", "right"},
              {"kinds", Json::array()}, {"settings", settings_of(laid->scene, *config)}};
    for (const LayersOfKind& kind : kinds_of(laid->scene)) {
        Json& one = made["kinds"].emplace_back(Json{{"layers", kind.count}, {"findings", Json::array()}});
        if (!kind.name.empty()) one["name"] = kind.name, one["words"] = kind_words(kind, strings);
        if (!kind.rotates) continue;
        const auto found = check_settings(kind.scene);
        if (!found) return tl::unexpected(found.error());  // nothing rotates
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
