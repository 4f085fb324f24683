// mathematics.hpp — mathematics in a text: in a file it is between two $, with an index as in M_k or M_{a+b} and a power as in
// e^{ix}. Nothing else is interpreted: d_model and 2^3 stay as they are.
//   $$     is a $; a $ without a second one stays
//   _ ^    take a word, a number, one other character or a group in braces, which may hold places: ω_{{first}}
// In memory its ends, indices and powers have control characters of their own, since a name that is put into the text may hold
// any $, _ and ^; one that may come from anywhere holds no control characters (sentence.hpp).
#pragma once

#include <string>
#include <string_view>

namespace posiscope::mathematics {

inline constexpr char kSign = '\x01';                    // the two ends
inline constexpr char kIndex = '\x02', kPower = '\x03';  // begin a script
inline constexpr char kEnd = '\x04';                     // of a script

// The form in memory of a text of a file.
std::string read(std::string_view written);

// For whoever cannot show mathematics, such as a terminal: M_k, M_(a+b), e^(ix).
std::string plain(std::string_view text);

// The form of a file.
std::string write(std::string_view text);

}  // namespace posiscope::mathematics
