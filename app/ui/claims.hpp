// claims.hpp — the claims of the notes and the table of their sections, as assets/ has them, and their words with numbers.
#pragma once

#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "core/claims/claims.hpp"

namespace posiscope::ui {

// In their order, A, B, C; read the first time they are asked for.
const std::vector<Claim>& known_claims();
const Claim* find_claim(std::string_view id);  // null when unknown
const std::vector<Section>& known_sections();
const Section* find_section(std::string_view id);  // null when unknown

std::string_view words(const Words& words, Language language);

// A note by its name, and a section of it: "6.1.1" stays, "Table 2" and its like are translated.
std::string_view note_name(Scratch& scratch, std::string_view note, const Strings& strings);
std::string_view section_name(Scratch& scratch, std::string_view heading, const Strings& strings);

// The size of the numbers that a residual is about: what a claim allows for rounding is a thousand times that of them.
double residual_scale(const Residual& residual);

// The claim’s sentence for these numbers; empty where it has none.
std::string_view mend(Scratch& scratch, const Claim& claim, const Residual& residual, Language language);

// A text with its numbers put in: {name} is a residual's own, "–" where it has none; {{ and }} are braces.
std::string_view with_numbers(Scratch& scratch, std::string_view text, const Residual& residual);

}  // namespace posiscope::ui
