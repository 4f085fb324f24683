// picture.hpp — draws the bench or one figure as an image, without a window, with the same code.
#pragma once

#include "app/export/vector.hpp"
#include "app/ui/image.hpp"
#include "app/ui/style.hpp"
#include "app/workbench/document/preferences.hpp"
#include "core/experiment/bank.hpp"
#include "core/scene/scene.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace posiscope::workbench {

class Workbench;
struct Shown;

inline constexpr double kLettersEm =
    0.75 * ui::kTextSize / 1.172;              // of text in 1/72 inch, where nothing shrinks
inline constexpr double kVectorDpi = 300.0;    // of a vector file's heatmaps, by default
inline constexpr int kLargestPicture = 16384;  // pixels, on either side

struct PictureOptions {
    double width = 1280.0, height = 800.0;  // points
    double scale = 1.0;                     // pixels per point
    bool controls = false;                  // with the sidebar, toolbar and timeline
    bool transparent = false;               // no background
    std::string_view figure;                // alone; empty: the whole bench
    bool plain = false;                     // of that figure: without its title line and headline
    bool bare = false;                      // likewise, nor marks of what is selected
    double letters = 0.0;                   // points, 1/72 inch, of the text's em; 0: as there is room for
    std::shared_ptr<const ui::Typeface> typeface{};  // of words and numbers; null: ours
    std::shared_ptr<const ui::Style> style{};        // colours and line weight; null: the theme's
    std::string below{};                             // words across its foot
    std::shared_ptr<const experiment::Bank>
        results{};                    // of an experiment; null: those that come with the program
    const Workbench* like = nullptr;  // a window that it looks like, with its controls
    int most_pixels = 1 << 24;        // per band: 64 MiB, so that the rest fits into memory

    int pixel_width() const { return static_cast<int>(std::lround(width * scale)); }
    int pixel_height() const { return static_cast<int>(std::lround(height * scale)); }
};

// The text of those results for a PNG: empty where there are none, or they come with the program. Refused if it is larger
// than the reader accepts: png.results_large.
Result<std::string> results_text(const PictureOptions& options);

// Whole rows of pixels from the top; colours not premultiplied.
using TakeRows = std::function<void(std::span<const std::uint8_t> rgba)>;

// A GL context must be current; ImGui's context is restored. A large image is drawn in bands, each written before the
// next, so that neither the driver's texture limit nor memory limits its size.
Result<void> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                     const TakeRows& take);
Result<Image> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options);

// Images of successive Scenes, for an animation: creates shared objects once. A GL context must stay current.
class Pictures {
public:
    // Refused if an image is larger than the driver's largest texture: only single images use bands.
    static Result<std::unique_ptr<Pictures>> create(const Scene& scene, const Preferences& preferences,
                                                    const PictureOptions& options);
    ~Pictures();

    Result<Image> draw(const Scene& scene);

private:
    struct Stage;
    explicit Pictures(std::unique_ptr<Stage> stage);

    std::unique_ptr<Stage> stage_;
};

// The bytes of a vector file, whose heatmaps have options.scale pixels per point. Needs no GL. Never includes the
// controls, which are widgets of the window.
std::string vector_picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                           exporting::VectorFormat format);

// --- what pictures of pixels and of paths share ------------------------------------------------------------

// How much smaller a point gets where there is too little room: everything shrinks together, nothing overlaps.
// Without title and headline, a bare figure needs less room.
double shrunk(const Shown& shown, const PictureOptions& options);

// The Scene as it is drawn: what a bare picture leaves out is no part of the one that is kept.
Scene drawn(const Scene& scene, const PictureOptions& options);

// The bench that draws it takes its typeface and the results that it shows.
void prepare(Workbench& bench, const PictureOptions& options);

// ---- the window ----
// In its present size: a figure's tile; all tiles for a vector file; else the window with its controls.
PictureOptions as_seen(const Workbench& bench, std::string_view figure, bool vector);

// The bytes of a ".png" (which carries the Scene), ".pdf" or ".svg".
Result<std::string> picture_bytes(const Workbench& bench, const PictureOptions& options,
                                  std::string_view ending);

}  // namespace posiscope::workbench
