// options.hpp — what every command takes: --model, -s SCENE, --set key=value, --lang; and the Scene that they make.
#pragma once

#include "app/ui/strings.hpp"
#include "core/models/models.hpp"
#include "core/scene/scene.hpp"

#include <CLI/CLI.hpp>

namespace posiscope::commands {

// Where sentences go while a command runs.
struct Terminal {
    const Strings& strings;

    void say(const Problem& problem) const;  // a line on standard error: a note, not a failure
};

struct SharedOptions {
    std::string model;                  // --model, laid first
    std::vector<std::string> scenes;    // -s, laid over one another in this order
    std::vector<std::string> settings;  // --set, laid over that
    std::string language;               // --lang

    void add_to(CLI::App& app, const Strings& strings);

    // The Scene they make over `scene`; adjusted values and a model's notes are said on the terminal.
    Result<Scene> scene(const Terminal& terminal, Scene scene = {}) const;
};

// A model by its name in that list, or from a config.json; its notes without the remarks on its settings.
Result<ModelScene> read_model(const std::string& name_or_path);

// What there is to object to in a Scene's settings, and what they do not do, as notes.
void say_remarks(const Scene& scene, const Terminal& terminal);

// The Scene of a file, which may be a picture that carries one, laid over `scene`.
Result<Overlaid> read_scene(const Scene& scene, const std::string& path);

// Before anything is parsed: the language that --lang asks for, else the environment's.
Language language_of_arguments(int argc, const char* const* argv);

}  // namespace posiscope::commands
