#include "core/formats/gguf.hpp"

#include "core/numeric/bits.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

constexpr std::uint64_t kLargestHeader = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostSettings = std::uint64_t{1} << 20, kMostGgufTensors = 65536;
constexpr std::uint64_t kLongestKey = 1024;
constexpr std::size_t kHeaderPiece = std::size_t{1} << 16;

// The header from its beginning, in pieces.
class Stream {
public:
    Stream(std::uint64_t size, const FetchBytes& fetch)
        : end_(std::min(size, kLargestHeader)), fetch_(fetch) {}

    std::uint64_t place() const { return at_; }

    bool take(std::span<char> into) {
        while (!into.empty()) {
            if (at_ < first_ || at_ >= first_ + piece_.size()) {
                if (at_ >= end_) return false;
                piece_.assign(static_cast<std::size_t>(std::min<std::uint64_t>(kHeaderPiece, end_ - at_)),
                              '\0');
                first_ = at_;
                if (!fetch_(first_, piece_)) return false;
            }
            const auto from = static_cast<std::size_t>(at_ - first_);
            const std::size_t count = std::min(into.size(), piece_.size() - from);
            std::copy_n(piece_.begin() + static_cast<std::ptrdiff_t>(from), count, into.begin());
            into = into.subspan(count);
            at_ += count;
        }
        return true;
    }
    bool skip(std::uint64_t count) {
        if (count > end_ - at_) return false;
        at_ += count;
        return true;
    }
    template <class T>
    bool number(T& value) {
        std::array<char, sizeof(T)> raw;
        if (!take(raw)) return false;
        value = bits_as<T>(raw);
        return true;
    }
    bool text(std::string& made) {
        std::uint64_t length = 0;
        if (!number(length) || length > kLongestKey) return false;
        made.resize(static_cast<std::size_t>(length));
        return take(made);
    }

private:
    std::uint64_t end_, at_ = 0, first_ = 0;
    std::string piece_;
    const FetchBytes& fetch_;
};

// Bytes of the fixed types 0 … 12; text is 8, a list 9.
constexpr std::uint64_t kWidths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

bool skip_text(Stream& stream) {
    std::uint64_t length = 0;
    return stream.number(length) && stream.skip(length);
}

// Passes over a value of a type.
bool skip_value(Stream& stream, std::uint32_t type) {
    if (type == 8) return skip_text(stream);
    std::uint64_t count = 1;
    if (type == 9 && (!stream.number(type) || !stream.number(count))) return false;
    if (type == 8) {
        for (std::uint64_t n = 0; n < count; ++n)
            if (!skip_text(stream)) return false;
        return true;
    }
    if (type >= std::size(kWidths) || kWidths[type] == 0) return false;
    return count <= kLargestHeader && stream.skip(count * kWidths[type]);
}

}  // namespace

Result<std::vector<GgufTensor>> read_gguf(std::uint64_t size, const FetchBytes& fetch) {
    const auto broken = [] { return failure("gguf.header"); };
    Stream stream(size, fetch);
    std::array<char, 4> magic{};
    std::uint32_t version = 0;
    std::uint64_t tensors = 0, settings = 0;
    if (!stream.take(magic) || std::string_view(magic.data(), 4) != "GGUF" || !stream.number(version))
        return broken();
    if (version < 2 || version > 3) return failure("gguf.version", {{"version", std::to_string(version)}});
    if (!stream.number(tensors) || !stream.number(settings) || tensors > kMostGgufTensors ||
        settings > kMostSettings)
        return broken();
    std::vector<GgufTensor> made;
    std::uint32_t alignment = 32;
    for (std::uint64_t n = 0; n < settings; ++n) {
        std::string key;
        std::uint32_t type = 0;
        if (!stream.text(key) || !stream.number(type)) return broken();
        const bool aligns = key == "general.alignment" && type == 4;
        if (!(aligns ? stream.number(alignment) : skip_value(stream, type))) return broken();
    }
    for (std::uint64_t n = 0; n < tensors; ++n) {
        GgufTensor one;
        std::uint32_t dimensions = 0;
        if (!stream.text(one.name) || !stream.number(dimensions) || dimensions > 4) return broken();
        for (std::uint32_t d = 0; d < dimensions; ++d) {
            std::int64_t side = 0;
            if (!stream.number(side) || side < 0) return broken();
            one.shape.insert(one.shape.begin(), side);
        }
        if (!stream.number(one.type) || !stream.number(one.first)) return broken();
        made.push_back(std::move(one));
    }
    if (alignment == 0 || alignment > kHeaderPiece) return broken();
    const std::uint64_t data = (stream.place() + alignment - 1) / alignment * alignment;
    for (GgufTensor& one : made) {
        if (one.first > size || data > size - one.first) return broken();
        one.first += data;
    }
    return made;
}

std::string gguf_type(std::uint32_t type) {
    constexpr std::array kNames = {"F32",  "F16",  "Q4_0", "Q4_1", "4",    "5",    "Q5_0", "Q5_1",
                                   "Q8_0", "Q8_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_K"};
    return type < kNames.size() ? kNames[type] : "type " + std::to_string(type);
}

}  // namespace posiscope
