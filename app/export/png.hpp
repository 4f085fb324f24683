// png.hpp — writes an image as PNG: sRGB, with its resolution and its Scene.
// The Scene is JSON in an uncompressed iTXt chunk named "posiscope.scene" before the pixels: it can be read without
// decoding them, and programs that keep metadata keep it.
#pragma once

#include "app/ui/image.hpp"
#include "core/formats/file.hpp"
#include "core/scene/scene.hpp"

#include <functional>
#include <memory>
#include <span>

namespace posiscope::exporting {

inline constexpr const char* kSceneKeyword = "posiscope.scene";
inline constexpr const char* kResultsKeyword = "posiscope.results";
inline constexpr std::size_t kLargestSceneText = std::size_t{4} << 20;  // bytes, written and read

struct PngHead {
    int width = 0, height = 0;  // pixels
    double dpi = 96.0;
    bool transparent = false;     // otherwise without alpha
    std::string_view scene = {};  // its JSON; empty: none. At most kLargestSceneText
    std::string_view results =
        {};  // of the experiment that it shows, as their file; likewise, but compressed
};

// The JSON of a Scene for the chunk. Refused if it is larger than the reader accepts: png.scene_large.
Result<std::string> scene_text(const Scene& scene);

// Writes rows as they arrive, so that an image may be larger than memory.
class PngWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    PngWriter(const PngHead& head, Sink sink);
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;
    ~PngWriter();

    // Whole rows from the top: red, green, blue, alpha; colours not premultiplied.
    void rows(std::span<const std::uint8_t> rgba);
    void finish();  // after all rows

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The same image gives the same bytes.
std::string png(const Image& image, PngHead head);

// The (partial) Scene in a PNG. Reads up to the first pixel data.  Refused with
//   png.not_png    path  not a PNG
//   png.damaged    path  it ends before its pixels, or a chunk is broken or beyond libpng's limits
//   png.no_scene   path  contains no Scene
//   json.…, file.… as those readers do
Result<Json> scene_in_png(const std::filesystem::path& path);

// The experiment results beside it, as their file; empty where there are none. Refused as scene_in_png.
Result<std::string> results_in_png(const std::filesystem::path& path);

}  // namespace posiscope::exporting
