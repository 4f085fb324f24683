#include "app/ui/numbers.hpp"

#include "core/scene/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace posiscope::ui {
namespace {

// From here on a double has no digit left after the point, and its last ones before it are those of no decimal number.
constexpr double kMostFixed = 1e15;

constexpr double kLeastResidual = 1e-15;  // of the numbers: some roundings of 1.1e-16 each

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kThin = "\u2009";
constexpr std::string_view kSuperscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr std::string_view kSubscript[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

// A small text under construction, on the stack.
struct Text {
    char data[96];
    std::size_t size = 0;
    void add(std::string_view piece) {
        for (const char c : piece)
            if (size < sizeof data) data[size++] = c;
    }
    std::string_view view() const { return {data, size}; }
};

// Plain ASCII digits to typeset text: a true minus, thousands from five digits on, the fraction unchanged.
void typeset(Text& out, std::string_view plain) {
    if (plain.front() == '-') {
        out.add(kMinus);
        plain.remove_prefix(1);
    }
    const std::size_t whole = std::min(plain.find('.'), plain.size());
    for (std::size_t i = 0; i < whole; ++i) {
        if (whole > 4 && i > 0 && (whole - i) % 3 == 0) out.add(kThin);
        out.add(plain.substr(i, 1));
    }
    out.add(plain.substr(whole));
}

void exponent(Text& out, int power) {
    out.add("×10");
    if (power < 0) out.add("⁻");
    char digits[16];
    const auto end = fmt::format_to_n(digits, sizeof digits, "{}", std::abs(power)).out;
    for (const char* c = digits; c != end; ++c) out.add(kSuperscript[*c - '0']);
}

// Rounded correctly, which std::pow need not be.
double power_of_ten(int power) {
    char text[16];
    *fmt::format_to_n(text, sizeof text - 1, "1e{}", power).out = '\0';
    return std::strtod(text, nullptr);
}

std::string_view kept(Scratch& scratch, const Text& text) { return scratch.format("{}", text.view()); }

}  // namespace

std::string_view integer(Scratch& scratch, std::int64_t value) {
    char plain[32];
    const auto end = fmt::format_to_n(plain, sizeof plain, "{}", value).out;
    Text text;
    typeset(text, {plain, static_cast<std::size_t>(end - plain)});
    return kept(scratch, text);
}

Count counted(Scratch& scratch, std::int64_t count) { return {integer(scratch, count), count == 1}; }

std::string_view signed_integer(Scratch& scratch, std::int64_t value) {
    return value > 0 ? scratch.format("+{}", integer(scratch, value)) : integer(scratch, value);
}

std::string_view fixed(Scratch& scratch, double value, int decimals) {
    if (!(std::abs(value) < kMostFixed)) return significant(scratch, value, 4);
    char plain[64];
    const double rounded = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value;  // never "−0.000"
    const auto end = fmt::format_to_n(plain, sizeof plain, "{:.{}f}", rounded, decimals).out;
    Text text;
    typeset(text, {plain, std::min<std::size_t>(static_cast<std::size_t>(end - plain), sizeof plain)});
    return kept(scratch, text);
}

std::string_view significant(Scratch& scratch, double value, int digits) {
    if (value == 0.0) return "0";
    if (!std::isfinite(value)) return std::isnan(value) ? "–" : value > 0 ? "∞" : "−∞";
    char plain[64];
    auto end = fmt::format_to_n(plain, sizeof plain, "{:.{}e}", value, digits - 1).out;
    const std::string_view scientific(plain, static_cast<std::size_t>(end - plain));
    const std::size_t e = scientific.find('e');
    int power = 0;
    for (const char c : scientific.substr(e + 2)) power = 10 * power + (c - '0');
    if (scientific[e + 1] == '-') power = -power;
    if (power >= -3 && power < std::max(digits, 7))
        return fixed(scratch, value, std::max(0, digits - 1 - power));
    Text text;
    std::string_view mantissa = scientific.substr(0, e);
    typeset(text, mantissa);
    exponent(text, power);
    return kept(scratch, text);
}

std::string_view residual(Scratch& scratch, double value, double scale) {
    return bound(scratch, std::isnan(value) ? value : std::max(std::abs(value), kLeastResidual * scale));
}

std::string_view bound(Scratch& scratch, double value) {
    if (value == 0.0) return "0";
    if (!std::isfinite(value)) return significant(scratch, value);
    int power = static_cast<int>(std::ceil(std::log10(std::abs(value))));
    if (power_of_ten(power) < std::abs(value)) ++power;  // a logarithm may miss by its last bit
    if (power_of_ten(power - 1) >= std::abs(value)) --power;
    if (power >= -2 && power <= 2) return significant(scratch, std::pow(10.0, power), 1);
    Text text;
    exponent(text, power);
    return scratch.format("{}", text.view().substr(std::string_view("×").size()));
}

std::string_view shortest(Scratch& scratch, double value) {
    char plain[32];
    const auto end = fmt::format_to_n(plain, sizeof plain, "{}", value).out;
    Text text;
    typeset(text, {plain, std::min<std::size_t>(static_cast<std::size_t>(end - plain), sizeof plain)});
    return kept(scratch, text);
}

std::string_view subscript(Scratch& scratch, std::int64_t value) {
    char plain[32];
    const auto end = fmt::format_to_n(plain, sizeof plain, "{}", value).out;
    Text text;
    for (const char* c = plain; c != end; ++c) text.add(*c == '-' ? "₋" : kSubscript[*c - '0']);
    return kept(scratch, text);
}

// Not in the header, or every file that formats would compile all of fmt's formatter.
std::string_view Scratch::vformat(fmt::string_view form, fmt::format_args args) {
    if (used_ + kReserve > block_.size()) used_ = 0;
    char* const begin = block_.data() + used_;
    const auto end = fmt::vformat_to_n(begin, kReserve - 1, form, args);
    std::string_view text(begin, static_cast<std::size_t>(end.out - begin));
    if (end.size > text.size()) text = whole_characters(text);
    begin[text.size()] = '\0';
    used_ += text.size() + 1;
    return text;
}

}  // namespace posiscope::ui
