#include "core/formats/zip.hpp"

#include <array>
#include <span>
#include <vector>

namespace posiscope {
namespace {

constexpr int kLongestCode = 15;
constexpr std::array<std::uint16_t, 29> kLengths = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                    15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                    67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> kLengthBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> kDistances = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<std::uint8_t, 30> kDistanceBits = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                 11, 4,  12, 3, 13, 2, 14, 1, 15};

class Bits {
public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    // The next bits, the least significant first; −1 past the end.
    int take(int count) {
        while (held_ < count) {
            if (at_ == bytes_.size()) return -1;
            value_ |= std::uint32_t{static_cast<unsigned char>(bytes_[at_++])} << held_;
            held_ += 8;
        }
        const auto made = static_cast<int>(value_ & ((1U << count) - 1U));
        value_ >>= count;
        held_ -= count;
        return made;
    }
    // Bytes that were stored as they are.
    std::optional<std::string_view> stored() {
        value_ = 0, held_ = 0;
        if (bytes_.size() - at_ < 4) return std::nullopt;
        const auto byte = [&](std::size_t i) {
            return static_cast<unsigned>(static_cast<unsigned char>(bytes_[at_ + i]));
        };
        const unsigned length = byte(0) | byte(1) << 8U, complement = byte(2) | byte(3) << 8U;
        if ((length ^ complement) != 0xffffU || bytes_.size() - at_ - 4 < length) return std::nullopt;
        const std::string_view made = bytes_.substr(at_ + 4, length);
        at_ += 4 + length;
        return made;
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint32_t value_ = 0;
    int held_ = 0;
};

// Canonical Huffman codes, by the length of each symbol's.
class Codes {
public:
    static std::optional<Codes> of(std::span<const std::uint8_t> lengths) {
        Codes made;
        for (const std::uint8_t length : lengths) ++made.count_[length];
        made.count_[0] = 0;
        int left = 1;
        std::array<std::uint16_t, kLongestCode + 2> first{};
        for (std::size_t length = 1; length <= kLongestCode; ++length) {
            left = 2 * left - made.count_[length];
            if (left < 0) return std::nullopt;  // more codes than there are
            first[length + 1] = static_cast<std::uint16_t>(first[length] + made.count_[length]);
        }
        made.symbol_.resize(lengths.size());
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            if (lengths[symbol] != 0)
                made.symbol_[first[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
        return made;
    }
    int next(Bits& bits) const {
        int code = 0, first = 0, index = 0;
        for (std::size_t length = 1; length <= kLongestCode; ++length) {
            const int bit = bits.take(1);
            if (bit < 0) return -1;
            code |= bit;
            const int count = count_[length];
            if (code - count < first) return symbol_[static_cast<std::size_t>(index + code - first)];
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        return -1;
    }

private:
    std::array<std::uint16_t, kLongestCode + 1> count_{};
    std::vector<std::uint16_t> symbol_;
};

struct HuffmanTables {
    Codes literals, distances;
};

std::optional<HuffmanTables> fixed_tables() {
    std::array<std::uint8_t, 288> literals{};
    for (std::size_t i = 0; i < literals.size(); ++i)
        literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    auto first = Codes::of(literals), second = Codes::of(distances);
    if (!first || !second) return std::nullopt;
    return HuffmanTables{std::move(*first), std::move(*second)};
}

std::optional<HuffmanTables> read_tables(Bits& bits) {
    const int literals = bits.take(5), distances = bits.take(5), lengths = bits.take(4);
    if (literals < 0 || distances < 0 || lengths < 0 || literals > 29 || distances > 29) return std::nullopt;
    std::array<std::uint8_t, 19> own{};
    for (int i = 0; i < lengths + 4; ++i) {
        const int length = bits.take(3);
        if (length < 0) return std::nullopt;
        own[kOrder[static_cast<std::size_t>(i)]] = static_cast<std::uint8_t>(length);
    }
    const auto codes = Codes::of(own);
    if (!codes) return std::nullopt;
    const auto all = static_cast<std::size_t>(literals + 257 + distances + 1);
    std::vector<std::uint8_t> read;
    while (read.size() < all) {
        const int symbol = codes->next(bits);
        if (symbol < 0 || (symbol == 16 && read.empty())) return std::nullopt;
        if (symbol < 16) {
            read.push_back(static_cast<std::uint8_t>(symbol));
            continue;
        }
        const int more = bits.take(symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
        if (more < 0) return std::nullopt;
        read.insert(read.end(), static_cast<std::size_t>(more + (symbol == 18 ? 11 : 3)),
                    symbol == 16 ? read.back() : std::uint8_t{0});
    }
    if (read.size() != all) return std::nullopt;
    const auto split = static_cast<std::size_t>(literals + 257);
    auto first = Codes::of(std::span(read).first(split)), second = Codes::of(std::span(read).subspan(split));
    if (!first || !second) return std::nullopt;
    return HuffmanTables{std::move(*first), std::move(*second)};
}

}  // namespace

std::optional<std::string> inflated(std::string_view packed, std::uint64_t size) {
    Bits bits(packed);
    std::string made;
    while (true) {
        const int last = bits.take(1), kind = bits.take(2);
        if (last < 0 || kind < 0 || kind == 3) return std::nullopt;
        if (kind == 0) {
            const auto bytes = bits.stored();
            if (!bytes || bytes->size() > size - made.size()) return std::nullopt;
            made += *bytes;
        } else {
            const auto tables = kind == 1 ? fixed_tables() : read_tables(bits);
            if (!tables) return std::nullopt;
            for (int symbol = tables->literals.next(bits); symbol != 256;
                 symbol = tables->literals.next(bits)) {
                if (symbol < 0 || symbol > 285) return std::nullopt;
                if (symbol < 256) {
                    if (made.size() == size) return std::nullopt;
                    made.push_back(static_cast<char>(symbol));
                    continue;
                }
                const auto at = static_cast<std::size_t>(symbol - 257);
                const int more = bits.take(kLengthBits[at]), code = tables->distances.next(bits);
                if (more < 0 || code < 0 || code > 29) return std::nullopt;
                const int further = bits.take(kDistanceBits[static_cast<std::size_t>(code)]);
                if (further < 0) return std::nullopt;
                const std::size_t length = kLengths[at] + static_cast<std::size_t>(more),
                                  back = kDistances[static_cast<std::size_t>(code)] +
                                         static_cast<std::size_t>(further);
                if (back > made.size() || length > size - made.size()) return std::nullopt;
                for (std::size_t i = 0; i < length; ++i) made.push_back(made[made.size() - back]);
            }
        }
        if (last == 1) break;
    }
    return made.size() == size ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace posiscope
