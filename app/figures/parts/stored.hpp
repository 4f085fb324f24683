// stored.hpp — figures of q and k that come from files.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

// Why a figure that shows a Scene's q and k has none yet: their files are being read, or cannot be. Null: they are there, or
// are of no file. The vectors that scores by distance keep fixed are read in the background.
const Problem* stored_absence(const Frame& f, const Scene& scene, Derived& derived);

// The head that figures show.
void set_head(Scene& scene, std::int64_t head);

// The tokens of `count` rows; where none are given, the numbers of the rows.
std::vector<std::string> stored_words(const Choice& content, std::int64_t first, std::int64_t count);

// "the mean of all rows", "row 5": which vectors scores by distance show.
std::string_view stored_note(Frame& f);

}  // namespace posiscope::figures
