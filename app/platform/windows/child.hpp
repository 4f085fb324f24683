// child.hpp — a program that this one starts: it has only the streams that it is given, no console that would flash, and it
// ends with this one, however that ends.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::platform {

struct CloseHandle {
    void operator()(void* handle) const;
};
using Handle = std::unique_ptr<void, CloseHandle>;

std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
// Quotes words so that the C library of the other program takes them apart again.
std::wstring command_line(const std::vector<std::string>& words);

struct Streams {
    void *input = nullptr, *output = nullptr, *errors = nullptr;  // null: none
    bool share_console = false;  // it may write to this one's console, and hears its Ctrl C
};

struct Child {
    Handle process, job;
    int number = 0;

    // 0, or an errno: ENOENT if there is no such program. A name without a folder is looked for where the system does.
    int start(const std::vector<std::string>& command, const Streams& streams);
    bool well() const;  // it has ended, with exit code 0
};

struct Ends {
    Handle reading, writing;
};
bool make_pipe(Ends& ends);
// A file without a name, which is gone when it is closed.
Handle nameless_file();

}  // namespace posiscope::platform
