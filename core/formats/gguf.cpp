#include "core/formats/gguf.hpp"

#include "core/numeric/bits.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

constexpr std::uint64_t kLargestHeader = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostSettings = std::uint64_t{1} << 20, kMostGgufTensors = 65536, kMostListed = 4096;
constexpr std::uint64_t kLongestText = 65536;
constexpr std::size_t kHeaderPiece = std::size_t{1} << 16;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kOfNumber = 32, kOfSetting = 128;  // bytes that are kept of each, at most

// The header from its beginning, in pieces.
class Stream {
public:
    Stream(std::uint64_t size, const FetchBytes& fetch)
        : end_(std::min(size, kLargestHeader)), fetch_(fetch) {}

    std::uint64_t place() const { return at_; }

    // True if there is room for so many bytes more of the kept texts.
    bool keep(std::uint64_t bytes) {
        kept_ += bytes;
        return !full();
    }
    bool full() const { return kept_ > kMostKeptBytes; }

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
        if (!number(length) || length > kLongestText) return false;
        if (!keep(kOfSetting + length)) return false;
        made.resize(static_cast<std::size_t>(length));
        return take(made);
    }

private:
    std::uint64_t end_, at_ = 0, first_ = 0, kept_ = 0;
    std::string piece_;
    const FetchBytes& fetch_;
};

// Bytes of the fixed types 0 … 12; text is 8, a list 9.
constexpr std::uint64_t kWidths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

template <class T>
bool number_into(Stream& stream, Json& made) {
    T value{};
    if (!stream.number(value)) return false;
    made = value;
    return true;
}

bool plain_value(Stream& stream, std::uint32_t type, Json& made) {
    switch (type) {
        case 0: return number_into<std::uint8_t>(stream, made);
        case 1: return number_into<std::int8_t>(stream, made);
        case 2: return number_into<std::uint16_t>(stream, made);
        case 3: return number_into<std::int16_t>(stream, made);
        case 4: return number_into<std::uint32_t>(stream, made);
        case 5: return number_into<std::int32_t>(stream, made);
        case 6: {
            std::uint32_t bits = 0;
            if (!stream.number(bits)) return false;
            made = static_cast<double>(bits_as<float>(bits));
            return true;
        }
        case 7: {
            std::uint8_t byte = 0;
            if (!stream.number(byte)) return false;
            made = byte != 0;
            return true;
        }
        case 10: return number_into<std::uint64_t>(stream, made);
        case 11: return number_into<std::int64_t>(stream, made);
        case 12: {
            std::uint64_t bits = 0;
            if (!stream.number(bits)) return false;
            made = bits_as<double>(bits);
            return true;
        }
        default: return false;
    }
}

bool value(Stream& stream, Json& made) {
    std::uint32_t type = 0;
    if (!stream.number(type)) return false;
    if (type == 8) {
        std::string text;
        if (!stream.text(text)) return false;
        made = std::move(text);
        return true;
    }
    if (type != 9) return plain_value(stream, type, made);
    std::uint32_t of = 0;
    std::uint64_t count = 0;
    if (!stream.number(of) || !stream.number(count)) return false;
    if (of == 8) {
        for (std::uint64_t n = 0; n < count; ++n) {
            std::uint64_t length = 0;
            if (!stream.number(length) || !stream.skip(length)) return false;
        }
        return true;
    }
    if (of >= std::size(kWidths) || kWidths[of] == 0) return false;
    if (count > kMostListed) return count <= kLargestHeader && stream.skip(count * kWidths[of]);
    if (!stream.keep(count * kOfNumber)) return false;
    made = Json::array();
    for (std::uint64_t n = 0; n < count; ++n) {
        Json one;
        if (!plain_value(stream, of, one)) return false;
        made.push_back(std::move(one));
    }
    return true;
}

}  // namespace

Result<Gguf> read_gguf(std::uint64_t size, const FetchBytes& fetch) {
    Stream stream(size, fetch);
    const auto broken = [&] {
        return stream.full() ? failure("gguf.memory", {{"limit", std::to_string(kMostKeptBytes >> 20)}})
                             : failure("gguf.header");
    };
    std::array<char, 4> magic{};
    std::uint32_t version = 0;
    std::uint64_t tensors = 0, settings = 0;
    if (!stream.take(magic) || std::string_view(magic.data(), 4) != "GGUF" || !stream.number(version))
        return broken();
    if (version < 2 || version > 3) return failure("gguf.version", {{"version", std::to_string(version)}});
    if (!stream.number(tensors) || !stream.number(settings) || tensors > kMostGgufTensors ||
        settings > kMostSettings)
        return broken();
    Gguf made;
    made.settings = Json::object();
    for (std::uint64_t n = 0; n < settings; ++n) {
        std::string key;
        Json one;
        if (!stream.text(key) || !value(stream, one)) return broken();
        if (!one.is_null()) made.settings[key] = std::move(one);
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
        made.tensors.push_back(std::move(one));
    }
    const Json alignment = made.settings.value("general.alignment", Json(32));
    const std::uint64_t step = alignment.is_number_unsigned() ? alignment.get<std::uint64_t>() : 32;
    if (step == 0 || step > kHeaderPiece) return broken();
    const std::uint64_t data = (stream.place() + step - 1) / step * step;
    for (GgufTensor& one : made.tensors) {
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
