// list.cpp — posiscope list KIND: what is available, one id per line, with its name if it has one; --json has each entry's facts
// apart. Claims can be filtered by note and verdict, settings by encoding.
#include "app/commands/command.hpp"
#include "app/commands/manual.hpp"
#include "app/figures/figure.hpp"
#include "app/figures/view_keys.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/formats/file.hpp"
#include "core/mathematics.hpp"
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
#include <tuple>

namespace posiscope::commands {
namespace list_command {
namespace {

struct Line {
    std::string id, words;
    Json facts = empty_object();  // what the words say, for --json
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
        Line line{std::string(id), strings.contains(key) ? std::string(strings.text(key)) : std::string()};
        if (!line.words.empty()) line.facts["name"] = line.words;
        lines.push_back(std::move(line));
    }
    return lines;
}

// A model's encoding in the words of its source, and whether some of its values are unverified.
std::vector<Line> models(const Strings& strings) {
    std::vector<Line> lines;
    for (const ModelRow& row : ui::known_models()) {
        const std::string encoding = ui::encoding_words(strings, row);
        const std::string doubt = row.unverified ? fmt::format(", {}", strings.text("list.unverified")) : "";
        lines.push_back(
            {row.name, encoding + doubt, Json{{"encoding", encoding}, {"verified", !row.unverified}}});
    }
    return lines;
}

// The official file that a family's row was read from.
std::vector<Line> model_families(const Strings& strings) {
    std::vector<Line> lines;
    for (const ModelFamily& family : families()) {
        const std::string when = family.when.is_null() ? "" : family.when.dump();
        std::string words = when.empty() ? "" : when + "  ";
        words += family.source.empty() ? strings.text("list.unverified") : family.source;
        lines.push_back(
            {family.type, words,
             Json{{"when", when}, {"source", family.source}, {"verified", !family.source.empty()}}});
    }
    return lines;
}

// Its title and how long it takes.
std::vector<Line> lesson_titles(const Strings& strings) {
    std::vector<Line> lines;
    for (const lessons::Lesson& lesson : ui::known_lessons()) {
        const std::string title = ui::title(lesson.title, strings.language());
        lines.push_back({lesson.id,
                         fmt::format("{}, {}", title,
                                     strings.format("list.minutes", fmt::arg("minutes", lesson.minutes))),
                         Json{{"title", title}, {"minutes", lesson.minutes}}});
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

// "2 … 65536, default 512. …", and the same as facts; `names` are the words that a key takes whose kind does not list them.
Line line_of(std::string key, const Parameter& parameter, std::string_view help, const Strings& strings,
             const std::vector<std::string>& names = {}) {
    using Kind = Parameter::Kind;
    const std::string range =
        names.empty() ? range_of(parameter) : fmt::format("{}", fmt::join(names, " | "));
    Line line{std::move(key),
              strings.format("list.setting", fmt::arg("range", range),
                             fmt::arg("default", parameter.fallback.dump()), fmt::arg("help", help))};
    line.facts = {{"default", parameter.fallback}, {"help", std::string(help)}};
    if (parameter.kind == Kind::integer || parameter.kind == Kind::number)
        line.facts.update({{parameter.above_minimum ? "above" : "minimum", parameter.minimum},
                           {"maximum", parameter.maximum}});
    if (parameter.kind == Kind::choice)
        line.facts["choices"] = std::vector<std::string>(parameter.choices.begin(), parameter.choices.end());
    if (parameter.kind == Kind::boolean) line.facts["choices"] = {false, true};
    if (!names.empty()) line.facts["choices"] = names;
    return line;
}

// "clocks | plane": a key that takes one of these names.
Line choices_of(std::string key, std::span<const std::string_view> names) {
    return {std::move(key), fmt::format("{}", fmt::join(names, " | ")),
            Json{{"choices", std::vector<std::string>(names.begin(), names.end())}}};
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
            if (found == keys_.end()) keys_.push_back({&parameter, {std::string(kind)}});
            else found->second.emplace_back(kind);
        }
    }
    void list(std::vector<Line>& lines, const Strings& strings) const {
        for (const auto& [parameter, kinds] : keys_) {
            const std::string key = fmt::format("{}.{}", owner_, parameter->key);
            Line line = line_of(key, *parameter, strings.parameter(key, kinds.front(), "help"), strings);
            line.words = fmt::format("{}: {}", fmt::join(kinds, ", "), line.words);
            line.facts["kinds"] = kinds;
            lines.push_back(std::move(line));
        }
    }

private:
    std::string_view owner_;
    std::vector<std::pair<const Parameter*, std::vector<std::string>>> keys_;
};

// The keys and modes that one encoding has; those of all encodings where `only` is empty.
std::vector<Line> settings(const Strings& strings, std::string_view only = {}) {
    std::vector<Line> lines;
    for (const SceneKey& one : scene_keys()) {
        const std::string_view key = one.parameter.key;
        std::vector<std::string> names;
        const auto takes = [&](const auto& registry, auto id) {
            for (const auto& entry : registry) names.emplace_back(id(entry));
        };
        if (key == "encoding") takes(encodings(), [](const Encoding* of) { return of->kind; });
        if (key == "content") takes(content_kinds(), [](std::string_view kind) { return kind; });
        if (key == "bench") takes(workbench::benches(), [](const workbench::Bench& of) { return of.id; });
        lines.push_back(line_of(std::string(key), one.parameter,
                                strings.text(fmt::format("parameter.{}.help", key)), strings, names));
        Inner inner(key);
        if (key == "content")
            for (const std::string_view kind : content_kinds()) inner.add(kind, content_parameters(kind));
        if (key == "encoding")
            for (const Encoding* encoding : encodings())
                if (only.empty() || encoding->kind == only) inner.add(encoding->kind, encoding->parameters);
        inner.list(lines, strings);
    }
    // The modes of each figure.
    const auto add_keys = [&](auto wanted) {
        for (const figures::ViewKey& key : figures::view_keys())
            if (wanted(key.figure))
                lines.push_back(
                    line_of(fmt::format("view.{}.{}", key.figure, key.parameter.key), key.parameter,
                            strings.text(fmt::format("view.{}.help", key.parameter.key)), strings));
    };
    for (const figures::Figure* figure : figures::figures()) {
        std::vector<std::string_view> modes;
        const auto take = [&](const Scene& scene) {
            if (figure->modes == nullptr) return;
            for (const std::string_view mode : figure->modes(scene))
                if (std::ranges::find(modes, mode) == modes.end()) modes.push_back(mode);
        };
        for (const Encoding* encoding : encodings())
            if (const auto scene = !only.empty() && encoding->kind != only
                                       ? tl::unexpected(Problem())
                                       : overlay(Scene(), {{"encoding", std::string(encoding->kind)}}))
                take(scene->scene);
        if (modes.size() > 1) lines.push_back(choices_of(fmt::format("view.{}.mode", figure->id), modes));
        add_keys([&](std::string_view of) { return of == figure->id; });
    }
    add_keys([](std::string_view of) { return figures::find_figure(of) == nullptr; });  // of all figures
    lines.push_back(choices_of("view.ids.kind", policy_kinds()));
    Inner inner("view.ids");
    for (const Policy& policy : policies()) inner.add(policy.kind, policy.parameters);
    inner.list(lines, strings);
    return lines;
}

struct Typed {
    std::string kind, note, verdict, encoding;
    bool json = false;
};

// "B16  false, 001 6.1.4: The vectors …"
std::vector<Line> claims(const Strings& strings, const Typed& typed) {
    std::vector<Line> lines;
    ui::Scratch scratch;
    for (const Claim& claim : ui::known_claims()) {
        const std::string_view verdict = verdict_names()[static_cast<std::size_t>(claim.verdict)];
        if (!typed.note.empty() && claim.note != typed.note) continue;
        if (!typed.verdict.empty() && verdict != typed.verdict) continue;
        const std::string says = mathematics::plain(ui::words(claim.says, strings.language()));
        lines.push_back(
            {claim.id,
             strings.format(
                 "list.claim", fmt::arg("verdict", strings.text(fmt::format("verdict.{}", verdict))),
                 fmt::arg("id", claim.note), fmt::arg("note", ui::note_name(scratch, claim.note, strings)),
                 fmt::arg("section", ui::section_name(scratch, claim.section, strings)),
                 fmt::arg("claim", says)),
             Json{{"verdict", std::string(verdict)},
                  {"note", claim.note},
                  {"section", claim.section},
                  {"claim", says}}});
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

constexpr std::string_view kClaims = "claims", kSettings = "settings";

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
             for (const ui::Example& example : ui::known_examples()) {
                 const std::string name(ui::words(example.name, s.language()));
                 lines.push_back({example.id, name, Json{{"name", name}}});
             }
             return lines;
         }},
    List{kSettings, [](const Strings& s) { return settings(s); }},
    List{"lessons", lesson_titles},
    List{kClaims, [](const Strings& s) { return claims(s, {}); }},
    List{"values",
         [](const Strings& s) {
             std::vector<Line> lines;
             for (const lessons::Value& value : lessons::values()) {
                 const std::string name(s.text(fmt::format("value.{}", value.name)));
                 lines.push_back({std::string(value.name), name, Json{{"name", name}}});
             }
             return lines;
         }},
};

Result<void> check_filters(const Typed& typed) {
    for (const auto& [option, value, of] :
         {std::tuple("--note", &typed.note, kClaims), std::tuple("--verdict", &typed.verdict, kClaims),
          std::tuple("--encoding", &typed.encoding, kSettings)})
        if (!value->empty() && typed.kind != of)
            return refuse("list.only", {{"option", option}, {"of", std::string(of)}, {"kind", typed.kind}});
    if (!typed.encoding.empty() && find_encoding(typed.encoding) == nullptr) {
        std::vector<std::string_view> known;
        for (const Encoding* encoding : encodings()) known.push_back(encoding->kind);
        return tl::unexpected(not_one_of("--encoding", typed.encoding, known));
    }
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
    const std::vector<Line> lines = typed.kind == kClaims     ? claims(terminal.strings, typed)
                                    : typed.kind == kSettings ? settings(terminal.strings, typed.encoding)
                                                              : list->lines(terminal.strings);
    if (typed.json) {
        Json entries = Json::array();
        for (const Line& line : lines) {
            entries.push_back(line.facts);
            entries.back()["id"] = line.id;
        }
        FileWriter out = FileWriter::standard_output();
        out.write(entries.dump() + "\n");
        return out.commit();
    }
    std::size_t widest = 0;
    for (const Line& line : lines) widest = std::max(widest, line.id.size());
    FileWriter out = FileWriter::standard_output();
    for (const Line& line : lines)
        out.write(line.words.empty() ? line.id + "\n"
                                     : fmt::format("{:<{}}  {}\n", line.id, widest, line.words));
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "KIND", typed->kind, std::string(strings.text("option.kind.help")) + joined(list_kinds()),
               "");
    add_option(app, "--note", typed->note, strings.text("option.note.help"), "NOTE");
    add_option(app, "--verdict", typed->verdict,
               std::string(strings.text("option.verdict.help")) + joined(verdict_names()), "VERDICT");
    add_option(app, "--encoding", typed->encoding, strings.text("option.list.encoding.help"), "KIND");
    add_flag(app, "--json", typed->json, strings.text("option.list.json.help"));
    return [typed](const Terminal& terminal) { return run(*typed, terminal); };
}

}  // namespace
}  // namespace list_command

std::vector<std::string_view> list_kinds() {
    std::vector<std::string_view> names;
    for (const list_command::List& list : list_command::kLists) names.push_back(list.kind);
    return names;
}

std::vector<std::string> setting_words() {
    const Strings strings(Language::english);
    std::vector<std::string> words;
    for (const list_command::Line& line : list_command::settings(strings)) {
        const auto choices = line.facts.find("choices");
        if (choices == line.facts.end()) words.push_back(line.id + "=");
        else
            for (const Json& choice : *choices)
                words.push_back(line.id + "=" +
                                (choice.is_string() ? choice.get<std::string>() : choice.dump()));
    }
    return words;
}

extern const Command kList{"list", list_command::add};

}  // namespace posiscope::commands
