
#include "app/commands/checks.hpp"
#include "app/commands/streams.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/formats/file.hpp"
#include "core/json_members.hpp"
#include "core/measure/beside.hpp"
#include "core/measure/show.hpp"
#include "core/scene/settings.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posiscope::commands {
namespace {

// The text of a config.json, or an empty object for a known model's name.
Json config_of(const std::string& path) {
    if (!path.ends_with(".json")) return Json::object();
    const auto text = read_file(path);
    const auto json = text ? parse_json(*text) : tl::unexpected(text.error());
    return json && json->is_object() ? *json : Json::object();
}

// Its values are numbers where they are.
Json with_numbers(const Problem& said, const Strings& strings) {
    Json made = facts(said, strings);
    if (made.contains("values"))
        for (auto& [name, value] : made["values"].items())
            if (const Json parsed = Json::parse(value.get<std::string>(), nullptr, false); parsed.is_number())
                value = parsed;
    return made;
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Result<References> references_for(const std::string& config, const SharedOptions& shared,
                                  const Terminal& terminal) {
    References made;
    if (config.empty() && shared.settings.empty() && shared.scenes.empty() && shared.model.empty() &&
        shared.preset.empty())
        return made;
    if (config.empty()) {
        const auto scene = shared.scene(terminal);
        if (!scene) return tl::unexpected(scene.error());
        made.scenes.push_back(*scene);
        made.list = measuring::references_of_layers(*scene);
        return made;
    }
    const auto model = read_settings(config);
    if (!model) return tl::unexpected(model.error());
    for (const Problem& note : model->notes) terminal.say(note);
    const auto laid = with_model(Scene(), *model);
    if (!laid) return tl::unexpected(laid.error());
    const Json json = config_of(config);
    const Json* text = object_at(json, "text_config");
    made.family = text_at(json, "model_type");
    const RopeLayers layers = rope_layers(laid->scene);
    // Settings beside a config ask for one of its layers.
    int asked = -1;
    if (!shared.settings.empty()) {
        const auto set = shared.scene(terminal, laid->scene);
        if (!set) return tl::unexpected(set.error());
        asked = rope_layers(*set).kind;
    }
    for (std::size_t kind = 0; kind < layers.kinds.size(); ++kind) {
        auto one = overlay(laid->scene, {{"encoding", with_kind(laid->scene, layers, kind)}});
        if (!one) continue;
        auto list = measuring::references_of(std::span(&one->scene, 1));
        for (measuring::Reference& reference : list) {
            reference.asked = asked < 0 || asked == static_cast<int>(kind);
            made.list.push_back(std::move(reference));
        }
        made.scenes.push_back(std::move(one->scene));
    }
    if (made.scenes.empty()) {
        made.scenes.push_back(laid->scene);
        made.list = measuring::references_of(made.scenes);
    }
    const Json& heads = text != nullptr ? *text : json;
    for (measuring::Reference& reference : made.list)
        reference.key_heads = integer_at(heads, "num_key_value_heads").value_or(reference.heads);
    if (auto added = measuring::added_reference(made.family, laid->scene))
        made.list.push_back(std::move(*added));
    return made;
}

std::string text_of(const measuring::Report& report, const Strings& strings) {
    const measuring::Measured& m = report.measured;
    std::string text =
        strings.format("recognised.shape", fmt::arg("name", printable(report.name)),
                       fmt::arg("shape", report.shape_of.shape.empty()
                                             ? "()"
                                             : fmt::format("{}", fmt::join(report.shape_of.shape, " × "))),
                       fmt::arg("dtype", report.shape_of.dtype)) +
        "\n";
    for (const Problem& note : report.notes) text += strings.sentence(note) + "\n";
    text += strings.sentence(m.what) + "\n";
    for (const measuring::Finding& finding : m.findings) text += strings.sentence(finding.said) + "\n";
    const auto said = [&](std::string_view key) {
        text += strings.format(key, fmt::arg("precision", m.precision),
                               fmt::arg("largest", measuring::few_digits(m.largest)),
                               fmt::arg("noise", measuring::few_digits(m.noise)),
                               fmt::arg("enough", measuring::rounded_up(m.largest, 1))) +
                "\n";
    };
    if (m.verdict == measuring::Verdict::right) {
        said(m.tolerated ? "measured.right_tolerated" : m.given ? "measured.right" : "measured.right_known");
        if (m.arithmetic) said(fmt::format("measured.arithmetic.{}", measuring::name_of(*m.arithmetic)));
    } else if (m.verdict == measuring::Verdict::noisy) {
        said("measured.right_noisy");
    }
    return text;
}

Json record_of(const measuring::Report& report, const Strings& strings) {
    const measuring::Measured& m = report.measured;
    Json made{{"kind", "check"},
              {"version", kCheckRecord},
              {"name", report.name},
              {"shape", report.shape_of.shape},
              {"dtype", report.shape_of.dtype},
              {"precision", m.precision},
              {"verdict", measuring::name_of(m.verdict)},
              {"of_config", m.given},
              {"what", with_numbers(m.what, strings)},
              {"largest_difference", finite(m.largest)},
              {"noise", finite(m.noise)},
              {"explained", finite(m.explained)},
              {"findings", Json::array()},
              {"notes", Json::array()},
              {"pairs", Json::array()}};
    for (const Problem& note : report.notes) made["notes"].push_back(with_numbers(note, strings));
    if (m.arithmetic) made["arithmetic"] = measuring::name_of(*m.arithmetic);
    for (const measuring::Finding& finding : m.findings) {
        Json& one = made["findings"].emplace_back(with_numbers(finding.said, strings));
        one["wrong"] = finding.wrong;
    }
    for (const measuring::PairMeasured& pair : m.pairs)
        made["pairs"].push_back({{"frequency", pair.rate},
                                 {"uncertainty", finite(pair.off)},
                                 {"expected", pair.expected},
                                 {"unscaled", pair.unscaled},
                                 {"ratio", pair.ratio},
                                 {"amplitude", pair.amplitude},
                                 {"residual", pair.residual}});
    if (m.beside != nullptr) {
        made["numbers"] = m.beside->numbers;
        made["beyond_rounding"] = m.beside->beyond;
        made["amplitude"] = m.beside->amplitude;
        for (std::size_t i = 0; i < m.beside->by_pair.size(); ++i)
            made["pairs"][i]["roundings"] = m.beside->by_pair[i];
        for (const measuring::Beside::Fit& fit : m.beside->fits)
            made["within_rounding"][fit.name] = fit.within;
    }
    if (!m.partners.empty()) made["partners"] = m.partners;
    if (!m.positions.values.empty()) {
        made["positions"] = Json::array();
        for (const double p : m.positions.values) made["positions"].push_back(finite(p));
        made["axes"] = m.positions.axes;
    }
    return made;
}

Outcome outcome_of(const measuring::Report& report, const Strings& strings, bool of_config) {
    Outcome made{Exit::done, text_of(report, strings), record_of(report, strings), {}};
    switch (report.measured.verdict) {
        case measuring::Verdict::right: break;
        case measuring::Verdict::noisy: made.exit = Exit::noise; break;
        case measuring::Verdict::wrong: made.exit = Exit::slip; break;
        case measuring::Verdict::unknown:
            made.exit = Exit::failed;
            made.why = Problem{of_config ? "recognised.none_of_config" : "recognised.none", {}};
            break;
    }
    return made;
}

}  // namespace posiscope::commands
