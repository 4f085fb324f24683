// list.cpp — posiscope list KIND: what is available, one id per line, with its name if it has one.
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/figures/figure.hpp"
#include "app/ui/known_models.hpp"
#include "app/ui/lessons.hpp"
#include "app/workbench/benches.hpp"
#include "core/formats/file.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace posiscope::commands {
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
        lines.push_back({row.name, row.unverified
                                       ? fmt::format("{}, {}", row.encoding, strings.text("list.unverified"))
                                       : row.encoding});
    return lines;
}

// Its title and how long it takes.
std::vector<Line> lesson_titles(const Strings& strings) {
    std::vector<Line> lines;
    const Scene scene;
    const bool chinese = strings.language() == Language::chinese;
    for (const lessons::Lesson& lesson : ui::known_lessons()) {
        ui::Scratch scratch;
        lines.push_back(
            {lesson.id, fmt::format("{}, {}", ui::sentence(scratch, lesson.title.in(chinese), scene, scene),
                                    strings.format("list.minutes", fmt::arg("minutes", lesson.minutes)))});
    }
    return lines;
}

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
    List{"lessons", lesson_titles},
    List{"values",
         [](const Strings& s) {
             std::vector<Line> lines;
             for (const lessons::Value& value : lessons::values())
                 lines.push_back(
                     {std::string(value.name), std::string(s.text(fmt::format("value.{}", value.name)))});
             return lines;
         }},
};

std::vector<std::string_view> kinds() {
    std::vector<std::string_view> names;
    for (const List& list : kLists) names.push_back(list.kind);
    return names;
}

Result<void> run(const std::string& kind, const Terminal& terminal) {
    const auto list =
        std::find_if(kLists.begin(), kLists.end(), [&](const List& l) { return l.kind == kind; });
    if (list == kLists.end()) return tl::unexpected(not_one_of("KIND", kind, kinds()));
    const std::vector<Line> lines = list->lines(terminal.strings);
    std::size_t widest = 0;
    for (const Line& line : lines) widest = std::max(widest, line.id.size());
    FileWriter out = FileWriter::standard_output();
    for (const auto& [id, words] : lines)
        out.write(words.empty() ? id + "\n" : fmt::format("{:<{}}  {}\n", id, widest, words));
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto kind = std::make_shared<std::string>();
    add_option(app, "KIND", *kind, std::string(strings.text("option.kind.help")) + joined(kinds()), "");
    return [kind](const Terminal& terminal) { return run(*kind, terminal); };
}

}  // namespace

extern const Command kList{"list", add};

}  // namespace posiscope::commands
