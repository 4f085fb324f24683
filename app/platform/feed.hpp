// feed.hpp — writes to the standard input of another program while it runs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace posiscope::platform {

class Feed {
public:
    struct Ended {
        bool well = false;  // with exit code 0
        std::string said;   // the end of its standard error
    };

    Feed();
    Feed(Feed&& other) noexcept;
    Feed& operator=(Feed&&) = delete;
    ~Feed();  // kills it

    // Returns 0 or an errno. Ctrl C does not reach the program; this one ends it.
    int start(const std::vector<std::string>& command);
    int process() const;  // its number while it runs
    // False if the program no longer reads.
    bool write(const void* bytes, std::size_t count);
    // Closes its input and waits for it to end.
    Ended finish();

private:
    struct Running;
    std::unique_ptr<Running> running_;
};

}  // namespace posiscope::platform
