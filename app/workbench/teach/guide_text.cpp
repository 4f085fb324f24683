#include "app/workbench/teach/guide_text.hpp"

#include "app/ui/known.hpp"
#include "core/cost.hpp"
#include "core/mathematics.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::workbench {
namespace {

// The Scene that a text's numbers are of: the present one, the step's, the one that did the task, or for all of its numbers
// the one with the answer.
enum class Said { now, own, done, told };

// `speak` makes a sentence of each text that is seen.
template <class Speak>
panels::StepWords say(const Guide& guide, bool revealed, Speak speak) {
    const lessons::Step& step = *guide.step();
    const Guide::Source from = guide.source();
    panels::StepWords words;
    words.title = mathematics::plain(speak(guide.lesson()->title));  // a label, and a document's name
    words.line = speak(step.line.empty() ? step.text : step.line);
    words.text = speak(step.text);
    if (from.step != &step &&
        !from.step->text.empty()) {  // a question that is asked again needs what it speaks of
        if (!words.text.empty() && !words.text.ends_with("。")) words.text += " ";
        words.text += speak(from.step->text);
    }
    words.formula = step.formula.empty() ? from.step->formula : step.formula;
    words.notes = speak(step.notes);
    if (const auto& question = from.step->question) {
        words.question = speak(question->text);
        for (const lessons::Choice& choice : question->choices)
            words.choices.push_back({speak(choice.text), speak(choice.says, Said::told), choice.right});
        if (question->cards) {
            const lessons::Cards& cards = *question->cards;
            for (const std::size_t card : cards.laid_out(guide.progress().seed))
                words.cards.push_back({speak(cards.list[card]), {}, false});
            for (std::size_t i = 0; i < cards.list.size(); ++i)
                words.cards_in_order.push_back(
                    {fmt::format("{}. {}", i + 1, speak(cards.list[i])), {}, true});
            words.cards_say = speak(cards.says, Said::told);
        }
        if (revealed || guide.answered()) words.then = speak(question->then, Said::own);
    }
    if (step.task) {
        words.goal = speak(step.task->goal);
        // Said of the Scene that did it: later ones would make it untrue.
        if (guide.met()) words.well = speak(step.task->well, Said::done);
        else if (revealed) words.well = speak(step.task->well, Said::own);
        else if (guide.slip() != nullptr) words.slip = speak(guide.slip()->says);
        if (guide.hint_shown()) words.hint = speak(step.task->hint);
    }
    return words;
}

lessons::Piece number(double value) {
    lessons::Piece piece;
    piece.kind = lessons::Piece::Kind::number;
    piece.number = value;
    return piece;
}

// Says whether the last number is right, or why not, with the numbers of the time it was said.
std::string say_number(const Guide& guide, const Strings& strings) {
    const Guide::Source from = guide.source();
    if (from.step == nullptr || !from.step->question || !from.step->question->guess) return {};
    const lessons::Guess& asked = *from.step->question->guess;
    const auto with = [&](std::string_view key, double said) {
        return strings.format(key, fmt::arg("said", ui::sentence({number(said)}, {})));
    };
    const StepProgress& done = guide.progress();
    const auto right = guide.asked_number();
    if (done.said && guide.answered())
        return with(right && *right == *done.said ? "guide.said_right" : "guide.said_near", *done.said);
    if (done.said_before.empty()) return {};
    const double said = done.said_before.back().said;
    if (guide.answered() || !right) return with("guide.said", said);
    const lessons::Text& answer = said < *right ? asked.low : asked.high;
    const lessons::Sentence& words = answer.in(strings.language() == Language::chinese);
    if (words.empty()) return with(said < *right ? "guide.said_low" : "guide.said_high", said);
    const auto scene = lessons::said_scene(*from.lesson, *from.step, said);
    if (!scene) return with("guide.said", said);
    lessons::Named named;
    for (const auto kind : {lessons::Piece::Kind::present, lessons::Piece::Kind::own}) named.add(words, kind);
    constexpr double kEach = 1e6;  // units: a frame waits for it
    const auto numbers = lessons::Numbers::quick(named, lessons::ValueInput(*scene), kEach);
    return fmt::format("{} {}", with("guide.said", said), ui::sentence(words, {&numbers, &numbers}));
}

}  // namespace

// The numbers of the key's texts: quick ones first where the others take longer than a frame.
void GuideWords::take_numbers(const Scene& now, const Scene& own, const Scene& done) {
    const auto at_most = [&] { return std::max(0.0, std::min(units_, lessons::kTextWork)); };
    const double before = work_done();
    of_own_ = fixed_numbers_.of(background_, fixed_, own, at_most());
    if (background_ == nullptr) units_ -= work_done() - before;
    of_done_ = done_numbers_.of(background_, done_, done, at_most());
    if (background_ == nullptr) units_ -= work_done() - before;
    of_now_ = live_numbers_.of(background_, live_, now, at_most());
    if (background_ == nullptr) units_ -= work_done() - before;
}

const panels::StepWords* GuideWords::of(const Guide& guide, const Scene& now, const Strings& strings,
                                        bool revealed) {
    if (guide.lesson() == nullptr) return nullptr;
    const Language language = strings.language();
    // Compared piece by piece, so that a frame in which nothing changes copies nothing.
    const bool same = key_ && key_->lesson == guide.lesson() && key_->step == guide.index() &&
                      key_->progress == guide.progress() && key_->met == guide.met() &&
                      key_->slip == guide.slip() && key_->hint == guide.hint_shown() &&
                      key_->revealed == revealed && key_->language == language && key_->now == now &&
                      key_->own == guide.own_scene();
    const auto final = [](const figures::Kept<lessons::Numbers>& numbers) {
        return numbers != nullptr && numbers->final();
    };
    if (same && final(of_now_) && final(of_own_) && final(of_done_)) return &words_;
    const bool chinese = language == Language::chinese;
    if (!same) {
        key_ = Key{guide.lesson(),     guide.index(), guide.progress(), guide.met(), guide.slip(),
                   guide.hint_shown(), revealed,      language,         now,         guide.own_scene()};
        live_ = fixed_ = done_ = {};
        (void)say(guide, revealed, [&](const lessons::Text& text, Said said = Said::now) {
            using Kind = lessons::Piece::Kind;
            const lessons::Sentence& words = text.in(chinese);
            lessons::Named& present = said == Said::now ? live_ : said == Said::own ? fixed_ : done_;
            present.add(words, Kind::present);
            (said == Said::told ? done_ : fixed_).add(words, Kind::own);
            return std::string();
        });
    }
    const auto now_before = of_now_, own_before = of_own_, done_before = of_done_;
    take_numbers(now, guide.own_scene(), guide.met() ? *guide.met() : guide.told_scene());
    if (same && of_now_ == now_before && of_own_ == own_before && of_done_ == done_before) return &words_;
    words_ = say(guide, revealed, [&](const lessons::Text& text, Said said = Said::now) {
        const auto& present = said == Said::now ? of_now_ : said == Said::own ? of_own_ : of_done_;
        const auto& own = said == Said::told ? of_done_ : of_own_;
        return ui::sentence(text.in(chinese), {present.get(), own.get()});
    });
    words_.said = say_number(guide, strings);
    const auto cut = [&](const figures::Kept<lessons::Numbers>& numbers) {
        return final(numbers) && !numbers->whole();
    };
    if (cut(of_now_) || cut(of_own_) || cut(of_done_)) {
        if (!words_.text.empty()) words_.text += " ";
        words_.text += strings.text("guide.too_much");
    }
    return &words_;
}

void GuideWords::forget() {
    live_numbers_.forget();
    fixed_numbers_.forget();
    done_numbers_.forget();
    key_.reset();
    names_key_ = results_key_ = {};
}

std::span<const panels::GuideRow> GuideWords::lessons(const Guide& guide, const Strings& strings) {
    if (rows_.size() != guide.known().size() || rows_language_ != strings.language()) {
        rows_.clear();
        rows_language_ = strings.language();
        for (const lessons::Lesson& lesson : guide.known()) {
            const bool deck = lesson.steps.empty();
            const bool first = deck && (rows_.empty() || !rows_.back().mark.empty());
            rows_.push_back({.id = lesson.id,
                             .mark = deck ? std::string() : std::to_string(lesson.number),
                             .name = ui::title(lesson.title, strings.language()),
                             .heading = first ? std::string(strings.text("guide.decks")) : std::string()});
        }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Guide::Part part = guide.done_of(guide.known()[i]);
        rows_[i].done = part.done;
        rows_[i].all = part.all;
    }
    return rows_;
}

std::span<const std::string> GuideWords::names(const Guide& guide, const Strings& strings) {
    const NamesKey key{guide.lesson(), strings.language()};
    if (names_key_ == key) return names_;
    names_key_ = key;
    names_.clear();
    if (guide.lesson() == nullptr) return names_;
    for (const lessons::Step& step : guide.lesson()->steps) {
        const lessons::Text& name = step.line.empty() ? step.text : step.line;
        const lessons::Sentence& words = name.in(strings.language() == Language::chinese);
        lessons::Named named;
        for (const auto kind : {lessons::Piece::Kind::present, lessons::Piece::Kind::own})
            named.add(words, kind);
        const auto scene = lessons::step_scene(*guide.lesson(), step);
        constexpr double kName = 1e5;  // units: a name does not wait for a number
        const auto numbers =
            lessons::Numbers::quick(named, lessons::ValueInput(scene ? *scene : Scene()), kName);
        names_.push_back(ui::sentence(words, {&numbers, &numbers}));
    }
    return names_;
}

std::span<const panels::ResultRow> GuideWords::results(const Guide& guide, const Strings& strings) {
    const lessons::Step* counting = guide.step();
    if (counting == nullptr || !counting->results) return {};
    const NamesKey key{guide.lesson(), strings.language()};
    const std::vector<lessons::Step>& steps = guide.lesson()->steps;
    if (results_key_ != key) {
        results_key_ = key;
        results_.clear();
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!steps[i].question) continue;
            panels::ResultRow& row = results_.emplace_back();
            row.step = i;
            row.name = ui::title(steps[i].idea, strings.language());
            row.taught = steps[i].taught;
            if (const lessons::Lesson* lesson = guide.lesson_of(row.taught))
                row.place = strings.format("guide.test.place", fmt::arg("lesson", lesson->number));
        }
    }
    const auto mark = [](Guide::Answer answer) { return static_cast<panels::ResultRow::Mark>(answer); };
    for (panels::ResultRow& row : results_) {
        row.test = mark(guide.answer_of(row.step));
        row.lesson = mark(guide.answer_of(row.taught));
    }
    return results_;
}

std::string GuideWords::results_line(std::span<const panels::ResultRow> results, std::string_view day) {
    using Mark = panels::ResultRow::Mark;
    std::string names = "date,right,questions", line(day);
    line += fmt::format(",{},{}", std::ranges::count(results, Mark::right, &panels::ResultRow::test),
                        results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        names += fmt::format(",q{}", i + 1);
        line += results[i].test == Mark::none ? "," : results[i].test == Mark::right ? ",1" : ",0";
    }
    return names + "\n" + line + "\n";
}

std::span<const char> GuideWords::marks(const Guide& guide) {
    marks_.clear();
    if (guide.lesson() == nullptr) return marks_;
    for (std::size_t i = 0; i < guide.lesson()->steps.size(); ++i) marks_.push_back(guide.mark(i));
    return marks_;
}

figures::Kept<lessons::Numbers> LessonNumbers::of(figures::Background* background,
                                                  const lessons::Named& named, const Scene& scene,
                                                  double units) {
    return numbers_.get(
        background, {named_.of(named), input_.of(scene), units},
        [](const Key& key) { return lessons::Numbers(*key.named, *key.input, key.units); },
        [](const Key& key) {
            const auto count = static_cast<double>(key.named->values().size());
            return lessons::Numbers::quick(*key.named, *key.input, 0.9 * figures::kRoughWork / count);
        });
}

void LessonNumbers::forget() { numbers_ = figures::Slow<Key, lessons::Numbers>(kShare); }

}  // namespace posiscope::workbench
