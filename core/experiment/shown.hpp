// shown.hpp — the Scene's `view.experiment`: the settings of an experiment and what of its results is shown. The results
// are no part of the Scene.
//   {"task": "back", …, "encodings": […]} as in settings.hpp, each absent key its default, and
//   "scalings"  ["linear", "ntk", "yarn"]  which changes at test time are drawn besides; default linear and yarn
//   "interpolated"  sinusoidal and learned tables read at p/s are drawn besides; default false
//   "step"      0 … steps: the models as they were then; absent or null: the finished ones
//   "learner"   the encoding whose heads are shown: a kind, "own", "own_2"; absent: RoPE, or the first
//   "layer", "head"  from 0; absent: those that look most steadily at one distance
#pragma once

#include "core/experiment/frame.hpp"
#include "core/experiment/settings.hpp"

namespace posiscope::experiment {

struct Shown {
    Settings settings;
    std::vector<Scaling> scalings;  // of RoPE
    bool interpolated = false;
    std::optional<std::int64_t> step;
    std::string learner;
    std::optional<std::int64_t> layer, head;

    bool draws(std::string_view encoding, Scaling scaling) const;
    bool is_on(Scaling scaling) const;  // of RoPE's
    bool operator==(const Shown&) const = default;
};

// Reads a Scene's `view`; refused as settings_from does, with the whole path of the key.
Result<Shown> shown_in(const Json& view);

// `view.experiment` with other settings: what is equal to the default is left out.
Json view_of(const Settings& settings);
// A partial Scene that shows results with these settings: the experiment's bench.
Json scene_of(const Settings& settings);

}  // namespace posiscope::experiment
