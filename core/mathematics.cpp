#include "core/mathematics.hpp"

#include <algorithm>
#include <utility>

namespace posiscope::mathematics {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

std::size_t count_while(std::string_view text, bool (*is)(char)) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is) - text.begin());
}

// The bytes of what an index or a power takes of the text after its sign; 0: nothing.
std::size_t script_at(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.front() == '_' || text.front() == '^') return 0;
    if (text.front() == '{') {
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '{') ++depth;
            if (text[i] == '}' && --depth == 0) return i + 1;
        }
        return 0;
    }
    if (digit(text.front())) return count_while(text, digit);
    if (letter(text.front())) return count_while(text, letter);
    return 1 + count_while(text.substr(1),
                           [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
}

void read_formula(std::string_view formula, std::string& made) {
    made += kSign;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const bool power = formula[i] == '^', sign = power || formula[i] == '_';
        const bool of_something =
            i > 0 && std::string_view(" _^").find(formula[i - 1]) == std::string_view::npos;
        const std::size_t bytes = sign && of_something ? script_at(formula.substr(i + 1)) : 0;
        if (bytes == 0) {
            made += formula[i];
            continue;
        }
        std::string_view script = formula.substr(i + 1, bytes);
        if (script.front() == '{') script = script.substr(1, bytes - 2);
        made += power ? kPower : kIndex;
        made += script;
        made += kEnd;
        i += bytes;
    }
    made += kSign;
}

struct Marks {
    std::string_view sign, dollar;
    char open, close;  // of a script
    bool always;       // also of a single letter or a number
};

std::string with(const Marks& marks, std::string_view text) {
    std::string made;
    bool open = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == kSign) made += marks.sign;
        else if (c == '$') made += marks.dollar;
        else if (c == kIndex || c == kPower) {
            made += c == kIndex ? '_' : '^';
            const std::string_view rest = text.substr(i + 1);
            const std::size_t bytes = rest.find(kEnd);
            open = marks.always || bytes != script_at(rest) || (bytes > 1 && letter(rest.front()));
            if (open) made += marks.open;
        } else if (c != kEnd) made += c;
        else if (std::exchange(open, false)) made += marks.close;
    }
    return made;
}

}  // namespace

std::string read(std::string_view text) {
    std::string made;
    for (;;) {
        const auto open = text.find('$');
        const auto close = text.find('$', std::min(open, text.size() - 1) + 1);
        if (open == std::string_view::npos || close == std::string_view::npos) return made.append(text);
        made += text.substr(0, open);
        if (close == open + 1) made += '$';
        else read_formula(text.substr(open + 1, close - open - 1), made);
        text.remove_prefix(close + 1);
    }
}

std::string plain(std::string_view text) { return with({"", "$", '(', ')', false}, text); }

std::string write(std::string_view text) { return with({"$", "$$", '{', '}', true}, text); }

}  // namespace posiscope::mathematics
