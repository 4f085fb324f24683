#include "app/commands/streams.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

namespace posiscope::commands {

Result<std::string> read_input(const std::string& path, std::uint64_t limit) {
    if (path != "-") return read_file(path, limit);
    std::string bytes;
    std::array<char, 4096> piece{};
    while (bytes.size() <= limit) {
        const std::size_t count = std::fread(piece.data(), 1, piece.size(), stdin);
        if (count == 0 && std::ferror(stdin) != 0)
            return failure("file.read", {{"path", path}, {"reason", reason_of(errno)}});
        if (count == 0) return bytes;
        bytes.append(piece.data(), count);
    }
    return failure("file.large", {{"path", path}, {"limit", std::to_string(limit)}});
}

std::optional<Link> link_of_word(const std::string& word) {
    std::error_code ignored;
    return std::filesystem::exists(word, ignored) ? std::nullopt : link_in(word);
}

bool is_standard_output(std::string_view output) {
    return output.empty() || output == "-" ||
           (output.starts_with("-.") && output.find('/') == std::string_view::npos);
}

std::string output_ending(const std::string& output, std::string_view usual) {
    if (output.empty() || output == "-") return std::string(usual);
    return std::filesystem::path(output).extension().string();
}

Result<FileWriter> open_output(const std::string& output) {
    if (is_standard_output(output)) return FileWriter::standard_output();
    return FileWriter::open(output);
}

namespace {

struct Read {
    std::uint32_t character = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

// One character as RFC 3629 allows it: no longer form than needed, no surrogate, nothing past U+10FFFF.
Read read(std::string_view text) {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t character = first & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return {};
        character = character << 6U | (byte(i) & 0x3fU);
    }
    const bool shorter = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
    if (shorter || (character >= 0xd800 && character < 0xe000) || character > 0x10ffff) return {};
    return {character, bytes};
}

bool steers(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || c == 0x2028 ||
           c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto [character, bytes] = read(text);
        if (bytes == 0)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (!steers(character)) out += text.substr(0, bytes);
        else if (character < 0x80) fmt::format_to(std::back_inserter(out), "\\x{:02x}", character);
        else fmt::format_to(std::back_inserter(out), "\\u{:04x}", character);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out;
}

}  // namespace posiscope::commands
