#include "core/scores/stale.hpp"

#include "core/cost.hpp"
#include "core/encodings/turning.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

Result<StaleScores> StaleScores::of(const SpectrumInput& scene, std::int64_t query, std::int64_t prompt) {
    StaleScores made;
    made.scene_ = scene;
    made.query_ = query;
    made.prompt_ = prompt;
    made.scene_.length = std::max(query + 1, prompt);
    auto now = steady_spectrum_of(made.scene_);
    if (!now) return tl::unexpected(now.error());
    made.now_ = std::move(*now);
    made.rest_ = static_cast<double>(head_dim(scene) - 2 * static_cast<std::int64_t>(made.now_.pairs()));
    return made;
}

Result<Spectrum> StaleScores::stored(std::int64_t key) {
    scene_.length = std::max(key + 1, prompt_);
    return spectrum_of(scene_);
}

Result<bool> StaleScores::changed() {
    return stored(0).map([&](const Spectrum& first) {
        return first.frequency != now_.frequency || first.attention_factor != now_.attention_factor;
    });
}

Result<StaleScore> StaleScores::at(std::int64_t key) {
    constexpr std::size_t kAtOnce = 8192;
    for (std::size_t i = 0; i < now_.pairs(); i += kAtOnce)
        spend(400.0 * static_cast<double>(std::min(kAtOnce, now_.pairs() - i)));
    const auto then = stored(key);
    if (!then) return tl::unexpected(then.error());
    StaleScore score;
    for (std::size_t i = 0; i < now_.pairs(); ++i) {
        const std::uint64_t turned = phase(now_.step[i], query_).fraction;
        const double size =
            now_.growth.empty() ? 2.0 : 2.0 * std::exp(now_.growth[i] * static_cast<double>(query_ - key));
        score.stale += size * cos(Turn{turned - phase(then->step[i], key).fraction});
        score.anew += size * cos(Turn{turned - phase(now_.step[i], key).fraction});
    }
    score.stale = score.stale * now_.attention_factor * then->attention_factor + rest_;
    score.anew = score.anew * now_.attention_factor * now_.attention_factor + rest_;
    return score;
}

}  // namespace posiscope
