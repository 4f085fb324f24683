// sentence.hpp — a Problem as the sentence that a person reads. The texts are assets/strings/en.json and zh.json, installed in
// share/posiscope/strings.
#pragma once

#include "core/json.hpp"

#include <fmt/args.h>
#include <functional>
#include <string>

namespace posiscope {

// The text of a key, or null.
using FindText = std::function<const std::string*(const std::string& key)>;

// A Problem's values as its sentence has them, on one line each: one that is a word, such as a kind, is translated through
// "word.NAME.VALUE", and a scaling's, such as "method", through "option.scaling.VALUE.name". `apart`: numbers with a true minus,
// and of five digits or more with their thousands apart.
fmt::dynamic_format_arg_store<fmt::format_context> values_in_sentence(const Problem& problem,
                                                                      const FindText& find, bool apart);
// A value that may come from anywhere: on one line, and not too long.
std::string fit_for_a_sentence(std::string_view value);

// The file that a Problem was found in, unless its sentence names it; else null.
const std::string* named_apart(const Problem& problem);

// For a program that uses core alone: what is wrong, where, the limit, the fix. `texts` is such a file, as parse_json reads it; a
// Problem that it lacks is told as to_string() does.
std::string sentence(const Problem& problem, const Json& texts);

}  // namespace posiscope
