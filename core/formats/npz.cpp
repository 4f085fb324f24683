// npz.cpp — NumPy's archive: a zip file whose members are .npy files, stored as they are.
// Each member tells its sizes in 64 bits, as NumPy writes them, so that no array is too large.
// Source   PKWARE's APPNOTE 6.3, 4.3 and 4.5.3; numpy.savez
#include "core/formats/arrays.hpp"

#include <array>
#include <cstring>

namespace posiscope {
namespace {

// The CRC-32 of zip files, eight bytes at a time: table k has the checksum of a byte that k zero bytes follow.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr Tables kTables = [] {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t sum = byte;
        for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (sum % 2 == 1 ? 0xedb88320U : 0U);
        tables[0][byte] = sum;
    }
    for (std::size_t k = 1; k < tables.size(); ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xffU];
    return tables;
}();

std::uint32_t checksum(std::uint32_t sum, std::string_view bytes) {
    sum = ~sum;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, bytes.data(), 8);
        eight ^= sum;
        sum = 0;
        for (std::size_t k = 0; k < 8; ++k) sum ^= kTables[7 - k][(eight >> (8 * k)) & 0xffU];
    }
    for (const char c : bytes) sum = (sum >> 8) ^ kTables[0][(sum ^ static_cast<unsigned char>(c)) & 0xffU];
    return ~sum;
}

std::string little(std::uint64_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i, value >>= 8) bytes += static_cast<char>(value & 0xffU);
    return bytes;
}

constexpr std::uint64_t kIn64Bits = 0xffffffff;  // the field is in the extra one
constexpr int kVersion = 45;
constexpr std::uint64_t kDate = 0x21;  // 1 January 1980: the same arrays give the same bytes

}  // namespace

void write_npz(std::span<const Array> arrays, std::string_view scene, const Sink& sink) {
    std::uint64_t written = 0;
    const auto pass = [&](std::string_view bytes) {
        written += bytes.size();
        sink(bytes);
    };
    std::string directory;
    for (const Array& array : arrays) {
        std::uint32_t sum = 0;
        std::uint64_t size = 0;
        const auto each = [&](const Sink& take) { (void)write_npy(std::span(&array, 1), take); };
        each([&](std::string_view bytes) {
            sum = checksum(sum, bytes);
            size += bytes.size();
        });
        const std::string name = std::string(array.shape.name) + ".npy";
        // The data begins at a multiple of 64 of the file, so that it can be read where it is.
        const std::uint64_t before = written + 30 + name.size() + 20 + 4;
        const std::string aligned = little(0xd935, 2) + little(63 - (before + 63) % 64, 2) +
                                    std::string(static_cast<std::size_t>(63 - (before + 63) % 64), '\0');
        // The version, no flags, stored, its date, its checksum, sizes in the extra field.
        const std::string common = little(kVersion, 2) + little(0, 4) + little(0, 2) + little(kDate, 2) +
                                   little(sum, 4) + little(kIn64Bits, 4) + little(kIn64Bits, 4) +
                                   little(name.size(), 2);
        const std::string sizes = little(size, 8) + little(size, 8);
        directory += "PK\x01\x02" + little(kVersion, 2) + common + little(28, 2) + little(0, 10) +
                     little(kIn64Bits, 4) + name + little(1, 2) + little(24, 2) + sizes + little(written, 8);
        pass("PK\x03\x04" + common + little(20 + aligned.size(), 2) + name + little(1, 2) + little(16, 2) +
             sizes + aligned);
        each(pass);
    }
    const std::uint64_t first = written, count = arrays.size();
    pass(directory);
    pass("PK\x06\x06" + little(44, 8) + little(kVersion, 2) + little(kVersion, 2) + little(0, 8) +
         little(count, 8) + little(count, 8) + little(directory.size(), 8) + little(first, 8));
    pass("PK\x06\x07" + little(0, 4) + little(first + directory.size(), 8) + little(1, 4));
    std::string comment = units_axes_and_scene(arrays, scene);
    if (comment.size() > 0xffff) comment.clear();  // there is no room for so long a one
    pass("PK\x05\x06" + little(0, 4) + little(0xffff, 2) + little(0xffff, 2) + little(kIn64Bits, 4) +
         little(kIn64Bits, 4) + little(comment.size(), 2));
    sink(comment);
}

}  // namespace posiscope
