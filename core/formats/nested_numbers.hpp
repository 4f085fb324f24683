// nested_numbers.hpp — an array as programs print it: JSON's nested lists, array([[…]]) of NumPy, tensor([[…]]) of PyTorch.
// Numbers are separated by commas or spaces; words before the first bracket and after the last are passed over. A shortened
// print (…) is refused.
#pragma once

#include "core/formats/text_numbers.hpp"

namespace posiscope {

// True if a text begins as such an array does, after spaces and a name.
bool is_nested(std::string_view text);
// Its shape has a dimension for each level of brackets.
Result<TextNumbers> nested_numbers(std::string_view text);

}  // namespace posiscope
