#include "app/commands/still_computing.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <system_error>

namespace posiscope::commands {
namespace {

constexpr std::chrono::milliseconds kFirstLook{200};  // by then it has been announced
constexpr double kUnits = 1e9;                        // of work in a second (core/cost.hpp)
constexpr double kLong = 5.0 * kUnits;

}  // namespace

StillComputing::StillComputing(const Terminal& terminal, std::chrono::milliseconds first) {
    using namespace std::chrono;
    try {
        thread_ = std::thread([this, &terminal, first, began = steady_clock::now()] {
            std::unique_lock lock(mutex_);
            const auto ends_by = [&](milliseconds after) {
                return ended_.wait_until(lock, began + after, [this] { return over_; });
            };
            if (ends_by(std::min(kFirstLook, first))) return;
            if (const double units = progress_.announced(); units >= kLong)
                terminal.say({"command.long", {{"seconds", std::to_string(std::llround(units / kUnits))}}});
            for (milliseconds next = first; !ends_by(next); next *= 2) {
                const double share =
                    progress_.spent() / progress_.announced();  // NaN where nothing is announced
                const std::string seconds = std::to_string(next.count() / 1000);
                if (share < 1.0)
                    terminal.say({"command.part_done",
                                  {{"seconds", seconds}, {"percent", fmt::format("{:.2g}", 100.0 * share)}}});
                else terminal.say({"command.slow", {{"seconds", seconds}}});
            }
        });
    } catch (const std::system_error&) {  // the work is done without a word
    }
}

StillComputing::~StillComputing() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
}

}  // namespace posiscope::commands
