// help_pages.hpp — the pages of the help screen: keys, and where each section of the notes is shown.
#pragma once

#include <span>
#include <string_view>

namespace posiscope::panels {

enum class HelpPage { keys, notes };
std::span<const std::string_view> help_page_names();  // "keys", "notes"

struct HelpState {
    bool open = false;
    HelpPage page = HelpPage::keys;
};

}  // namespace posiscope::panels
