#include "core/problem.hpp"

namespace posiscope {

const std::string* value_of(const Problem& problem, std::string_view name) {
    for (const auto& [own, value] : problem.values)
        if (own == name) return &value;
    return nullptr;
}

Problem in_file(Problem problem, std::string path) {
    problem.values.emplace_back("in", std::move(path));
    return problem;
}

std::string to_string(const Problem& problem) {
    std::string text = problem.key;
    const char* separator = " (";
    for (const auto& [name, value] : problem.values) {
        text += separator + name + "=" + value;
        separator = ", ";
    }
    if (!problem.values.empty()) text += ")";
    return text;
}

}  // namespace posiscope
