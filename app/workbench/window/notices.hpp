// notices.hpp — messages at the foot of the window, one after another, each for some seconds: done, refused, or a dependent value
// moved.
#pragma once

#include "app/ui/strings.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::workbench {

enum class Tone { note, good, bad };

class Notices {
public:
    explicit Notices(const Strings& strings) : strings_(&strings) {}

    const Strings& strings() const { return *strings_; }
    void say(std::string text, Tone tone = Tone::note);
    void say(const Problem& problem, Tone tone = Tone::bad);
    void say_saved(std::string_view path);
    // The file has been read and is good: its mistakes are no longer shown.
    void forgive(std::string_view path);

    // Switches the language. Only Problems can be translated; other messages disappear.
    void follow(const Strings& strings);
    void pass(float seconds);

    struct Notice {
        std::string text;
        Tone tone;
        float seconds_left;
        std::optional<Problem> problem = {};  // to say it in another language
    };
    std::span<const Notice> shown() const { return notices_; }  // the first is seen, the others wait
    bool empty() const { return notices_.empty(); }
    std::vector<std::string> said() const;
    // How often anything was said: one that is said again while it is shown is heard again.
    std::size_t times_said() const { return times_said_; }

private:
    void add(Notice notice);

    const Strings* strings_;
    std::vector<Notice> notices_;
    std::size_t times_said_ = 0;
};

}  // namespace posiscope::workbench
