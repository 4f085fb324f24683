// claims.hpp — what the notes on positional encodings claim: each judged, and, where a number can decide it, measured on the
// present Scene.
// The words, verdicts and scenes are data (assets/claims/*.json, in every language, read as text: core knows none). The
// measures are here, a file a group: shift.cpp (A), conventions.cpp and basis.cpp (B), scores.cpp and order.cpp (C).
// To add one: its entry in the JSON, and its measure in the group's table; a test holds every claim to its verdict.
#pragma once

#include "core/scene/scene.hpp"

#include <map>
#include <span>

namespace posiscope {

// right: as claimed. conditional: under a condition that the claim does not name. wrong: shown to be false.
// analogy: nothing to decide. untested: only training decides.
enum class Verdict { right, conditional, wrong, analogy, untested };
std::span<const std::string_view> verdict_names();  // "true", "conditional", "false", "analogy", "untested"

// The result of a measurement. If the claim as it is worded were true of this Scene, `value` would lie in [least, most].
struct Residual {
    double value = 0.0, least = 0.0, most = 0.0;
    std::vector<std::pair<std::string_view, double>>
        numbers;              // for the sentences, by name; `value` among them
    std::string_view form{};  // the sentence that these numbers make true, where it is not that of `holds`
    bool tiny = false;        // numbers near 0 are meant as they are: no roundings

    // A claim that contradicts itself has least > most: nothing holds it.
    bool holds() const { return value >= least && value <= most; }
    std::string_view said() const { return !form.empty() ? form : holds() ? "holds" : "fails"; }
};

// The form of a Scene that cannot show a claim's number, such as one pair, one position or distance 0.
inline constexpr std::string_view kUnseen = "unseen";

// A wrong step put into what an identity claims, so that tests see its residual notice: k taken as −k, or as k + 1.
enum class Slip { none, sign, next };

struct Case {
    std::string_view claim;
    const Scene& scene;
    Slip slip = Slip::none;

    std::int64_t claimed_offset() const {
        return slip == Slip::sign ? -scene.offset : scene.offset + (slip == Slip::next ? 1 : 0);
    }
};

struct Measure {
    std::string_view id;
    std::string_view unit;  // of the value; empty: a plain number
    Result<Residual> (*of)(const Case&);
    bool identity = false;  // holds at every position and offset, so that a slip must show
};

// Every claim there is: A1 … A14, B1 … B32, C-PERM, C1 … C25.
std::span<const std::string_view> claim_ids();

// The measures, for those that a number decides; null for the others.
std::span<const Measure* const> measures();
const Measure* find_measure(std::string_view claim);

// Refused where the Scene's encoding has no such number (claim.absent), or it would take too long (cost.too_high).
Result<Residual> measure(const Measure& measure, const Scene& scene, Slip slip = Slip::none);

using Words =
    std::map<std::string, std::string, std::less<>>;  // by language: "en", "zh"; core/mathematics.hpp

// A run of the experiment that decides a claim: the mean over the seeds of a preset's encoding lies in [least, most], in a
// column of its table (core/experiment/results.hpp).
struct DecidingRun {
    std::string preset, encoding;
    std::size_t column = 0;
    double least = 0.0, most = 0.0;
};

struct Claim {
    std::string id, note, section;
    Verdict verdict = Verdict::untested;
    Words says;  // the claim, as a sentence
    // The right statement, a sentence for each form of its residual (Residual::said) that has one; {name} stands for a number
    // of it. Without a measure: the one under "".
    std::map<std::string, Words, std::less<>> mends;
    Words measured;  // what its number is, as a short formula; none where no number decides it
    Words breaks;    // at which parameters it breaks; where no number decides it, why
    Json scene =
        empty_object();  // partial: the picture that shows it; over an example where it names a "preset"
    Json other;          // partial, laid over that: the residual is on the other side there; null: nowhere
    std::string figure, mode,
        place;  // what decides it in the picture; place: a handle's name, empty: the whole figure
    std::vector<std::string> controls;  // keys of the Scene that move the number
    const Measure* measure = nullptr;
    std::optional<DecidingRun> run{};
};

// The verdict of a number in the Scene at hand. A number that agrees with a claim which is shown to be false (or that
// contradicts one which is true) is the Scene's, not the claim's: `hidden` and `fails`.
enum class Standing { holds, fails, hidden };
Standing standing(const Claim& claim, const Residual& residual);
// The sentence that is true of these numbers; null where the claim has none for their form: its own Scene has.
const Words* mend(const Claim& claim, const Residual& residual);

// The claims of one file, in its order; refused as claims.form where one lacks a member, and where its id is unknown.
Result<std::vector<Claim>> read_claims(std::string_view text);

// A partial Scene laid over the default one; it must fit as it is: nothing may be adjusted.
Result<Scene> scene_of(const Json& partial);
Result<Scene> scene_of(const Claim& claim);

// --- The sections of the notes ---------------------------------------------------------------------------

// The place of a section of a note: a figure, or the page that it `opens`. Neither if nothing shows it yet;
// `missing` says what will.
struct Section {
    std::string id, note, heading;
    Words title;
    std::string figure, mode, opens, missing;
    Json scene = empty_object();
    std::vector<std::string> claims;
};
Result<std::vector<Section>> read_sections(std::string_view text);

}  // namespace posiscope
