// context.hpp — what a long context is about: which model, how far it was trained, what it is run with.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The scaling that a rope Scene's layer runs with, and where its settings stand; empty for other encodings.
struct Method {
    std::string_view name;
    std::string path;
};
Method method_of(const Scene& scene);

// The controls, from the top of `area`; returns their height.
float context(Panel& panel, Rect area, const Method& method);

}  // namespace posiscope::panels
