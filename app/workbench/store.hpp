// store.hpp — what is found again at the next start: the session (a Scene) and the preferences.
// state/session.json and config/preferences.json, replaced whole or not at all. What cannot be read is set aside
// under a name of its own, "session-damaged-1.json", never overwritten; the program then starts as if new, and
// says so. Folders are the caller's; platform::user_folders() are the usual ones.
#pragma once

#include "app/workbench/preferences.hpp"
#include "core/scene/scene.hpp"

#include <filesystem>

namespace posiscope::workbench {

// What was read, or the default; and what there is to say about it.
template <class T>
struct Loaded {
    T value;
    std::optional<Problem> problem;
};

Loaded<Scene> load_session(const std::filesystem::path& state);
Result<void> save_session(const std::filesystem::path& state, const Scene& scene);

Loaded<Preferences> load_preferences(const std::filesystem::path& config);
Result<void> save_preferences(const std::filesystem::path& config, const Preferences& preferences);

// Text for those who mend a failure, under state or, without one, where files come and go: the file's path.
Result<std::filesystem::path> keep_log(const std::filesystem::path& state, const std::string& name,
                                       std::string_view text);

Json to_json(const Preferences& preferences);

// Reads what it can: a value of the wrong kind is the default, one out of bounds is brought into them.
Preferences preferences_from(const Json& json);

}  // namespace posiscope::workbench
