// program.hpp — the built program, run by a shell in a folder of its own.
#pragma once

#include "core/formats/file.hpp"
#include "tests/folder.hpp"
#include "tests/places.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <vector>

namespace posiscope::test {

struct Ran {
    int code;
    std::string out, err;
};

class Program : public InFolder {
protected:
    // `arguments` are the shell's; the folder is its $D.
    Ran run(const std::string& arguments, const std::string& environment = "LC_ALL=C") const {
        const std::string command = "D='" + folder_.string() + "'; " + environment + " '" + kProgram + "' " +
                                    arguments + " >\"$D/out\" 2>\"$D/err\"";
        const int status = std::system(command.c_str());
        Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(folder_ / "out"),
                *read_file(folder_ / "err")};
        std::filesystem::remove(folder_ / "out");
        std::filesystem::remove(folder_ / "err");
        return ran;
    }
    void put(const char* name, std::string_view bytes) const {
        ASSERT_TRUE(write_file(folder_ / name, bytes));
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                      std::filesystem::directory_iterator()));
    }
};

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace posiscope::test
