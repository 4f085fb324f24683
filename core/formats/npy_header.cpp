#include "core/formats/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace posiscope {
namespace {

constexpr std::size_t kMostDimensions = 64;  // as NumPy has them

// A dictionary as Python writes it.
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : rest_(text) {}

    std::optional<NpyHeader> read() {
        if (!take('{')) return std::nullopt;
        NpyHeader header;
        while (!take('}')) {
            const auto key = text();
            if (!key || !take(':') || !value(*key, header)) return std::nullopt;
            if (!take(',') && !next_is('}')) return std::nullopt;
        }
        skip();
        return rest_.empty() ? std::optional(std::move(header)) : std::nullopt;
    }

private:
    void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
    bool next_is(char c) { return skip(), rest_.starts_with(c); }
    bool take(char c) {
        if (!next_is(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view word) {
        skip();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::optional<std::string> text() {
        skip();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
        const auto end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string found(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return found;
    }

    // "()", "(3,)", "(3, 4)"; Python 2 wrote "3L".
    std::optional<std::vector<std::int64_t>> sizes() {
        if (!take('(')) return std::nullopt;
        std::vector<std::int64_t> all;
        while (!take(')')) {
            skip();
            std::int64_t size = 0;
            const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
            if (error != std::errc() || size < 0) return std::nullopt;
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            (void)take('L');
            if (all.size() == kMostDimensions) return std::nullopt;
            all.push_back(size);
            if (!take(',') && !next_is(')')) return std::nullopt;
        }
        return all;
    }

    bool value(const std::string& key, NpyHeader& header) {
        if (key == "shape") return (header.shape = sizes()).has_value();
        if (key == "fortran_order") {
            if (take_word("True")) header.fortran = true;
            else if (take_word("False")) header.fortran = false;
            return header.fortran.has_value();
        }
        if (key != "descr") return false;
        if (const auto plain = text()) {
            header.descr = *plain;
            return true;
        }
        // A list of fields. Its content does not matter, only its closing bracket.
        skip();
        const std::string_view from = rest_;
        int open = 0;
        do {
            if (rest_.empty()) return false;
            if (rest_[0] == '[' || rest_[0] == '(') ++open;
            if (rest_[0] == ']' || rest_[0] == ')') --open;
            rest_.remove_prefix(1);
        } while (open > 0);
        header.other = from.substr(0, from.size() - rest_.size());
        return header.other.size() > 1;
    }

    std::string_view rest_;
};

// The header's text, and where the numbers begin.
struct Frame {
    std::string_view header;
    std::size_t data;
};

Result<Frame> frame_of(std::string_view bytes) {
    constexpr std::string_view magic = "\x93NUMPY";
    if (!bytes.starts_with(magic)) return failure("npy.magic");
    const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(bytes[at])}; };
    const bool has_version = bytes.size() >= 8;
    const std::size_t major = has_version ? byte(6) : 1, width = major == 1 ? 2 : 4;
    if (has_version && (major < 1 || major > 3 || byte(7) != 0))
        return failure("npy.version", {{"version", fmt::format("{}.{}", major, byte(7))}});
    if (bytes.size() < 8 + width) return failure("npy.cut_header");
    std::size_t length = 0;
    for (std::size_t i = 0; i < width; ++i) length |= byte(8 + i) << (8 * i);
    if (length > kLargestNpyHeader) return failure("npy.header");
    if (length > bytes.size() - 8 - width) return failure("npy.cut_header");
    return Frame{bytes.substr(8 + width, length), 8 + width + length};
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view bytes) {
    const auto frame = frame_of(bytes);
    if (!frame) return tl::unexpected(frame.error());
    auto header = HeaderReader(frame->header).read();
    if (!header || !header->fortran || !header->shape || (header->descr.empty() && header->other.empty()))
        return failure("npy.header");
    header->data = frame->data;
    return std::move(*header);
}

}  // namespace posiscope
