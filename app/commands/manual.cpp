// manual.cpp — posiscope manual KIND [-o OUT]: what a package installs beside the program.
#include "app/commands/manual.hpp"
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "app/export/icon.hpp"
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/ui/known.hpp"
#include "app/ui/theme.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/code/code.hpp"
#include "core/encodings/encodings.hpp"
#include "core/quantities/quantities.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

namespace posiscope::commands {
namespace manual_command {
namespace {

constexpr std::array<std::string_view, 6> kKinds = {"page", "bash", "zsh", "fish", "icon", "texts"};
constexpr std::int64_t kLargestIcon = 1024;

template <class Registry, class Id>
std::vector<std::string> ids(const Registry& registry, Id id_of) {
    std::vector<std::string> all;
    for (const auto& entry : registry) all.emplace_back(id_of(entry));
    return all;
}

// The values of an option that takes one of a list.
std::vector<std::string> choices_of(std::string_view command, std::string_view option) {
    if (option == "--figure") return ids(figures::figures(), [](auto* f) { return f->id; });
    if (option == "--bench") return ids(workbench::benches(), [](const auto& b) { return b.id; });
    if (option == "--claim") return ids(ui::known_claims(), [](const Claim& c) { return c.id; });
    if (option == "--preset") return ids(ui::known_examples(), [](const ui::Example& e) { return e.id; });
    if (option == "--model" || option == "--config")
        return ids(ui::known_models(), [](const ModelRow& m) { return m.name; });
    if (option == "--theme") return ids(ui::themes(), [](const ui::Theme& t) { return t.name; });
    if (option == "--lang") return {"en", "zh"};
    if (option == "--set") return setting_words();
    if (option == "--encoding") return ids(encodings(), [](const Encoding* e) { return e->kind; });
    if (option == "COMMAND") return ids(commands().subspan(1), [](const Command* c) { return c->name; });
    if (option == "--over") return {"position", "offset"};
    if (option == "--verdict") return ids(verdict_names(), [](std::string_view name) { return name; });
    if (option == "QUANTITY") return ids(quantities(), [](const Quantity* q) { return q->name; });
    if (option == "FORM") return ids(code_forms(), [](const CodeForm& f) { return f.id; });
    if (option == "KIND" && command == "list")
        return ids(list_kinds(), [](std::string_view name) { return name; });
    if (option == "ACTION" && command == "lesson") return {"check"};
    if (option == "RESULTS") return {"merge"};
    if (option == "KIND" && command == "manual")
        return ids(kKinds, [](std::string_view name) { return name; });
    return {};
}

DescribedOption described(const CLI::Option& option, std::string_view command) {
    DescribedOption made;
    made.argument = option.get_positional();
    if (made.argument) made.names.push_back(option.get_name());
    for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0 && !made.argument) made.value = option.get_type_name();
    made.help = option.get_description();
    made.choices = choices_of(command, made.names.back());
    constexpr std::array paths = {"--scene", "--output", "--model", "--config", "FILE",
                                  "FILES",   "SCENES",   "TABLE",   "AFTER",    "RESULTS"};
    made.path = std::find(paths.begin(), paths.end(), made.names.back()) != paths.end();
    return made;
}

DescribedCommand described(const CLI::App& app, const CLI::App* root) {
    DescribedCommand made;
    if (root != nullptr) made.name = app.get_name();
    made.help = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        const bool everywhere = root != nullptr && !option->get_lnames().empty() &&
                                root->get_option_no_throw("--" + option->get_lnames().front()) != nullptr;
        if (!everywhere) made.options.push_back(described(*option, made.name));
    }
    return made;
}

struct Typed {
    std::string kind, output;
    std::optional<std::int64_t> pixels;
};

Result<std::string> written(const Typed& typed, const CLI::App& root, const Strings& strings) {
    if (typed.kind == "icon") {
        if (!typed.pixels) return exporting::icon_svg();
        if (*typed.pixels < 8 || *typed.pixels > kLargestIcon)
            return refuse("value.range", {{"path", "--pixels"},
                                          {"value", std::to_string(*typed.pixels)},
                                          {"minimum", "8"},
                                          {"maximum", std::to_string(kLargestIcon)}});
        const Image image = exporting::icon(static_cast<int>(*typed.pixels));
        return exporting::png(image, {.width = image.width, .height = image.height, .transparent = true});
    }
    if (typed.pixels && std::find(kKinds.begin(), kKinds.end(), typed.kind) != kKinds.end())
        return refuse("usage.unused", {{"option", "--pixels"}, {"other", typed.kind}});
    const std::vector<DescribedCommand> all = describe(root);
    if (typed.kind == "page") return manual_page(all, strings);
    if (typed.kind == "bash") return bash_completion(all);
    if (typed.kind == "zsh") return zsh_completion(all);
    if (typed.kind == "fish") return fish_completion(all);
    if (typed.kind == "texts") return book_texts();
    return tl::unexpected(not_one_of("KIND", typed.kind, kKinds));
}

Result<void> run(const Typed& typed, const CLI::App& root, const Terminal& terminal) {
    const auto text = written(typed, root, terminal.strings);
    if (!text) return tl::unexpected(text.error());
    auto file = open_output(typed.output);
    if (!file) return tl::unexpected(file.error());
    file->write(*text);
    return file->commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "KIND", typed->kind,
               std::string(strings.text("option.manual_kind.help")) + joined(kKinds), "");
    add_option(app, "-o,--output", typed->output, strings.text("option.output.help"), "OUT");
    add_option(app, "--pixels", typed->pixels, strings.text("option.pixels.help"), "N");
    return [typed, &app](const Terminal& terminal) { return run(*typed, *app.get_parent(), terminal); };
}

}  // namespace
}  // namespace manual_command

std::vector<DescribedCommand> describe(const CLI::App& root) {
    std::vector<DescribedCommand> all = {manual_command::described(root, nullptr)};
    for (const CLI::App* app : root.get_subcommands([](const CLI::App*) { return true; }))
        all.push_back(manual_command::described(*app, &root));
    return all;
}

extern const Command kManual{"manual", manual_command::add};

}  // namespace posiscope::commands
