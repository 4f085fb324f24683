// scratch.hpp — text that lives for one frame. The frame path must not allocate, so text formatted while drawing goes
// into one block that the next frame overwrites.
#pragma once

#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <string_view>

namespace posiscope::ui {

class Scratch {
public:
    void reset() { used_ = 0; }

    template <class... Args>
    std::string_view format(fmt::format_string<Args...> form, Args&&... args) {
        return vformat(form, fmt::make_format_args(args...));
    }

    // Followed by a zero byte, for use as a C string. Truncated if the block is full.
    std::string_view vformat(fmt::string_view form, fmt::format_args args);

private:
    static constexpr std::size_t kReserve = 1024;  // the longest single text
    std::array<char, 65536> block_{};
    std::size_t used_ = 0;
};

}  // namespace posiscope::ui
