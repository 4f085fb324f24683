#include "app/export/film.hpp"

#include "app/platform/process.hpp"
#include "core/formats/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace posiscope::exporting {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings = {".mp4", ".gif", ".webp"};

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
    film.unfinished_ =
        path.parent_path() / fmt::format(".{}.{}.part", path.filename().string(), platform::own_id());
    film.film_mark_ = Unfinished(film.unfinished_);
    if (film.encoder_.start(arguments(path.extension().string(), format, film.unfinished_)) != 0)
        return failure("film.no_encoder", {{"path", path.string()}});
    return film;
}

Film::Film(Film&& other) noexcept
    : path_(std::move(other.path_)),
      unfinished_(std::exchange(other.unfinished_, {})),
      film_mark_(std::move(other.film_mark_)),
      encoder_(std::move(other.encoder_)) {}

Film::~Film() {
    { const platform::Feed ended = std::move(encoder_); }  // before its file is removed
    std::error_code ignored;
    if (!unfinished_.empty()) fs::remove(unfinished_, ignored);
}

Result<void> Film::add(const Image& picture) {
    if (encoder_.write(picture.rgba.data(), picture.rgba.size())) return {};
    return tl::unexpected(encoder_failed(encoder_.finish().said));
}

Result<void> Film::finish() {
    const auto ended = encoder_.finish();
    // On a full disk the encoder only prints a message and exits with 0.
    if (!ended.well || !ended.said.empty()) return tl::unexpected(encoder_failed(ended.said));
    std::error_code error;
    fs::rename(unfinished_, path_, error);
    if (error)
        return failure("file.rename", {{"path", path_.string()}, {"reason", reason_of(error.value())}});
    unfinished_.clear();
    return {};
}

// The last message of the encoder.
Problem Film::encoder_failed(std::string said) const {
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
