// strings.hpp — every text of the interface, in the selected language.
// A table is flat: "problem.value.range": "{path} must be …", with named arguments. assets/strings/{en,zh}.json
// have the same keys and the same arguments; a test checks it. Mathematics in them is marked (core/mathematics.hpp), but for
// problems and what is drawn as a label.
// Cost     text() is one hash look-up, format_to() writes into the caller's buffer: neither allocates.
#pragma once

#include "core/problem.hpp"

#include <fmt/core.h>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace posiscope {

enum class Language { english, chinese };

std::string_view code(Language language);  // "en", "zh"

// The language of a locale's name: "zh_CN.UTF-8" is Chinese, anything else English.
Language language_of(std::string_view locale);

class Strings {
public:
    // The result for a missing key: the key itself, so that the program continues; or std::logic_error in tests.
    enum class Missing { shows_key, throws };

    // A window sets mathematics; a terminal has it as plain text.
    enum class For { terminal, window };

    explicit Strings(Language language, Missing missing = Missing::shows_key, For reader = For::terminal);

    Language language() const { return language_; }
    bool contains(std::string_view key) const { return table_.contains(key); }

    // The text of a key; it lives as long as this object (or the key itself, if missing).
    std::string_view text(std::string_view key) const;

    // The name or the help of a parameter, "encoding.variant": of this kind alone where it has one,
    // "parameter.encoding.alibi.variant.help", since two kinds may call different things the same; else of all.
    std::string_view parameter(std::string_view key, std::string_view kind, std::string_view part) const;

    // The text with its arguments inserted: format("rotations.pairs", fmt::arg("pairs", 3)).
    template <class... Arguments>
    std::string format(std::string_view key, Arguments&&... arguments) const {
        return vformat(key, fmt::make_format_args(arguments...));
    }

    // The same into a buffer, truncated at a character boundary; returns the written part.
    template <class... Arguments>
    std::string_view format_to(std::span<char> buffer, std::string_view key, Arguments&&... arguments) const {
        return vformat_to(buffer, key, fmt::make_format_args(arguments...));
    }

    // The sentence for a Problem: what is wrong, where, the limit, the fix. A value that is a word, such as a kind, is
    // translated through "word.NAME.VALUE", and a scaling's, such as "method", through "option.scaling.VALUE.name";
    // a value "in" names the file that it was found in.
    std::string sentence(const Problem& problem) const;
    // The same where there is a window: a setting has the name of its control (“Trained length” for trained.length), and numbers
    // have their thousands apart.
    std::string sentence_in_window(const Problem& problem) const;

    // All keys, for the tests.
    std::vector<std::string_view> keys() const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
    };

    std::string sentence(const Problem& problem, For reader) const;
    std::string with_names(std::string_view sentence) const;
    std::string vformat(std::string_view key, fmt::format_args arguments) const;
    std::string_view vformat_to(std::span<char> buffer, std::string_view key,
                                fmt::format_args arguments) const;

    Language language_;
    Missing missing_;
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> table_;
};

}  // namespace posiscope
