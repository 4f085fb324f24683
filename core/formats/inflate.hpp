// inflate.hpp — the bytes that were deflated, as NumPy's savez_compressed and gzip write them.
// Range    a stream of RFC 1951 that gives exactly `size` bytes; nothing for any other.   Cost  some 10 ns a byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace posiscope {

std::optional<std::string> inflated(std::string_view packed, std::uint64_t size);

}  // namespace posiscope
