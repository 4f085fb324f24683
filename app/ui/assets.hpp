// assets.hpp — the files embedded in the program: strings, models, lessons, shaders, fonts.
// Names are paths as in "strings/en.json", "shaders/matrix.frag", "fonts/text.ttf" (embed.cmake gives them).
// The bytes are those of the file, live as long as the program, and are followed by a zero byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace posiscope::assets {

// The file of that name; empty if there is none.
std::optional<std::string_view> find(std::string_view name) noexcept;

// The file of that name, which must exist; otherwise throws std::logic_error with the name.
std::string_view file(std::string_view name);

// The names that begin with prefix, sorted: names("shaders/"), names("lessons/en/").
std::vector<std::string_view> names(std::string_view prefix = {});

namespace detail {

struct Entry {
    std::string_view name;
    const char* data;
    const std::uint64_t* size;
};

// Generated while building.
std::span<const Entry> table() noexcept;

}  // namespace detail

}  // namespace posiscope::assets
