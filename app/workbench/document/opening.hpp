// opening.hpp — reads a file by its content: a scene, an image that contains one, the results of an experiment, a model's
// config.json, a dump that is measured, the table of a learned encoding, or a lesson.
#pragma once

#include "core/experiment/results.hpp"
#include "core/lessons/lesson.hpp"
#include "core/scene/scene.hpp"

#include <memory>

namespace posiscope::workbench {

struct Opened {
    std::string path;  // absolute
    Scene scene;
    std::vector<Problem> adjusted;  // values that moved into bounds, to be reported once
    std::vector<Problem> origin;    // notes on a model's settings
    std::shared_ptr<const experiment::Results>
        results{};  // that the file holds, or the image beside its scene
    std::shared_ptr<const lessons::Lesson> lesson =
        {};                        // a lecturer's own; `scene` is that of its first step
    std::string lesson_text = {};  // its file's
};

// A scene is laid over the default one, so that it shows what it showed where it was made; a config and a table over
// `present`. Refused in one sentence: a folder, what cannot be read, what is none of these, what is damaged.
Result<Opened> open_file(const std::string& path, const Scene& present);

// Two arrays that hold one table or a rotation, on the bench that measures them; nothing for others.
std::optional<Opened> open_both(const std::string& first, const std::string& second, const Scene& present);

}  // namespace posiscope::workbench
