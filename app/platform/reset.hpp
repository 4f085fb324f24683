// reset.hpp — whether the driver has lost the OpenGL context: a card that hung, was taken away or slept too long. What
// was drawn with is gone then, and the program ends in order; drivers without this question are never asked.
#pragma once

#include "core/problem.hpp"

#include <optional>

namespace posiscope::platform {

class ResetWatch {
public:
    using Function = void (*)();

    ResetWatch() = default;
    // `find` gives a GL function by its name, or null. The context must be current.
    explicit ResetWatch(Function (*find)(const char* name));

    // gl.lost, once the context is. Cheap enough for every frame.
    std::optional<Problem> lost() const;

private:
    using Status = unsigned (*)();
    Status status_ = nullptr;
};

}  // namespace posiscope::platform
