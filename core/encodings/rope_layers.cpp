#include "core/encodings/rope_layers.hpp"

#include "core/encodings/rope_settings.hpp"

#include <algorithm>

namespace posiscope {
namespace {

constexpr std::int64_t kPeriodsShown = 4;
constexpr std::int64_t kMostShown = 256;

std::vector<std::int64_t> numbers(const Json& list) {
    std::vector<std::int64_t> read;
    if (list.is_array())
        for (const Json& item : list) read.push_back(item.get<std::int64_t>());
    return read;
}

}  // namespace

RopeLayers rope_layers(const SpectrumInput& scene) {
    RopeLayers made;
    if (scene.encoding.kind != "rope") return made;
    const auto settings = rope_settings(scene);
    if (!settings) return made;
    const Json& parameters = scene.encoding.parameters;
    static const Json null;
    const auto given = [&](const char* key) -> const Json& {
        const auto found = parameters.find(key);
        return found == parameters.end() ? null : *found;
    };

    const Json &older = given("rope_scaling"),
               &dictionary = older.is_null() ? given("rope_parameters") : older;
    if (settings->nested)
        for (const auto& [type, inner] : dictionary.items()) made.types.push_back(type);
    const auto place = [&](const Json& type) {
        const auto found = type.is_string() ? std::find(made.types.begin(), made.types.end(),
                                                        type.get_ref<const std::string&>())
                                            : made.types.end();
        return found == made.types.end() ? -1 : static_cast<int>(found - made.types.begin());
    };
    const Json &types = given("layer_types"), &layer = given("layer"), &type = given("layer_type");
    const auto here = layer.is_number_integer() ? layer.get<std::int64_t>() : 0;
    made.present = place("full_attention");
    if (made.present < 0 && !made.types.empty()) made.present = 0;
    if (types.is_array() && here < static_cast<std::int64_t>(types.size()))
        made.present = place(types[static_cast<std::size_t>(here)]);
    if (!type.is_null()) made.present = place(type);

    const std::vector<std::int64_t> turning = numbers(given("no_rope_layers"));
    std::optional<std::int64_t> interval;
    if (const Json& every = given("no_rope_layer_interval"); every.is_number())
        interval = every.get<std::int64_t>();
    std::int64_t count = types.is_array() ? static_cast<std::int64_t>(types.size()) : 0;
    if (count == 0) count = static_cast<std::int64_t>(turning.size());
    if (count == 0 && interval) {
        made.goes_on = true;
        count = std::min(kMostShown, std::max(kPeriodsShown * *interval, here + 1));
    }
    if (!turning.empty()) count = std::min(count, static_cast<std::int64_t>(turning.size()));
    for (std::int64_t l = 0; l < count; ++l)
        made.layers.push_back({types.is_array() ? place(types[static_cast<std::size_t>(l)]) : -1,
                               layer_uses_rope(turning, interval, l)});
    return made;
}

}  // namespace posiscope
