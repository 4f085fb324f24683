// npy_header.hpp — the header of a NumPy array file: type, order, shape, and
// where the numbers begin. Source   numpy.lib.format, versions 1.0 to 3.0.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

inline constexpr std::size_t kLargestNpyHeader = std::size_t{1} << 16;  // NumPy's own is some 128 bytes

struct NpyHeader {
    std::string descr;  // "<f4"; empty: not a plain type
    std::string other;  // the file's spelling of any other type
    std::optional<bool> fortran;
    std::optional<std::vector<std::int64_t>> shape;
    std::size_t data = 0;  // where the numbers begin
};

// The header at the beginning of `bytes`, all of which must be there.
Result<NpyHeader> read_npy_header(std::string_view bytes);

}  // namespace posiscope
