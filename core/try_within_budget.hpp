// try_within_budget.hpp — a value, if it can be had for so much work (core/cost.hpp).
#pragma once

#include "core/cost.hpp"

#include <optional>
#include <type_traits>

namespace posiscope {

// Units that this thread may still spend; infinite without an Allowance.
double work_left();

// The result of `make`, or nothing where it needs more than `units`. Where an outer Allowance or a stop ends it first,
// Interrupted goes on: nobody may take that for a value that is too costly.
template <class Make>
std::optional<std::invoke_result_t<Make>> try_within_budget(double units, Make make) {
    const bool own = units < work_left();
    try {
        const Allowance allowance(units);
        return make();
    } catch (const Interrupted&) {
        spend(0.0);  // throws where it was stopped
        if (!own) throw;
        return std::nullopt;
    }
}

}  // namespace posiscope
