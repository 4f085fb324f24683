#include "core/attention/placed.hpp"

#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope {

TokenInput attended_tokens(TokenInput scene) {
    scene.length = content_length(scene);
    return scene;
}

Result<Action> attention_action(const TokenInput& scene, bool masked) {
    const std::int64_t start = is_stored(scene.content) ? stored_start(scene.content) : 0;
    auto action =
        scene.ids.is_null() ? action_of(scene) : with_ids(scene, scene.ids, start + scene.length, masked);
    if (!action || start == 0) return action;
    if (start >= action->positions) return tl::unexpected(past_end(scene, start, action->positions));
    action->positions -= start;
    action->waves = {};  // those of a query are of its position
    if (action->turn)
        action->turn = [start, inner = std::move(action->turn)](Side side, std::int64_t position,
                                                                std::span<double> x) {
            inner(side, position + start, x);
        };
    if (action->content)
        action->content = [start, inner = std::move(action->content)](const Meeting& at) {
            Meeting there = at;
            there.query += start;
            there.key += start;
            return inner(there);
        };
    for (auto* by_head : {&action->weight, &action->bias})
        if (*by_head)
            *by_head = [start, inner = std::move(*by_head)](std::int64_t head, std::int64_t query,
                                                            std::int64_t key) {
                return inner(head, query + start, key + start);
            };
    if (action->value)
        action->value = [start, inner = std::move(action->value)](std::int64_t head, std::int64_t query,
                                                                  std::int64_t key, double share,
                                                                  std::span<double> output) {
            inner(head, query + start, key + start, share, output);
        };
    return action;
}

Result<AttentionShape> attention_shape(const TokenInput& scene) {
    auto shape = attention_shape(static_cast<const AttentionInput&>(scene));
    if (shape) shape->sight = sight_of(scene);
    return shape;
}

}  // namespace posiscope
