#include "app/workbench/share/picture.hpp"

#include "app/export/png.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/platform/gui.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "app/workbench/workbench.hpp"

#include <algorithm>

namespace posiscope::workbench {
namespace {

// ImGui learns sizes while it draws: the second frame lays out as every later one does.
constexpr int kFrames = 2;

}  // namespace

Point smallest_room(const Shown& shown) {
    if (!shown.figure.empty()) return {440.0F, 320.0F};
    return shown.controls ? Point{1240.0F, 740.0F} : Point{860.0F, 560.0F};
}

double shrunk(const Shown& shown, const PictureOptions& options) {
    if (options.letters > 0.0) return options.letters / kLettersEm;
    const Point room = options.bare ? Point{360.0F, 260.0F} : smallest_room(shown);
    constexpr double kLeast = 0.05;  // a letter must have a size
    return std::clamp(
        std::min(options.width / static_cast<double>(room.x), options.height / static_cast<double>(room.y)),
        kLeast, 1.0);
}

Scene drawn(const Scene& scene, const PictureOptions& options) {
    Scene made = scene;
    if (options.bare) figures::hide_marks(made);
    return made;
}

void prepare(Workbench& bench, const PictureOptions& options) {
    if (options.typeface) bench.appearance.set_in(*options.typeface);
    if (options.style) bench.appearance.wear(options.style->theme);
    if (options.results) bench.training.trainer().adopt(*options.results);
}

namespace {

// Anew, since prepare() may have set other fonts.
void take_screen(Workbench& bench, canvas::Layers* layers, const PictureOptions& options) {
    bench.stage.screen = canvas::Screen(bench.appearance.fonts(), layers);
    if (options.style) bench.stage.screen.set_line_weight(options.style->lines);
}

// A tile beside others of its band.
void place(const Image& tile, int x, Image& band) {
    band.rgba.resize(4 * static_cast<std::size_t>(band.width) * static_cast<std::size_t>(band.height));
    for (int y = 0; y < tile.height; ++y)
        std::copy_n(tile.pixel(0, y), 4 * static_cast<std::size_t>(tile.width),
                    band.rgba.data() + (band.pixel(x, y) - band.rgba.data()));
}

void clear(ui::Colour colour, bool transparent) {
    const auto channel = [&](int shift) {
        return transparent ? 0.0F : static_cast<float>((colour >> shift) & 0xffU) / 255.0F;
    };
    glDisable(GL_SCISSOR_TEST);
    glClearColor(channel(0), channel(8), channel(16), transparent ? 0.0F : 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Drawing multiplies colours by alpha; a PNG keeps them apart.
void divide_by_alpha(Image& image) {
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        const unsigned alpha = image.rgba[i + 3];
        for (std::size_t c = i; alpha != 0 && c < i + 3; ++c)
            image.rgba[c] =
                static_cast<std::uint8_t>(std::min(255U, (255U * image.rgba[c] + alpha / 2) / alpha));
    }
}

}  // namespace

Result<std::string> results_text(const PictureOptions& options) {
    if (!options.results) return std::string();
    const auto& runs = options.results->runs;
    if (std::all_of(runs.begin(), runs.end(), [](const experiment::Known& known) {
            return known.origin == experiment::Origin::shipped;
        }))
        return std::string();
    std::string text = experiment::to_text(experiment::results_of(*options.results));
    if (text.size() > exporting::kLargestSceneText)
        return failure("png.results_large", {{"bytes", std::to_string(text.size())},
                                             {"maximum", std::to_string(exporting::kLargestSceneText)}});
    return text;
}

Result<void> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                     const TakeRows& take) {
    const int width = options.pixel_width(), height = options.pixel_height();
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    if (!layers) return tl::unexpected(layers.error());
    Shown shown{.controls = options.controls,
                .figure = options.figure,
                .transparent = options.transparent,
                .below = options.below,
                .plain = options.plain || options.bare};
    // A window has found its size already.
    const double shrink = options.like != nullptr ? 1.0 : shrunk(shown, options);
    const auto scale = static_cast<float>(options.scale * shrink);
    const int tile_width = std::min(width, layers->heatmaps.largest_size());
    const int band_height =
        std::clamp(options.most_pixels / width, 1, std::min(height, layers->heatmaps.largest_size()));

    const ImGuiContext* const seen = options.like != nullptr ? ImGui::GetCurrentContext() : nullptr;
    platform::Gui gui;
    Workbench bench(drawn(scene, options), preferences, &*layers);
    prepare(bench, options);
    take_screen(bench, &*layers, options);
    if (options.like != nullptr) bench.copy_view_state(*options.like);
    gl::Framebuffer target(gl::PixelFormat::rgba8);
    const gl::TargetGuard guard;
    const auto draw = [&](int x, int y, int w, int h) {
        shown.part = {static_cast<float>(x) / scale, static_cast<float>(y) / scale,
                      static_cast<float>(x + w) / scale, static_cast<float>(y + h) / scale};
        gui.begin(width, height, scale, 1.0F / 60.0F);
        bench.frame(0.0F, scale, shown);
        target.resize(w, h);
        target.bind();
        const ui::Theme& theme = bench.appearance.theme();  // of this frame: presenting has its own
        clear(options.figure.empty() ? theme.ground : theme.tile, options.transparent);
        gui.end(x, y, w, h);
    };
    for (int frame = 1; frame < kFrames; ++frame) {
        gui.begin(width, height, scale, 1.0F / 60.0F);
        bench.frame(0.0F, scale, shown);
        gui.skip();
        if (seen != nullptr) ui::copy_scroll(*seen);  // lists are scrolled as they are there
    }
    for (int y = 0; y < height; y += band_height) {
        Image band{width, std::min(band_height, height - y), {}};
        for (int x = 0; x < width; x += tile_width) {
            draw(x, y, std::min(tile_width, width - x), band.height);
            Image tile = target.read();
            if (tile.width == width) band = std::move(tile);
            else place(tile, x, band);
        }
        if (options.transparent) divide_by_alpha(band);
        take(band.rgba);
    }
    if (layers->heatmaps.problem()) return tl::unexpected(*layers->heatmaps.problem());
    return {};
}

Result<Image> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options) {
    Image image{options.pixel_width(), options.pixel_height(), {}};
    const auto drawn = picture(scene, preferences, options, [&](std::span<const std::uint8_t> rows) {
        image.rgba.insert(image.rgba.end(), rows.begin(), rows.end());
    });
    if (!drawn) return tl::unexpected(drawn.error());
    return image;
}

struct Pictures::Stage {
    Stage(const Scene& scene, const Preferences& preferences, const PictureOptions& asked,
          canvas::Layers made)
        : options(asked), layers(std::move(made)), bench(scene, preferences, &layers) {
        target.resize(options.pixel_width(), options.pixel_height());
        prepare(bench, options);
        take_screen(bench, &layers, options);
    }

    PictureOptions options;
    canvas::Layers layers;
    platform::Gui gui;
    Workbench bench;
    gl::Framebuffer target{gl::PixelFormat::rgba8};
};

Pictures::Pictures(std::unique_ptr<Stage> stage) : stage_(std::move(stage)) {}
Pictures::~Pictures() = default;

Result<std::unique_ptr<Pictures>> Pictures::create(const Scene& scene, const Preferences& preferences,
                                                   const PictureOptions& options) {
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    if (!layers) return tl::unexpected(layers.error());
    const int largest = layers->heatmaps.largest_size();
    if (options.pixel_width() > largest || options.pixel_height() > largest)
        return refuse("render.film_size", {{"width", std::to_string(options.pixel_width())},
                                           {"height", std::to_string(options.pixel_height())},
                                           {"maximum", std::to_string(largest)}});
    return std::unique_ptr<Pictures>(
        new Pictures(std::make_unique<Stage>(scene, preferences, options, std::move(*layers))));
}

Result<Image> Pictures::draw(const Scene& scene) {
    Stage& s = *stage_;
    const int width = s.options.pixel_width(), height = s.options.pixel_height();
    const Shown shown{.controls = s.options.controls,
                      .figure = s.options.figure,
                      .transparent = s.options.transparent,
                      .plain = s.options.plain || s.options.bare};
    const auto scale = static_cast<float>(s.options.scale * shrunk(shown, s.options));
    const ui::Theme& theme = s.bench.appearance.theme();
    const gl::TargetGuard guard;
    s.bench.session.open(drawn(scene, s.options));
    for (int frame = 0; frame < kFrames; ++frame) {
        s.gui.begin(width, height, scale, 1.0F / 60.0F);
        s.bench.frame(0.0F, scale, shown);
        if (frame + 1 < kFrames) {
            s.gui.skip();
            continue;
        }
        s.target.bind();
        clear(s.options.figure.empty() ? theme.ground : theme.tile, s.options.transparent);
        s.gui.end();
    }
    if (s.layers.heatmaps.problem()) return tl::unexpected(*s.layers.heatmaps.problem());
    Image image = s.target.read();
    if (s.options.transparent) divide_by_alpha(image);
    return image;
}

}  // namespace posiscope::workbench
