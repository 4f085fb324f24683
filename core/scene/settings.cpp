#include "core/scene/settings.hpp"

#include "core/encodings/own.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

Json comma_list(std::string_view list) {
    Json made = Json::array();
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        if (comma > 0) made.push_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return made;
}

// The value of a key, whose parts are "encoding.base" or "own.NAME".
void put(Json& partial, const Json& whole, std::string_view key, Json value) {
    const std::string own(own_encoding().kind);
    OwnPath of_own;
    if (key.starts_with(own + ".")) {
        of_own = own_path(key.substr(own.size() + 1));
        key = of_own.path;
        if (of_own.names && value.is_string()) value = comma_list(value.get_ref<const std::string&>());
        Json& encoding = partial.contains("encoding")
                             ? partial["encoding"]
                             : (partial["encoding"] = whole.value("encoding", Json()));
        if (!encoding.is_object() || !is_own(encoding.value("kind", ""))) encoding = Json{{"kind", own}};
    }
    const auto dot = key.find('.');
    const std::string top(key.substr(0, dot));
    if (dot == std::string_view::npos) {
        partial[top] = std::move(value);
        return;
    }
    if (!partial.contains(top)) partial[top] = whole.value(top, Json());
    Json* place = &partial[top];
    const bool kinds = top == "encoding" || top == "content";
    // A kind in words is that kind with its defaults.
    if (kinds && place->is_string()) *place = Json{{"kind", *place}};
    if (!place->is_object()) *place = Json::object();
    std::string_view rest = key.substr(dot + 1);
    // A new kind starts from its own defaults, not from the old kind's parameters.
    if (kinds && rest == "kind") *place = Json::object();
    if (top == "content" && rest == "text") place->erase("order");  // it belonged to the previous words
    for (auto next = rest.find('.'); next != std::string_view::npos; next = rest.find('.')) {
        Json& inner = (*place)[std::string(rest.substr(0, next))];
        if (!inner.is_object()) inner = Json::object();
        place = &inner;
        rest = rest.substr(next + 1);
    }
    (*place)[std::string(rest)] = std::move(value);
}

// KEY=VALUE, as it is typed: a value that is no JSON is a text, and a formula is one even where it looks like a number.
Result<void> add(Json& partial, const Json& whole, std::string_view setting) {
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return refuse("setting.form", {{"value", std::string(setting)}});
    const std::string_view key = setting.substr(0, equals), text = setting.substr(equals + 1);
    if (!is_utf8(setting)) return refuse("text.utf8", {{"path", "--set"}});
    if (std::count(key.begin(), key.end(), '.') >= 64) return refuse("json.depth", {{"limit", "64"}});
    auto value = parse_json(text);
    if (!value && value.error().key != "json.syntax") return tl::unexpected(value.error());
    const std::string own = fmt::format("{}.", own_encoding().kind);
    const bool formula = key.starts_with(own) && own_path(key.substr(own.size())).slot;
    if (!value || (formula && !value->is_null())) value = Json(std::string(text));
    put(partial, whole, key, std::move(*value));
    return {};
}

// A whole value comes before its parts, and a kind, or the words, before what belongs to them.
int rank(std::string_view setting) {
    const std::string_view key = setting.substr(0, setting.find('='));
    if (key.find('.') == std::string_view::npos) return 0;
    return key == "encoding.kind" || key == "content.kind" ? 1 : key == "content.text" ? 2 : 3;
}

}  // namespace

Result<Json> partial_from_settings(const Scene& scene, std::span<const std::string> settings) {
    Json partial = Json::object();
    if (settings.empty()) return partial;
    const Json whole = to_json(scene);
    std::vector<std::string_view> ordered(settings.begin(), settings.end());
    std::ranges::stable_sort(ordered, {}, rank);
    for (const std::string_view setting : ordered)
        if (auto added = add(partial, whole, setting); !added) return tl::unexpected(added.error());
    return partial;
}

Json partial_from_value(const Scene& scene, std::string_view key, Json value) {
    Json partial = Json::object();
    put(partial, to_json(scene), key, std::move(value));
    return partial;
}

Result<Json> partial_from_setting(const Scene& scene, std::string_view setting) {
    const std::string one(setting);
    return partial_from_settings(scene, std::span(&one, 1));
}

}  // namespace posiscope
