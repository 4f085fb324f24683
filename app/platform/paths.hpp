// paths.hpp — where this system keeps a person's files.
#pragma once

#include "core/problem.hpp"

#include <filesystem>
#include <string>

namespace posiscope::platform {

struct Folders {
    std::filesystem::path state;   // $XDG_STATE_HOME/posiscope, else ~/.local/state/posiscope
    std::filesystem::path config;  // $XDG_CONFIG_HOME/posiscope, else ~/.config/posiscope
};

// From the environment; empty paths where it names neither.
Folders user_folders();

// The person's own folder for pictures, if there is one; else where the program was started.
std::filesystem::path picture_folder();

// A new folder for what other programs of this user are handed: nobody else can enter it, or have put anything there. The
// caller removes it.
Result<std::filesystem::path> private_folder();

// "~/table.npy", as people type it.
std::string from_home(const std::string& path);

}  // namespace posiscope::platform
