// series.hpp — images of a Scene whose position, offset or step of the experiment advances by one: an animation, or numbered files.
#pragma once

#include "app/commands/options.hpp"
#include "app/workbench/share/picture.hpp"

namespace posiscope::commands {

struct Series {
    std::string over;  // "position", "offset" or "step"; empty: the position
    std::optional<std::int64_t> from, to;
    std::optional<double> fps;  // 30
    bool progress = false;      // report each image as a line of JSON

    void add_to(CLI::App& app, const Strings& strings);
    bool asked() const { return !over.empty() || from || to; }
    // Refused: a rate of pictures out of its range, or for an output that is not an animation.
    Result<void> checked(const std::string& output) const;

    Result<void> write(const std::string& output, const Scene& scene,
                       const workbench::Preferences& preferences, const workbench::PictureOptions& options,
                       double dpi, const Terminal& terminal) const;
};

// True if a path names an animation or a numbered series: "a.mp4", "a-%04d.png".
bool is_series(const std::string& output);
// "a-%04d.png" with a number in the place of the numbering.
std::string numbered(const std::string& output, std::int64_t number);

}  // namespace posiscope::commands
