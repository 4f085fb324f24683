// file_fixture.hpp — a folder in which files are written, and what is said of those that cannot be.
#pragma once

#include "core/formats/file.hpp"
#include "tests/folder.hpp"

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

namespace posiscope::test {

class File : public InFolder {
protected:
    std::filesystem::path at(const char* name) const { return folder_ / name; }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                      std::filesystem::directory_iterator()));
    }
    std::string refusal(const std::filesystem::path& path, std::string_view bytes = "new") const {
        const auto written = write_file(path, bytes);
        return written ? "written" : to_string(written.error());
    }
};

}  // namespace posiscope::test
