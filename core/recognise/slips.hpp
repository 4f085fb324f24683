// slips.hpp — known slips, each as a change of a candidate. Two slips of different stages may meet in one table.
#pragma once

#include "core/recognise/candidate.hpp"

namespace posiscope::recognition {

// Where in the making of a table a slip happens.
enum class Stage { none, rates, positions, values };

struct Slip {
    std::string_view name;  // "slip.NAME" in the string tables; empty: none. Variants share one.
    Stage stage = Stage::none;
    bool needs_config = false;  // meaningful only against what the table should be
    bool rounds = false;        // it changes no more than roundings: noise hides it
    // False where it changes nothing for this spectrum.
    bool (*apply)(const Known& known, Waves& waves) = nullptr;
};

std::span<const Slip> slips();

// Whether it is looked for at a spectrum: at the config's, and most at plain ones.
bool meant(const Slip& slip, const Known& known);

// The slips in a candidate, in the order of their stages.
struct Slipped {
    const Slip* of_rates = nullptr;
    const Slip* of_positions = nullptr;
    const Slip* of_values = nullptr;

    int count() const;
    bool rounds() const;
    std::string key() const;
    bool apply(const Known& known, Waves& waves) const;
    std::vector<Problem> problems(const Known& known) const;
};

// None, each slip that is meant, and, where `two` may meet, each two of them.
std::vector<Slipped> slips_at(const Known& known, bool two);

}  // namespace posiscope::recognition
