#include "app/commands/streams.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

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

}  // namespace posiscope::commands
