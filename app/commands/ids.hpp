// ids.hpp — posiscope check --ids: which policy a list of position ids follows, or which slip it has (core/positions).
#pragma once

#include "app/commands/outcome.hpp"

#include <optional>

namespace posiscope::commands {

struct IdsTyped {
    std::string ids, mask, bounds, config;
};
void add_ids_options(CLI::App& app, IdsTyped& typed, const Strings& strings);
// Whether a file, or what is typed, is nothing but whole numbers; and which policy or slip explains all of its rows, said of the
// first. Nothing is printed.
bool are_whole_numbers(const std::string& given);
std::optional<Problem> policy_of(const IdsTyped& typed);
// `config` is check's own. The record has an entry for each row.
Result<Outcome> check_ids(const IdsTyped& typed, const Terminal& terminal);
// With a table: the ids that its rows should have, one list for each axis or row of a batch. Those of pads are free (NaN).
Result<std::vector<std::vector<double>>> row_ids(const IdsTyped& typed);

}  // namespace posiscope::commands
