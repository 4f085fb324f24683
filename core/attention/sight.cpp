#include "core/attention/sight.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>

namespace posiscope {

Sight::Run Sight::seen(std::int64_t query, std::int64_t keys) const {
    const std::int64_t chunk_begin = (query + start) / chunk * chunk - start;
    return {std::max({std::int64_t{0}, query - window + 1, chunk_begin}),
            std::min({keys, causal ? query + 1 : query + window, chunk_begin + chunk})};
}

Sight::Cause Sight::unseen(std::int64_t query, std::int64_t key) const {
    if (causal && key > query) return Cause::later;
    if (std::max(query, key) - std::min(query, key) >= window) return Cause::window;
    return (query + start) / chunk == (key + start) / chunk ? Cause::none : Cause::chunk;
}

Sight causal_sight_of(const ScoreInput& scene) {
    Sight sight;
    sight.start = is_stored(scene.content) ? stored_start(scene.content) : 0;
    if (!takes_scalings(scene)) return sight;
    if (const auto settings = rope_settings(scene)) {
        sight.window = settings->window.value_or(sight.window);
        sight.chunk = settings->chunk.value_or(sight.chunk);
    }
    return sight;
}

Sight sight_of(const AttentionInput& scene) {
    Sight sight = causal_sight_of(scene);
    sight.causal = scene.causal;
    return sight;
}

}  // namespace posiscope
