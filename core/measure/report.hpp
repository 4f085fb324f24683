// report.hpp — what is said of dumps that are given together: one table, cos and sin of one, q before and after rotation, or the
// same of two programs.
#pragma once

#include "core/measure/measure.hpp"

namespace posiscope::measuring {

struct Report {
    std::string name;       // of the array, or of both
    StoredTensor shape_of;  // without its numbers
    Measured measured;
    std::vector<Problem> notes;
};

// The content of an array by its name.
struct NameSays {
    bool cosine = false, sine = false;
};
NameSays name_says(std::string_view name);

// cos and sin of one table, [2, …]; nothing unless a² + b² is one number nearly everywhere.
std::optional<StoredTensor> joined(const StoredTensor& a, const StoredTensor& b);

Report report_of(const StoredTensor& dump, Measured measured);
// How two arrays may belong together.
enum class Together { either, table, rotation };

// One array; or two that hold cos and sin of one table, or q or k before and after rotation.
Report report_on(const StoredTensor& dump, Wanted wanted);
std::optional<Report> report_on_both(const StoredTensor& a, const StoredTensor& b, const Wanted& wanted,
                                     Together together);

// The same of one array, or of two that belong together; `scenes` are those of the config. Refused for axes or ids that they do not
// have, and for two arrays that do not belong together.
Result<Report> report_on_all(std::span<const StoredTensor> arrays, const Wanted& wanted,
                             std::span<const Scene> scenes);

}  // namespace posiscope::measuring
