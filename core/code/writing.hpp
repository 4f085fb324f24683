// writing.hpp — for those who write a Program: the numbers of its names, and words put into text.
#pragma once

#include "core/code/program.hpp"

#include <map>

namespace posiscope {

using KnownNumbers = std::map<std::string, double, std::less<>>;

// b, n, L, H, d and the constants.
KnownNumbers known_numbers(const Program& program, const Scene& scene);
std::int64_t rotary_width(const Program& program, const Scene& scene);
// A line of a Program, which is a formula: another text is an error of ours.
formula::Formula parsed(const std::string& line);

// A number with a point, as languages need that divide whole numbers in another way.
std::string floating_number(double value);
// Each word of a text replaced, in the order of the list.
std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string>> words);

}  // namespace posiscope
