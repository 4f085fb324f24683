// checks.hpp — the result for one thing that `posiscope check` looked at: how it ends, its sentences and its record.
#pragma once

#include "app/commands/command.hpp"
#include "app/ui/strings.hpp"
#include "core/json.hpp"
#include "core/measure/report.hpp"
#include "core/models/config_parts.hpp"

#include <optional>
#include <span>

namespace posiscope::commands {

struct Outcome {
    Exit exit = Exit::done;
    std::string text;            // on standard output
    Json record;                 // the same as one line of JSON
    std::optional<Problem> why;  // on standard error: nothing known, or a file that cannot be read
};

// The worse of two: a wrong word, then a file that cannot be read, wrong, nothing known, noise, right.
Exit worse(Exit a, Exit b);

// Sentences as JSON: {"name", "sentence", "values"}.
Json facts(const Problem& problem, const Strings& strings);
Json facts(std::span<const Problem> problems, const Strings& strings);
// One line, whatever bytes are in it.
std::string line_of(const Json& json);

// posiscope check config.json: what its settings do to the weights' rotation (core/models/check.hpp), and the
// same settings as programs take them (core/code).
// True for a file with a model's config, and not for a table or ids.
bool is_config(const std::string& path);
// A slip where the settings cannot be right.
Result<Outcome> check_config(const std::string& path, Part part, const Terminal& terminal);

// A measured dump (core/measure): sentences, or the record as one line of JSON.
// The references of a config, or of the Scene that the options give; none without either.
struct References {
    std::vector<Scene> scenes;
    std::vector<measuring::Reference> list;
    std::string family;  // model_type
};
Result<References> references_for(const std::string& config, const SharedOptions& shared,
                                  const Terminal& terminal);

inline constexpr int kCheckRecord = 1;  // the version of the record

std::string text_of(const measuring::Report& report, const Strings& strings);
// {"kind", "version", "verdict", …}: numbers are numbers.
Json record_of(const measuring::Report& report, const Strings& strings);
// Its exit code is the verdict's: 0 right, 4 wrong, 5 right but for noise, 1 unknown.
// `of_config`: it was held against a config.
Outcome outcome_of(const measuring::Report& report, const Strings& strings, bool of_config);

// posiscope check --ids: which policy a list of position ids follows, or which slip it has (core/positions).

struct IdsTyped {
    std::string ids, mask, bounds, config;
};
void add_ids_options(CLI::App& app, IdsTyped& typed, const Strings& strings);
// True if a file, or what is typed, is nothing but whole numbers; and which policy or slip explains all of its rows, said of the
// first. Nothing is printed.
bool are_whole_numbers(const std::string& given);
std::optional<Problem> policy_of(const IdsTyped& typed);
// `config` is check's own. The record has an entry for each row.
Result<Outcome> check_ids(const IdsTyped& typed, const Terminal& terminal);
// With a table: the ids that its rows should have, one list for each axis or row of a batch. Those of pads are free (NaN).
Result<std::vector<std::vector<double>>> row_ids(const IdsTyped& typed);

}  // namespace posiscope::commands
