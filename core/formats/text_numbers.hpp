// text_numbers.hpp — an array from text: one row a line, numbers separated by commas, semicolons, tabs or spaces, as
// numpy.savetxt and spreadsheets write it. Lines that begin with # and a first line of names are passed over.
// Bounds   kMostTensorValues numbers.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace posiscope {

struct TextNumbers {
    std::vector<std::int64_t> shape;  // [rows, columns], or [rows] of one column
    std::vector<double> values;
    int decimals = 0;  // of a number about 1: each may be off by half a unit of the last one
};

Result<TextNumbers> text_numbers(std::string_view text);

}  // namespace posiscope
