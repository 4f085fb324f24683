#include "core/experiment/frame.hpp"

#include "core/encodings/own.hpp"
#include "core/json_members.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::experiment {
namespace {

// Other values are refused by the caller, or written here: this is a number or a list.
Json doubles(const Json& value) {
    if (value.is_number()) return value.get<double>();
    Json list = Json::array();
    for (const Json& one : value) list.push_back(one.get<double>());
    return list;
}

}  // namespace

bool is_typed(std::string_view entry) { return entry.starts_with('{'); }

std::string_view kind_in(std::string_view entry) { return is_typed(entry) ? own_encoding().kind : entry; }

Result<std::string> entry_from(const Json& value, std::string_view path) {
    const Encoding& own = own_encoding();
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_object())
        return refuse("value.kind", {{"path", std::string(path)}, {"kind", "text"}, {"value", shown(value)}});
    if (!is_own(text_at(value, "kind")))
        return refuse("experiment.entry", {{"path", std::string(path)}, {"value", shown(value)}});
    Json given = value;
    given.erase("kind");
    auto checked = checked_all(own.parameters, given, path);
    if (!checked) return tl::unexpected(checked.error());
    SpectrumInput scene;
    scene.encoding = {std::string(own.kind), std::move(*checked)};
    const auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    Json made = {{"kind", own.kind}};
    if (const std::string& label = text_at(scene.encoding.parameters, "label"); !label.empty())
        made["label"] = label;
    for (const OwnFormulas::Typed& typed : formulas->typed)
        made[std::string(typed.slot->key)] = typed.formula.text();
    for (const OwnFormulas::Parameter& parameter : formulas->parameters) {
        const Json& values = formulas->values;
        object_in(made, "values")[parameter.name] =
            values.contains(parameter.name) ? doubles(values.at(parameter.name)) : Json(1.0);
        if (parameter.learned) made.emplace("learned", Json::array()).first->push_back(parameter.name);
    }
    return made.dump();
}

std::optional<std::string> entry_of(const Choice& encoding) {
    if (!is_own(encoding.kind)) return std::nullopt;
    Json value = encoding.parameters;
    value["kind"] = encoding.kind;
    auto made = entry_from(value, "encoding");
    return made ? std::optional(std::move(*made)) : std::nullopt;
}

Json json_of(std::string_view entry) { return is_typed(entry) ? Json::parse(entry) : Json(entry); }

std::size_t typed_before(std::span<const std::string> list, std::string_view entry) {
    std::size_t before = 0;
    for (const std::string& one : list) {
        if (one == entry) return is_typed(entry) ? before : 0;
        before += is_typed(one) ? 1 : 0;
    }
    return 0;
}

// No label has a quote or a backslash (core/encodings/own.cpp), and within other texts a quote has a backslash before it: what
// follows these letters is the label, which no frame has to read as JSON.
std::string_view label_in(std::string_view entry) {
    constexpr std::string_view kBefore = "\"label\":\"";
    const std::size_t at = is_typed(entry) ? entry.find(kBefore) : std::string_view::npos;
    if (at == std::string_view::npos) return {};
    entry.remove_prefix(at + kBefore.size());
    return entry.substr(0, entry.find('"'));
}

namespace {

std::string_view name_in(std::string_view entry) {
    const std::string_view label = label_in(entry);
    return label.empty() ? kind_in(entry) : label;
}

}  // namespace

std::size_t same_before(std::span<const std::string> list, std::string_view entry) {
    std::size_t before = 0;
    for (const std::string& one : list) {
        if (one == entry) return before;
        before += name_in(one) == name_in(entry) ? 1 : 0;
    }
    return 0;
}

std::string label_of(std::span<const std::string> list, std::string_view entry) {
    const std::size_t before = same_before(list, entry);
    return before == 0 ? std::string(name_in(entry)) : fmt::format("{}_{}", name_in(entry), before + 1);
}

}  // namespace posiscope::experiment
