#include "app/ui/lines.hpp"

#include "core/mathematics.hpp"

namespace posiscope::ui {
namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

// The first character of UTF-8; a byte that begins none counts as one.
Character first_of(std::string_view text) {
    if (text.empty()) return {};
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
    if (bytes == 1 || bytes > text.size()) return {lead, 1};
    char32_t code = lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i)
        code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    return {code, bytes};
}

constexpr bool between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Set in squares; a line may break on either side.
bool ideographic(char32_t c) {
    return between(c, 0x2E80, 0x9FFF) || between(c, 0xAC00, 0xD7A3) || between(c, 0xF900, 0xFAFF) ||
           between(c, 0xFE30, 0xFE4F) || between(c, 0xFF01, 0xFF60) || between(c, 0xFFE0, 0xFFE6) ||
           between(c, 0x20000, 0x3FFFF);
}

constexpr std::u32string_view kClosing = U"，。、；：？！）］｝〉》」』】〕〗’”…—·～％‰℃°,.;:?!)]}%/";
constexpr std::u32string_view kOpening = U"（［｛〈《「『【〔〖‘“([{";

bool closes(char32_t c) { return kClosing.find(c) != std::u32string_view::npos; }
bool opens(char32_t c) { return kOpening.find(c) != std::u32string_view::npos; }

// Drawn over the previous character, or selects its shape.
bool combines(char32_t c) {
    return between(c, 0x0300, 0x036F) || between(c, 0x20D0, 0x20FF) || between(c, 0xFE00, 0xFE0F) ||
           c == 0x200D;
}

bool breaks_between(char32_t before, char32_t after) {
    if (after == ' ' || combines(after)) return false;
    if (before == ' ') return after != U'…';
    if (!ideographic(before) && !ideographic(after)) return false;
    return !closes(after) && !opens(before);
}

// Signs that keep their two sides on one line, "λ = 9.004", where there is room.
constexpr std::u32string_view kJoining = U"=≤≥≈<>+−×→";
bool joins(char32_t c) { return kJoining.find(c) != std::u32string_view::npos; }

// Not drawn: an end of mathematics, or of an index or a power.
bool marks(char32_t c) { return between(c, mathematics::kSign, mathematics::kEnd); }

// Without the spaces at its end.
std::string_view drawn_part(std::string_view line) {
    while (!line.empty() && (line.back() == ' ' || marks(static_cast<unsigned char>(line.back()))))
        line.remove_suffix(1);
    return line;
}

// Counts the characters that the line takes, at least one.
std::size_t cut(const Measure& measure, std::string_view text, Face face, float size, float width) {
    std::size_t end = first_of(text).bytes;
    while (end < text.size()) {
        const Character next = first_of(text.substr(end));
        if (!combines(next.code) && line_width(measure, text.substr(0, end + next.bytes), face, size) > width)
            break;
        end += next.bytes;
    }
    return end;
}

bool letter(char32_t c) {
    return between(c | 0x20U, U'a', U'z') || between(c, 0x0370, 0x03FF);  // Latin or Greek
}
bool digit(char32_t c) { return between(c, U'0', U'9'); }
bool part_of_a_name(char32_t c) { return letter(c) || digit(c) || c == '_'; }
bool raised(char32_t c) {  // ⁻ and ⁰ to ⁹
    return c == 0x207B || c == 0x2070 || c == 0x00B9 || c == 0x00B2 || c == 0x00B3 ||
           between(c, 0x2074, 0x2079);
}

// The bytes of the number that begins `text` after the character `before`; 0: none does.
std::size_t number_at(std::string_view text, char32_t before) {
    if (part_of_a_name(before) || before == U'.') return 0;
    const auto at = [&](std::size_t from) {
        return from < text.size() ? first_of(text.substr(from)) : Character{};
    };
    std::size_t end = 0;
    if (const Character sign = at(0); sign.code == 0x2212) end = sign.bytes;
    if (!digit(at(end).code)) return 0;
    for (Character c = at(end); c.bytes > 0; c = at(end)) {
        const bool inside =
            (c.code == '.' || c.code == 0x2009 || c.code == 0x00D7) && digit(at(end + c.bytes).code);
        if (!digit(c.code) && !inside && !raised(c.code)) break;
        end += c.bytes;
    }
    const char32_t next = at(end).bytes > 0 ? at(end).code : U' ';
    return part_of_a_name(next) || next == mathematics::kPower ? 0 : end;
}

}  // namespace

std::size_t line_end(const Measure& measure, std::string_view text, Face face, float size, float width,
                     Numbers numbers) {
    const auto fits = [&](std::size_t end) {
        return line_width(measure, drawn_part(text.substr(0, end)), face, size, numbers) <= width;
    };
    std::size_t last = 0, inside = 0;  // the last ends that fit: outside of a formula, and inside of one
    const auto full = [&] {
        return last > 0 ? last : inside > 0 ? inside : cut(measure, text, face, size, width);
    };
    Character c;        // the last one that is drawn
    char32_t sign = 0;  // the last one that is no space
    bool in_script = false;
    for (std::size_t end = 0; end < text.size();) {
        const Character next = first_of(text.substr(end));
        if (marks(next.code)) {
            in_script = next.code == mathematics::kIndex || next.code == mathematics::kPower;
        } else {
            if (c.bytes > 0 && !in_script && breaks_between(c.code, next.code)) {
                if (!fits(end)) return full();
                (c.code == ' ' && (joins(sign) || joins(next.code)) ? inside : last) = end;
            }
            if (next.code != ' ') sign = next.code;
            c = next;
        }
        end += next.bytes;
    }
    return fits(text.size()) ? text.size() : full();
}

int line_count(const Measure& measure, std::string_view text, Face face, float size, float width,
               Numbers numbers) {
    int count = 0;
    for (; !text.empty(); ++count) text.remove_prefix(line_end(measure, text, face, size, width, numbers));
    return count;
}

IndexedRun next_run(std::string_view& rest, Numbers numbers) {
    const auto take = [&](std::size_t count) {
        const std::string_view piece = rest.substr(0, count);
        rest.remove_prefix(piece.size());
        return piece;
    };
    char32_t before = ' ';
    for (std::size_t at = 0; at < rest.size();) {
        const Character c = first_of(rest.substr(at));
        if (c.code == mathematics::kSign || c.code == mathematics::kEnd) {
            const std::string_view text = take(at);
            rest.remove_prefix(1);
            if (at > 0) return {text, {}};
            continue;
        }
        if (c.code == mathematics::kIndex || c.code == mathematics::kPower) {
            const std::string_view text = take(at);
            rest.remove_prefix(1);
            return {text, take(std::min(rest.find(mathematics::kEnd), rest.size())),
                    c.code == mathematics::kPower};
        }
        if (const std::size_t count = numbers == Numbers::strong ? number_at(rest.substr(at), before) : 0;
            count > 0) {
            if (at > 0) return {take(at), {}};
            return {take(count), {}, false, true};
        }
        before = c.code;
        at += c.bytes;
    }
    return {take(rest.size()), {}};
}

float line_width(const Measure& measure, std::string_view line, Face face, float size, Numbers numbers) {
    return set_line(measure, line, face, size, numbers, [](auto&&...) {});
}

}  // namespace posiscope::ui
