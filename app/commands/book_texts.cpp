// book_texts.cpp — posiscope manual texts: what the book is made of.
// A text is {"en": …, "zh": …}, its mathematics between $ and $; a scene a partial one: what differs from the default.
#include "app/commands/manual.hpp"
#include "app/figures/figure.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/teach/guide_text.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/mathematics.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::commands {
namespace {

using workbench::Guide;

// The string tables of both languages.
class Both {
public:
    template <class Say>
    Json each(Say say) const {
        Json text = Json::object();
        for (const Strings& strings : tables_)
            text[std::string(code(strings.language()))] = mathematics::write(say(strings));
        return text;
    }
    Json text(const std::string& key) const {
        return each([&](const Strings& strings) { return strings.text(key); });
    }
    std::span<const Strings> tables() const { return tables_; }

private:
    static Strings table(Language language) {
        return Strings(language, Strings::Missing::shows_key, Strings::For::window);
    }
    std::array<Strings, 2> tables_{table(Language::english), table(Language::chinese)};
};

// The step that the guide is at, as it is seen then; `get` takes a text of its words.
class StepTexts {
public:
    StepTexts(const Both& both, Guide& guide, bool revealed) {
        for (const Strings& strings : both.tables()) {
            workbench::GuideWords words;
            all_.emplace_back(code(strings.language()),
                              *words.of(guide, guide.own_scene(), strings, revealed));
        }
    }
    template <class Get>
    Json text(Get get) const {
        Json made = Json::object();
        for (const auto& [language, words] : all_)
            made[std::string(language)] = mathematics::write(get(words));
        return made;
    }
    // The texts of a list of choices.
    template <class Get>
    Json texts(Get get) const {
        Json made = Json::array();
        for (std::size_t i = 0; i < get(all_.front().second).size(); ++i)
            made.push_back(text([&](const panels::StepWords& words) { return get(words)[i].text; }));
        return made;
    }
    const std::string& formula() const { return all_.front().second.formula; }
    bool asks() const { return !all_.front().second.question.empty(); }
    std::size_t choices() const { return all_.front().second.choices.size(); }
    bool right(std::size_t i) const { return all_.front().second.choices[i].right; }

private:
    std::vector<std::pair<std::string_view, panels::StepWords>> all_;
};

Json sentence(const Both& both, const lessons::Text& text, const Scene& now, const Scene& own) {
    return both.each([&](const Strings& strings) {
        return ui::sentence(text.in(strings.language() == Language::chinese), now, own);
    });
}

Json figure_of(const Both& both, const std::string& id) {
    if (figures::find_figure(id) == nullptr) return nullptr;
    return {{"id", id}, {"name", both.text(fmt::format("figure.{}.name", id))}};
}

// Some places of a requested curve: distances on its axis, and the true values there.
Json places_of(const lessons::Sketch& asked, Scene scene) {
    const lessons::Value& score = *lessons::find_value("score.dot");
    lessons::Named named;
    named.add(score);
    Json places = Json::array();
    constexpr int kPlaces = 5;
    for (int i = 0; i < kPlaces; ++i) {
        scene.offset = std::llround(asked.from + (asked.to - asked.from) * i / (kPlaces - 1));
        const lessons::Numbers numbers(named, lessons::ValueInput(scene), lessons::kTextWork);
        if (const Result<double>* found = numbers.of(score); found != nullptr && *found)
            places.push_back(Json::array({scene.offset, **found}));
    }
    return places;
}

Json step_texts(const Both& both, Guide& guide, std::size_t index) {
    using panels::StepWords;
    const lessons::Lesson& lesson = *guide.lesson();
    const lessons::Step& step = lesson.steps[index];
    (void)guide.present(index, false);
    guide.show_hint();
    const Scene scene = guide.own_scene();
    const StepTexts open(both, guide, false);
    (void)guide.present(index, true);
    const Scene answered = guide.own_scene();
    const StepTexts told(both, guide, true);

    Json made = {{"id", step.id.empty() ? std::to_string(index + 1) : step.id},
                 {"scene", to_partial_json(scene)},
                 {"figure", figure_of(both, step.figure)},
                 {"controls", step.controls},
                 {"recall", step.recall},
                 {"results", step.results},
                 {"title", open.text([](const StepWords& words) { return words.line; })},
                 {"formula", open.formula()},
                 {"text", open.text([](const StepWords& words) { return words.text; })}};
    if (open.asks()) {
        Json& ask = made["ask"];
        ask = {{"text", open.text([](const StepWords& words) { return words.question; })},
               {"scene", to_partial_json(answered)},
               {"then", told.text([](const StepWords& words) { return words.then; })},
               {"choices", Json::array()},
               {"cards", open.texts([](const StepWords& words) { return std::span(words.cards); })},
               {"order", told.texts([](const StepWords& words) { return std::span(words.cards_in_order); })}};
        const auto& question = guide.source().step->question;
        if (const auto right = guide.asked_number())
            ask["guess"] = {{"answer", *right},
                            {"from", question->guess->from},
                            {"to", question->guess->to},
                            {"near", question->guess->near}};
        if (question->sketch) ask["places"] = places_of(*question->sketch, scene);
        ask["says"] = told.text([](const StepWords& words) { return words.cards_say; });
        ask["hides"] =
            question->sketch || (question->guess && question->guess->axis);  // the figure, until then
        for (std::size_t i = 0; i < open.choices(); ++i)
            ask["choices"].push_back(
                {{"text", open.text([&](const StepWords& words) { return words.choices[i].text; })},
                 {"says", told.text([&](const StepWords& words) { return words.choices[i].says; })},
                 {"right", open.right(i)}});
    } else if (step.task) {
        Json& task = made["task"];
        task = {{"goal", open.text([](const StepWords& words) { return words.goal; })},
                {"hint", open.text([](const StepWords& words) { return words.hint; })},
                {"well", told.text([](const StepWords& words) { return words.well; })},
                {"scene", to_partial_json(answered)},
                {"solution", step.task->solution},
                {"slips", Json::array()}};
        for (std::size_t i = 0; i < step.task->slips.size(); ++i)
            if (const auto slipped = lessons::step_scene_with(lesson, step, step.task->slip_scenes[i]))
                task["slips"].push_back(sentence(both, step.task->slips[i].says, *slipped, scene));
    }
    return made;
}

Json lesson_texts(const Both& both, const lessons::Lesson& lesson) {
    Guide guide(ui::known_lessons());
    (void)guide.begin(lesson.id);
    Json made = {{"number", lesson.number},
                 {"id", lesson.id},
                 {"minutes", lesson.minutes},
                 {"claims", lesson.claims},
                 {"title", sentence(both, lesson.title, Scene(), Scene())},
                 {"words", sentence(both, lesson.words, Scene(), Scene())},
                 {"steps", Json::array()}};
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) made["steps"].push_back(step_texts(both, guide, i));
    return made;
}

Json claim_texts(const Both& both, const Claim& claim) {
    const Scene scene = workbench::shown(claim);
    std::optional<Result<Residual>> residual;
    if (claim.measure != nullptr) residual = measure(*claim.measure, scene);
    const auto said = [&](auto get) {
        return both.each([&](const Strings& strings) {
            return get(workbench::words_of(claim, residual ? &*residual : nullptr, std::nullopt, strings));
        });
    };
    using panels::ClaimWords;
    return {{"id", claim.id},
            {"verdict", std::string(verdict_names()[static_cast<std::size_t>(claim.verdict)])},
            {"claim",
             both.each([&](const Strings& strings) { return ui::words(claim.says, strings.language()); })},
            {"where", said([](const ClaimWords& words) { return words.where; })},
            {"measured", said([](const ClaimWords& words) { return words.measured; })},
            {"value", said([](const ClaimWords& words) {
                 return words.unit.empty() ? words.value : fmt::format("{} {}", words.value, words.unit);
             })},
            {"needed", said([](const ClaimWords& words) { return words.needed; })},
            {"mend", said([](const ClaimWords& words) { return words.mend; })},
            {"decided", said([](const ClaimWords& words) { return words.decided; })},
            {"breaks", said([](const ClaimWords& words) { return words.breaks; })},
            {"controls", claim.controls},
            {"scene", to_partial_json(scene)},
            {"figure", figure_of(both, claim.figure)}};
}

// A definition in letters alone.
class LetterPen : public DefinitionPen {
public:
    explicit LetterPen(const DefinitionTerms& terms) : DefinitionPen(terms) {}

    DefinitionPen& add(std::string_view formula) override {
        made += formula;
        return *this;
    }
    DefinitionPen& add(Digits number) override {
        made += to_text(number.value);
        return *this;
    }
    DefinitionPen& add(Handle, Digits number) override { return add(number); }
    std::optional<double> added(std::int64_t) override { return std::nullopt; }
    std::optional<double> logit() override { return std::nullopt; }

    std::string made;
};

Json encoding_texts(const Both& both, const Encoding& encoding) {
    const std::string key = fmt::format("option.encoding.{}", encoding.kind);
    Json made = {{"kind", std::string(encoding.kind)},
                 {"name", both.text(key + ".name")},
                 {"help", both.text(key + ".help")},
                 {"formulas", Json::array()}};
    const auto overlaid = overlay(Scene(), {{"encoding", std::string(encoding.kind)}});
    if (!overlaid) return made;
    const Scene& scene = overlaid->scene;
    const auto action = action_of(scene);
    const auto spectrum = spectrum_of(scene);
    const FrequencyForm frequency = frequency_form(scene);
    const DefinitionTerms terms{.scene = scene,
                                .action = action ? &*action : nullptr,
                                .spectrum = spectrum ? &*spectrum : nullptr,
                                .frequency = frequency,
                                .axis = {},
                                .position = scene.position,
                                .offset = scene.offset,
                                .pair = 0,
                                .letters = true,
                                .stacked = true};
    for (int component = 0; component < 2; ++component) {
        LetterPen pen(terms);
        write_definition(pen, component);
        if (component == 0 || pen.made != made["formulas"].front()) made["formulas"].push_back(pen.made);
    }
    return made;
}

}  // namespace

Result<std::string> book_texts() {
    const Both both;
    Json book = {{"lessons", Json::array()}, {"claims", Json::array()}, {"encodings", Json::array()}};
    for (const lessons::Lesson& lesson : ui::known_lessons())
        book["lessons"].push_back(lesson_texts(both, lesson));
    for (const Claim& claim : ui::known_claims()) book["claims"].push_back(claim_texts(both, claim));
    for (const Encoding* encoding : encodings()) book["encodings"].push_back(encoding_texts(both, *encoding));
    for (const std::string_view verdict : verdict_names())
        book["verdicts"][std::string(verdict)] = both.text(fmt::format("verdict.{}", verdict));
    return book.dump(1) + "\n";
}

}  // namespace posiscope::commands
