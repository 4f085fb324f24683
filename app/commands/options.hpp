// options.hpp — the options of every command, --preset, --model, -s SCENE, --set key=value, --allow-files, --quiet, --lang, and the
// Scene they give.
#pragma once

#include "app/ui/strings.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/models.hpp"
#include "core/scene/scene.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Only what parses includes CLI11: each source that does compiles for 4 s longer.
namespace CLI {
class App;
}

namespace posiscope::commands {

// An option of a command; `type` is the word for its value in the help. Defined for std::string, int, double, the optional
// of std::int64_t and double, and vectors of std::string (several words) and double (separated by commas).
template <class T>
void add_option(CLI::App& app, const char* names, T& value, std::string_view help, const char* type);
void add_flag(CLI::App& app, const char* names, bool& value, std::string_view help);
// An option that may be repeated, with one value each time.
void add_list(CLI::App& app, const char* name, const char* type, std::vector<std::string>& values,
              std::string_view help);

// How the program ends.
enum class Exit {
    done = 0,
    failed = 1,
    usage = 2,
    no_display = 3,
    unread = 3,
    slip = 4,
    noise = 5,
    interrupted = 130
};

// The output for sentences while a command runs.
struct Terminal {
    const Strings& strings;
    Exit* exit = nullptr;  // done, unless a command found a slip or was interrupted
    bool quiet = false;    // --quiet: errors alone are said

    void say(const Problem& problem) const;        // one line on standard error: a note, not a failure
    void say_error(const Problem& problem) const;  // the same where it is quiet, too
};

// How to treat a file that a scene names and may not read by itself (core/scene/source.hpp).
enum class Unread { refused, asked_for, allowed };

struct SharedOptions {
    std::string preset;                 // --preset, an example: the whole scene to start from
    std::string model;                  // --model, applied to it
    std::string part;                   // --part, of its config
    std::vector<std::string> scenes;    // -s, applied in this order
    std::vector<std::string> settings;  // --set, applied last
    bool allow_files = false;           // --allow-files: read the files that scenes name, wherever they are
    bool quiet = false;                 // --quiet
    std::string language;               // --lang

    void add_to(CLI::App& app, const Strings& strings);

    // `scene` with the options applied; reports adjusted values and a model's notes on the terminal.
    Result<Scene> scene(const Terminal& terminal, Scene scene = {}) const {
        return this->scene(terminal, std::move(scene), unread());
    }
    Result<Scene> scene(const Terminal& terminal, Scene scene, Unread unread) const;

    Result<Part> model_part() const;
    Unread unread() const { return allow_files ? Unread::allowed : Unread::refused; }
};

// A model by name, or from a config.json; its notes without the remarks on its settings.
Result<ModelScene> read_model(const std::string& name_or_path, Part part = Part::language);
// The same, where a config need not be compared with every known model to find its name.
Result<ModelScene> read_settings(const std::string& name_or_path);

// The findings on a Scene's settings, and settings without effect, as notes.
void say_remarks(const Scene& scene, const Terminal& terminal);

// `scene` with the Scene of a file applied; the file may be an image that contains one.
Result<Overlaid> read_scene(const Scene& scene, const std::string& path, Unread unread);

// Before parsing: the language of --lang, else of the environment.
Language language_of_arguments(int argc, const char* const* argv);

}  // namespace posiscope::commands
