// assets.cpp — looks up the embedded files; there are a few dozen, so a linear search is enough.
#include "assets.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace posiscope::assets {
namespace {

bool (*fetch_one)(std::string_view name) = nullptr;

// A requested asset; without bytes until it has arrived.
std::map<std::string, std::optional<std::string>, std::less<>>& late() {
    static std::map<std::string, std::optional<std::string>, std::less<>> files;
    return files;
}

}  // namespace

std::optional<std::string_view> find(std::string_view name) noexcept {
    for (const detail::Entry& entry : detail::table())
        if (entry.name == name) return std::string_view{entry.data, static_cast<std::size_t>(*entry.size)};
    if (const auto found = late().find(name); found != late().end() && found->second) return *found->second;
    return std::nullopt;
}

Late need(std::string_view name) {
    if (find(name)) return Late::there;
    if (late().contains(name)) return Late::coming;
    if (fetch_one == nullptr || !fetch_one(name)) return Late::none;
    late().emplace(name, std::nullopt);
    return Late::coming;
}

void fetch_by(bool (*fetch)(std::string_view name)) { fetch_one = fetch; }

void arrived(std::string_view name, std::string bytes) {
    late().insert_or_assign(std::string(name), std::move(bytes));
}

std::string_view file(std::string_view name) {
    if (const auto found = find(name)) return *found;
    throw std::logic_error("no file named \"" + std::string(name) + "\" is embedded in the program");
}

std::vector<std::string_view> names(std::string_view prefix) {
    std::vector<std::string_view> found;
    for (const detail::Entry& entry : detail::table())
        if (entry.name.starts_with(prefix)) found.push_back(entry.name);
    for (const auto& [name, bytes] : late())
        if (bytes && name.starts_with(prefix)) found.push_back(name);
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace posiscope::assets
