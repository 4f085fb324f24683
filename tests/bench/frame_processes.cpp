#include "tests/bench/frame_processes.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;

namespace posiscope::bench {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> made;
    for (const std::string& word : words) made.push_back(const_cast<char*>(word.c_str()));
    return made;
}

}  // namespace

Ran run_program(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
    std::vector<char*> arguments = pointers(words), environment = pointers(variables);
    arguments.push_back(nullptr);
    for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {1, 2})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);

    Ran ran;
    pid_t child = 0;
    const Timer timer;
    if (posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data()) == 0) {
        int status = 0;
        rusage used{};
        ran.well = wait4(child, &status, 0, &used) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        const auto milliseconds = [](timeval t) {
            return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
        };
        ran.took.processor = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
        ran.mebibytes = static_cast<double>(used.ru_maxrss) / 1024.0;
    }
    ran.took.clock = timer.took().clock;
    posix_spawn_file_actions_destroy(&actions);
    return ran;
}

}  // namespace posiscope::bench
