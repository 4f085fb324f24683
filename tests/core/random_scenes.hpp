// random_scenes.hpp — scenes as strange as they can be, from a seed: every run and every machine has the same ones. Values
// are those at which programs break (bounds, what lies beside them) and those that people use; lists and dictionaries are
// what models' configs hold.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <random>

namespace posiscope {

class RandomScenes {
public:
    explicit RandomScenes(std::uint64_t seed) : engine_(seed) {}

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
    bool once_in(std::size_t count) { return below(count) == 0; }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    template <class List>
    const auto& one_of(const List& list) {
        return list[below(std::size(list))];
    }

    // Laid over a few of the Scene's values at a time, so that what one forbids does not forbid the rest.
    Scene next() {
        Scene scene;
        static constexpr std::string_view small[] = {"d_model", "num_heads", "length"};
        for (const std::string_view key : small) lay(scene, key, value_of(scene_parameter(key)));
        lay(scene, "encoding",
            choice(encoding_kinds(), [](std::string_view kind) { return find_encoding(kind)->parameters; }));
        lay(scene, "content", choice(content_kinds(), content_parameters));
        for (const Parameter& p : scene_parameters())
            if (p.key != "bench" && p.key != "view" && once_in(2)) lay(scene, p.key, value_of(p));
        if (once_in(2)) lay(scene, "trained", trained());
        if (once_in(3)) lay(scene, "compare", inner());
        return scene;
    }

    // Another Scene that differs in one value, and its key; the same one where what was tried is refused.
    std::pair<Scene, std::string> with_one_changed(const Scene& scene) {
        Scene other = scene;
        const auto parameters = encoding_of(scene).parameters;
        const std::size_t which = below(scene_parameters().size() + 4);
        if (which < scene_parameters().size()) {
            const Parameter& p = scene_parameters()[which];
            if (p.key == "bench" || p.key == "view") return {other, "nothing"};
            lay(other, p.key, value_of(p));
            return {other, std::string(p.key)};
        }
        if (which == scene_parameters().size() && !parameters.empty()) {
            const Parameter& p = one_of(parameters);
            Json encoding = scene.encoding.parameters;
            encoding["kind"] = scene.encoding.kind;
            encoding[std::string(p.key)] = value_of(p);
            lay(other, "encoding", encoding);
            return {other, "encoding." + std::string(p.key)};
        }
        if (which == scene_parameters().size() + 1) {
            lay(other, "content", choice(content_kinds(), content_parameters));
            return {other, "content"};
        }
        if (which == scene_parameters().size() + 2) {
            Json now{{"length", value_of(scene_parameter("length"))}, {"scene", scene.trained.scene}};
            lay(other, "trained", now);
            return {other, "trained.length"};
        }
        lay(other, "trained", trained());
        return {other, "trained"};
    }

    Json value_of(const Parameter& p) {
        using Kind = Parameter::Kind;
        switch (p.kind) {
            case Kind::integer: return integer(p);
            case Kind::number: return number(p);
            case Kind::boolean: return once_in(2);
            case Kind::choice: return std::string(one_of(p.choices));
            default: return structured(p);
        }
    }

private:
    static void lay(Scene& scene, std::string_view key, Json value) {
        if (auto laid = overlay(scene, {{std::string(key), std::move(value)}}))
            scene = std::move(laid->scene);
    }

    std::int64_t integer(const Parameter& p) {
        const auto least = static_cast<std::int64_t>(p.minimum), most = static_cast<std::int64_t>(p.maximum);
        if (p.fallback.is_null() && once_in(3)) return least;
        switch (below(8)) {
            case 0: return least;
            case 1: return most;
            case 2: return std::min(least + 1, most);
            case 3: return std::max(most - 1, least);
            default: break;
        }
        // Small numbers are what people use: spread over orders of magnitude, half of them powers of two.
        const double reach = std::log2(static_cast<double>(most - least) + 1.0);
        auto step = static_cast<std::int64_t>(std::exp2(unit() * unit() * reach));
        if (once_in(2)) step = std::int64_t{1} << static_cast<int>(std::log2(static_cast<double>(step)));
        const std::int64_t from = least < 0 ? (once_in(2) ? 0 : -2 * step) : least <= 1 ? 0 : least;
        return std::clamp(from + step, least, most);
    }

    double number(const Parameter& p) {
        switch (below(6)) {
            case 0: return p.above_minimum ? std::nextafter(p.minimum, p.maximum) : p.minimum;
            case 1: return p.maximum;
            case 2: return p.minimum + (p.maximum - p.minimum) * unit();
            default: break;
        }
        const double least = std::max(p.minimum, 1e-6 * std::max(1.0, p.minimum));
        const double value = least * std::pow(p.maximum / least, unit());
        return std::clamp(value, least, p.maximum);
    }

    Json structured(const Parameter& p) {
        if (p.key == "rope_scaling" || p.key == "rope_parameters")
            return one_of(std::vector<Json>{
                nullptr,
                {{"rope_type", "linear"}, {"factor", 4.0}},
                {{"rope_type", "dynamic"}, {"factor", 2.0}},
                {{"rope_type", "ntk"}, {"alpha", 8.0}},
                {{"rope_type", "yarn"}, {"factor", 16.0}, {"original_max_position_embeddings", 4096}},
                {{"rope_type", "llama3"},
                 {"factor", 8.0},
                 {"low_freq_factor", 1.0},
                 {"high_freq_factor", 4.0},
                 {"original_max_position_embeddings", 8192}},
                {{"rope_type", "proportional"}, {"partial_rotary_factor", 0.25}},
                {{"full_attention", {{"rope_type", "linear"}, {"factor", 8.0}, {"rope_theta", 1e6}}},
                 {"sliding_attention", {{"rope_theta", 1e4}}}},
            });
        if (p.key == "mrope_section")
            return one_of(std::vector<Json>{nullptr, {16, 24, 24}, {1, 1, 2}, {8, 12, 12}});
        if (p.key == "grid")
            return one_of(std::vector<Json>{nullptr, {1, 4, 4}, {2147483647, 1, 1}, {3, 5, 7}});
        if (p.key == "no_rope_layers") return one_of(std::vector<Json>{nullptr, {1, 0, 1, 1}, {0}});
        if (p.key == "layer_types")
            return one_of(std::vector<Json>{nullptr, {"full_attention", "sliding_attention"}});
        if (p.key == "text")
            return one_of(
                std::vector<Json>{{"a"}, {"the", "dog", "bites", "the", "man"}, {"狗", "咬", "人"}});
        if (p.key == "query" || p.key == "key")
            return one_of(std::vector<Json>{{1.0}, {0.0}, {1.0, -2.0, 0.5}, {1e6, -1e6}});
        return p.fallback;
    }

    Json choice(std::span<const std::string_view> kinds,
                std::span<const Parameter> (*parameters_of)(std::string_view)) {
        const std::string kind(one_of(kinds));
        Json json{{"kind", kind}};
        for (const Parameter& p : parameters_of(kind))
            if (once_in(3)) json[std::string(p.key)] = value_of(p);
        return json;
    }

    // A few values of a Scene inside a Scene.
    Json inner() {
        Json partial = Json::object();
        static constexpr std::string_view keys[] = {"base", "layout", "length", "causal"};
        for (const std::string_view key : keys)
            if (once_in(3)) partial[std::string(key)] = value_of(scene_parameter(key));
        if (once_in(3)) partial["encoding"] = std::string(one_of(encoding_kinds()));
        return partial;
    }

    Json trained() {
        Json made = Json::object();
        if (!once_in(3)) made["length"] = value_of(scene_parameter("length"));
        if (once_in(2)) made["scene"] = inner();
        return made;
    }

    std::mt19937_64 engine_;
};

}  // namespace posiscope
