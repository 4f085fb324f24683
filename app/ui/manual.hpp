// manual.hpp — the manual in assets/manual, as the help screen shows it: the same text as in the repository and the book.
#pragma once

#include "app/ui/strings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::ui {

struct ManualPart {
    enum class Kind { heading, words, item, code, row };
    Kind kind = Kind::words;
    std::string text;  // without the marks of Markdown, mathematics marked; of a row, its first cell
    std::string more;  // its other cells
};

struct ManualPage {
    std::string title;
    std::vector<ManualPart> parts;
};

// Reads our manual's part of Markdown: headings, paragraphs, lists, blocks of code and tables of two columns.
ManualPage read_manual_page(std::string_view text);

// Its pages in their order; read the first time they are asked for.
const std::vector<ManualPage>& manual(Language language);

}  // namespace posiscope::ui
