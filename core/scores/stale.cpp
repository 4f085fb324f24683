#include "core/scores/stale.hpp"

#include "core/cost.hpp"

#include <algorithm>

namespace posiscope {

Result<StaleScores> StaleScores::of(const SpectrumInput& scene, std::int64_t query, std::int64_t prompt) {
    StaleScores made;
    made.scene_ = scene;
    made.query_ = query;
    made.prompt_ = prompt;
    made.scene_.length = std::max(query + 1, prompt);
    auto now = spectrum_of(made.scene_);
    if (!now) return tl::unexpected(now.error());
    made.now_ = std::move(*now);
    return made;
}

Result<StaleScore> StaleScores::at(std::int64_t key) {
    constexpr std::size_t kAtOnce = 8192;
    for (std::size_t i = 0; i < now_.pairs(); i += kAtOnce)
        spend(400.0 * static_cast<double>(std::min(kAtOnce, now_.pairs() - i)));
    scene_.length = std::max(key + 1, prompt_);
    const auto stored = spectrum_of(scene_);
    if (!stored) return tl::unexpected(stored.error());
    StaleScore score;
    for (std::size_t i = 0; i < now_.pairs(); ++i) {
        const std::uint64_t turned = phase(now_.step[i], query_).fraction;
        score.stale += cos(Turn{turned - phase(stored->step[i], key).fraction});
        score.anew += cos(Turn{turned - phase(now_.step[i], key).fraction});
    }
    score.stale *= now_.attention_factor * stored->attention_factor;
    score.anew *= now_.attention_factor * now_.attention_factor;
    return score;
}

}  // namespace posiscope
