#include "core/problem.hpp"

namespace posiscope {

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
