// film.hpp — pictures one after another into one file, by the encoders of the program ffmpeg.
// .mp4 is H.264 that every player knows (4:2:0, crf 16), .gif has the palette its pictures need, .webp is lossless.
// What is not finished leaves no trace: the encoder writes beside the place, and only finish() renames into it.
#pragma once

#include "app/ui/image.hpp"
#include "core/formats/unfinished.hpp"
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
    // Starts the encoder. Refused when the place cannot be written, or when there is no ffmpeg.
    static Result<Film> open(const std::filesystem::path& path, const FilmFormat& format);

    Film(Film&& other) noexcept;
    Film& operator=(Film&&) = delete;
    ~Film();

    Result<void> add(const Image& picture);
    // Waits for the encoder and puts the film in its place.
    Result<void> finish();

private:
    Film() = default;
    Result<void> end_encoder();
    Problem encoder_failed() const;

    std::filesystem::path path_, unfinished_;
    Unfinished film_mark_;
    int pipe_ = -1;
    int log_ = -1;      // what it says, in memory: the disk may be full
    int encoder_ = -1;  // its process
};

}  // namespace posiscope::exporting
