// film.hpp — writes frames to one animation file, with the encoders of ffmpeg.
// .mp4 is H.264 that every player supports (4:2:0, crf 16), .gif has a palette computed from its frames, .webp is
// lossless. Without finish() no file is left: the encoder writes a draft, which finish() puts into place.
#pragma once

#include "app/platform/feed.hpp"
#include "app/ui/image.hpp"
#include "core/formats/atomic_file.hpp"
#include "core/problem.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace posiscope::exporting {

struct FilmFormat {
    int width = 0, height = 0;
    double pictures_per_second = 30.0;
};

std::span<const std::string_view> film_endings();  // ".mp4", ".gif", ".webp"

class Film {
public:
    // Starts the encoder. Refused if the path cannot be written, or without ffmpeg.
    static Result<Film> open(const std::filesystem::path& path, const FilmFormat& format);

    Film(Film&& other) noexcept = default;
    Film& operator=(Film&&) = delete;
    ~Film() = default;

    Result<void> add(const Image& picture);
    // Waits for the encoder and moves the file into place.
    Result<void> finish();

private:
    Film() = default;
    Problem encoder_failed(std::string said) const;

    std::filesystem::path path_;
    AtomicFile draft_;
    platform::Feed encoder_;  // ends before its file is removed
};

}  // namespace posiscope::exporting
