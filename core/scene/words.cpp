#include "core/scene/words.hpp"

#include "core/parameter.hpp"

#include <algorithm>
#include <numeric>

namespace posiscope {
namespace {

// Invisible characters too: control characters, zero-width spaces, the byte order mark.
bool is_space(char32_t c) {
    return c <= 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) ||
           c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

// Scripts without spaces: Chinese characters, kana, their punctuation and full-width forms.
bool is_unspaced(char32_t c) {
    return (c >= 0x2e80 && c <= 0x312f) || (c >= 0x31a0 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
           (c >= 0xff00 && c <= 0xffef) || (c >= 0x20000 && c <= 0x3ffff);
}

// A variation selector or a combining mark belongs to the character before it.
bool is_attached(char32_t c) {
    return (c >= 0x300 && c <= 0x36f) || c == 0x200d || (c >= 0x3099 && c <= 0x309a) ||
           (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
}

std::size_t characters_in(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::optional<Problem> check_word(const Json& word, std::size_t index) {
    const std::string path = "content.text[" + std::to_string(index) + "]";
    if (!word.is_string())
        return Problem{"value.kind", {{"path", path}, {"kind", "text"}, {"value", shown(word)}}};
    const auto& text = word.get_ref<const std::string&>();
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view character = first_character(rest);
        if (const char32_t c = code_point(character); c < 0x20 || (c >= 0x7f && c < 0xa0))
            return Problem{"content.word_unseen", {{"path", path}}};
        rest.remove_prefix(character.size());
    }
    if (std::all_of(text.begin(), text.end(), [](char c) { return c == ' '; }))
        return Problem{"content.word_unseen", {{"path", path}}};
    if (characters_in(text) > kMostCharacters)
        return Problem{"content.word_long",
                       {{"value", shown(word)}, {"maximum", std::to_string(kMostCharacters)}}};
    return std::nullopt;
}

}  // namespace

std::string_view first_character(std::string_view text) {
    std::size_t size = std::min<std::size_t>(1, text.size());
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) ++size;
    return text.substr(0, size);
}

char32_t code_point(std::string_view character) {
    const auto lead = static_cast<unsigned char>(character[0]);
    char32_t c = character.size() == 1 ? lead : lead & (0xffU >> (character.size() + 1));
    for (const char byte : character.substr(1)) c = (c << 6) | (static_cast<unsigned char>(byte) & 0x3fU);
    return c;
}

std::string as_utf8(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    return Json::parse(Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string_view whole_characters(std::string_view text) {
    std::size_t start = text.size();
    while (start > 0 && text.size() - start < 4) {
        const auto byte = static_cast<unsigned char>(text[--start]);
        if ((byte & 0xc0U) == 0x80U) continue;  // a continuation byte
        const std::size_t length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        return start + length <= text.size() ? text : text.substr(0, start);
    }
    return text;
}

std::vector<std::string> split_words(std::string_view text) {
    const auto spaced = [](std::string_view all) {
        for (; !all.empty(); all.remove_prefix(first_character(all).size()))
            if (is_space(code_point(first_character(all)))) return true;
        return false;
    };
    const bool by_spaces = spaced(text);
    std::vector<std::string> words;
    bool fresh = true;  // the next character begins a word
    while (!text.empty()) {
        const std::string_view character = first_character(text);
        const char32_t c = code_point(character);
        text.remove_prefix(character.size());
        if (is_space(c)) {
            fresh = true;
            continue;
        }
        const bool alone = !by_spaces && is_unspaced(c);
        if (words.empty() || ((fresh || alone) && !is_attached(c))) words.emplace_back();
        words.back() += character;
        fresh = alone || (fresh && is_attached(c));
    }
    return words;
}

std::string joined_words(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    // Without a space, a word of several characters would be split again.
    if (words.size() == 1 && split_words(text).size() > 1) text += ' ';
    return text;
}

std::uint64_t word_hash(std::string_view word) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char byte : word) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return hash;
}

std::optional<Problem> check_words(Json& parameters) {
    const Json& text = parameters.at("text");
    if (text.size() > kMostWords)
        return Problem{"content.words_many",
                       {{"count", std::to_string(text.size())}, {"maximum", std::to_string(kMostWords)}}};
    for (std::size_t i = 0; i < text.size(); ++i)
        if (auto problem = check_word(text[i], i)) return problem;

    Json& order = parameters.at("order");
    if (order.empty()) return std::nullopt;
    std::vector<bool> seen(text.size(), false);
    bool good = order.size() == text.size(), same = true;
    for (std::size_t i = 0; good && i < order.size(); ++i) {
        good = order[i].is_number_integer() && order[i] >= 0 && order[i] < text.size() &&
               !seen[order[i].get<std::size_t>()];
        if (!good) break;
        seen[order[i].get<std::size_t>()] = true;
        same = same && order[i] == i;
    }
    if (!good)
        return Problem{"content.order", {{"value", shown(order)}, {"count", std::to_string(text.size())}}};
    if (same) order = Json::array();
    return std::nullopt;
}

std::vector<std::string> words_of(const Json& parameters) {
    return parameters.at("text").get<std::vector<std::string>>();
}

std::vector<std::int64_t> order_of(const Json& parameters) {
    if (!parameters.at("order").empty()) return parameters.at("order").get<std::vector<std::int64_t>>();
    std::vector<std::int64_t> order(parameters.at("text").size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace posiscope
