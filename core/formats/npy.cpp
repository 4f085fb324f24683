// npy.cpp — NumPy's array file.
// "\x93NUMPY", version 1.0 (or 2.0 if the header needs more than 65535 bytes), the header's length, the header
// as a Python dictionary padded so that the data begins at a multiple of 64, the data.
// Source   numpy.lib.format, "Format Version 1.0" and "2.0"
#include "core/formats/arrays.hpp"

#include <bit>
#include <fmt/format.h>

namespace posiscope {
namespace {

static_assert(std::endian::native == std::endian::little, "the data is written as it lies in memory");

// (), (3,), (3, 4)
std::string tuple(const std::vector<std::int64_t>& sizes) {
    return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

std::string descriptor(std::span<const Array> arrays) {
    if (arrays.size() == 1) return "'<f8'";
    std::string fields;
    for (const Array& array : arrays) {
        const std::string shape = array.shape.sizes.empty() ? "" : ", " + tuple(array.shape.sizes);
        fields += fmt::format("{}('{}', '<f8'{})", fields.empty() ? "" : ", ", array.shape.name, shape);
    }
    return "[" + fields + "]";
}

}  // namespace

Result<void> write_npy(std::span<const Array> arrays, const Sink& sink) {
    constexpr std::uint64_t record_limit = (std::uint64_t{1} << 31) - 1;
    std::uint64_t bytes = 0;
    for (const Array& array : arrays) bytes += array.values.size() * sizeof(double);
    if (arrays.size() > 1 && bytes > record_limit)
        return failure("npy.record", {{"bytes", std::to_string(bytes)},
                                      {"limit", std::to_string(record_limit)},
                                      {"array", std::string(arrays.front().shape.name)}});

    std::string header =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", descriptor(arrays),
                    arrays.size() == 1 ? tuple(arrays.front().shape.sizes) : "()");
    const bool long_header = header.size() + 64 > 65535;
    const std::size_t before = long_header ? 12 : 10;
    header.append(63 - (before + header.size()) % 64, ' ');
    header += '\n';
    std::string head = "\x93NUMPY";
    head += static_cast<char>(long_header ? 2 : 1);
    head += '\0';
    for (std::size_t byte = 0; byte < before - 8; ++byte)
        head += static_cast<char>((header.size() >> (8 * byte)) & 0xffU);
    sink(head + header);
    for (const Array& array : arrays)
        sink({reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(double)});
    return {};
}

}  // namespace posiscope
