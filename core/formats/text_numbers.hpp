// text_numbers.hpp — an array from text: one row a line, numbers separated by commas, semicolons, tabs or spaces, as
// numpy.savetxt and spreadsheets write it, with any system's line ends. Lines that begin with # and a first line of names are
// passed over, and where that line begins with an empty cell, the first cell of every row too, as pandas writes its index.
// Memory   the numbers, at most kMostTensorValues; the text is read in pieces.
#pragma once

#include "core/formats/zip.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace posiscope {

struct TextNumbers {
    std::vector<std::int64_t> shape;  // [rows, columns], or [rows] of one column
    std::vector<double> values;
    int decimals =
        0;  // of a number about 1: each may be off by half a unit of the last one; of zeros alone the most
};

Result<TextNumbers> text_numbers(std::uint64_t size, const FetchBytes& fetch);
Result<TextNumbers> text_numbers(std::string_view text);

// An array as programs print it: JSON's nested lists, array([[…]]) of NumPy, tensor([[…]]) of PyTorch.
// Numbers are separated by commas or spaces; words before the first bracket and after the last are passed over. A shortened
// print (…) is refused.
// True if a text begins as such an array does, after spaces and a name.
bool is_nested(std::string_view text);
// Its shape has a dimension for each level of brackets. Commas stand between all numbers and lists or, where they are not
// `needed`, between none.
Result<TextNumbers> nested_numbers(std::string_view text, bool commas_needed);

}  // namespace posiscope
