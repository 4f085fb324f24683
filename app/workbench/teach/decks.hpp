// decks.hpp — the notes as decks: a lesson without tasks for each, its sections in their own order, with the picture of a section
// and one true sentence. They are made of assets/sections.json and the claims, so that nothing is said twice.
#pragma once

#include "core/lessons/lesson.hpp"

namespace posiscope::workbench {

// Their ids and titles; the steps are made when a deck is begun, since their numbers are computed.
const std::vector<lessons::Lesson>& known_decks();
bool is_deck(std::string_view id);
// Nothing for an unknown id.
std::optional<lessons::Lesson> make_deck(std::string_view id);

}  // namespace posiscope::workbench
