// script.hpp — what was done to a window, one event a line, so that a failing sequence is a file that can be replayed.
//   start {"base": 500}     a new window that shows this Scene; everything before it is forgotten
//   size 1280 800 1.5       pixels, and the monitor's pixels per point
//   language zh             of a new window
//   move 120.5 300          the mouse, in points
//   press 0, release 0      a button: 0 left, 1 right
//   wheel -3
//   key Ctrl+Z              pressed and let go
//   down \, up \            held
//   type 12                 characters
//   clip {"pair": 3}        put into the clipboard
//   drop examples/x.json    files, separated by tabulators, dropped on the window
//   frames 20               nothing happens
//   mark, undo 4            the Scene at the mark comes back within so many undos, and then what came after it
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace posiscope::monkey {

struct Event {
    enum class Kind {
        start,
        size,
        language,
        move,
        press,
        release,
        wheel,
        key,
        down,
        up,
        type,
        clip,
        drop,
        frames,
        mark,
        undo
    };
    Kind kind = Kind::frames;
    float x = 0.0F, y = 0.0F, z = 0.0F;
    int key = 0;  // ImGuiKeyChord, or the button
    std::string text = {};
};

std::string line_of(const Event& event);
// Throws std::runtime_error with the line that it does not understand.
std::vector<Event> read_script(std::istream& in);

}  // namespace posiscope::monkey
