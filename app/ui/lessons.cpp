#include "app/ui/known.hpp"

#include "app/ui/assets.hpp"
#include "app/ui/numbers.hpp"
#include "core/mathematics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace posiscope::ui {
namespace {

std::string_view number(Scratch& scratch, const lessons::Piece& piece, double value) {
    using Form = lessons::Piece::Form;
    switch (piece.form) {
        case Form::significant: return significant(scratch, value, piece.digits);
        case Form::bound: return residual(scratch, value);
        case Form::plain: break;
    }
    if (value == std::round(value) && std::abs(value) < kLargestWhole)
        return integer(scratch, static_cast<std::int64_t>(value));
    return piece.kind == lessons::Piece::Kind::number ? shortest(scratch, value)
                                                      : significant(scratch, value);
}

}  // namespace

const std::vector<lessons::Lesson>& known_lessons() {
    static const std::vector<lessons::Lesson> known = [] {
        std::vector<lessons::Lesson> read;
        for (const std::string_view name : assets::names("lessons/")) {
            auto lesson = lessons::read_known_lesson(assets::file(name));
            if (!lesson) throw std::logic_error(to_string(lesson.error()));  // our own file
            read.push_back(std::move(*lesson));
        }
        return read;
    }();
    return known;
}

const lessons::Lesson* find_lesson(std::string_view id) {
    const auto found = std::ranges::find(known_lessons(), id, &lessons::Lesson::id);
    return found != known_lessons().end() ? &*found : nullptr;
}

std::string sentence(const lessons::Sentence& sentence, const KnownNumbers& known) {
    Scratch scratch;  // of one number at a time
    std::string said;
    for (const lessons::Piece& piece : sentence) {
        using Kind = lessons::Piece::Kind;
        scratch.reset();
        if (piece.kind == Kind::words) said += piece.words;
        else if (piece.kind == Kind::number) said += number(scratch, piece, piece.number);
        else {
            const lessons::Numbers* numbers = piece.kind == Kind::own ? known.own : known.now;
            const Result<double>* value = numbers != nullptr ? numbers->of(*piece.value) : nullptr;
            if (value == nullptr) said += numbers == nullptr || !numbers->final() ? "…" : "–";
            else said += *value ? number(scratch, piece, **value) : "–";
        }
    }
    return mathematics::read(said);
}

std::string sentence(const lessons::Sentence& sentence, const Scene& now, const Scene& own) {
    using Kind = lessons::Piece::Kind;
    lessons::Named live, fixed;
    live.add(sentence, Kind::present);
    fixed.add(sentence, Kind::own);
    const lessons::Numbers of_now(live, lessons::ValueInput(now), lessons::kTextWork),
        of_own(fixed, lessons::ValueInput(own), lessons::kTextWork);
    return ui::sentence(sentence, {&of_now, &of_own});
}

std::string title(const lessons::Text& text, Language language) {
    return mathematics::plain(sentence(text.in(language == Language::chinese), Scene(), Scene()));
}

}  // namespace posiscope::ui
