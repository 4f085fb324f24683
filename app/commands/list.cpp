// list.cpp — posiscope list KIND: what is available, one id per line, with its name if it has one. Claims can be filtered
// by note and verdict.
#include "app/commands/command.hpp"
#include "app/commands/manual.hpp"
#include "app/commands/usage.hpp"
#include "app/figures/figure.hpp"
#include "app/figures/view_keys.hpp"
#include "app/ui/claims.hpp"
#include "app/ui/examples.hpp"
#include "app/ui/known_models.hpp"
#include "app/ui/lessons.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/formats/file.hpp"
#include "core/models/families.hpp"
#include "core/positions/positions.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/scaling.hpp"
#include "core/scene/content.hpp"
#include "core/scene/keys.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace posiscope::commands {
namespace list_command {
namespace {

struct Line {
    std::string id, words;
};

struct List {
    std::string_view kind;
    std::vector<Line> (*lines)(const Strings&);
};

// Each entry's id, and its name if the string tables have "WORD.ID.name".
template <class Registry, class Id>
std::vector<Line> named(const Strings& strings, std::string_view word, const Registry& registry, Id id_of) {
    std::vector<Line> lines;
    for (const auto& entry : registry) {
        const std::string_view id = id_of(entry);
        const std::string key = fmt::format("{}.{}.name", word, id);
        lines.push_back(
            {std::string(id), strings.contains(key) ? std::string(strings.text(key)) : std::string()});
    }
    return lines;
}

// A model's encoding in the words of its source, and whether some of its values are unverified.
std::vector<Line> models(const Strings& strings) {
    std::vector<Line> lines;
    for (const ModelRow& row : ui::known_models())
        lines.push_back({row.name, ui::encoding_words(strings, row) +
                                       (row.unverified ? fmt::format(", {}", strings.text("list.unverified"))
                                                       : std::string())});
    return lines;
}

// The official file that a family's row was read from.
std::vector<Line> model_families(const Strings& strings) {
    std::vector<Line> lines;
    for (const ModelFamily& family : families()) {
        std::string words = family.when.empty() ? "" : std::string(family.when) + "  ";
        words += family.source.empty() ? strings.text("list.unverified") : family.source;
        lines.push_back({std::string(family.type), words});
    }
    return lines;
}

// Its title and how long it takes.
std::vector<Line> lesson_titles(const Strings& strings) {
    std::vector<Line> lines;
    const Scene scene;
    const bool chinese = strings.language() == Language::chinese;
    for (const lessons::Lesson& lesson : ui::known_lessons()) {
        lines.push_back(
            {lesson.id, fmt::format("{}, {}", ui::sentence(lesson.title.in(chinese), scene, scene),
                                    strings.format("list.minutes", fmt::arg("minutes", lesson.minutes)))});
    }
    return lines;
}

// The values that a key of the Scene takes: "2 … 65536", "interleaved | half", "true | false".
std::string range_of(const Parameter& parameter) {
    using Kind = Parameter::Kind;
    switch (parameter.kind) {
        case Kind::integer:
        case Kind::number:
            return fmt::format("{}{} … {}", parameter.above_minimum ? "> " : "", to_text(parameter.minimum),
                               to_text(parameter.maximum));
        case Kind::choice: return fmt::format("{}", fmt::join(parameter.choices, " | "));
        case Kind::boolean: return "true | false";
        case Kind::text: return "text";
        default: return "JSON";
    }
}

// The keys of "content" or "encoding", each with the kinds that have it: "tensors: 0 … 65535, default 0. …".
class Inner {
public:
    explicit Inner(std::string_view owner) : owner_(owner) {}

    void add(std::string_view kind, std::span<const Parameter> parameters) {
        for (const Parameter& parameter : parameters) {
            const auto found = std::ranges::find_if(keys_, [&](const auto& one) {
                return one.first->key == parameter.key && one.first->kind == parameter.kind &&
                       one.first->fallback == parameter.fallback;
            });
            if (found == keys_.end()) keys_.push_back({&parameter, std::string(kind)});
            else found->second += fmt::format(", {}", kind);
        }
    }
    void list(std::vector<Line>& lines, const Strings& strings) const {
        for (const auto& [parameter, kinds] : keys_) {
            const std::string key = fmt::format("{}.{}", owner_, parameter->key);
            lines.push_back(
                {key, fmt::format("{}: {}", kinds,
                                  strings.format("list.setting", fmt::arg("range", range_of(*parameter)),
                                                 fmt::arg("default", parameter->fallback.dump()),
                                                 fmt::arg("help", strings.parameter(
                                                                      key, kinds.substr(0, kinds.find(',')),
                                                                      "help"))))});
        }
    }

private:
    std::string_view owner_;
    std::vector<std::pair<const Parameter*, std::string>> keys_;
};

std::vector<Line> settings(const Strings& strings) {
    std::vector<Line> lines;
    for (const SceneKey& one : scene_keys()) {
        const std::string_view key = one.parameter.key;
        lines.push_back(
            {std::string(key),
             strings.format("list.setting", fmt::arg("range", range_of(one.parameter)),
                            fmt::arg("default", one.parameter.fallback.dump()),
                            fmt::arg("help", strings.text(fmt::format("parameter.{}.help", key))))});
        Inner inner(key);
        if (key == "content")
            for (const std::string_view kind : content_kinds()) inner.add(kind, content_parameters(kind));
        if (key == "encoding")
            for (const Encoding* encoding : encodings()) inner.add(encoding->kind, encoding->parameters);
        inner.list(lines, strings);
    }
    // The modes of each figure.
    const auto add_keys = [&](auto wanted) {
        for (const figures::ViewKey& key : figures::view_keys())
            if (wanted(key.figure))
                lines.push_back({fmt::format("view.{}.{}", key.figure, key.parameter.key),
                                 strings.format("list.setting", fmt::arg("range", range_of(key.parameter)),
                                                fmt::arg("default", key.parameter.fallback.dump()),
                                                fmt::arg("help", strings.text(fmt::format(
                                                                     "view.{}.help", key.parameter.key))))});
    };
    for (const figures::Figure* figure : figures::figures()) {
        std::vector<std::string_view> modes;
        const auto take = [&](const Scene& scene) {
            if (figure->modes == nullptr) return;
            for (const std::string_view mode : figure->modes(scene))
                if (std::ranges::find(modes, mode) == modes.end()) modes.push_back(mode);
        };
        for (const Encoding* encoding : encodings())
            if (const auto scene = overlay(Scene(), {{"encoding", std::string(encoding->kind)}}))
                take(scene->scene);
        if (modes.size() > 1)
            lines.push_back(
                {fmt::format("view.{}.mode", figure->id), fmt::format("{}", fmt::join(modes, " | "))});
        add_keys([&](std::string_view of) { return of == figure->id; });
    }
    add_keys([](std::string_view of) { return figures::find_figure(of) == nullptr; });  // of all figures
    lines.push_back({"view.ids.kind", fmt::format("{}", fmt::join(policy_kinds(), " | "))});
    Inner inner("view.ids");
    for (const Policy& policy : policies()) inner.add(policy.kind, policy.parameters);
    inner.list(lines, strings);
    return lines;
}

struct Typed {
    std::string kind, note, verdict;
};

// "B16  false, 001 6.1.4: The vectors …"
std::vector<Line> claims(const Strings& strings, const Typed& typed) {
    std::vector<Line> lines;
    ui::Scratch scratch;
    for (const Claim& claim : ui::known_claims()) {
        const std::string_view verdict = verdict_names()[static_cast<std::size_t>(claim.verdict)];
        if (!typed.note.empty() && claim.note != typed.note) continue;
        if (!typed.verdict.empty() && verdict != typed.verdict) continue;
        lines.push_back(
            {claim.id, strings.format("list.claim",
                                      fmt::arg("verdict", strings.text(fmt::format("verdict.{}", verdict))),
                                      fmt::arg("id", claim.note),
                                      fmt::arg("note", ui::note_name(scratch, claim.note, strings)),
                                      fmt::arg("section", ui::section_name(scratch, claim.section, strings)),
                                      fmt::arg("claim", ui::words(claim.says, strings.language())))});
    }
    return lines;
}

std::vector<std::string_view> notes() {
    std::vector<std::string_view> all;
    for (const Claim& claim : ui::known_claims())
        if (std::find(all.begin(), all.end(), claim.note) == all.end()) all.push_back(claim.note);
    std::sort(all.begin(), all.end());
    return all;
}

constexpr std::string_view kClaims = "claims";

constexpr std::array kLists = {
    List{"encodings",
         [](const Strings& s) {
             return named(s, "option.encoding", encodings(), [](const Encoding* e) { return e->kind; });
         }},
    List{"scalings",
         [](const Strings& s) {
             return named(s, "option.scaling", scalings(), [](const Scaling* e) { return e->rope_type; });
         }},
    List{"figures",
         [](const Strings& s) {
             return named(s, "figure", figures::figures(), [](const figures::Figure* f) { return f->id; });
         }},
    List{"benches",
         [](const Strings& s) {
             return named(s, "bench", workbench::benches(), [](const workbench::Bench& b) { return b.id; });
         }},
    List{"quantities",
         [](const Strings& s) {
             return named(s, "quantity", quantities(), [](const Quantity* q) { return q->name; });
         }},
    List{"models", models},
    List{"families", model_families},
    List{"presets",
         [](const Strings& s) {
             std::vector<Line> lines;
             for (const ui::Example& example : ui::known_examples())
                 lines.push_back({example.id, std::string(ui::words(example.name, s.language()))});
             return lines;
         }},
    List{"settings", settings},
    List{"lessons", lesson_titles},
    List{kClaims, [](const Strings& s) { return claims(s, {}); }},
    List{"values",
         [](const Strings& s) {
             std::vector<Line> lines;
             for (const lessons::Value& value : lessons::values())
                 lines.push_back(
                     {std::string(value.name), std::string(s.text(fmt::format("value.{}", value.name)))});
             return lines;
         }},
};

Result<void> check_filters(const Typed& typed) {
    for (const auto& [option, value] :
         {std::pair("--note", &typed.note), std::pair("--verdict", &typed.verdict)})
        if (!value->empty() && typed.kind != kClaims)
            return refuse("list.claims_only", {{"option", option}, {"kind", typed.kind}});
    if (const auto known = notes();
        !typed.note.empty() && std::find(known.begin(), known.end(), typed.note) == known.end())
        return tl::unexpected(not_one_of("--note", typed.note, known));
    if (const auto known = verdict_names();
        !typed.verdict.empty() && std::find(known.begin(), known.end(), typed.verdict) == known.end())
        return tl::unexpected(not_one_of("--verdict", typed.verdict, known));
    return {};
}

Result<void> run(const Typed& typed, const Terminal& terminal) {
    const auto list =
        std::find_if(kLists.begin(), kLists.end(), [&](const List& l) { return l.kind == typed.kind; });
    if (list == kLists.end()) return tl::unexpected(not_one_of("KIND", typed.kind, list_kinds()));
    if (auto good = check_filters(typed); !good) return good;
    const std::vector<Line> lines =
        typed.kind == kClaims ? claims(terminal.strings, typed) : list->lines(terminal.strings);
    std::size_t widest = 0;
    for (const Line& line : lines) widest = std::max(widest, line.id.size());
    FileWriter out = FileWriter::standard_output();
    for (const auto& [id, words] : lines)
        out.write(words.empty() ? id + "\n" : fmt::format("{:<{}}  {}\n", id, widest, words));
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "KIND", typed->kind, std::string(strings.text("option.kind.help")) + joined(list_kinds()),
               "");
    add_option(app, "--note", typed->note, strings.text("option.note.help"), "NOTE");
    add_option(app, "--verdict", typed->verdict,
               std::string(strings.text("option.verdict.help")) + joined(verdict_names()), "VERDICT");
    return [typed](const Terminal& terminal) { return run(*typed, terminal); };
}

}  // namespace
}  // namespace list_command

std::vector<std::string_view> list_kinds() {
    std::vector<std::string_view> names;
    for (const list_command::List& list : list_command::kLists) names.push_back(list.kind);
    return names;
}

extern const Command kList{"list", list_command::add};

}  // namespace posiscope::commands
