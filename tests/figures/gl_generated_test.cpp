// Scenes that nobody would write, as small pictures with OpenGL: shaders, textures and read-back included, none may throw.
// Two hundred with tests/run --all, and the first hundred of them in every run.
#include "app/figures/figure.hpp"
#include "app/platform/offscreen.hpp"
#include "app/workbench/share/picture.hpp"
#include "tests/core/random_scenes.hpp"
#include "tests/sanitized.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::gl_generated_test {
namespace {

const std::size_t kScenes = 200 / one_in(2);

// Figures in turn, in any of their modes; every twelfth is the whole bench.
std::string_view dress(RandomScenes& random, Scene& scene, std::size_t n) {
    const auto all = figures::figures();
    const std::size_t which = n % (all.size() + 1);
    if (which == all.size()) {
        scene.bench = random.once_in(2) ? "attention" : "overview";
        return {};
    }
    const figures::Figure& figure = *all[which];
    if (figure.modes != nullptr) {
        const auto modes = figure.modes(scene);
        figures::set_view_value(scene, figure.id, "mode", std::string(random.one_of(modes)));
    }
    return figure.id;
}

TEST(GlGenerated, NoSceneThrowsWithOpenGl) {
    auto context = platform::Offscreen::create();
    ASSERT_TRUE(context) << to_string(context.error());
    RandomScenes random(20261122);
    static constexpr double kWidths[] = {1.0, 40.0, 133.0, 320.0}, kScales[] = {0.5, 1.0, 1.5};
    for (std::size_t n = 0; n < kScenes; ++n) {
        Scene scene = random.next();
        // How long a large one takes is asked elsewhere.
        for (const auto& [key, most] : {std::pair("length", 2048), std::pair("d_model", 1024)})
            if (to_json(scene).at(key) > most)
                if (auto laid = overlay(scene, {{key, most}})) scene = std::move(laid->scene);
        workbench::PictureOptions options;
        options.figure = dress(random, scene, n);
        options.width = random.one_of(kWidths);
        options.height = random.one_of(kWidths);
        options.scale = random.one_of(kScales);
        workbench::Preferences preferences;
        preferences.theme = random.once_in(2) ? "dark" : "print";
        preferences.language = random.once_in(2) ? "en" : "zh";
        SCOPED_TRACE(fmt::format("{}: {} {}×{} at {}: {}", n, options.figure, options.width, options.height,
                                 options.scale, to_partial_json(scene).dump()));
        try {
            const auto drawn = workbench::picture(scene, preferences, options);
            ASSERT_TRUE(drawn) << to_string(drawn.error());
            EXPECT_EQ(drawn->width, options.pixel_width());
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

}  // namespace
}  // namespace posiscope::test::gl_generated_test
