// source.hpp — where the words of a Scene come from, and so what it may read.
// A Scene names a learned table by its path, and whoever wrote the Scene wrote the path. What a person types is theirs.
// A path in a scene file is read where it lies in that file's folder or below it, with links followed. Everything
// else (other places, and any place named by pasted text or by the last session) is read once a person says so.
// Reading is refused until it is allowed: with a check wherever scenes are accepted, a place without one would be open.
#pragma once

#include "core/scene/scene.hpp"

#include <array>
#include <filesystem>
#include <string>

namespace posiscope {

struct Source {
    std::filesystem::path folder;  // of the scene file; empty: text from anywhere
    bool trusted = false;          // a person typed it, or vouches for it

    static Source typed() { return {{}, true}; }
    static Source anywhere() { return {}; }
    // The source of a file; a pipe is no file and has no folder.
    static Source file(const std::filesystem::path& path);
};

// Allows what a partial Scene from there may read. A relative path that exists in the source's folder becomes that one;
// any other starts from the working directory. Refused (file.not_allowed) where it names something it may not read;
// what it may read is allowed even so.
Result<void> admit(Json& partial, const Source& source);

// Paths of files in the working directory become their names, as a link has them.
void name_from_here(Json& partial);

// The files that a Scene, its B and its training name and that are not allowed, each once. They live as long as the Scene.
class FilesToAsk {
public:
    void add(const std::string& path);
    bool empty() const { return count_ == 0; }
    const std::string* const* begin() const { return paths_.data(); }
    const std::string* const* end() const { return paths_.data() + count_; }

private:
    std::array<const std::string*, 39> paths_{};  // thirteen of each Scene
    std::size_t count_ = 0;
};
FilesToAsk files_to_ask_for(const Scene& scene);

}  // namespace posiscope
