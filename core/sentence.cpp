#include "core/sentence.hpp"

#include "core/json_members.hpp"
#include "core/nearest.hpp"
#include "core/scene/words.hpp"

#include <fmt/format.h>

namespace posiscope {
namespace {

// A whole number with a true minus and, of five digits or more, its thousands apart, as numbers are set everywhere; anything else
// as it is.
std::string grouped(std::string_view value) {
    const bool less = value.size() > 1 && value.front() == '-';
    const std::string_view digits = value.substr(less ? 1 : 0);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::string(value);
    value = digits;
    const bool whole = value.size() > 4;
    std::string text(less ? "\u2212" : "");
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (whole && i > 0 && (value.size() - i) % 3 == 0) text += "\u2009";
        text += value[i];
    }
    return text;
}

}  // namespace

std::string fit_for_a_sentence(std::string_view value) {
    constexpr std::size_t limit = 300;
    const bool cut = value.size() > limit;
    std::string clean = as_utf8(cut ? whole_characters(value.substr(0, limit)) : value);
    for (char& c : clean)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return cut ? clean + "…" : clean;
}

fmt::dynamic_format_arg_store<fmt::format_context> values_in_sentence(const Problem& problem,
                                                                      const FindText& find, bool apart) {
    fmt::dynamic_format_arg_store<fmt::format_context> values;
    values.reserve(problem.values.size(), problem.values.size());
    for (const auto& [name, value] : problem.values) {
        const std::string* const word =
            find(name.ends_with("method") ? fmt::format("option.scaling.{}.name", value)
                                          : fmt::format("word.{}.{}", name, value));
        const std::string shown = fit_for_a_sentence(value);
        values.push_back(fmt::arg(name.c_str(), word != nullptr ? *word : apart ? grouped(shown) : shown));
    }
    return values;
}

const std::string* named_apart(const Problem& problem) {
    const std::string *place = value_of(problem, "in"), *path = value_of(problem, "path");
    return place != nullptr && (path == nullptr || *path != *place) ? place : nullptr;
}

std::string sentence(const Problem& given, const Json& texts) {
    const Problem problem = with_nearest(given);
    const auto find = [&](const std::string& key) {
        const std::string& text = text_at(texts, key.c_str());
        return text.empty() ? nullptr : &text;
    };
    const std::string* const pattern = find("problem." + problem.key);
    if (pattern == nullptr) return to_string(problem);
    try {
        std::string said = fmt::vformat(*pattern, values_in_sentence(problem, find, false));
        const std::string *const place = named_apart(problem), *const in = find("problem.in");
        return place == nullptr || in == nullptr
                   ? said
                   : fmt::format(fmt::runtime(*in), fmt::arg("place", fit_for_a_sentence(*place)),
                                 fmt::arg("sentence", said));
    } catch (const fmt::format_error&) {  // texts of another version
        return to_string(problem);
    }
}

}  // namespace posiscope
