#include "core/encodings/rope_layers.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"

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

template <class OfType>
void find_kinds(RopeLayers& made, OfType of_type) {
    for (std::size_t l = 0; l < made.layers.size(); ++l) {
        const auto& [type, turns] = made.layers[l];
        const auto same = [type = type, turns = turns](const RopeLayers::Kind& kind) {
            return kind.type == type && kind.turns == turns;
        };
        auto found = std::find_if(made.kinds.begin(), made.kinds.end(), same);
        if (found == made.kinds.end()) {
            RopeLayers::Kind kind = of_type(type);
            kind.turns = turns;
            kind.layer = static_cast<std::int64_t>(l);
            found = made.kinds.insert(made.kinds.end(), kind);
        }
        ++found->count;
    }
    if (made.layers.empty())
        for (std::size_t t = 0; t < made.types.size(); ++t)
            made.kinds.push_back(of_type(static_cast<int>(t)));
}

}  // namespace

RopeLayers rope_layers(const SpectrumInput& scene) {
    RopeLayers made;
    if (!takes_scalings(scene)) return made;
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
    const auto own = [&](int at) -> const Json& {
        const bool there = at >= 0 && static_cast<std::size_t>(at) < made.types.size();
        return there ? dictionary.at(made.types[static_cast<std::size_t>(at)]) : null;
    };
    const auto rotates = [&](int at) { return !own(at).is_object() || own(at).value("nope", false) != true; };
    for (std::int64_t l = 0; l < count; ++l) {
        const int at = types.is_array() ? place(types[static_cast<std::size_t>(l)]) : -1;
        made.layers.push_back({at, layer_uses_rope(turning, interval, l) && rotates(at)});
    }
    find_kinds(made, [&](int at) {
        std::optional<std::int64_t> window;
        for (const char* key : {"sliding_window", "attention_chunk_size"})
            if (const Json& object = own(at); object.is_object())
                if (const auto size = number_at(object, key))
                    window = std::min(static_cast<std::int64_t>(*size), window.value_or(kLastPosition));
        return RopeLayers::Kind{at, rotates(at), -1, 0, window};
    });
    const auto is_here = [&](const RopeLayers::Kind& kind) {
        return kind.type == made.present && kind.turns == settings->turns;
    };
    const auto found = std::find_if(made.kinds.begin(), made.kinds.end(), is_here);
    if (found != made.kinds.end()) made.kind = static_cast<int>(found - made.kinds.begin());
    return made;
}

Json with_kind(const SpectrumInput& scene, const RopeLayers& layers, std::size_t kind) {
    Json encoding = scene.encoding.parameters;
    encoding["kind"] = scene.encoding.kind;
    const RopeLayers::Kind& chosen = layers.kinds.at(kind);
    encoding.erase("layer_type");
    if (chosen.layer >= 0) encoding["layer"] = chosen.layer;
    else encoding["layer_type"] = layers.types[static_cast<std::size_t>(chosen.type)];
    return encoding;
}

}  // namespace posiscope
