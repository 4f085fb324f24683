#include "app/ui/strings.hpp"

#include "app/ui/assets.hpp"
#include "core/mathematics.hpp"
#include "core/nearest.hpp"
#include "core/scene/words.hpp"
#include "core/sentence.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>

namespace posiscope {
namespace {

// Reads a flat JSON object of texts, whose escapes it undoes in place. A general parser takes 2 ms of every start.
class Flat {
public:
    explicit Flat(std::string& memory) : at_(memory.data()), end_(at_ + memory.size()) {}

    // Advances to the next pair; false if there is none.
    bool next() {
        skip();
        if (at_ == end_ || (*at_ != '{' && *at_ != ',')) return false;
        ++at_;
        skip();
        return at_ < end_ && *at_ != '}';
    }
    std::string_view text() {
        skip();
        if (at_ == end_ || *at_++ != '"') refuse();
        char* const begin = at_;
        char* to = at_;
        for (; at_ < end_ && *at_ != '"'; ++at_) *to++ = *at_ == '\\' ? escaped() : *at_;
        if (at_++ == end_) refuse();
        return {begin, static_cast<std::size_t>(to - begin)};
    }
    void colon() {
        skip();
        if (at_ == end_ || *at_++ != ':') refuse();
    }
    void close() {
        skip();
        if (at_ == end_ || *at_ != '}') refuse();
    }

private:
    void skip() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\n')) ++at_;
    }
    char escaped() {
        if (++at_ == end_) refuse();
        switch (*at_) {
            case 'n': return '\n';
            case '"':
            case '\\': return *at_;
            default: refuse();
        }
    }
    [[noreturn]] static void refuse() {
        throw std::logic_error("a string table is not a flat object of texts");
    }

    char* at_;
    char* const end_;
};

}  // namespace

std::string_view code(Language language) { return language == Language::chinese ? "zh" : "en"; }

Language language_of(std::string_view locale) {
    const bool chinese = locale.starts_with("zh") &&
                         (locale.size() == 2 || locale[2] == '_' || locale[2] == '-' || locale[2] == '.');
    return chinese ? Language::chinese : Language::english;
}

Strings::Strings(Language language, Missing missing, For reader) : language_(language), missing_(missing) {
    const std::string name = fmt::format("strings/{}.json", code(language));
    std::string memory(assets::file(name));
    table_.reserve(static_cast<std::size_t>(std::count(memory.begin(), memory.end(), '\n')));
    Flat flat(memory);
    while (flat.next()) {
        const std::string_view key = flat.text();
        flat.colon();
        const std::string_view text = flat.text();
        if (text.find('$') == std::string_view::npos) table_.emplace(key, text);
        else if (reader == For::window) table_.emplace(key, mathematics::read(text));
        else table_.emplace(key, mathematics::plain(mathematics::read(text)));
    }
    flat.close();
}

std::string_view Strings::text(std::string_view key) const {
    if (const auto found = table_.find(key); found != table_.end()) return found->second;
    if (missing_ == Missing::throws)
        throw std::logic_error(fmt::format("no text for '{}' in {}", key, code(language_)));
    return key;
}

std::string_view Strings::parameter(std::string_view key, std::string_view kind,
                                    std::string_view part) const {
    std::array<char, 128> room{};
    const auto dot = std::min(key.rfind('.'), key.size());
    const auto end = fmt::format_to_n(room.data(), room.size(), "parameter.{}.{}{}.{}", key.substr(0, dot),
                                      kind, key.substr(dot), part)
                         .out;
    if (const auto own =
            table_.find(std::string_view(room.data(), static_cast<std::size_t>(end - room.data())));
        own != table_.end())
        return own->second;
    const auto all = fmt::format_to_n(room.data(), room.size(), "parameter.{}.{}", key, part).out;
    const auto found =
        table_.find(std::string_view(room.data(), static_cast<std::size_t>(all - room.data())));
    return found != table_.end() ? std::string_view(found->second)
                                 : text(fmt::format("parameter.{}.{}", key, part));
}

std::string Strings::vformat(std::string_view key, fmt::format_args arguments) const {
    const std::string_view pattern = text(key);
    try {
        return fmt::vformat(pattern, arguments);
    } catch (const fmt::format_error&) {  // an argument is missing: a bug
        if (missing_ == Missing::throws)
            throw std::logic_error(fmt::format("'{}' lacks an argument in {}", key, code(language_)));
        return std::string(pattern);
    }
}

std::string_view Strings::vformat_to(std::span<char> buffer, std::string_view key,
                                     fmt::format_args arguments) const {
    const std::string_view pattern = text(key);
    try {
        const auto result = fmt::vformat_to_n(buffer.data(), buffer.size(), pattern, arguments);
        const std::string_view written(buffer.data(), std::min(result.size, buffer.size()));
        return written.size() == result.size ? written : whole_characters(written);
    } catch (const fmt::format_error&) {
        if (missing_ == Missing::throws)
            throw std::logic_error(fmt::format("'{}' lacks an argument in {}", key, code(language_)));
        return pattern;
    }
}

std::string Strings::sentence(const Problem& problem) const { return sentence(problem, For::terminal); }

std::string Strings::sentence_in_window(const Problem& problem) const {
    return with_names(sentence(problem, For::window));
}

// Each path of a setting that has a name, in quotes; of another the text as it is.
std::string Strings::with_names(std::string_view sentence) const {
    const auto of_path = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    std::string said;
    while (!sentence.empty()) {
        const auto begin = std::ranges::find_if(sentence, of_path),
                   end = std::find_if_not(begin, sentence.end(), of_path);
        std::string_view path = sentence.substr(static_cast<std::size_t>(begin - sentence.begin()),
                                                static_cast<std::size_t>(end - begin));
        while (path.ends_with('.')) path.remove_suffix(1);
        const auto name = path.find('.') != std::string_view::npos
                              ? table_.find(fmt::format("parameter.{}.name", path))
                              : table_.end();
        said.append(sentence.begin(), begin);
        said += name != table_.end() ? fmt::format("“{}”", name->second) : std::string(path);
        said.append(begin + static_cast<std::ptrdiff_t>(path.size()), end);
        sentence.remove_prefix(static_cast<std::size_t>(end - sentence.begin()));
    }
    return said;
}

std::string Strings::sentence(const Problem& given, For reader) const {
    const Problem problem = with_nearest(given);
    const auto find = [&](const std::string& key) {
        const auto found = table_.find(key);
        return found == table_.end() ? nullptr : &found->second;
    };
    // On a terminal a number may be one that the reader must find in a file; findings of the check are read.
    const auto values =
        values_in_sentence(problem, find, reader == For::window || problem.key.starts_with("check."));
    // A window has no command line: where the mend is an option there, it has a sentence of its own.
    const std::string key = "problem." + problem.key, in_window = key + ".window";
    std::string said = vformat(reader == For::window && table_.contains(in_window) ? in_window : key, values);
    const std::string* const place = named_apart(problem);
    return place == nullptr ? said
                            : format("problem.in", fmt::arg("place", fit_for_a_sentence(*place)),
                                     fmt::arg("sentence", said));
}

std::vector<std::string_view> Strings::keys() const {
    std::vector<std::string_view> all;
    for (const auto& entry : table_) all.push_back(entry.first);
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace posiscope
