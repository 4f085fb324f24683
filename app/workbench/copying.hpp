// copying.hpp — a figure's numbers as text for the clipboard.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::workbench {

// All numbers of a figure, tab-separated, one row per line, for spreadsheets.
Result<std::string> numbers_text(const figures::Figure& figure, const Scene& scene);
// The row that `link` highlights; nothing if there is none.
std::optional<Result<std::string>> line_text(const figures::Figure& figure, const Scene& scene,
                                             const figures::Link& link);
bool has_line(const figures::Figure& figure, const Scene& scene, const figures::Link& link);

}  // namespace posiscope::workbench
