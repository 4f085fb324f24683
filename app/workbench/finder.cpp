#include "app/workbench/finder.hpp"

#include "app/figures/figure.hpp"
#include "app/ui/initials.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/teach/decks.hpp"
#include "app/workbench/window/appearance.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/encodings/encodings.hpp"
#include "core/mathematics.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <functional>

namespace posiscope::workbench {
namespace {

using panels::Verb;

constexpr std::size_t kMostRows = 12;

constexpr std::pair<Verb, std::string_view> kKinds[] = {
    {Verb::show_bench, "find.bench"}, {Verb::show_figure, "find.figure"},
    {Verb::set, "find.setting"},      {Verb::show_example, "find.example"},
    {Verb::show_model, "find.model"}, {Verb::begin_lesson, "find.lesson"},
    {Verb::show_claim, "find.claim"}, {Verb::act, "find.action"}};

std::string small(std::string_view text) {
    std::string made(text);
    for (char& c : made)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return made;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t from = std::min(text.find_first_not_of(" =:"), text.size());
        text.remove_prefix(from);
        const std::size_t end = std::min(text.find_first_of(" =:"), text.size());
        if (end > 0) words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

bool is_latin(std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The higher, the better a word fits it; 0: not at all.
int rank_of(const Found& found, std::string_view word) {
    const std::string name = small(found.name), other = small(found.other);
    if (found.command.what == word) return 6;
    if (name.starts_with(word) || other.starts_with(word)) return 5;
    for (const std::string* text : {&name, &other})
        if (const std::size_t at = text->find(word); at != std::string::npos)
            return at > 0 && ((*text)[at - 1] == ' ' || (*text)[at - 1] == '-') ? 4 : 3;
    if (found.words.find(word) != std::string::npos) return 2;
    if (is_latin(word) && (ui::has_initials(found.name, word) || ui::has_initials(found.other, word)))
        return word.size() > 1 ? 2 : 0;
    return 0;
}

int rank_of(const Found& found, std::span<const std::string_view> words) {
    int all = 0;
    for (const std::string_view word : words) {
        const int rank = rank_of(found, word);
        if (rank == 0) return 0;
        all += rank;
    }
    return all;
}

}  // namespace

void Finder::add(Verb verb, std::string id, std::string value, std::string_view english,
                 std::string_view chinese, std::string_view more) {
    const bool zh = language_ == Language::chinese;
    Found& made = all_.emplace_back(Found{{verb, std::move(id), std::move(value)},
                                          std::string(zh ? chinese : english),
                                          std::string(zh ? english : chinese),
                                          {}});
    made.words = small(fmt::format("{} {}", made.command.what, more));
}

// A number with the value that it has; a choice, and what can be on or off, once for each value.
void Finder::add_settings(const Scene& scene, const Strings& english, const Strings& chinese) {
    const auto each = [&](const std::string& key, std::string_view kind,
                          std::span<const std::string_view> options) {
        for (const std::string_view option : options) {
            const std::string name = fmt::format("option.{}.{}.name", key, option);
            const auto named = [&](const Strings& strings) {
                return fmt::format("{} · {}", strings.parameter(key, kind, "name"),
                                   strings.contains(name) ? strings.text(name) : option);
            };
            add(Verb::set, key, Json(option).dump(), named(english), named(chinese), option);
        }
    };
    const auto one = [&](const std::string& key, std::string_view kind, const Parameter& parameter) {
        const std::string name = fmt::format("parameter.{}.name", key);
        using Form = Parameter::Kind;
        if (parameter.kind == Form::choice) return each(key, kind, parameter.choices);
        if (parameter.kind == Form::boolean) {
            for (const bool on : {true, false}) {
                const auto named = [&](const Strings& strings) {
                    return fmt::format("{} · {}", strings.parameter(key, kind, "name"),
                                       strings.text(on ? "find.on" : "find.off"));
                };
                add(Verb::set, key, Json(on).dump(), named(english), named(chinese));
            }
            return;
        }
        if (parameter.kind != Form::integer && parameter.kind != Form::number) return;
        add(Verb::set, key, {}, english.parameter(key, kind, "name"), chinese.parameter(key, kind, "name"));
        all_.back().number = true;
    };
    each("encoding", {}, encoding_kinds());
    for (const Parameter& parameter : scene_parameters()) {
        const std::string key(parameter.key);
        if (english.contains(fmt::format("parameter.{}.name", key))) one(key, {}, parameter);
    }
    for (const Parameter& parameter : encoding_of(scene).parameters)
        one(fmt::format("encoding.{}", parameter.key), scene.encoding.kind, parameter);
    each("content", {}, content_kinds());
}

void Finder::list(const Scene& scene, std::span<const panels::Action> actions, const Strings& strings) {
    language_ = strings.language();
    all_.clear();
    typed_ = " ";  // none of a person's
    const Strings english = texts_in(Language::english), chinese = texts_in(Language::chinese);
    const auto key = [&](Verb verb, std::string_view id, std::string_view value, std::string_view text,
                         std::string_view more = {}) {
        add(verb, std::string(id), std::string(value), english.text(text), chinese.text(text), more);
    };
    for (const Bench& bench : benches())
        key(Verb::show_bench, bench.id, {}, fmt::format("bench.{}.name", bench.id));
    for (const figures::Figure* figure : figures::figures()) {
        const std::string name = fmt::format("figure.{}.name", figure->id);
        key(Verb::show_figure, figure->id, {}, name);
        if (figure->modes == nullptr) continue;
        for (const std::string_view mode : figure->modes(scene)) {
            const std::string said = fmt::format("figure.{}.mode.{}", figure->id, mode);
            add(Verb::show_figure, std::string(figure->id), std::string(mode),
                fmt::format("{} · {}", english.text(name), english.text(said)),
                fmt::format("{} · {}", chinese.text(name), chinese.text(said)), mode);
        }
    }
    add_settings(scene, english, chinese);
    for (const ui::Example& one : ui::known_examples())
        add(Verb::show_example, one.id, {}, ui::words(one.name, Language::english),
            ui::words(one.name, Language::chinese),
            fmt::format("{} {}", ui::words(one.help, Language::english),
                        ui::words(one.help, Language::chinese)));
    for (const ModelRow& row : ui::known_models()) {
        add(Verb::show_model, row.name, {}, row.name, row.name, row.scene.encoding.kind);
        all_.back().other = ui::encoding_words(strings, row);
    }
    // Words that people have for it and that its name has not.
    const auto also = [&](std::string_view id) {
        const std::string text = fmt::format("find.also.{}", id);
        return english.contains(text) ? fmt::format("{} {}", english.text(text), chinese.text(text)) : "";
    };
    for (const auto* list : {&ui::known_lessons(), &known_decks()})
        for (const lessons::Lesson& lesson : *list)
            add(Verb::begin_lesson, lesson.id, {}, ui::title(lesson.title, Language::english),
                ui::title(lesson.title, Language::chinese), list == &known_decks() ? also("deck") : "");
    for (const Claim& claim : ui::known_claims())
        add(Verb::show_claim, claim.id, {},
            fmt::format("{}  {}", claim.id, mathematics::plain(ui::words(claim.says, Language::english))),
            fmt::format("{}  {}", claim.id, mathematics::plain(ui::words(claim.says, Language::chinese))));
    for (const panels::Action& action : actions)
        if (action.id != "find")
            key(Verb::act, action.id, {}, fmt::format("action.{}", action.id), also(action.id));
}

std::span<const panels::FindRow> Finder::rows(std::string_view typed, const Strings& strings) {
    if (typed == typed_) return rows_;
    typed_ = typed;
    const std::string text = small(typed);
    std::vector<std::string_view> words = words_of(text);
    std::optional<Json> number;
    if (words.size() > 1)
        if (auto last = parse_json(std::string(words.back())); last && last->is_number())
            number = std::move(*last);
    std::vector<std::pair<int, Found>> ranked;
    for (const Found& one : all_) {
        const bool sets = number && one.number;
        const std::span<const std::string_view> asked(words.data(), words.size() - (sets ? 1 : 0));
        int rank = rank_of(one, asked);
        if (words.empty()) rank = one.command.verb == Verb::show_bench ? 1 : 0;
        if (rank == 0) continue;
        Found found = one;
        if (sets)
            found.command.value = number->dump(), found.name += fmt::format(" = {}", found.command.value),
            rank += 20;
        ranked.emplace_back(rank, std::move(found));
    }
    // Equals keep the order of the list: benches first, actions last.
    std::ranges::stable_sort(ranked, std::greater<>(), &std::pair<int, Found>::first);
    shown_.clear();
    rows_.clear();
    for (auto& [rank, found] : ranked)
        if (shown_.size() < kMostRows) shown_.push_back(std::move(found));
    for (const Found& one : shown_) {
        const bool asks = one.number && one.command.value.empty();
        const std::string_view detail = asks                            ? strings.text("find.number")
                                        : one.command.verb == Verb::set ? std::string_view(one.command.what)
                                                                        : std::string_view(one.other);
        const std::string_view kind =
            std::ranges::find(kKinds, one.command.verb, &std::pair<Verb, std::string_view>::first)->second;
        rows_.push_back({one.name, detail, strings.text(kind), asks ? nullptr : &one.command});
    }
    return rows_;
}

}  // namespace posiscope::workbench
