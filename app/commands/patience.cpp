#include "app/commands/patience.hpp"

#include <string>
#include <system_error>

namespace posiscope::commands {

Patience::Patience(const Terminal& terminal, std::chrono::milliseconds first) {
    using namespace std::chrono;
    try {
        thread_ = std::thread([this, &terminal, first, began = steady_clock::now()] {
            std::unique_lock lock(mutex_);
            for (milliseconds next = first; !ended_.wait_until(lock, began + next, [this] { return over_; });
                 next *= 2)
                terminal.say({"command.slow", {{"seconds", std::to_string(next.count() / 1000)}}});
        });
    } catch (const std::system_error&) {  // the work is done without a word
    }
}

Patience::~Patience() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
}

}  // namespace posiscope::commands
