// text.hpp — a sentence of a lesson in both languages, with the places where numbers go.
//   {name}     the value of the present Scene, so it moves with a slider
//   {@name}    the value of the step's own Scene: what the step says however it was changed since
//   {!10000}   a number that is a definition or a question's own, shown as it is typed
//   :3         behind either: three significant digits; :<: the power of ten that bounds it (a residual)
//   $M_k$      mathematics (core/mathematics.hpp), in which {…} after _ or ^ is no place
// A text holds no digit outside braces: a number that core computes cannot be wrong on screen.
#pragma once

#include "core/lessons/values.hpp"

#include <optional>
#include <string>
#include <vector>

namespace posiscope::lessons {

struct Piece {
    enum class Kind { words, present, own, number };
    enum class Form { plain, significant, bound };
    Kind kind = Kind::words;
    std::string words;             // of words
    const Value* value = nullptr;  // of present and own
    double number = 0.0;           // of a number
    Form form = Form::plain;
    int digits = 4;  // of significant

    bool operator==(const Piece&) const = default;
};

using Sentence = std::vector<Piece>;

// Both languages; one may be missing in a lecturer's own lesson, and then the other is shown.
struct Text {
    Sentence en, zh;

    bool empty() const { return en.empty() && zh.empty(); }
    const Sentence& in(bool chinese) const;
    bool operator==(const Text&) const = default;
};

// Refuses an unknown value, an open brace, and a slow value that is asked for live.
Result<Sentence> parse_sentence(std::string_view text);

}  // namespace posiscope::lessons
