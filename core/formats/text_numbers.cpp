#include "core/formats/text_numbers.hpp"

#include "core/formats/tensor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace posiscope {
namespace {

constexpr int kMostDecimals = 17;  // more than a double tells of a number about 1

bool separates(char c) { return c == ',' || c == ';' || c == '\t' || c == ' ' || c == '\r'; }

// Of "1.25e-3" five.
int decimals_of(std::string_view word) {
    const std::size_t power = word.find_first_of("eE"), point = word.find('.');
    int exponent = 0;
    if (power != std::string_view::npos) {
        std::string_view digits = word.substr(power + 1);
        if (digits.starts_with('+')) digits.remove_prefix(1);
        (void)std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    }
    const std::size_t end = std::min(power, word.size());
    const int after = point == std::string_view::npos || point > end
                          ? 0
                          : static_cast<int>(std::min<std::size_t>(end - point - 1, 64));
    return std::clamp(after - std::clamp(exponent, -400, 400), -400, 400);
}

// Digits from the first that is no zero.
int digits_of(std::string_view word) {
    int made = 0;
    for (const char c : word.substr(0, word.find_first_of("eE")))
        if (c >= '0' && c <= '9' && (made > 0 || c != '0')) ++made;
    return made;
}

bool is_zero(std::string_view word) {
    return word.substr(0, word.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
}

}  // namespace

Result<TextNumbers> text_numbers(std::string_view text) {
    TextNumbers made;
    int least = kMostDecimals, most = -kMostDecimals, longest = 0;
    std::int64_t rows = 0, columns = 0, line = 0;
    bool named = false;  // of names there is one line
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        if (rest.starts_with('#')) continue;
        const std::size_t before = made.values.size();
        bool names = false;  // this line
        while (true) {
            while (!rest.empty() && separates(rest.front())) rest.remove_prefix(1);
            if (rest.empty()) break;
            std::string_view word =
                rest.substr(0, static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), separates) -
                                                        rest.begin()));
            rest.remove_prefix(word.size());
            std::string_view digits = word;
            if (digits.starts_with('+')) digits.remove_prefix(1);
            double value = 0.0;
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
                if (rows == 0 && !named) {
                    names = named = true;
                    break;
                }
                return failure("text.number",
                               {{"line", std::to_string(line)}, {"word", std::string(word.substr(0, 24))}});
            }
            if (static_cast<std::int64_t>(made.values.size()) >= kMostTensorValues)
                return failure("text.many", {{"maximum", std::to_string(kMostTensorValues)}});
            made.values.push_back(value);
            if (std::isfinite(value) && !is_zero(word)) {
                least = std::min(least, decimals_of(word));
                most = std::max(most, decimals_of(word));
                longest = std::max(longest, digits_of(word));
            }
        }
        if (names) {
            made.values.resize(before);
            continue;
        }
        const auto here = static_cast<std::int64_t>(made.values.size() - before);
        if (here == 0) continue;
        if (rows++ == 0) columns = here;
        if (here != columns)
            return failure("text.columns", {{"line", std::to_string(line)},
                                            {"count", std::to_string(here)},
                                            {"wanted", std::to_string(columns)}});
    }
    if (rows == 0) return failure("text.none");
    // As many after the point in each, or as many digits, of which "%g" leaves out zeros.
    made.decimals = least == most ? least : std::min(longest - 1, kMostDecimals);
    made.shape = columns == 1 ? std::vector{rows} : std::vector{rows, columns};
    return made;
}

}  // namespace posiscope
