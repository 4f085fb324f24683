// atomic_file.hpp — a file written under a temporary name beside its place, and then moved there: readers see the old file or the
// new one, whether FileWriter writes it or another program.
#pragma once

#include "core/formats/temp_file_cleanup.hpp"
#include "core/problem.hpp"

#include <filesystem>

namespace posiscope {

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

}  // namespace posiscope
