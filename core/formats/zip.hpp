// zip.hpp — the members of a zip file, stored as they are, as NumPy's .npz and PyTorch's .pt keep arrays, or deflated.
// Bounds   65536 members, a directory of 16 MiB; every offset is within the file, or the file is refused.
// Source   PKWARE's APPNOTE 6.3, with its 64-bit fields.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

// Bytes `from` … `from + into.size() − 1` of a file, or false past its end.
using FetchBytes = std::function<bool(std::uint64_t from, std::span<char> into)>;

struct ZipMember {
    std::string name;
    std::uint64_t first = 0, size = 0;  // where its bytes are
    bool packed = false;                // they are compressed,
    bool deflated = false;              // by a method that is read
    std::uint64_t packed_size = 0;      // as they are in the file
};

Result<std::vector<ZipMember>> zip_members(std::uint64_t size, const FetchBytes& fetch);

// The bytes of a deflated member, at most kLargestInflated; refused where they are none.
inline constexpr std::uint64_t kLargestInflated = std::uint64_t{1} << 30;
Result<FetchBytes> inflated_bytes_of(const ZipMember& member, const FetchBytes& fetch);
// The bytes of a member as a file of their own.
FetchBytes bytes_of(const ZipMember& member, const FetchBytes& fetch);

// The bytes that were deflated, as NumPy's savez_compressed and gzip write them.
// Range    a stream of RFC 1951 that gives exactly `size` bytes; nothing for any other.   Cost  some 10 ns a byte.
std::optional<std::string> inflated(std::string_view packed, std::uint64_t size);

}  // namespace posiscope
