// store.hpp — files kept between starts: the session (a Scene), progress in lessons and the preferences.
// state/session.json, state/lessons.json, state/experiments/ and config/preferences.json, replaced atomically. A file that cannot be read is moved
// aside to a new name, "session-damaged-1.json", never overwritten; the program then starts with defaults
// and says so. Folders are the caller's; platform::user_folders() are the usual ones.
#pragma once

#include "app/workbench/document/preferences.hpp"
#include "core/experiment/results.hpp"
#include "core/scene/scene.hpp"

#include <filesystem>

namespace posiscope::workbench {

// The value read, or the default, with the Problem, if any.
template <class T>
struct Loaded {
    T value;
    std::optional<Problem> problem;
};

// Where there is none, the opening scene: so few clocks that each can be seen.
Scene opening_scene();
Loaded<Scene> load_session(const std::filesystem::path& state);
// The same where it ended the program before it was drawn: it is set aside, and the opening scene takes its place.
Loaded<Scene> set_session_aside(const std::filesystem::path& state);
Result<void> save_session(const std::filesystem::path& state, const Scene& scene);

// The progress in lessons; an empty object where there is none. A damaged file is set aside as a session is.
Loaded<Json> load_progress(const std::filesystem::path& state);
// Writes what differs from `before`, as this window knew it, over what is in the file by now: other windows write there too.
Result<void> save_progress(const std::filesystem::path& state, const Json& before, const Json& now);

// The runs that were trained here with settings of that name (experiment::name_of): state/experiments/NAME.json.
Loaded<std::optional<experiment::Results>> load_results(const std::filesystem::path& state,
                                                        const std::string& name);
// Runs that another window has kept there meanwhile stay, unless `results` has the same.
Result<void> save_results(const std::filesystem::path& state, const std::string& name,
                          const experiment::Results& results);

Loaded<Preferences> load_preferences(const std::filesystem::path& config);
// Saves preferences as progress is saved.
Result<void> save_preferences(const std::filesystem::path& config, const Preferences& before,
                              const Preferences& now);

// Writes text for debugging a failure to the state folder or, without one, a private folder; returns the path.
Result<std::filesystem::path> keep_log(const std::filesystem::path& state, const std::string& name,
                                       std::string_view text);

Json to_json(const Preferences& preferences);

// Reads what it can: a value of the wrong kind becomes the default, one out of bounds is clamped.
Preferences preferences_from(const Json& json);

}  // namespace posiscope::workbench
