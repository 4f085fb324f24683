// png.hpp — a picture as a PNG file that says what it is of: sRGB, with its resolution and the Scene it shows.
// The Scene stands as JSON in an uncompressed iTXt chunk named "posiscope.scene", before the pixels: it is found
// without decoding them, and other programs that keep a picture's texts keep it.
#pragma once

#include "app/ui/image.hpp"
#include "core/formats/file.hpp"
#include "core/scene/scene.hpp"

#include <functional>
#include <memory>
#include <span>

namespace posiscope::exporting {

inline constexpr const char* kSceneKeyword = "posiscope.scene";
inline constexpr std::size_t kLargestSceneText = std::size_t{4} << 20;  // bytes, written and read

struct PngHead {
    int width = 0, height = 0;  // pixels
    double dpi = 96.0;
    bool transparent = false;     // else alpha is left out
    std::string_view scene = {};  // its JSON; empty: none. At most kLargestSceneText
};

// The JSON of a Scene for a picture's head. Refused when it is larger than what is read again: png.scene_large.
Result<std::string> scene_text(const Scene& scene);

// Rows go out as they come, so that a picture larger than memory can be written.
class PngWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    PngWriter(const PngHead& head, Sink sink);
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;
    ~PngWriter();

    // Whole rows, the top ones first: red, green, blue, alpha; colours not multiplied by alpha.
    void rows(std::span<const std::uint8_t> rgba);
    void finish();  // after all rows

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The same picture gives the same bytes.
std::string png(const Image& image, PngHead head);

// The (partial) Scene that a PNG carries. Reads no further than the pixels' beginning.  Refused with
//   png.not_png    path  it is no PNG
//   png.damaged    path  it ends before its pixels, or a chunk is broken or beyond libpng's limits
//   png.no_scene   path  it carries none
//   json.…, file.… as those readers do
Result<Json> scene_in_png(const std::filesystem::path& path);

}  // namespace posiscope::exporting
