#include "app/workbench/teach/presenting.hpp"

#include <array>
#include <utility>

namespace posiscope::workbench {
namespace {

constexpr std::array kBeats = {Beat::line, Beat::question, Beat::reveal};
constexpr std::size_t kMostStrokes = 400, kMostPoints = 20000;

std::optional<Beat> first_beat(const Guide& guide, std::size_t index) {
    for (const Beat beat : kBeats)
        if (has_beat(guide, index, beat)) return beat;
    return std::nullopt;
}

std::optional<Beat> beside(const Guide& guide, std::size_t index, Beat from, int by);

// The first beat of a step, or its last.
Beat end_beat(const Guide& guide, std::size_t index, bool last) {
    Beat beat = first_beat(guide, index).value_or(Beat::line);
    while (const auto later = last ? beside(guide, index, beat, 1) : std::nullopt) beat = *later;
    return beat;
}

std::optional<Beat> beside(const Guide& guide, std::size_t index, Beat from, int by) {
    for (int at = static_cast<int>(from) + by; at >= 0 && at < static_cast<int>(kBeats.size()); at += by)
        if (has_beat(guide, index, static_cast<Beat>(at))) return static_cast<Beat>(at);
    return std::nullopt;
}

}  // namespace

bool has_beat(const Guide& guide, std::size_t index, Beat beat) {
    const Guide::Source from = guide.source(index);
    if (from.step == nullptr) return false;
    const bool asks = from.step->question || from.step->task;
    if (beat != Beat::line) return asks;
    const lessons::Text& line = guide.lesson()->steps[index].line;
    if (!asks) return true;
    if (line.empty()) return false;
    return !from.step->question || line != from.step->question->text;
}

void Drawing::add(Point at, bool begins) {
    if (begins || strokes.empty()) {
        if (strokes.size() >= kMostStrokes) strokes.erase(strokes.begin());
        strokes.emplace_back();
    }
    std::vector<Point>& stroke = strokes.back();
    if (stroke.size() >= kMostPoints || (!stroke.empty() && stroke.back() == at)) return;
    stroke.push_back(at);
}

std::optional<Scene> Presenting::begin(Guide& guide, std::string_view alone) {
    on_ = true;
    blank_ = false;
    drawing = {};
    pages_.clear();
    alone_before_ = alone;
    beat_ = Beat::line;
    if (guide.lesson() == nullptr) return std::nullopt;
    return show(guide, guide.index(), first_beat(guide, guide.index()).value_or(Beat::line));
}

std::string_view Presenting::end(Guide& guide) {
    on_ = false;
    blank_ = false;
    drawing = {};
    (void)guide.again();  // the learner's own place in the step
    return alone_before_;
}

std::optional<Scene> Presenting::show(Guide& guide, std::size_t index, Beat beat) {
    entered_ = index != guide.index();
    beat_ = beat;
    return guide.present(index, beat == Beat::reveal);
}

bool Presenting::can_turn(const Guide& guide, int by) const {
    if (guide.lesson() == nullptr) return false;
    return blank_ || beside(guide, guide.index(), beat_, by) ||
           (by > 0 ? guide.index() + 1 < guide.lesson()->steps.size() : guide.index() > 0);
}

void Presenting::turn_page(std::size_t from, std::size_t to) {
    pages_[from] = std::move(drawing.strokes);
    drawing.strokes = std::exchange(pages_[to], {});
}

std::optional<Scene> Presenting::restart(Guide& guide) {
    blank_ = false;
    drawing = {};
    pages_.clear();
    if (guide.lesson() == nullptr) return std::nullopt;
    auto scene = show(guide, 0, first_beat(guide, 0).value_or(Beat::line));
    entered_ = true;
    return scene;
}

std::optional<Scene> Presenting::begin_step(Guide& guide) {
    if (guide.lesson() == nullptr) return std::nullopt;
    blank_ = false;
    drawing.strokes.clear();
    auto scene = show(guide, guide.index(), first_beat(guide, guide.index()).value_or(Beat::line));
    entered_ = true;
    return scene;
}

void Presenting::return_to(Guide& guide, std::size_t from, const Scene& now) {
    if (guide.lesson() == nullptr) return;
    const std::size_t index = guide.index();
    turn_page(from, index);
    const bool revealed = has_beat(guide, index, Beat::reveal) && guide.present(index, true) == now;
    (void)show(guide, index, revealed ? Beat::reveal : first_beat(guide, index).value_or(Beat::line));
}

std::optional<Scene> Presenting::jump(Guide& guide, std::size_t index) {
    entered_ = false;
    if (guide.lesson() == nullptr || index >= guide.lesson()->steps.size()) return std::nullopt;
    blank_ = false;
    turn_page(guide.index(), index);
    auto scene = show(guide, index, first_beat(guide, index).value_or(Beat::line));
    entered_ = true;
    return scene;
}

std::optional<Scene> Presenting::turn(Guide& guide, int by) {
    if (guide.lesson() == nullptr || !can_turn(guide, by)) return std::nullopt;
    entered_ = false;
    if (blank_) {
        blank_ = false;
        return std::nullopt;
    }
    const Beat before = beat_;
    if (const auto next = beside(guide, guide.index(), beat_, by)) {
        auto scene = show(guide, guide.index(), *next);
        // From a line to its question nothing is set anew: what the lecturer moved stays.
        return (before == Beat::reveal) == (*next == Beat::reveal) ? std::nullopt : scene;
    }
    const std::size_t index = by > 0 ? guide.index() + 1 : guide.index() - 1;
    turn_page(guide.index(), index);
    return show(guide, index, end_beat(guide, index, by < 0));
}

std::optional<Scene> Presenting::enter(Guide& guide, const lessons::Lesson& lesson, bool at_end) {
    guide.present_lesson(lesson);
    drawing.strokes.clear();
    pages_.clear();
    const std::size_t index = at_end ? lesson.steps.size() - 1 : 0;
    auto scene = show(guide, index, end_beat(guide, index, at_end));
    entered_ = true;
    return scene;
}

}  // namespace posiscope::workbench
