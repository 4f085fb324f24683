// scene.hpp — the Scene: a plain value that holds everything an image depends on.
// Scene ⇄ JSON is the one interface of the program: session, undo step, --set, lesson step and exported image all
// contain the same JSON. A partial Scene replaces whole top-level values.
#pragma once

#include "core/parameter.hpp"
#include "core/phase/pair_layout.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace posiscope {

inline constexpr std::int64_t kLastPosition = 2147483647;  // 2^31 − 1
inline constexpr std::int64_t kLargestWidth = 65536;
inline constexpr double kLargestBase = 1e18;
inline constexpr int kSceneVersion = 1;

// A kind from a registry and the parameters that this kind declares, all of them present.
struct Choice {
    std::string kind;
    Json parameters = empty_object();

    bool operator==(const Choice&) const;
};

struct Trained {
    std::optional<std::int64_t> length;
    Json scene = empty_object();  // partial

    bool operator==(const Trained&) const;
};

// A Scene is built from parts, each with everything that one kind of value depends on. A function that takes a part cannot
// read anything else, so a value cached by an equal part is correct. Comparing a Scene with a part copies nothing.

// Input of frequencies, those of the trained Scene included.
struct SpectrumInput {
    Choice encoding;
    double base = 10000.0;  // rope_theta; wavelengths run from 2π to about 2π·base
    std::int64_t d_model = 512;
    std::int64_t num_heads = 1;
    std::optional<std::int64_t> head_dim;  // absent: d_model / num_heads
    std::int64_t length = 128;             // n, positions 0 … n − 1
    Trained trained;

    bool operator==(const SpectrumInput&) const;
};

// Input of an encoding's action.
struct ActionInput : SpectrumInput {
    PairLayout layout = PairLayout::interleaved;

    bool operator==(const ActionInput&) const;
};

// Input of the scores of one query and one key.
struct ScoreInput : ActionInput {
    Choice content{"equal", empty_object()};

    bool operator==(const ScoreInput&) const;
};

// Input of attention.
struct AttentionInput : ScoreInput {
    bool causal = true;

    bool operator==(const AttentionInput&) const;
};

struct Scene : AttentionInput {
    Scene();

    std::int64_t position = 10;  // p
    std::int64_t offset = 3;     // k, may be negative; 0 ≤ p + k
    std::int64_t pair = 10;      // i
    std::int64_t shift = 0;      // t, added to both positions of a score
    Json compare;                // null, or a partial Scene B
    std::string bench = "overview";
    Json view = empty_object();  // what each figure shows: {"matrix": {"field": "phase", "rows": [0, 64]}}

    bool operator==(const Scene&) const;
};

// The single-valued keys, with their bounds; encoding, content, trained, compare and version are read apart.
std::span<const Parameter> scene_parameters();
const Parameter& scene_parameter(std::string_view key);

// A Scene with a partial one applied. A key in `partial` that is out of bounds is refused; values that depend on it
// are moved into bounds and listed in `adjusted`.
struct Overlaid {
    Scene scene;
    std::vector<Problem> adjusted;
};
Result<Overlaid> overlay(const Scene& scene, const Json& partial);

// The Scene B of a comparison, and the Scene that the weights were trained with: `compare` and `trained.scene` applied
// to this one. Values that then do not fit each other (heads, pair) are moved into bounds, not refused.
std::optional<Scene> compared_scene(const Scene& scene);
Scene trained_scene(const Scene& scene);
SpectrumInput trained_input(const SpectrumInput& scene);  // that part of the trained Scene

// {"a": {"b": v}} merged into the current value of a, for --set a.b=v; v is JSON, or else a string.
Result<Json> partial_from_setting(const Scene& scene, std::string_view setting);

Json to_json(const Scene& scene);

// Only the keys that differ from the default scene: short enough for a command line.
Json to_partial_json(const Scene& scene);

// Moves the dependent values (pair, offset, num_heads, inner scenes) of an edited Scene into bounds; returns one
// Problem for each that moved.
std::vector<Problem> settle(Scene& scene);

// The width a rotary encoding acts on in each head.
std::int64_t head_dim(const SpectrumInput& scene);

}  // namespace posiscope
