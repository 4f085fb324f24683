#include "app/workbench/teach/guide_text.hpp"

#include "app/ui/lessons.hpp"

namespace posiscope::workbench {
namespace {

// Says texts of one step, numbers and all.
struct Speaker {
    const Scene& now;
    const Scene& own;
    bool chinese;

    std::string operator()(const lessons::Text& text) const {
        return ui::sentence(text.in(chinese), now, own);
    }
};

panels::StepWords say(const Guide& guide, const Scene& now, bool chinese, bool revealed) {
    const lessons::Step& step = *guide.step();
    const Guide::Source from = guide.source();
    const Speaker speak{now, guide.own_scene(), chinese},
        of_own{guide.own_scene(), guide.own_scene(), chinese};
    panels::StepWords words;
    words.title = speak(guide.lesson()->title);
    words.line = speak(step.line.empty() ? step.text : step.line);
    words.text = speak(step.text);
    if (const auto& question = from.step->question) {
        words.question = speak(question->text);
        for (const lessons::Choice& choice : question->choices)
            words.choices.push_back({speak(choice.text), speak(choice.says), choice.right});
        if (revealed || guide.progress().answer) words.then = of_own(question->then);
    }
    if (step.task) {
        words.goal = speak(step.task->goal);
        // Said of the Scene that did it: later ones would make it untrue.
        if (guide.met()) words.well = Speaker{*guide.met(), guide.own_scene(), chinese}(step.task->well);
        else if (revealed) words.well = of_own(step.task->well);
        else if (guide.slip() != nullptr) words.slip = speak(guide.slip()->says);
        if (guide.hint_shown()) words.hint = speak(step.task->hint);
    }
    return words;
}

}  // namespace

const panels::StepWords* GuideWords::of(const Guide& guide, const Scene& now, Language language,
                                        bool revealed) {
    if (guide.lesson() == nullptr) return nullptr;
    // Compared piece by piece, so that a frame in which nothing changes copies nothing.
    const bool same = key_ && key_->lesson == guide.lesson() && key_->step == guide.index() &&
                      key_->progress == guide.progress() && key_->met == guide.met() &&
                      key_->slip == guide.slip() && key_->hint == guide.hint_shown() &&
                      key_->revealed == revealed && key_->language == language && key_->now == now &&
                      key_->own == guide.own_scene();
    if (!same) {
        key_ = Key{guide.lesson(),     guide.index(), guide.progress(), guide.met(), guide.slip(),
                   guide.hint_shown(), revealed,      language,         now,         guide.own_scene()};
        words_ = say(guide, now, language == Language::chinese, revealed);
    }
    return &words_;
}

std::span<const panels::GuideRow> GuideWords::lessons(const Guide& guide, const Strings& strings) {
    if (rows_.size() != guide.known().size() || rows_language_ != strings.language()) {
        rows_.clear();
        rows_language_ = strings.language();
        const Scene scene;
        const Speaker speak{scene, scene, strings.language() == Language::chinese};
        for (const lessons::Lesson& lesson : guide.known()) {
            const bool deck = lesson.steps.empty();
            const bool first = deck && (rows_.empty() || !rows_.back().mark.empty());
            rows_.push_back({.id = lesson.id,
                             .mark = deck ? std::string() : std::to_string(lesson.number),
                             .name = speak(lesson.title),
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

std::span<const char> GuideWords::marks(const Guide& guide) {
    marks_.clear();
    if (guide.lesson() == nullptr) return marks_;
    for (std::size_t i = 0; i < guide.lesson()->steps.size(); ++i) marks_.push_back(guide.mark(i));
    return marks_;
}

}  // namespace posiscope::workbench
