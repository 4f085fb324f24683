// reset.hpp — detects a lost OpenGL context: a card that hung, was removed or was suspended too long. All GL objects are
// gone then, and the program ends in order. Does nothing on drivers without the extension.
// Creating the objects again would be a second path into everything that OpenGL holds; the session is saved instead.
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

    // gl.lost, if the context is lost. Cheap enough for every frame.
    std::optional<Problem> lost() const;

private:
    using Status = unsigned (*)();
    Status status_ = nullptr;
};

}  // namespace posiscope::platform
