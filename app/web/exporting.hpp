// exporting.hpp — an export of the dialog in the page itself, which starts no programs: what `render`, `data` and `code`
// write. A page offers no vector files and no films.
#pragma once

#include "app/workbench/workbench.hpp"

namespace posiscope::web {

// The bytes of the file that the dialog asks for.
Result<std::string> exported(const workbench::Workbench& bench, const workbench::Exports::Order& order);

}  // namespace posiscope::web
