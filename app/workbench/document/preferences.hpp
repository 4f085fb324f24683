// preferences.hpp — settings that persist: the appearance, not the content (that is the Scene).
#pragma once

#include "app/panels/guide.hpp"

#include <map>
#include <string>
#include <vector>

namespace posiscope::workbench {

inline constexpr std::size_t kMostRecent = 8;     // files that were open
inline constexpr std::size_t kLongestPage = 512;  // bytes of an address

struct Preferences {
    std::string theme = "dark";  // dark, light, print
    std::string presenting_theme = "light";
    std::string language;  // en, zh; empty: the system's
    double scale = 1.0;    // of the interface, times the monitor's; 0.5 … 3
    int width = 1280, height = 800;
    int x = -1, y = -1;  // of the window; −1: placed by the system
    bool maximised = false;
    double speed = 1.0;  // of the timeline
    bool loop = true;
    bool smooth = true;     // hands move between positions while playing
    int picture_scale = 2;  // of saved pictures, 1 … 4
    bool drag_hint_seen = false;
    bool train_elsewhere = false;  // the experiment goes on while another bench is shown
    bool lessons_offered = true;   // false at the first start, until somebody answers or opens a lesson
    std::string page;  // the address of the last link that was opened; links that are copied begin with it
    std::map<std::string, std::vector<double>> splits;  // per bench, the positions of dividers, 0.1 … 0.9

    std::vector<panels::OwnLesson>
        lessons;                      // at most kMostRecent, of files that were open, the last one first
    std::vector<std::string> recent;  // at most kMostRecent paths of files that were open, the last one first

    bool operator==(const Preferences&) const = default;
};

}  // namespace posiscope::workbench
