// ids.hpp — posiscope check --ids: which policy a list of position ids follows, or which slip it has (core/positions).
#pragma once

#include "app/commands/command.hpp"

#include <optional>

namespace posiscope::commands {

struct IdsTyped {
    std::string ids, mask, bounds, config;
    bool json = false;
};
void add_ids_options(CLI::App& app, IdsTyped& typed, const Strings& strings);
// Whether a file, or what is typed, is nothing but whole numbers; and which policy or slip explains all of its rows, said of the
// first. Nothing is printed.
bool are_whole_numbers(const std::string& given);
std::optional<Problem> policy_of(const IdsTyped& typed);
// `config` and `json` are check's own. One line of JSON has an entry for each row.
Result<void> run_ids(const IdsTyped& typed, const Terminal& terminal);

}  // namespace posiscope::commands
