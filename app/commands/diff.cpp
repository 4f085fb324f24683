// diff.cpp — posiscope diff A B [--json]: the keys in which two scenes differ, with both values. Of one scene alone, how it
// differs from what the options give, without any the default scene. It ends as a search for slips does: 0 where they are
// equal, 4 where they differ.
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "core/formats/file.hpp"

#include <fmt/format.h>
#include <memory>

namespace posiscope::commands {
namespace diff_command {
namespace {

struct Typed {
    std::vector<std::string> scenes;
    bool json = false;
};

struct Difference {
    std::string key;
    Json a, b;  // null where that side has no such key
};

// Objects are looked into; anything else is one value.
void compare(const std::string& key, const Json& a, const Json& b, std::vector<Difference>& found) {
    if (a == b) return;
    if (!a.is_object() || !b.is_object()) {
        found.push_back({key, a, b});
        return;
    }
    for (const auto& [name, value] : a.items())
        compare(join_path(key, name), value, b.value(name, Json()), found);
    for (const auto& [name, value] : b.items())
        if (!a.contains(name)) compare(join_path(key, name), Json(), value, found);
}

Result<Scene> read(const std::string& path, const SharedOptions& shared, const Terminal& terminal) {
    auto laid = read_scene(Scene(), path, shared.unread());
    if (!laid) return tl::unexpected(laid.error());
    for (const Problem& adjusted : laid->adjusted) terminal.say(adjusted);
    return std::move(laid->scene);
}

Result<void> run(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    const std::size_t count = typed.scenes.size();
    if (count != 1 && count != 2) return refuse("diff.count", {{"count", std::to_string(count)}});
    for (const auto& [option, given] :
         {std::pair("--preset", !shared.preset.empty()), std::pair("--model", !shared.model.empty()),
          std::pair("--scene", !shared.scenes.empty()), std::pair("--set", !shared.settings.empty())})
        if (given && count == 2)
            return refuse("usage.unused", {{"option", option}, {"other", typed.scenes[1]}});
    const auto a = read(typed.scenes[0], shared, terminal);
    if (!a) return tl::unexpected(a.error());
    const auto b = count == 2 ? read(typed.scenes[1], shared, terminal) : shared.scene(terminal);
    if (!b) return tl::unexpected(b.error());
    std::vector<Difference> found;
    compare("", to_json(*a), to_json(*b), found);
    const auto word = [](const Json& value) {
        return value.is_null() ? std::string("–")
                               : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    FileWriter out = FileWriter::standard_output();
    if (typed.json) {
        Json list = Json::array();
        for (const Difference& one : found) list.push_back({{"key", one.key}, {"a", one.a}, {"b", one.b}});
        out.write(list.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    } else
        for (const Difference& one : found)
            out.write(printable(fmt::format("{}: {} → {}", one.key, word(one.a), word(one.b))) + "\n");
    if (auto written = out.commit(); !written) return written;
    if (!found.empty() && terminal.exit != nullptr) *terminal.exit = Exit::slip;
    return {};
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "SCENES", typed->scenes, strings.text("option.diff.scenes.help"), "");
    add_flag(app, "--json", typed->json, strings.text("option.diff.json.help"));
    return [typed, &shared](const Terminal& terminal) { return run(*typed, shared, terminal); };
}

}  // namespace
}  // namespace diff_command

extern const Command kDiff{"diff", diff_command::add};

}  // namespace posiscope::commands
