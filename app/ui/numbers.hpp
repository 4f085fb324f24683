// numbers.hpp — numbers for reading: a true minus sign, thin spaces between thousands, powers of ten as powers. Copying a
// value gives all its digits instead.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string_view>

// Text that lives for one frame. The frame path must not allocate, so text formatted while drawing goes
// into one block that the next frame overwrites.
namespace posiscope::ui {

class Scratch {
public:
    void reset() { used_ = 0; }

    template <class... Args>
    std::string_view format(fmt::format_string<Args...> form, Args&&... args) {
        return vformat(form, fmt::make_format_args(args...));
    }

    // Followed by a zero byte, for use as a C string. Truncated if the block is full.
    std::string_view vformat(fmt::string_view form, fmt::format_args args);

private:
    static constexpr std::size_t kReserve = 1024;  // the longest single text
    std::array<char, 65536> block_{};
    std::size_t used_ = 0;
};

}  // namespace posiscope::ui

namespace posiscope::ui {

inline constexpr double kLargestWhole = 1e15;  // from it on the digits of a double are no longer its own
inline constexpr double kRounding = 1e-9;      // below it a number is what float64 leaves of 0

std::string_view integer(Scratch& scratch, std::int64_t value);         // "10 000", "−3"
std::string_view signed_integer(Scratch& scratch, std::int64_t value);  // "+3", "−3", "0"
std::string_view fixed(Scratch& scratch, double value, int decimals);   // "−0.938347"
// `digits` significant digits: "0.3457", "60 611", "1.04×10⁻⁴".
std::string_view significant(Scratch& scratch, double value, int digits = 4);
// Formats the residual of an identity as an upper power of ten: "10⁻¹⁵". Residuals below 10⁻¹⁵ of `scale`, the size of the
// numbers that the identity is about, are shown as that: the bits below are the C library's and differ between systems.
// "0" only if `scale` is 0: exact by construction.
std::string_view residual(Scratch& scratch, double value, double scale = 1.0);
// The least power of ten that is not below |value|: "10⁻¹⁵"; "0" of 0.
std::string_view bound(Scratch& scratch, double value);
// The fewest digits that make it that number again: "0.25", "−10.81".
std::string_view shortest(Scratch& scratch, double value);
std::string_view subscript(Scratch& scratch, std::int64_t value);  // "₁₀"

// A count and, where the text of a string table asks for them, its words: "{pairs}" is "3", "{pairs:pair|pairs}" is "3 pairs", of one
// "1 pair", and "{pairs:~is|are}" the word alone.
struct Count {
    std::string_view digits;
    bool one = false;
};
Count counted(Scratch& scratch, std::int64_t count);

}  // namespace posiscope::ui

template <>
struct fmt::formatter<posiscope::ui::Count> {
    constexpr auto parse(fmt::format_parse_context& at) {
        auto end = at.begin();
        while (end != at.end() && *end != '}') ++end;
        words = {at.begin(), static_cast<std::size_t>(end - at.begin())};
        return end;
    }
    template <class Context>
    auto format(const posiscope::ui::Count& count, Context& to) const {
        auto out = to.out();
        std::string_view word = words;
        const bool alone = word.starts_with('~');
        if (alone) word.remove_prefix(1);
        else out = std::copy(count.digits.begin(), count.digits.end(), out);
        if (word.empty()) return out;
        const std::size_t between = word.find('|');
        word = count.one || between == std::string_view::npos ? word.substr(0, between)
                                                              : word.substr(between + 1);
        if (!alone) *out++ = ' ';
        return std::copy(word.begin(), word.end(), out);
    }

    std::string_view words;
};
