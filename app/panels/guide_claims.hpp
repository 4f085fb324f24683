// guide_claims.hpp — what the guide shows of the notes' claims. Numbers and sentences are made by the workbench when the
// Scene, the claim or the language changes.
#pragma once

#include "app/ui/strings.hpp"
#include "core/claims/claims.hpp"

#include <array>
#include <optional>
#include <span>

namespace posiscope::panels {

struct ClaimFilter {
    std::array<char, 64> text{};  // every word of it must occur
    std::optional<Verdict> verdict;
    std::string note;  // empty: all

    bool operator==(const ClaimFilter&) const = default;
};

// The claim that is unfolded, in sentences.
struct ClaimWords {
    std::string where;     // "Note 001, 6.1.4"
    std::string measured;  // what the number is
    std::string value;     // empty: `absent` says why
    std::string unit;
    std::string needed;  // what the claim needs it to be
    std::string absent;
    std::string breaks;
    std::string mend;
    std::string decided;                  // by which run of the experiment; empty: by none
    Standing standing = Standing::holds;  // at the present settings
    bool pending = false;                 // the numbers are still those of an earlier Scene
};

struct ClaimsView {
    std::span<const Claim* const> rows;   // those that pass the filter
    std::array<std::size_t, 5> counts{};  // by verdict, of those that pass the rest of it
    std::span<const std::string_view> notes;
    ClaimFilter* filter = nullptr;  // changed in place
    const Claim* chosen = nullptr;
    bool fresh = false;                 // it was chosen in the last frame: to be scrolled to
    const ClaimWords* words = nullptr;  // of the chosen one
    bool shown = false;                 // its picture is what is seen
    bool can_return = false;
    // How tall each row is; kept between frames, since breaking all sentences into lines takes long.
    struct Heights {
        float width = 0.0F, pixels_per_point = 0.0F;
        std::optional<Language> language;
        std::vector<float> of;
    }* heights = nullptr;
};

}  // namespace posiscope::panels
