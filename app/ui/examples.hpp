// examples.hpp — scenes worth seeing, as assets/examples.json has them: whole ones, so that nothing of the last is left.
#pragma once

#include "app/ui/strings.hpp"
#include "core/claims/claims.hpp"

namespace posiscope::ui {

struct Example {
    std::string id;
    Words name, help;
    Scene scene;
};

// In their order, bench by bench; read the first time they are asked for.
const std::vector<Example>& known_examples();
const Example* find_example(std::string_view id);  // null when unknown

}  // namespace posiscope::ui
