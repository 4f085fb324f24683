// known.hpp — what comes with the program, as assets/ has it; read the first time that it is asked for.
#pragma once

#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "app/ui/theme.hpp"
#include "core/claims/claims.hpp"
#include "core/experiment/bank.hpp"
#include "core/lessons/lesson.hpp"
#include "core/measure/reference.hpp"
#include "core/models/models.hpp"

namespace posiscope::ui {

// ---- the notes' claims and sections, and their words with numbers ----

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

// ---- scenes worth seeing, of assets/examples.json: whole ones, so that nothing of the last is left ----

struct Example {
    std::string id;
    Words name, help;
    Scene scene;
};

// In their order, bench by bench; read the first time they are asked for.
const std::vector<Example>& known_examples();
const Example* find_example(std::string_view id);  // null when unknown

// ---- models, of assets/models.json ----

const std::vector<ModelRow>& known_models();

// "RoPE · yarn · 2 kinds of layers": its encoding, its scaling, and how many kinds of layers it has.
std::string encoding_words(const Strings& strings, const ModelRow& row);

// The spectra of known models, with which dumped tables are compared.
std::vector<measuring::Reference> known_spectra();

// ---- lessons, and their sentences with the numbers put in ----

// In their order; read and checked the first time they are asked for.
const std::vector<lessons::Lesson>& known_lessons();
const lessons::Lesson* find_lesson(std::string_view id);  // null when unknown

// The numbers of a sentence; null: they are being computed.
struct KnownNumbers {
    const lessons::Numbers* now = nullptr;  // of the present Scene
    const lessons::Numbers* own = nullptr;  // of the step's
};

// A sentence, however long, with its numbers and its mathematics marked: "…" for one that is being computed, "–" for one that the Scene does not have
// or that takes too long.
std::string sentence(const lessons::Sentence& sentence, const KnownNumbers& known);
// The same with both Scenes, at once.
std::string sentence(const lessons::Sentence& sentence, const Scene& now, const Scene& own);
// A title, for a label or a list: its mathematics is plain.
std::string title(const lessons::Text& text, Language language);

// ---- results of the experiment, a file for each preset ----

// Results of the preset with these settings (whatever their encodings and seeds); null if none is shipped. Read once.
std::shared_ptr<const experiment::Bank> shipped_results(const experiment::Settings& settings);

// The colour of its curves.
Colour encoding_colour(const Theme& theme, std::string_view encoding);

}  // namespace posiscope::ui
