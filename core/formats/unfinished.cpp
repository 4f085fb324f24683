#include "core/formats/unfinished.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace posiscope {
namespace {

// Fixed memory, since a signal handler may neither allocate nor wait. At most a few files are open at once; one that
// does not fit is not removed.
struct Place {
    std::atomic<bool> taken{false};
    std::atomic<bool> ready{false};
    std::atomic<::pid_t> writer{0};  // 0: this program
    std::array<char, PATH_MAX> path{};
};
std::array<Place, 16> places;

void remove_all() {
    for (Place& place : places) {
        if (!place.ready) continue;
        // Still a child of ours, or its number may be somebody else's by now.
        if (const ::pid_t writer = place.writer; writer > 0 && ::waitpid(writer, nullptr, WNOHANG) == 0) {
            ::kill(writer, SIGKILL);
            while (::waitpid(writer, nullptr, 0) < 0 && errno == EINTR) {}
        }
        ::unlink(place.path.data());
    }
}

std::terminate_handler usual_end = nullptr;

// Allocates nothing.
[[noreturn]] void without_memory() {
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            static constexpr char kSentence[] = "There is not enough memory. 内存不足。\n";
            [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
            remove_all();
            ::_exit(1);
        } catch (...) {  // a mistake of ours, whose name is said
        }
    }
    if (usual_end != nullptr) usual_end();
    std::abort();
}

void interrupted(int signal) {
    remove_all();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

Unfinished::Unfinished(const std::filesystem::path& path) {
    if (path.empty() || path.native().size() >= PATH_MAX) return;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].taken.exchange(true)) continue;
        std::memcpy(places[i].path.data(), path.c_str(), path.native().size() + 1);
        places[i].ready = true;
        place_ = static_cast<int>(i);
        return;
    }
}

Unfinished::Unfinished(Unfinished&& other) noexcept : place_(std::exchange(other.place_, -1)) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
    if (this != &other) {
        forget();
        place_ = std::exchange(other.place_, -1);
    }
    return *this;
}

Unfinished::~Unfinished() { forget(); }

void Unfinished::written_by(int process) {
    if (place_ >= 0) places[static_cast<std::size_t>(place_)].writer = process;
}

void Unfinished::forget() noexcept {
    if (place_ < 0) return;
    Place& place = places[static_cast<std::size_t>(std::exchange(place_, -1))];
    place.ready = false;
    place.writer = 0;
    place.taken = false;
}

void remove_unfinished_when_interrupted() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        if (std::signal(signal, interrupted) == SIG_IGN) std::signal(signal, SIG_IGN);  // respects nohup
}

void end_plainly_without_memory() { usual_end = std::set_terminate(without_memory); }

}  // namespace posiscope
