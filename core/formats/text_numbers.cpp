#include "core/formats/text_numbers.hpp"

#include "core/formats/tensor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace posiscope {
namespace {

constexpr int kMostDecimals = 17;  // more than a double tells of a number about 1
constexpr std::size_t kLongestWord = 1024, kTextPiece = std::size_t{1} << 20;

bool separates(char c) { return c == ',' || c == ';' || c == '\t' || c == ' '; }

// "1.25e-3" has five.
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

class TextReader {
public:
    // The next bytes; a word or a line may end in later ones.
    Result<void> take(std::string_view piece) {
        while (!piece.empty()) {
            if (passed_over_ || (starts_line_ && piece.front() == '#')) {
                passed_over_ = true;
                starts_line_ = after_return_ = false;
                piece.remove_prefix(std::min(piece.find_first_of(kLineEnds), piece.size()));
                if (piece.empty()) break;
            }
            const char c = piece.front();
            // A table of pandas has its column names above and its row names on the left: the corner is empty.
            if (starts_line_ && rows_ == 0 && !named_ && (c == ',' || c == ';')) {
                rows_named_ = named_ = passed_over_ = true;
                continue;
            }
            if (const bool second = c == '\n' && after_return_; ends_line(c)) {
                if (auto ended = end_word(); !ended) return ended;
                if (!second)
                    if (auto ended = end_line(); !ended) return ended;
            } else if (separates(c)) {
                if (auto ended = end_word(); !ended) return ended;
            } else {
                const auto end = std::find_if(piece.begin(), piece.end(), ends_word);
                const auto size = static_cast<std::size_t>(end - piece.begin());
                word_ += piece.substr(0, size);
                if (word_.size() > kLongestWord) return not_a_number("text.number");
                piece.remove_prefix(size - 1);
            }
            after_return_ = c == '\r';
            starts_line_ = ends_line(c);
            piece.remove_prefix(1);
        }
        return {};
    }

    Result<TextNumbers> end() {
        if (auto ended = end_word(); !ended) return tl::unexpected(ended.error());
        if (auto ended = end_line(); !ended) return tl::unexpected(ended.error());
        if (rows_ == 0) return failure("text.none");
        // The digits after the point if all have as many; else from the digits in all, since "%g" leaves out zeros.
        made_.decimals = longest_ == 0     ? kMostDecimals
                         : least_ == most_ ? least_
                                           : std::min(longest_ - 1, kMostDecimals);
        made_.shape = columns_ == 1 ? std::vector{rows_} : std::vector{rows_, columns_};
        return std::move(made_);
    }

private:
    static bool ends_line(char c) { return kLineEnds.find(c) != std::string_view::npos; }
    static bool ends_word(char c) { return separates(c) || ends_line(c); }

    tl::unexpected<Problem> not_a_number(const char* key) const {
        return failure(key, {{"line", std::to_string(line_)}, {"word", word_.substr(0, 24)}});
    }

    Result<void> end_word() {
        if (word_.empty()) return {};
        if (rows_named_ && !std::exchange(row_name_passed_, true)) {
            word_.clear();
            return {};
        }
        std::string_view digits = word_;
        if (digits.starts_with('+')) digits.remove_prefix(1);
        double value = 0.0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool whole = read.ptr == digits.data() + digits.size();
        if (read.ec == std::errc::result_out_of_range && whole) {
            const bool tiny = decimals_of(word_) > 0 || word_.find_first_of("eE") + 1 == word_.find('-', 1);
            if (!tiny) return not_a_number("text.range");
            value = 0.0;  // below the least number
        } else if (read.ec != std::errc() || !whole) {
            if (rows_ != 0 || named_) return not_a_number("text.number");
            named_ = passed_over_ = true;
            made_.values.clear();
            word_.clear();
            return {};
        }
        if (static_cast<std::int64_t>(made_.values.size()) >= kMostTensorValues)
            return failure("text.many", {{"maximum", std::to_string(kMostTensorValues)}});
        made_.values.push_back(value);
        ++here_;
        if (std::isfinite(value) && !is_zero(word_)) {
            least_ = std::min(least_, decimals_of(word_));
            most_ = std::max(most_, decimals_of(word_));
            longest_ = std::max(longest_, digits_of(word_));
        }
        word_.clear();
        return {};
    }

    Result<void> end_line() {
        if (passed_over_) here_ = 0;
        passed_over_ = row_name_passed_ = false;
        if (here_ != 0) {
            if (rows_++ == 0) columns_ = here_;
            if (here_ != columns_)
                return failure("text.columns", {{"line", std::to_string(line_)},
                                                {"count", std::to_string(here_)},
                                                {"wanted", std::to_string(columns_)}});
        }
        here_ = 0;
        ++line_;
        return {};
    }

    static constexpr std::string_view kLineEnds = "\r\n";

    TextNumbers made_;
    std::string word_;
    int least_ = kMostDecimals, most_ = -kMostDecimals, longest_ = 0;
    std::int64_t rows_ = 0, columns_ = 0, here_ = 0, line_ = 1;
    bool named_ = false;        // of names there is one line
    bool passed_over_ = false;  // the rest of this line
    bool rows_named_ = false, row_name_passed_ = false;
    bool starts_line_ = true, after_return_ = false;
};

}  // namespace

Result<TextNumbers> text_numbers(std::uint64_t size, const FetchBytes& fetch) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    TextReader reader;
    std::string piece;
    for (std::uint64_t at = 0; at < size; at += piece.size()) {
        piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kTextPiece, size - at)));
        if (!fetch(at, piece)) return failure("text.none");
        std::string_view bytes = piece;
        if (at == 0 && bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
        if (auto taken = reader.take(bytes); !taken) return tl::unexpected(taken.error());
    }
    return reader.end();
}

Result<TextNumbers> text_numbers(std::string_view text) {
    return text_numbers(text.size(), [text](std::uint64_t from, std::span<char> into) {
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    });
}

}  // namespace posiscope
