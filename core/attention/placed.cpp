#include "core/attention/placed.hpp"

#include "core/scene/tensors.hpp"

namespace posiscope {

Result<Action> attention_action(const AttentionInput& scene) {
    auto action = action_of(scene);
    const std::int64_t start = is_stored(scene.content) ? stored_start(scene.content) : 0;
    if (!action || start == 0) return action;
    if (start >= action->positions) return tl::unexpected(past_table(start, action->positions));
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

}  // namespace posiscope
