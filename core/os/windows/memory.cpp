#include "core/quantities/quantities.hpp"

#include <limits>

#include <windows.h>

namespace posiscope {

std::uint64_t available_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (::GlobalMemoryStatusEx(&status) == 0)
        return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return status.ullAvailPhys;
}

}  // namespace posiscope
