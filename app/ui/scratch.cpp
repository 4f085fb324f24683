#include "app/ui/scratch.hpp"

#include "core/scene/words.hpp"

#include <fmt/format.h>

namespace posiscope::ui {

// Not in the header, or every file that formats would compile all of fmt's formatter.
std::string_view Scratch::vformat(fmt::string_view form, fmt::format_args args) {
    if (used_ + kReserve > block_.size()) used_ = 0;
    char* const begin = block_.data() + used_;
    const auto end = fmt::vformat_to_n(begin, kReserve - 1, form, args);
    std::string_view text(begin, static_cast<std::size_t>(end.out - begin));
    if (end.size > text.size()) text = whole_characters(text);
    begin[text.size()] = '\0';
    used_ += text.size() + 1;
    return text;
}

}  // namespace posiscope::ui
