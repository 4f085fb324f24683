#include "core/formats/atomic_file.hpp"

#include "core/os/files.hpp"
#include "core/os/processes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

namespace posiscope {
namespace {

// Fixed memory, since a signal handler may neither allocate nor wait. At most a few files are open at once; one that
// does not fit is not removed.
constexpr std::size_t kLongestPath = 4096;
struct Place {
    std::atomic<bool> taken{false};
    std::atomic<bool> ready{false};
    std::atomic<int> writer{0};  // 0: this program
    std::array<std::filesystem::path::value_type, kLongestPath> path{};
};
std::array<Place, 16> places;

void remove_all() {
    for (Place& place : places) {
        if (!place.ready) continue;
        if (const int writer = place.writer; writer > 0) os::end_child(writer);
        os::remove(place.path.data());
    }
}

std::terminate_handler usual_end = nullptr;

// Allocates nothing.
[[noreturn]] void without_memory() {
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            os::say_error("There is not enough memory. 内存不足。\n");
            remove_all();
            os::end_now(1);
        } catch (...) {  // a mistake of ours, whose name is said
        }
    }
    if (usual_end != nullptr) usual_end();
    std::abort();
}

}  // namespace

TempFileCleanup::TempFileCleanup(const std::filesystem::path& path) {
    if (path.empty() || path.native().size() >= kLongestPath) return;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].taken.exchange(true)) continue;
        std::copy_n(path.c_str(), path.native().size() + 1, places[i].path.begin());
        places[i].ready = true;
        place_ = static_cast<int>(i);
        return;
    }
}

TempFileCleanup::TempFileCleanup(TempFileCleanup&& other) noexcept
    : place_(std::exchange(other.place_, -1)) {}

TempFileCleanup& TempFileCleanup::operator=(TempFileCleanup&& other) noexcept {
    if (this != &other) {
        forget();
        place_ = std::exchange(other.place_, -1);
    }
    return *this;
}

TempFileCleanup::~TempFileCleanup() { forget(); }

void TempFileCleanup::written_by(int process) {
    if (place_ >= 0) places[static_cast<std::size_t>(place_)].writer = process;
}

void TempFileCleanup::forget() noexcept {
    if (place_ < 0) return;
    Place& place = places[static_cast<std::size_t>(std::exchange(place_, -1))];
    place.ready = false;
    place.writer = 0;
    place.taken = false;
}

void remove_unfinished_when_interrupted() { os::when_interrupted(remove_all); }

void end_plainly_without_memory() { usual_end = std::set_terminate(without_memory); }

}  // namespace posiscope
