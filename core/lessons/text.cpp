#include "core/lessons/text.hpp"

#include "core/scene/words.hpp"

#include <algorithm>
#include <charconv>

namespace posiscope::lessons {
namespace {

// The format after the colon.
bool read_form(std::string_view form, Piece& piece) {
    if (form == "<") {
        piece.form = Piece::Form::bound;
        return true;
    }
    piece.form = Piece::Form::significant;
    const auto [end, error] = std::from_chars(form.data(), form.data() + form.size(), piece.digits);
    return error == std::errc() && end == form.data() + form.size() && piece.digits >= 1 &&
           piece.digits <= 15;
}

Result<Piece> read_place(std::string_view place) {
    const auto wrong = [&] { return refuse("lesson.place", {{"place", std::string(place)}}); };
    Piece piece;
    std::string_view name = place;
    if (const auto colon = name.find(':'); colon != std::string_view::npos) {
        if (!read_form(name.substr(colon + 1), piece)) return wrong();
        name = name.substr(0, colon);
    }
    if (name.starts_with('!')) {
        name.remove_prefix(1);
        piece.kind = Piece::Kind::number;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), piece.number);
        if (name.empty() || error != std::errc() || end != name.data() + name.size()) return wrong();
        return piece;
    }
    piece.kind = Piece::Kind::present;
    if (name.starts_with('@')) {
        piece.kind = Piece::Kind::own;
        name.remove_prefix(1);
    }
    piece.value = find_value(name);
    if (piece.value == nullptr) return tl::unexpected(unknown_value(name));
    if (piece.value->slow && piece.kind == Piece::Kind::present)
        return refuse("lesson.slow_value", {{"name", std::string(name)}});
    return piece;
}

}  // namespace

const Sentence& Text::in(bool chinese) const {
    if (chinese) return zh.empty() ? en : zh;
    return en.empty() ? zh : en;
}

Result<Sentence> parse_sentence(std::string_view text) {
    const std::string_view whole = text;
    const auto is_script = [&](std::size_t open) {
        return open != std::string_view::npos && open > 0 &&
               (text[open - 1] == '_' || text[open - 1] == '^') &&
               std::ranges::count(whole.substr(0, whole.size() - text.size() + open), '$') % 2 == 1;
    };
    Sentence sentence;
    while (!text.empty()) {
        auto open = text.find('{');
        while (is_script(open)) open = text.find('{', open + 1);
        if (open != 0) {
            Piece words;
            words.words = std::string(text.substr(0, open));
            sentence.push_back(std::move(words));
        }
        if (open == std::string_view::npos) break;
        const auto close = text.find('}', open);
        if (close == std::string_view::npos)
            return refuse("lesson.place", {{"place", std::string(whole_characters(text.substr(open, 40)))}});
        auto piece = read_place(text.substr(open + 1, close - open - 1));
        if (!piece) return tl::unexpected(piece.error());
        sentence.push_back(std::move(*piece));
        text.remove_prefix(close + 1);
    }
    return sentence;
}

}  // namespace posiscope::lessons
