// check.hpp — compares a Scene's settings with those its weights were trained with.
// Findings on: factor × original_max_position_embeddings against max_position_embeddings · the length against the
// scaling's range · unseen angles · a spectrum that differs from training · the attention factor · settings without
// effect. Findings on training are omitted if it is unknown.
#pragma once

#include "core/scaling/trained.hpp"

namespace posiscope {

enum class Severity { wrong, note, fine };

struct Finding {
    Severity severity;
    std::string
        subject;      // "product", "reach", "unseen", "replaced", "attention", "ignored": a short title each
    Problem problem;  // the whole sentence, with its numbers and the fix

    bool operator==(const Finding&) const = default;
};

// Errors first, then notes, then passed checks. Refused if nothing rotates.
Result<std::vector<Finding>> check_settings(const Scene& scene);

}  // namespace posiscope
