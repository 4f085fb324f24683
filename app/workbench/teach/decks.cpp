#include "app/workbench/teach/decks.hpp"

#include "app/figures/figure.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/window/appearance.hpp"

#include <algorithm>

namespace posiscope::workbench {
namespace {

constexpr std::string_view kPrefix = "note-";

lessons::Sentence sentence(std::string words) {
    lessons::Piece piece;
    piece.words = std::move(words);
    return {std::move(piece)};
}

// The picture of a section, in the bench that has its figure.
Scene picture_of(const Section& section) {
    Claim as_claim;
    as_claim.id = section.id;
    as_claim.scene = section.scene;
    as_claim.figure = section.figure;
    as_claim.mode = section.mode;
    return shown(as_claim);
}

// The first wrong claim of a section, else its first claim; null if it has none.
const Claim* claim_of(const Section& section) {
    const Claim* first = nullptr;
    for (const std::string& id : section.claims) {
        const Claim* claim = ui::find_claim(id);
        if (claim == nullptr) continue;
        if (claim->verdict == Verdict::wrong) return claim;
        if (first == nullptr) first = claim;
    }
    return first;
}

// A true claim; another with its verdict and its fix.
std::string say(const Claim& claim, const Residual& residual, const Strings& strings) {
    const Language language = strings.language();
    ui::Scratch scratch;
    const std::string claimed(ui::words(claim.says, language));  // as written: e^{iωk} holds no number
    if (claim.verdict == Verdict::right) return claimed;
    return strings.format("deck.verdict", fmt::arg("claim", claimed),
                          fmt::arg("verdict", strings.text(fmt::format(
                                                  "deck.verdict.{}",
                                                  verdict_names()[static_cast<std::size_t>(claim.verdict)]))),
                          fmt::arg("right", ui::mend(scratch, claim, residual, language)));
}

// For the lecturer: how the claim on the slide is decided and what moves its number, and the section's other claims; a section
// without claims has the explanation of its figure.
std::string notes_of(const Section& section, const Claim* said, std::string_view figure,
                     const Strings& strings) {
    const Language language = strings.language();
    if (said == nullptr) return std::string(strings.text(fmt::format("figure.{}.explain", figure)));
    std::string notes;
    const auto add = [&](const std::string& sentence) { notes += (notes.empty() ? "" : " ") + sentence; };
    std::string controls;
    for (const std::string& key : said->controls)
        controls += fmt::format("{}{}",
                                controls.empty()                ? ""
                                : language == Language::chinese ? "、"
                                                                : ", ",
                                strings.parameter(key, {}, "name"));
    const std::string_view measured = ui::words(said->measured, language),
                           breaks = ui::words(said->breaks, language);
    if (measured.empty() && !breaks.empty()) add(std::string(breaks));  // why no number decides it
    if (!measured.empty() && !controls.empty())
        add(strings.format("deck.notes", fmt::arg("measured", measured), fmt::arg("controls", controls)));
    if (!measured.empty() && !breaks.empty())
        add(strings.format("deck.notes_breaks", fmt::arg("breaks", breaks)));
    for (const std::string& id : section.claims)
        if (const Claim* other = ui::find_claim(id); other != nullptr && other != said)
            add(strings.format("deck.notes_also", fmt::arg("id", id),
                               fmt::arg("claim", ui::words(other->says, language))));
    return notes.empty() ? std::string(strings.text(fmt::format("figure.{}.explain", figure))) : notes;
}

lessons::Step step_of(const Section& section, const Strings& english, const Strings& chinese) {
    lessons::Step step;
    step.id = section.id;
    step.figure = section.figure;
    Scene scene = picture_of(section);
    Residual residual;
    const Claim* claim = claim_of(section);
    if (claim != nullptr && claim->measure != nullptr) {
        auto measured = measure(*claim->measure, scene);
        // The claim's picture decides it if the section's own does not.
        if (!measured || mend(*claim, *measured) == nullptr) {
            scene = shown(*claim);
            step.figure = claim->figure;
            measured = measure(*claim->measure, scene);
        }
        if (measured) residual = std::move(*measured);
    }
    step.scene = to_json(scene);
    for (const Strings* strings : {&english, &chinese}) {
        const bool zh = strings == &chinese;
        const std::string title(ui::words(section.title, zh ? Language::chinese : Language::english));
        const std::string said = claim != nullptr ? say(*claim, residual, *strings) : std::string();
        ui::Scratch scratch;
        const std::string place =
            fmt::format("{}  {}", ui::section_name(scratch, section.heading, *strings), title);
        (zh ? step.line.zh : step.line.en) =
            sentence(said.empty() ? place : fmt::format("{}{}{}", place, zh ? "——" : " — ", said));
        (zh ? step.text.zh : step.text.en) = sentence(said.empty() ? place : said);
        (zh ? step.notes.zh : step.notes.en) = sentence(notes_of(section, claim, step.figure, *strings));
    }
    return step;
}

}  // namespace

const std::vector<lessons::Lesson>& known_decks() {
    static const std::vector<lessons::Lesson> decks = [] {
        std::vector<lessons::Lesson> made;
        const Strings english = texts_in(Language::english), chinese = texts_in(Language::chinese);
        for (const Section& section : ui::known_sections()) {
            if (section.figure.empty()) continue;
            const std::string id = std::string(kPrefix) + section.note;
            if (std::ranges::find(made, id, &lessons::Lesson::id) != made.end()) continue;
            lessons::Lesson deck;
            deck.id = id;
            ui::Scratch scratch;
            const auto named = [&](const Strings& strings) {
                return sentence(strings.format(
                    "deck.title", fmt::arg("note", ui::note_name(scratch, section.note, strings))));
            };
            deck.title.en = named(english);
            deck.title.zh = named(chinese);
            made.push_back(std::move(deck));
        }
        return made;
    }();
    return decks;
}

bool is_deck(std::string_view id) {
    return std::ranges::find(known_decks(), id, &lessons::Lesson::id) != known_decks().end();
}

std::optional<lessons::Lesson> make_deck(std::string_view id) {
    const auto found = std::ranges::find(known_decks(), id, &lessons::Lesson::id);
    if (found == known_decks().end()) return std::nullopt;
    lessons::Lesson deck = *found;
    const Strings english = texts_in(Language::english), chinese = texts_in(Language::chinese);
    for (const Section& section : ui::known_sections())
        if (!section.figure.empty() && std::string(kPrefix) + section.note == id)
            deck.steps.push_back(step_of(section, english, chinese));
    return deck;
}

}  // namespace posiscope::workbench
