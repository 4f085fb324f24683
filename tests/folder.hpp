// folder.hpp — a test with a temporary folder, removed at its end.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace posiscope::test {

class InFolder : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("posiscope-test-" + std::to_string(::getpid()));
};

}  // namespace posiscope::test
