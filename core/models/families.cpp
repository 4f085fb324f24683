#include "core/models/families.hpp"

#include "core/models/families/tables.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

bool holds(const ModelFamily& family, const Json& config) {
    if (family.when.empty()) return true;
    const Json when = Json::parse(family.when);
    return std::all_of(when.items().begin(), when.items().end(), [&](const auto& item) {
        const auto found = config.find(item.key());
        return found != config.end() && *found == item.value();
    });
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

}  // namespace

std::span<const ModelFamily> families() {
    static const std::vector<ModelFamily> all = [] {
        std::vector<ModelFamily> rows;
        for (const auto part : {family_rows::halves(), family_rows::interleaved(), family_rows::layered(),
                                family_rows::others()})
            rows.insert(rows.end(), part.begin(), part.end());
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
