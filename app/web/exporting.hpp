// exporting.hpp — an export of the dialog in the page itself, which starts no programs: what `render`, `data` and `code`
// write. A page offers no vector files and no films.
#pragma once

#include "app/ui/image.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::web {

// The bytes of the file that the dialog asks for.
Result<std::string> exported(const workbench::Workbench& bench, const workbench::Exports::Order& order);

// The figures as they are shown, in light colours and without a ground, for paper.
Result<Image> printed(const workbench::Workbench& bench);

// The request to the second module (vector/main.cpp): the dialog's PDF or SVG.
Result<std::string> vector_request(const workbench::Workbench& bench, const Scene& scene);

}  // namespace posiscope::web
