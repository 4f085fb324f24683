// attempt.hpp — something that may end the program, such as drawing what the last session left: a file says that it is under
// way, so that the next start knows of one that ended otherwise. An attempt that another process has under way counts for
// nothing.
#pragma once

#include <filesystem>

namespace posiscope::platform {

class Attempt {
public:
    // Without a file that can be written none is under way, and none failed.
    explicit Attempt(const std::filesystem::path& file);
    ~Attempt();  // does not end it: an error is no success
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    bool last_failed() const { return last_failed_; }
    void begin();
    bool under_way() const { return under_way_; }
    void succeed();

private:
    // Held for as long as this lives; it is empty unless an attempt is under way. A page has none.
    [[maybe_unused]] int file_ = -1;
    bool last_failed_ = false, under_way_ = false;
};

}  // namespace posiscope::platform
