#include "app/export/film.hpp"

#include "core/formats/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace posiscope::exporting {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings = {".mp4", ".gif", ".webp"};

// An encoder that exits early must be an error of write(), not end this program.
class NoBrokenPipe {
public:
    NoBrokenPipe() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);
    }
    ~NoBrokenPipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
    NoBrokenPipe(const NoBrokenPipe&) = delete;
    NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

private:
    struct sigaction before_ {};
};

std::vector<std::string> arguments(std::string_view ending, const FilmFormat& format, const fs::path& into) {
    std::vector<std::string> words = {"ffmpeg",
                                      "-hide_banner",
                                      "-loglevel",
                                      "error",
                                      "-y",
                                      "-f",
                                      "rawvideo",
                                      "-pixel_format",
                                      "rgba",
                                      "-video_size",
                                      fmt::format("{}x{}", format.width, format.height),
                                      "-framerate",
                                      fmt::format("{}", format.pictures_per_second),
                                      "-i",
                                      "pipe:0"};
    const auto add = [&](std::initializer_list<const char*> more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    if (ending == ".mp4")  // 4:2:0 colour needs even sides
        add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "16", "-pix_fmt", "yuv420p",
             "-movflags", "+faststart", "-f", "mp4"});
    else if (ending == ".gif")
        add({"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none", "-loop", "0",
             "-f", "gif"});
    else add({"-c:v", "libwebp_anim", "-lossless", "1", "-loop", "0", "-f", "webp"});
    words.push_back(into.string());
    return words;
}

}  // namespace

std::span<const std::string_view> film_endings() { return kEndings; }

Result<Film> Film::open(const fs::path& path, const FilmFormat& format) {
    // Checks that the path can be written, as for every other file.
    if (auto place = FileWriter::open(path); !place) return tl::unexpected(place.error());
    Film film;
    film.path_ = path;
    film.unfinished_ = path.parent_path() / fmt::format(".{}.{}.part", path.filename().string(), ::getpid());
    film.film_mark_ = Unfinished(film.unfinished_);
    film.log_ = ::memfd_create("ffmpeg", MFD_CLOEXEC);

    std::array<int, 2> ends{};
    if (film.log_ < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure("file.create", {{"path", path.string()}, {"reason", reason_of(errno)}});
    film.pipe_ = ends[1];
    std::vector<std::string> words = arguments(path.extension().string(), format, film.unfinished_);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, film.log_, STDERR_FILENO);
    // Ctrl C ends this program, which then ends the encoder: the encoder must not finalise its file first.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = -1;
    const int failed = ::posix_spawnp(&process, "ffmpeg", &actions, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (failed != 0) return failure("film.no_encoder", {{"path", path.string()}});
    film.encoder_ = process;
    return film;
}

Film::Film(Film&& other) noexcept
    : path_(std::move(other.path_)),
      unfinished_(std::exchange(other.unfinished_, {})),
      film_mark_(std::move(other.film_mark_)),
      pipe_(std::exchange(other.pipe_, -1)),
      log_(std::exchange(other.log_, -1)),
      encoder_(std::exchange(other.encoder_, -1)) {}

Film::~Film() {
    if (encoder_ > 0) ::kill(encoder_, SIGKILL);
    if (pipe_ >= 0) ::close(pipe_);
    if (encoder_ > 0) ::waitpid(encoder_, nullptr, 0);
    std::error_code ignored;
    if (!unfinished_.empty()) fs::remove(unfinished_, ignored);
    if (log_ >= 0) ::close(log_);
}

Result<void> Film::add(const Image& picture) {
    const NoBrokenPipe guard;
    const auto* at = reinterpret_cast<const char*>(picture.rgba.data());
    std::size_t left = picture.rgba.size();
    while (left > 0) {
        const ssize_t written = ::write(pipe_, at, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            auto ended = end_encoder();
            return ended ? tl::unexpected(encoder_failed()) : ended;
        }
        at += written;
        left -= static_cast<std::size_t>(written);
    }
    return {};
}

Result<void> Film::finish() {
    if (auto ended = end_encoder(); !ended) return ended;
    std::error_code error;
    fs::rename(unfinished_, path_, error);
    if (error)
        return failure("file.rename", {{"path", path_.string()}, {"reason", reason_of(error.value())}});
    unfinished_.clear();
    return {};
}

Result<void> Film::end_encoder() {
    ::close(std::exchange(pipe_, -1));
    int status = 0;
    while (::waitpid(encoder_, &status, 0) < 0 && errno == EINTR) {}
    encoder_ = -1;
    // On a full disk the encoder only prints a message and exits with 0.
    const bool silent = ::lseek(log_, 0, SEEK_END) == 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && silent) return {};
    return tl::unexpected(encoder_failed());
}

// The last message of the encoder.
Problem Film::encoder_failed() const {
    std::string said(4096, '\0');  // its tail
    const ::off_t size = std::max<::off_t>(0, ::lseek(log_, 0, SEEK_END));
    const ::ssize_t read = ::pread(log_, said.data(), said.size(),
                                   std::max<::off_t>(0, size - static_cast<::off_t>(said.size())));
    said.resize(static_cast<std::size_t>(std::max<::ssize_t>(0, read)));
    if (said.find("No space left") != std::string::npos)
        return {"file.write", {{"path", path_.string()}, {"reason", reason_of(ENOSPC)}}, Cause::failure};
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    if (const auto line = said.rfind('\n'); line != std::string::npos) said.erase(0, line + 1);
    const bool missing = said.find("Unknown encoder") != std::string::npos;
    return {missing ? "film.no_encoder" : "film.failed",
            {{"path", path_.string()}, {"detail", said}},
            Cause::failure};
}

}  // namespace posiscope::exporting
