// check.hpp — what there is to object to in a Scene's settings, given what its weights were trained with.
// Sentences about: factor × original_max_position_embeddings against max_position_embeddings · the length against the
// scaling's reach · angles that were never seen · a spectrum that is not the trained one · the attention factor ·
// settings that change nothing. What concerns training is left out where nothing of it is known.
#pragma once

#include "core/scaling/trained.hpp"

namespace posiscope {

enum class Severity { wrong, note, fine };

struct Finding {
    Severity severity;
    std::string
        subject;      // "product", "reach", "unseen", "replaced", "attention", "ignored": a short title each
    Problem problem;  // the whole sentence, with its numbers and the mend

    bool operator==(const Finding&) const = default;
};

// What is wrong first, then what is worth knowing, then what is as it should be. Refused where nothing turns.
Result<std::vector<Finding>> check_settings(const Scene& scene);

// How many of them object.
std::size_t objections(std::span<const Finding> findings);

}  // namespace posiscope
