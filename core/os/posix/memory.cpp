#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>

namespace posiscope {
namespace {

constexpr std::uint64_t kUnknown = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// Linux: "MemAvailable:   12345 kB"
std::uint64_t system_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string name, unit; file >> name;) {
        std::uint64_t kilobytes = 0;
        if (name == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
        std::getline(file, unit);
    }
    return kUnknown;
}

std::uint64_t number_in(const char* path) {
    std::uint64_t number = 0;
    std::ifstream file(path);
    return file >> number ? number : kUnknown;  // "max" is not a number
}

// A container's limit minus its usage.
std::uint64_t group_memory() {
    const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
    return limit == kUnknown || used == kUnknown ? kUnknown : limit - std::min(limit, used);
}

std::uint64_t own_limit() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : kUnknown;
}

// Half of what pointers of 32 bits reach in a browser.
std::uint64_t reachable() { return sizeof(void*) < 8 ? std::uint64_t{1} << 30U : kUnknown; }

}  // namespace

std::uint64_t available_memory() {
    return std::min({system_memory(), group_memory(), own_limit(), reachable()});
}

}  // namespace posiscope
