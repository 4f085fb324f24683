// assets.hpp — the files of the program: strings, models, lessons, shaders, fonts.
// Names are paths as in "strings/en.json", "shaders/matrix.frag", "fonts/text.ttf" (embed.cmake gives them).
// The bytes are those of the file, live as long as the program, and are followed by a zero byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::assets {

// The file of that name; empty if there is none.
std::optional<std::string_view> find(std::string_view name) noexcept;

// The file of that name, which must exist; otherwise throws std::logic_error with the name.
std::string_view file(std::string_view name);

// The names that begin with prefix, sorted: names("shaders/"), names("lessons/en/").
std::vector<std::string_view> names(std::string_view prefix = {});

// A page leaves large files beside it and fetches one when it is first needed: results of the experiment, the Chinese
// font. On a desktop every file is there, and what is not there never comes.
enum class Late { none, coming, there };
// True if a file is there; begins to fetch it if it can be fetched.
Late need(std::string_view name);
// `fetch` returns whether there is such a file; later `arrived` has its bytes, and `find` gives them.
void fetch_by(bool (*fetch)(std::string_view name));
void arrived(std::string_view name, std::string bytes);

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
