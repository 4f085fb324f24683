// words.hpp — a sentence as words, in the order in which they stand: what `tokens` content is made of.
// Spaces separate words; a text without any is taken character by character where it is Chinese or Japanese, so
// that 狗咬人 has three words, and 我 爱 北京 too. Texts are UTF-8.
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
inline constexpr std::size_t kMostCharacters = 32;  // of a word

std::vector<std::string> split_words(std::string_view text);
// A text that splits into these words.
std::string joined_words(std::span<const std::string> words);

// The characters (code points) of a text, one at a time: the first one's bytes; empty at the end.
std::string_view first_character(std::string_view text);
char32_t code_point(std::string_view character);

// The same on every platform: FNV-1a over the bytes (Fowler, Noll, Vo).
std::uint64_t word_hash(std::string_view word);

// What `text` and `order` of `tokens` may be: at most kMostWords words of 1 … kMostCharacters characters, and the
// numbers 0 … n − 1 once each; an order that changes nothing becomes []. Nothing where they are good.
std::optional<Problem> check_words(Json& parameters);

// The words as typed, and which of them stands at each position, of parameters that were checked.
std::vector<std::string> words_of(const Json& parameters);
std::vector<std::int64_t> order_of(const Json& parameters);

}  // namespace posiscope
