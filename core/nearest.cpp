#include "core/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace posiscope {
namespace {

// Levenshtein's distance: the letters to add, drop or change.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j + 1] + 1, row[j] + 1});
        }
    }
    return row.back();
}

// "a, b, c" as its words.
std::vector<std::string_view> words_listed(std::string_view list) {
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const auto end = std::min(list.find(", "), list.size());
        words.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return words;
}

}  // namespace

std::string nearest(std::string_view typed, std::span<const std::string_view> names) {
    typed = typed.substr(0, 64);
    const auto best =
        std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
            return distance(typed, a) < distance(typed, b);
        });
    if (best == names.end()) return "";
    const bool far = 2 * distance(typed, *best) > std::max(typed.size(), best->size());
    return far ? "" : std::string(*best);
}

Problem with_nearest(const Problem& problem) {
    const bool key = problem.key == "key.unknown", choice = problem.key == "value.choice";
    if (!key && !choice) return problem;
    const std::string* given = value_of(problem, key ? "path" : "value");
    const std::string* listed = value_of(problem, key ? "known" : "choices");
    if (given == nullptr || listed == nullptr) return problem;
    std::string_view typed = *given;
    if (key) typed.remove_prefix(typed.rfind('.') + 1);
    else if (typed.size() > 1 && typed.front() == '"') typed = typed.substr(1, typed.size() - 2);
    std::string near = nearest(typed, words_listed(*listed));
    if (near.empty()) return problem;
    Problem named = problem;
    named.key = key ? "key.unknown_near" : "value.choice_near";
    named.values.emplace_back("nearest", std::move(near));
    return named;
}

}  // namespace posiscope
