// shown.hpp — a number as a person reads it, written without the program's own formatting, which is what it judges.
#pragma once

#include <cstdio>
#include <string>

namespace posiscope::test {

// "−0.938347": digits after the point, a true minus, none before a zero. For numbers below a thousand.
inline std::string shown(double value, int decimals) {
    char plain[64];
    std::snprintf(plain, sizeof plain, "%.*f", decimals, value);
    std::string text = plain;
    if (text[0] != '-') return text;
    text.erase(0, 1);
    return text.find_first_not_of("0.") == std::string::npos ? text : "\u2212" + text;
}

}  // namespace posiscope::test
