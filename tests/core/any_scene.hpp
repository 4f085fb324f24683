// any_scene.hpp — a generator of all scenes, from the declared parameters: includes encodings added later. For
// rapidcheck properties.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"

#include <rapidcheck.h>

namespace posiscope {

inline Json any_value(const Parameter& p) {
    using Kind = Parameter::Kind;
    switch (p.kind) {
        case Kind::integer:
            return *rc::gen::inRange<std::int64_t>(static_cast<std::int64_t>(p.minimum),
                                                   static_cast<std::int64_t>(p.maximum) + 1);
        case Kind::number:
            return p.minimum + (p.maximum - p.minimum) * (*rc::gen::inRange(1, 1000001) * 1e-6);
        case Kind::boolean: return *rc::gen::arbitrary<bool>();
        case Kind::choice: return std::string(*rc::gen::elementOf(p.choices));
        default: return p.fallback;
    }
}

inline Json any_choice(std::span<const std::string_view> kinds,
                       std::span<const Parameter> (*parameters_of)(std::string_view)) {
    const std::string kind(kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())]);
    Json json{{"kind", kind}};
    for (const Parameter& p : parameters_of(kind))
        if (*rc::gen::arbitrary<bool>()) json[std::string(p.key)] = any_value(p);
    return json;
}

inline Scene any_scene() {
    Scene s;
    int edits = 0;
    const auto edit = [&](std::string_view key, Json value) {
        const auto laid = overlay(s, {{std::string(key), std::move(value)}});
        if (!laid) return;
        s = laid->scene;
        ++edits;
    };
    edit("encoding",
         any_choice(encoding_kinds(), [](std::string_view kind) { return find_encoding(kind)->parameters; }));
    edit("content", any_choice(content_kinds(), content_parameters));
    edit("compare",
         {{"base", any_value(scene_parameter("base"))}, {"pair", any_value(scene_parameter("pair"))}});
    edit("trained", {{"length", any_value(scene_parameter("length"))}});
    for (const Parameter& p : scene_parameters()) edit(p.key, any_value(p));
    RC_ASSERT(edits > 8);  // most of them hold
    return s;
}

}  // namespace posiscope
