// assets.cpp — looks up the embedded files; there are a few dozen, so a linear search is enough.
#include "assets.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace posiscope::assets {

std::optional<std::string_view> find(std::string_view name) noexcept {
    for (const detail::Entry& entry : detail::table())
        if (entry.name == name) return std::string_view{entry.data, static_cast<std::size_t>(*entry.size)};
    return std::nullopt;
}

std::string_view file(std::string_view name) {
    if (const auto found = find(name)) return *found;
    throw std::logic_error("no file named \"" + std::string(name) + "\" is embedded in the program");
}

std::vector<std::string_view> names(std::string_view prefix) {
    std::vector<std::string_view> found;
    for (const detail::Entry& entry : detail::table())
        if (entry.name.starts_with(prefix)) found.push_back(entry.name);
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace posiscope::assets
