// trace.hpp — the steps that the Trace figure shows; steps.cpp makes them.
#pragma once

#include "app/figures/figure.hpp"
#include "core/precision/trace.hpp"

namespace posiscope::figures {

// The Scene with the position, pair and offset of a number that is linked. A position with a distance is a query's.
Scene traced(const Scene& scene, const Link& link);

namespace traces {

// One step: "trace.step.NAME" and "trace.tip.NAME" in the string tables, and its number on each side.
struct Step {
    std::string_view name;
    double exact = 0.0, held = 0.0;
};

struct Steps {
    std::array<Step, 9> steps{};
    std::size_t count = 0;
    std::size_t answer = 0;                     // the step that is the number itself
    std::optional<Problem> problem{};           // why there are none
    std::optional<TraceSteps> exact{}, held{};  // of an encoding whose pairs rotate

    void add(std::string_view name, double of_exact, double of_held) {
        steps.at(count++) = {name, of_exact, of_held};
    }
};

// The steps of the Scene's pair and position, for encodings whose pairs rotate; of a number of a learned table there; or of
// the logit at the Scene's offset. Kept until one of these changes.
const Steps& steps_of(const Scene& scene, Derived& derived, Precision format);

// True if the sine of a pair is traced: unless the view says "cos".
bool shows_sine(const Scene& scene);
// The column of a table that has the pair's sine or cosine.
std::int64_t column_of(const Scene& scene, bool sine);

}  // namespace traces
}  // namespace posiscope::figures
