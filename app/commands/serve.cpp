// serve.cpp — posiscope serve: answers commands for as long as its standard input is open, so that a program that asks often, as the
// Python package does, need not start this one each time.
// Request  one line {"words": ["data", "cache", "-o", "-.npz"], "folder": "/where/relative/paths/begin"}; the folder may be left out
// Reply    one line {"exit": 0, "out": 4096, "err": 0}, then as many bytes of standard output and of standard error
// Standard input is empty for what is asked.
#include "app/commands/command.hpp"
#include "core/formats/file.hpp"
#include "core/json.hpp"
#include "core/os/files.hpp"

#include <algorithm>
#include <filesystem>

namespace posiscope::commands {
namespace serve_command {
namespace {

// While it lives, what is written to standard output or standard error (1 or 2), or read from standard input (0), is this unnamed
// file's.
class Redirected {
public:
    explicit Redirected(int stream)
        : stream_(stream), file_(os::unnamed_file()), usual_(os::redirect(stream, file_)) {}
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;
    ~Redirected() {
        os::close(os::redirect(stream_, usual_));
        os::close(usual_);
        os::close(file_);
    }

    int file() const { return file_; }
    int usual() const { return usual_; }
    bool good() const { return file_ >= 0 && usual_ >= 0; }

private:
    int stream_, file_, usual_;
};

bool write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const std::ptrdiff_t count = os::write(to, bytes);
        if (count < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

std::uint64_t size_of(int file) {
    const auto status = os::status_of(file);
    return status ? status->size : 0;
}

bool copy_all(int from, std::uint64_t size, int to) {
    std::string piece(static_cast<std::size_t>(std::min(size, std::uint64_t{1} << 20)), '\0');
    for (std::uint64_t at = 0; at < size;) {
        const std::ptrdiff_t count = os::read_at(from, at, piece);
        if (count <= 0 || !write_all(to, std::string_view(piece).substr(0, static_cast<std::size_t>(count))))
            return false;
        at += static_cast<std::uint64_t>(count);
    }
    return true;
}

// The words of a request, behind the program's name; its folder has become the current one.
Result<std::vector<std::string>> words_of(const std::string& line) {
    const auto request = parse_json(line);
    if (!request) return tl::unexpected(request.error());
    const auto texts = [](const Json& list) { return std::ranges::all_of(list, &Json::is_string); };
    if (!request->is_object() || !request->contains("words") || !request->at("words").is_array() ||
        !texts(request->at("words")))
        return refuse("serve.request");
    if (const Json folder = request->value("folder", Json()); folder.is_string()) {
        std::error_code error;
        std::filesystem::current_path(folder.get<std::string>(), error);
        if (error) return failure("serve.folder", {{"path", folder.get<std::string>()}});
    }
    std::vector<std::string> words = {"posiscope"};
    for (const Json& word : request->at("words")) words.push_back(word.get<std::string>());
    return words;
}

// False where nobody reads replies any more.
bool answer(const std::string& line, int replies, const Terminal& terminal) {
    const Redirected out(1), err(2);
    if (!out.good() || !err.good()) return false;
    int code = 0;
    if (const auto words = words_of(line)) {
        std::vector<const char*> argv;
        for (const std::string& word : *words) argv.push_back(word.c_str());
        code = commands::run(static_cast<int>(argv.size()), argv.data());
    } else {
        terminal.say_error(words.error());
        code = static_cast<int>(exit_of(words.error()));
    }
    const std::uint64_t said = size_of(out.file()), complained = size_of(err.file());
    return write_all(replies, Json{{"exit", code}, {"out", said}, {"err", complained}}.dump() + "\n") &&
           copy_all(out.file(), said, replies) && copy_all(err.file(), complained, replies);
}

Result<void> run(const Terminal& terminal) {
    const Redirected requests(0), replies(1);
    std::string lines, piece(std::size_t{1} << 16, '\0');
    for (;;) {
        const std::ptrdiff_t count = os::read(requests.usual(), piece);
        if (count <= 0) return {};
        lines.append(piece, 0, static_cast<std::size_t>(count));
        for (auto end = lines.find('\n'); end != std::string::npos; end = lines.find('\n')) {
            const std::string line = lines.substr(0, end);
            lines.erase(0, end + 1);
            if (!answer(line, replies.usual(), terminal)) return {};
        }
    }
}

Run add(CLI::App&, const SharedOptions&, const Strings&) {
    return [](const Terminal& terminal) { return run(terminal); };
}

}  // namespace
}  // namespace serve_command

extern const Command kServe{"serve", serve_command::add};

}  // namespace posiscope::commands
