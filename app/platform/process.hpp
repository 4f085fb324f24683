// process.hpp — runs another program in the background, without a shell. The window continues and is woken when the
// program has written output or has ended.
#pragma once

#include "core/jobs/pool.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::platform {

std::string own_program();  // the path to start this program again
// Sets up this system before anything else: exceeding a file size limit is an error for the writer, which can clean up, and
// does not end the program; consoles get UTF-8. A standard stream that is closed is opened on nothing, or the next file would
// get its number and the text meant for the stream.
void begin_process();
// A copy that Children started ends, as by SIGTERM, when the one that started it is gone, however that ended.
void end_with_parent();
bool somebody_watches();            // standard error is a terminal
std::string standard_input_path();  // a file that a program reads its standard input from

class Process {
public:
    enum class Hear { nothing, output, errors };  // the stream to collect
    struct Ended {
        bool well = false;  // with exit code 0
        std::string said;
    };

    // `wake` is called from another thread.
    explicit Process(std::function<void()> wake);
    ~Process();  // ends it
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // 0, or the system's error number: ENOENT if there is no such program. `input` is its whole standard input.
    int start(const std::vector<std::string>& command, Hear hear, std::string_view input = {});
    bool running() const;
    void stop();  // asks it to end

    std::string said(std::size_t most) const;  // the last bytes so far
    std::optional<Ended> take();               // once, when it has ended

private:
    void listen();
    void finish();

    std::function<void()> wake_;
    struct Running;
    std::unique_ptr<Running> running_;  // none is at work
    mutable std::mutex saying_;
    std::string said_;
    bool well_ = false;
    std::atomic<bool> ended_ = false;
    jobs::Pool listener_{{.threads = 1}};
};

}  // namespace posiscope::platform
