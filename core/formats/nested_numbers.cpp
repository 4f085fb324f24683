#include "core/formats/text_numbers.hpp"

#include "core/formats/tensor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace posiscope {
namespace {

constexpr int kMostNestedDecimals = 17;
constexpr std::size_t kDeepest = 8, kLongestName = 24;

}  // namespace

bool is_nested(std::string_view text) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos || bracket > kLongestName) return false;
    return std::ranges::all_of(text.substr(0, bracket), [](char c) {
        return (c >= 'a' && c <= 'z') || c == '.' || c == '(' || c == ' ' || c == '\n' || c == '\t' ||
               c == '\r';
    });
}

Result<TextNumbers> nested_numbers(std::string_view text, bool commas_needed) {
    TextNumbers made;
    std::vector<std::int64_t> counts, sizes(kDeepest, -1);
    std::int64_t line = 1;
    int decimals = 0;
    const auto ragged = [&](std::int64_t count, std::int64_t wanted) {
        return failure("text.columns", {{"line", std::to_string(line)},
                                        {"count", std::to_string(count)},
                                        {"wanted", std::to_string(wanted)}});
    };
    std::size_t deepest = 0;
    std::optional<bool> commas;  // stand between numbers and lists
    if (commas_needed) commas = true;
    int here = 0;  // since the last number or list
    const auto wrong_comma = [&](std::size_t at, bool follows) {
        const bool right = follows ? here == (commas.value_or(here > 0) ? 1 : 0) : here == 0;
        if (follows && right) commas = here == 1;
        here = 0;
        if (right) return std::optional<Problem>();
        const std::size_t end = std::min(text.find_first_of(",[] \t\r\n", at + 1), text.size());
        return std::optional(
            Problem{"text.commas",
                    {{"line", std::to_string(line)},
                     {"word", std::string(text.substr(at, std::min<std::size_t>(end - at, 24)))}},
                    Cause::failure});
    };
    for (std::size_t at = std::min(text.find('['), text.size()); at < text.size();) {
        const char c = text[at];
        if (c == '[') {
            if (auto wrong = wrong_comma(at, !counts.empty() && counts.back() > 0))
                return tl::unexpected(std::move(*wrong));
            if (!counts.empty()) ++counts.back();
            counts.push_back(0);
            deepest = std::max(deepest, counts.size());
            if (counts.size() > kDeepest) return failure("text.none");
            ++at;
        } else if (c == ']') {
            // Python leaves a comma behind the last one.
            if (here == 1 && !commas_needed && counts.back() > 0) here = 0;
            if (auto wrong = wrong_comma(at, false)) return tl::unexpected(std::move(*wrong));
            std::int64_t& size = sizes[counts.size() - 1];
            if (size >= 0 && size != counts.back()) return ragged(counts.back(), size);
            size = counts.back();
            counts.pop_back();
            ++at;
            if (counts.empty()) break;
        } else if (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            line += c == '\n' ? 1 : 0;
            here += c == ',' ? 1 : 0;
            ++at;
        } else {
            const std::size_t end = std::min(text.find_first_of(",[] \t\r\n", at), text.size());
            std::string_view word = text.substr(at, end - at);
            if (auto wrong = wrong_comma(at, counts.back() > 0)) return tl::unexpected(std::move(*wrong));
            const std::string_view whole = word;
            if (word.starts_with('+')) word.remove_prefix(1);
            double value = 0.0;
            const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
            if (read.ec != std::errc() || read.ptr != word.data() + word.size() || counts.size() != deepest)
                return failure("text.number",
                               {{"line", std::to_string(line)}, {"word", std::string(whole.substr(0, 24))}});
            if (static_cast<std::int64_t>(made.values.size()) >= kMostTensorValues)
                return failure("text.many", {{"maximum", std::to_string(kMostTensorValues)}});
            made.values.push_back(value);
            ++counts.back();
            // A number that ends early in decimals tells no more of how many there are; one with a power has as many digits.
            const std::size_t point = word.find('.'), power = word.find_first_of("eE");
            if (point != std::string_view::npos) {
                int exponent = 0;
                if (power != std::string_view::npos)
                    (void)std::from_chars(word.data() + power + (word[power + 1] == '+' ? 2 : 1),
                                          word.data() + word.size(), exponent);
                decimals = std::max(decimals, static_cast<int>(std::min(power, word.size()) - point - 1) -
                                                  std::clamp(exponent, -400, 400));
            }
            at = end;
        }
    }
    if (made.values.empty() || !counts.empty()) return failure("text.none");
    made.shape.assign(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(deepest));
    std::int64_t product = 1;
    for (const std::int64_t size : made.shape) product *= size;
    if (product != static_cast<std::int64_t>(made.values.size()))
        return ragged(static_cast<std::int64_t>(made.values.size()), product);
    // Whole numbers are exact.
    made.decimals = decimals == 0 ? kMostNestedDecimals : std::min(decimals, kMostNestedDecimals);
    return made;
}

}  // namespace posiscope
