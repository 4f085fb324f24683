// picture.hpp — the bench or one figure as an image, drawn without a window, by the same code as in one.
#pragma once

#include "app/export/vector.hpp"
#include "app/ui/image.hpp"
#include "app/workbench/preferences.hpp"
#include "core/scene/scene.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace posiscope::workbench {

inline constexpr double kVectorDpi = 300.0;    // of a vector file's heatmaps, where nothing else is asked for
inline constexpr int kLargestPicture = 16384;  // pixels, on either side

struct PictureOptions {
    double width = 1280.0, height = 800.0;  // points
    double scale = 1.0;                     // pixels a point
    bool controls = false;                  // the rail, the bar and the timeline too
    bool transparent = false;               // nothing behind the figures
    std::string_view figure;                // alone; empty: the whole bench
    int most_pixels = 1 << 24;  // drawn at once: 64 MiB, so that what is needed beside it fits into memory

    int pixel_width() const { return static_cast<int>(std::lround(width * scale)); }
    int pixel_height() const { return static_cast<int>(std::lround(height * scale)); }
};

// Whole rows of pixels, the top ones first; colours not multiplied by alpha.
using TakeRows = std::function<void(std::span<const std::uint8_t> rgba)>;

// A GL context must be current; ImGui's context is left as it was. A large picture is drawn in bands, each handed
// over before the next, so that neither the driver's largest texture nor memory bounds it.
Result<void> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                     const TakeRows& take);
Result<Image> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options);

// Pictures of one Scene after another, for a film: what they share is made once. A GL context must stay current.
class Pictures {
public:
    // Refused where a picture is larger than the driver's largest texture: bands are for single pictures.
    static Result<std::unique_ptr<Pictures>> create(const Scene& scene, const Preferences& preferences,
                                                    const PictureOptions& options);
    ~Pictures();

    Result<Image> draw(const Scene& scene);

private:
    struct Stage;
    explicit Pictures(std::unique_ptr<Stage> stage);

    std::unique_ptr<Stage> stage_;
};

// The same as the bytes of a vector file, whose heatmaps have options.scale pixels a point. Needs no GL; without the
// controls, which are made of the window's own widgets.
std::string vector_picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                           exporting::VectorFormat format);

}  // namespace posiscope::workbench
