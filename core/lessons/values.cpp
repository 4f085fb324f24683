#include "core/lessons/values/rooms.hpp"

#include <algorithm>
#include <vector>

namespace posiscope::lessons {

std::span<const Value> values() {
    static const std::vector<Value> all = [] {
        std::vector<Value> rows;
        for (const auto room :
             {scene_values(), pair_values(), spectrum_values(), shift_values(), score_values(),
              uniqueness_values(), order_values(), term_values(), training_values(), row_values()})
            rows.insert(rows.end(), room.begin(), room.end());
        return rows;
    }();
    return all;
}

const Value* find_value(std::string_view name) {
    const auto found = std::ranges::find(values(), name, &Value::name);
    return found != values().end() ? &*found : nullptr;
}

}  // namespace posiscope::lessons
