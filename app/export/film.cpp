#include "app/export/film.hpp"

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
    words.push_back("file:" + into.string());  // a colon in a name is no protocol
    return words;
}

}  // namespace

std::span<const std::string_view> film_endings() { return kEndings; }

Result<Film> Film::open(const fs::path& path, const FilmFormat& format) {
    auto draft = AtomicFile::open(path);
    if (!draft) return tl::unexpected(draft.error());
    Film film;
    film.path_ = path;
    film.draft_ = std::move(*draft);
    const std::string ending = path.extension().string();
    if (film.encoder_.start(arguments(ending, format, film.draft_.file())) != 0)
        return failure("film.no_encoder", {{"path", path.string()}});
    film.draft_.written_by(film.encoder_.process());
    return film;
}

Result<void> Film::add(const Image& picture) {
    if (encoder_.write(picture.rgba.data(), picture.rgba.size())) return {};
    return tl::unexpected(encoder_failed(encoder_.finish().said));
}

Result<void> Film::finish() {
    const auto ended = encoder_.finish();
    // On a full disk the encoder only prints a message and exits with 0.
    if (!ended.well || !ended.said.empty()) return tl::unexpected(encoder_failed(ended.said));
    return draft_.commit();
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
