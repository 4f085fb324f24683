// temp_file_cleanup.hpp — removes files that are being written when a signal ends the program.
#pragma once

#include <filesystem>

namespace posiscope {

// While this object lives, an interruption removes the file. Default-constructed: no file. At most 16 at a time; further
// ones are not removed.
class TempFileCleanup {
public:
    TempFileCleanup() = default;
    explicit TempFileCleanup(const std::filesystem::path& path);
    TempFileCleanup(TempFileCleanup&& other) noexcept;
    TempFileCleanup& operator=(TempFileCleanup&& other) noexcept;
    ~TempFileCleanup();
    // Another program writes the file: an interruption ends it first, or it would write on.
    void written_by(int process);

private:
    void forget() noexcept;

    int place_ = -1;
};

// Installs handlers: SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE remove unfinished files, then end the program as usual.
void remove_unfinished_when_interrupted();

// Memory that is missing where nobody catches it (before main, on a thread, in a destructor) ends the program with a sentence
// and exit code 1, without unfinished files.
void end_plainly_without_memory();

}  // namespace posiscope
