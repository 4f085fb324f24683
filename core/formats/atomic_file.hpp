// atomic_file.hpp — a file written under a temporary name beside its place, and then moved there: readers see the old file or the
// new one, whether FileWriter writes it or another program.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <filesystem>

namespace posiscope {

// Removes files that are being written when a signal ends the program.
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

class AtomicFile {
public:
    AtomicFile() = default;  // of no file
    // Creates the empty file. Links are followed, so that the file is replaced rather than the link; a file that is replaced
    // keeps its mode. Refuses a folder, a link to itself, and where nothing can be created: file.folder, file.create.
    static Result<AtomicFile> open(const std::filesystem::path& path);

    AtomicFile(AtomicFile&& other) noexcept { *this = std::move(other); }
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile() { abandon(); }  // without commit() it leaves no trace

    bool any() const { return !file_.empty(); }
    const std::filesystem::path& file() const { return file_; }  // to be written
    int take_descriptor();         // open for writing; whoever takes it closes it
    void written_by(int process);  // another program, ended before the file is removed
    Result<void> commit();         // moves the file into place

private:
    void abandon() noexcept;

    std::filesystem::path path_;    // as given
    std::filesystem::path target_;  // with links followed
    std::filesystem::path file_;    // the temporary one; empty: none, or no longer
    TempFileCleanup unfinished_;
    int descriptor_ = -1;
};

// One program at a time reads, changes and writes a file of a folder.
// While it lives, others wait for theirs of that folder; half a second at most, since a folder on another machine may know
// no locks and a program may hang.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    std::intptr_t lock_;
};

}  // namespace posiscope
