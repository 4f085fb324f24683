#include "core/models/families.hpp"

#include "core/json_members.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace posiscope {

extern const std::string_view kFamilies;  // families.json (core.cmake)

namespace {

bool holds(const ModelFamily& family, const Json& config) {
    for (const auto& [key, value] : family.when.items())
        if (const auto found = config.find(key); found == config.end() || *found != value) return false;
    return true;
}

// True if a list of names, separated by spaces, has this one.
bool named(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == name) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

LayerRule rule_from(const Json& row) {
    using enum LayerRule::Form;
    static constexpr std::array<std::pair<std::string_view, LayerRule::Form>, 6> kForms = {
        {{"last", last},
         {"first", first},
         {"from", from},
         {"listed", listed},
         {"rope", rope},
         {"full", full}}};
    const auto form =
        std::ranges::find(kForms, text_at(row, "form"), &std::pair<std::string_view, LayerRule::Form>::first);
    return {form != kForms.end() ? form->second : none,
            text_at(row, "key"),
            integer_at(row, "n").value_or(0),
            text_at(row, "most"),
            text_at(row, "other"),
            row.value("map", Json())};
}

// `kinds`: those that several families share, by name.
ModelFamily family_from(const Json& row, const Json& kinds) {
    ModelFamily made;
    for (const auto& [key, member] :
         {std::pair("type", &ModelFamily::type), std::pair("layout", &ModelFamily::layout),
          std::pair("note", &ModelFamily::note), std::pair("source", &ModelFamily::source)})
        if (row.contains(key)) made.*member = text_at(row, key);
    for (const auto& [key, member] :
         {std::pair("when", &ModelFamily::when), std::pair("encoding", &ModelFamily::encoding),
          std::pair("names", &ModelFamily::names), std::pair("defaults", &ModelFamily::defaults),
          std::pair("kinds", &ModelFamily::kinds), std::pair("gathered", &ModelFamily::gathered),
          std::pair("scaling", &ModelFamily::scaling)})
        made.*member = row.value(key, Json());
    for (const auto& [key, member] : {std::pair("text_axis", &ModelFamily::text_axis),
                                      std::pair("softmax_mscale", &ModelFamily::softmax_mscale),
                                      std::pair("qk_norm", &ModelFamily::qk_norm)})
        made.*member = row.value(key, false);
    if (made.kinds.is_string()) made.kinds = kinds.at(made.kinds.get_ref<const std::string&>());
    made.layers = rule_from(row.value("layers", Json::object()));
    made.head_times = row.value("head_times", 1);
    return made;
}

}  // namespace

std::span<const ModelFamily> families() {
    static const std::vector<ModelFamily> all = [] {
        const Json file = Json::parse(kFamilies);
        std::vector<ModelFamily> rows;
        for (const Json& row : file.at("rows")) rows.push_back(family_from(row, file.at("kinds")));
        return rows;
    }();
    return all;
}

const ModelFamily* family_of(std::string_view model_type, const Json& config) {
    const auto all = families();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ModelFamily& family) {
        return named(family.type, model_type) && holds(family, config);
    });
    return found == all.end() ? nullptr : &*found;
}

std::vector<Problem> remarks_on(const ModelFamily& family, std::string_view model_type) {
    std::vector<Problem> made;
    if (family.source.empty())
        made.push_back({"config.unverified", {{"model_type", std::string(model_type)}}});
    if (!family.note.empty()) made.push_back({fmt::format("family.{}", family.note), {}});
    return made;
}

}  // namespace posiscope
