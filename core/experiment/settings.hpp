// settings.hpp — everything an experiment depends on; with a seed and a set of instructions it determines every bit.
#pragma once

#include "core/experiment/tasks.hpp"
#include "core/parameter.hpp"

#include <string>
#include <vector>

namespace posiscope::experiment {

struct Settings {
    std::string task = "back";
    std::int64_t k = 3;         // how far back; only the task `back` reads it
    std::int64_t length = 32;   // n, of the training sequences
    std::int64_t tested = 128;  // T, of the test's
    std::int64_t layers = 2;
    std::int64_t heads = 4;
    bool causal = true;
    double base = 10000.0;
    std::int64_t steps = 500;
    double rate = 3e-3;
    std::int64_t seeds = 5;              // 1 … seeds
    std::vector<std::string> encodings;  // entries (frame.hpp)

    bool operator==(const Settings&) const = default;
};

// The keys with their bounds; `steps` has the task's own number where it is absent.
std::span<const Parameter> settings_parameters();

// Refuses what core's parameters refuse, a test shorter than the training, k that reaches past the sequence, an encoding
// that is unknown or cannot be trained, one that stands twice, more typed ones than kMostTyped, and formulas that have no value
// at some place of a training sequence or take too long.
Result<Settings> settings_from(const Json& json, std::string_view path = "experiment");
Json to_json(const Settings& settings);

// Settings worth a lecture, whose results are shipped.
struct Preset {
    std::string_view name;  // also the string tables': "experiment.preset.NAME.name"
    Settings settings;
};
std::span<const Preset> presets();
const Preset* find_preset(std::string_view name);

const Task& task_of(const Settings& settings);

}  // namespace posiscope::experiment
