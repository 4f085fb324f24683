// help_pages.hpp — the pages of the help screen: keys, the manual, where each section of the notes is shown, and what
// encodings differ in.
#pragma once

#include "app/panels/actions.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::panels {

enum class HelpPage { keys, manual, notes, tables };
std::span<const std::string_view> help_page_names();  // "keys", "manual", "notes", "tables"

// A table whose cells are computed from the present Scene, in sentences already.
struct LivingTable {
    struct Row {
        std::string name;
        std::vector<std::string> cells;  // one for each column
        std::string claim;               // the note's word on it: a claim's id, or empty
    };
    std::string title, of;  // of: the settings that the cells are computed for
    std::vector<std::string> columns;
    std::vector<Row> rows;
};

struct HelpState {
    bool open = false;
    HelpPage page = HelpPage::keys;
    std::size_t manual = 0;  // the page of the manual
};

struct HelpView {
    HelpState& state;  // changed in place
    std::span<const Action> actions;
    std::span<const LivingTable> tables;
};

}  // namespace posiscope::panels
