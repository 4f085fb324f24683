// zip.hpp — the members of a zip file that were stored as they are: NumPy's .npz and PyTorch's .pt keep arrays so.
// Bounds   65536 members, a directory of 16 MiB; every offset is within the file, or the file is refused.
// Source   PKWARE's APPNOTE 6.3, with its 64-bit fields.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace posiscope {

// Bytes `from` … `from + into.size() − 1` of a file, or false past its end.
using FetchBytes = std::function<bool(std::uint64_t from, std::span<char> into)>;

struct ZipMember {
    std::string name;
    std::uint64_t first = 0, size = 0;  // where its bytes are
    bool packed = false;                // they are compressed
};

Result<std::vector<ZipMember>> zip_members(std::uint64_t size, const FetchBytes& fetch);

// The bytes of a member as a file of their own.
FetchBytes bytes_of(const ZipMember& member, const FetchBytes& fetch);

}  // namespace posiscope
