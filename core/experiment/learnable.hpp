// learnable.hpp — the encodings with numbers that training finds, and how those numbers become tables and back.
// To let an encoding be trained: nothing, where its Action only adds, turns in pairs or has a bias, and holds nothing
// seeded; else a file in learnable/ that fills in a Learnable, which its record (core/encodings) names.
// All of it in float64: it is little next to the model.
#pragma once

#include "core/experiment/tables.hpp"

#include <memory>
#include <optional>

namespace posiscope::experiment {

struct Formulas;  // of a typed encoding: learnable/own.cpp

// The settings that an encoding may depend on besides its numbers.
struct Place {
    ModelShape shape;
    std::size_t trained = 32;  // n, the length of the training sequences
    double base = 10000.0;
    std::shared_ptr<const Formulas> formulas = nullptr;
};

// Refused where a slot acts in a way that the model has no room for.
Result<std::shared_ptr<const Formulas>> formulas_of(const Scene& scene);

// The numbers of a Learnable's groups, one after another, without padding.
using Numbers = std::span<const double>;

struct Learnable {
    std::vector<Group> (*groups)(const Place&);
    // Fills what the encoding uses of `tables`, whose `positions` are set.
    void (*tables)(const Place&, Numbers numbers, Tables& tables);
    // Adds to `out`, the numbers' gradient, what the gradient of the tables comes to.
    void (*gradient)(const Place&, Numbers numbers, const Tables& gradient, std::span<double> out);
    // Sets the start of the numbers, if not normal as their groups say.
    void (*start)(const Place&, Random&, std::span<double> numbers) = nullptr;
    // Puts numbers back into their range after a step from `before`.
    void (*settle)(const Place&, std::span<double> numbers, Numbers before) = nullptr;
    // Up to which of so many positions there is something; null: to the last.
    std::size_t (*end)(const Place&, Numbers numbers, std::size_t positions) = nullptr;
    // Why these numbers cannot be trained; null: they can.
    std::optional<Problem> (*check)(const Place&, Numbers numbers) = nullptr;
};

extern const Learnable kLearned, kShaw, kTransformerXl, kT5, kKerple, kFire, kOwn;

// The index of query i and key j in a table by distance.
inline std::size_t distance_row(std::size_t positions, std::int64_t key_minus_query) {
    return static_cast<std::size_t>(key_minus_query + static_cast<std::int64_t>(positions) - 1);
}

}  // namespace posiscope::experiment
