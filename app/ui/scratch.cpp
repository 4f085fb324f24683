#include "app/ui/scratch.hpp"

#include <fmt/format.h>

namespace posiscope::ui {

// Not in the header, or every file that formats would compile all of fmt's formatter.
std::string_view Scratch::vformat(fmt::string_view form, fmt::format_args args) {
    if (used_ + kReserve > block_.size()) used_ = 0;
    char* const begin = block_.data() + used_;
    const auto end = fmt::vformat_to_n(begin, kReserve - 1, form, args);
    *end.out = '\0';
    const auto size = static_cast<std::size_t>(end.out - begin);
    used_ += size + 1;
    return {begin, size};
}

}  // namespace posiscope::ui
