// words.hpp — splits a sentence into words for `tokens` content, and texts into characters.
// Spaces separate words. Chinese or Japanese text without spaces is split into characters: 狗咬人 has three words, and
// so has 我 爱 北京. Texts are UTF-8.
#pragma once

#include "core/json.hpp"
#include "core/problem.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

inline constexpr std::size_t kMostWords = 64;
inline constexpr std::size_t kMostCharacters = 32;  // per word

std::vector<std::string> split_words(std::string_view text);
// The inverse: a text that splits into these words.
std::string joined_words(std::span<const std::string> words);

// The bytes of a text's first character (code point); empty at the end.
std::string_view first_character(std::string_view text);
char32_t code_point(std::string_view character);

// The longest beginning of a text that was cut anywhere, without the character that it may end inside.
std::string_view whole_characters(std::string_view text);
// With U+FFFD in the place of what is not UTF-8.
std::string as_utf8(std::string_view text);

// The same on every platform: FNV-1a over the bytes (Fowler, Noll, Vo).
std::uint64_t word_hash(std::string_view word);

// Checks `text` and `order` of `tokens`: at most kMostWords words of 1 … kMostCharacters characters, and each of the
// numbers 0 … n − 1 once. An order that changes nothing becomes []. Empty if both are valid.
std::optional<Problem> check_words(Json& parameters);

// The words as typed, and the index of the word at each position. The parameters must have passed check_words.
std::vector<std::string> words_of(const Json& parameters);
std::vector<std::int64_t> order_of(const Json& parameters);

}  // namespace posiscope
