// unfinished.hpp — files that are being written, so that a signal which ends the program leaves none of them.
#pragma once

#include <filesystem>

namespace posiscope {

// While it lives, an interruption removes this file. Empty: nothing to remove.
class Unfinished {
public:
    Unfinished() = default;
    explicit Unfinished(const std::filesystem::path& path);
    Unfinished(Unfinished&& other) noexcept;
    Unfinished& operator=(Unfinished&& other) noexcept;
    ~Unfinished();

private:
    void forget() noexcept;

    int place_ = -1;
};

// From now on SIGINT, SIGTERM and SIGHUP remove what is unfinished before they end the program as always.
void remove_unfinished_when_interrupted();

}  // namespace posiscope
