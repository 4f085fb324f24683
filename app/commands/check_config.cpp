#include "app/commands/check_config.hpp"

#include "app/commands/facts.hpp"
#include "app/commands/printable.hpp"
#include "core/code/code.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/formats/file.hpp"
#include "core/json_members.hpp"
#include "core/models/check.hpp"
#include "core/models/models.hpp"
#include "core/models/stacks.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::commands {
namespace {

const char* severity_of(const Finding& finding) {
    return finding.severity == Severity::wrong  ? "wrong"
           : finding.severity == Severity::note ? "note"
                                                : "fine";
}

// The Scene over the length that its scaling is for.
Scene over_its_reach(Scene scene) {
    if (!takes_scalings(scene)) return scene;
    double reach = number_at(scene.encoding.parameters, "max_position_embeddings").value_or(0.0);
    if (const auto rope = rope_settings(scene); rope && rope->chosen.scaling->rope_type == "yarn")
        reach = std::max(
            reach, number_at(rope->chosen.settings, "factor").value_or(0.0) *
                       number_at(rope->chosen.settings, "original_max_position_embeddings").value_or(0.0));
    if (reach >= 1.0 && reach <= static_cast<double>(kLastPosition))
        scene.length = static_cast<std::int64_t>(reach);
    return scene;
}

// The settings for a stack, in its own form; the reason if it has none for them.
std::string settings_for(const Stack& stack, const Scene& scene, const Strings& strings) {
    const auto written = find_code_form(stack.code)->write(scene);
    if (!written) return strings.sentence(written.error());
    std::string text = *written;
    if (stack.code == "rope_parameters") text = Json::parse(text).dump();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return strings.format(fmt::format("stack.settings.{}", stack.code), fmt::arg("settings", text));
}

Json stack_facts(const Stack& stack, const Json& config, const Scene* scene, const Strings& strings) {
    const StackAnswer answer = answer_of(stack, config);
    Json made{{"stack", stack.name},
              {"does", name_of(answer.does)},
              {"sentence", strings.format(fmt::format("stack.does.{}", name_of(answer.does)),
                                          fmt::arg("stack", stack.name))},
              {"why", facts(answer.why, strings)},
              {"read", stack.read}};
    if (scene != nullptr) made["settings"] = settings_for(stack, *scene, strings);
    return made;
}

std::string lines_of_config(const Json& facts_of, const Strings& strings) {
    std::string text;
    const auto line = [&](std::string_view indent, const Json& one) {
        text += fmt::format("{}{}\n", indent, printable(one.get_ref<const std::string&>()));
    };
    for (const Json& finding : facts_of.at("findings")) line("", finding.at("sentence"));
    for (const Json& stack : facts_of.at("stacks")) {
        line("", stack.at("sentence"));
        for (const Json& why : stack.at("why")) line("  ", why.at("sentence"));
        if (stack.contains("settings")) line("  ", stack.at("settings"));
    }
    return text + std::string(strings.text("stack.sources")) + "\n";
}

Result<void> write_out(const std::string& text) {
    FileWriter out = FileWriter::standard_output();
    out.write(text);
    return out.commit();
}

}  // namespace

bool is_config(const std::string& path) {
    if (!path.ends_with(".json")) return false;
    const auto text = read_file(path);
    if (!text) return false;
    const auto json = parse_json(*text);
    return json && looks_like_config(*json);
}

Result<void> run_config(const std::string& path, bool json, const Terminal& terminal) {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    const auto config = parse_json(*text);
    if (!config) return tl::unexpected(in_file(config.error(), path));
    const Strings& strings = terminal.strings;
    const auto model = read_model(path);
    const auto laid = model ? with_model(Scene(), *model) : tl::unexpected(model.error());
    const auto found = laid ? check_settings(laid->scene) : tl::unexpected(laid.error());
    if (model && !found) return tl::unexpected(found.error());  // nothing rotates

    Json made{{"verdict", "unknown"}, {"findings", Json::array()}, {"stacks", Json::array()}};
    if (found) {
        for (const Problem& note : model->notes) terminal.say(note);
        const bool wrong =
            std::ranges::any_of(*found, [](const Finding& f) { return f.severity == Severity::wrong; });
        made["verdict"] = wrong ? "slip" : "right";
        if (wrong && terminal.exit != nullptr) *terminal.exit = Exit::slip;
        for (const Finding& finding : *found) {
            Json& one = made["findings"].emplace_back(facts(finding.problem, strings));
            one["severity"] = severity_of(finding);
        }
    }
    // An object or flags say one rotation for all layers.
    const bool one_kind = found && rope_layers(laid->scene).kinds.size() <= 1;
    const Scene reaching = one_kind ? over_its_reach(laid->scene) : Scene();
    for (const Stack& stack : stacks())
        made["stacks"].push_back(stack_facts(stack, *config, one_kind ? &reaching : nullptr, strings));
    if (auto written = write_out(json ? line_of(made) : lines_of_config(made, strings)); !written)
        return written;
    if (!found) return tl::unexpected(found.error());
    return {};
}

}  // namespace posiscope::commands
