// claims_pane.hpp — the claims of the notes as the guide has them: which pass the filter, which one is unfolded, its number on
// the present Scene, and the way back from its picture.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "app/panels/command.hpp"
#include "app/panels/guide_claims.hpp"

namespace posiscope::workbench {

// The number of a claim on the present Scene. A slow one is computed in the background; until it is done the last one
// is told, as pending.
class LiveClaim {
public:
    struct Measured {
        Result<Residual> residual;
        std::optional<Residual> own;  // of the claim's own Scene, where this one does not decide it
    };
    struct Now {
        figures::Kept<Measured> measured;  // null while there is none yet
        bool pending = false;

        const Result<Residual>* residual() const { return measured ? &measured->residual : nullptr; }
        bool operator==(const Now&) const = default;
    };
    // The claim must have a measure.
    Now of(const Claim& claim, const Scene& now);

    void work_in(figures::Background* background) { background_ = background; }
    // After a file that the Scene names has changed.
    void forget();

private:
    // Everything that a measure reads.
    struct Key {
        const Claim* claim;
        figures::Kept<AttentionInput> input;
        std::int64_t position, offset, pair, shift;
        bool operator==(const Key&) const = default;
    };

    figures::Background* background_ = nullptr;
    figures::Same<AttentionInput> input_;
    static constexpr double kShare = 0.2;  // of what a frame has left, since figures need theirs
    figures::Slow<Key, Measured> memo_{kShare};
    std::optional<Key> last_key_;  // of `last_`
    figures::Kept<Measured> last_;
};

class ClaimsPane {
public:
    panels::ClaimsView* view(const Scene& now, const Strings& strings);
    // Does what was asked of the pane: a Scene to be shown, as one step.
    std::optional<Scene> carry_out(panels::Verb verb, const Scene& now);

    // The place that decides the chosen claim, "figure" or "figure:handle"; empty if none is chosen.
    std::string_view point() const { return point_; }
    const Claim* chosen() const { return chosen_; }
    // Unfolds a claim, which the filter lets through then.
    void choose(std::string_view id);
    // Folds the chosen claim; false where none is.
    bool fold();
    // The pane is left: there is no way back from a picture then.
    void leave() { before_.reset(); }
    LiveClaim& live() { return live_; }
    // Shows what another one does.
    void copy_view_state(const ClaimsPane& other);

private:
    void filter_rows(Language language);
    void say(const Scene& now, const Strings& strings);

    LiveClaim live_;
    panels::ClaimFilter filter_;
    std::optional<panels::ClaimFilter> filtered_by_;
    std::optional<Language> filtered_in_;
    std::vector<const Claim*> rows_;
    std::array<std::size_t, 5> counts_{};
    std::vector<std::string_view> notes_;
    const Claim* chosen_ = nullptr;
    bool fresh_ = false;
    std::string point_;
    std::optional<Scene> own_,
        before_;  // the chosen one's picture, and what was seen before the first of them

    // The key of `words_`.
    struct Said {
        const Claim* claim = nullptr;
        LiveClaim::Now live;
        Language language = Language::english;
        bool operator==(const Said&) const = default;
    };
    std::optional<Said> said_;
    panels::ClaimWords words_;
    panels::ClaimsView::Heights heights_;
    panels::ClaimsView view_;
};

}  // namespace posiscope::workbench
