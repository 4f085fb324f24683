// scene.cpp — the keys of a Scene that are numbers.
#include "core/lessons/values/value_tables.hpp"

#include <array>

namespace posiscope::lessons {
namespace {

template <auto Member>
Result<double> key(const Scene& scene) {
    return static_cast<double>(scene.*Member);
}

Result<double> trained_length(const Scene& scene) {
    if (!scene.trained.length) return no_value("trained.length");
    return static_cast<double>(*scene.trained.length);
}

Result<double> other_position(const Scene& scene) {
    return static_cast<double>(scene.position + scene.offset);
}

constexpr std::array kSceneValues = {
    Value{"position", false, key<&Scene::position>}, Value{"position.other", false, other_position},
    Value{"offset", false, key<&Scene::offset>},     Value{"pair", false, key<&Scene::pair>},
    Value{"d_model", false, key<&Scene::d_model>},   Value{"num_heads", false, key<&Scene::num_heads>},
    Value{"length", false, key<&Scene::length>},     Value{"shift", false, key<&Scene::shift>},
    Value{"base", false, key<&Scene::base>},         Value{"trained.length", false, trained_length},
};

}  // namespace

std::span<const Value> scene_values() { return kSceneValues; }

}  // namespace posiscope::lessons
