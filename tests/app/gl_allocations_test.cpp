// A frame in which nothing changed, or only the mouse moved, asks for no memory: by every figure of the benches
// Overview and Attention, and by the controls around them.
#include "app/window/gui.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/app/allocations.hpp"
#include "tests/app/gl_support.hpp"

#include <imgui.h>

namespace posiscope::test {
namespace {

class GlAllocations : public gl::GlTest {
protected:
    struct Counted {
        std::uint64_t unchanged, mouse_moved;
    };

    // Some frames first: vectors grow to what is needed, glyphs are drawn when they are first seen.
    static Counted count(const Json& partial, workbench::Shown shown) {
        auto layers = workbench::make_layers();
        EXPECT_TRUE(layers) << to_string(layers.error());
        window::Gui gui;
        gl::Framebuffer target(gl::PixelFormat::rgba8);
        target.resize(1280, 800);
        workbench::Preferences preferences;
        preferences.language = "en";
        preferences.drag_hint_seen = true;
        workbench::Workbench bench(overlay(Scene(), partial)->scene, preferences, &*layers);
        const auto frame = [&] {
            gui.begin(1280, 800, 1.0F, 1.0F / 60.0F);
            const std::uint64_t before = allocations();
            bench.frame(1.0F / 60.0F, 1.0F, shown);
            const std::uint64_t taken = allocations() - before;
            target.bind();
            gui.end();
            return taken;
        };
        for (int i = 0; i < 6; ++i) frame();
        Counted counted{frame(), 0};
        // Over everything twice: the first time the largest tip makes its room.
        constexpr int kPath = 90;
        for (int i = 0; i < 2 * kPath; ++i) {
            ImGui::GetIO().AddMousePosEvent(20.0F + 14.0F * static_cast<float>(i % kPath),
                                            60.0F + 21.0F * static_cast<float>(i % kPath % 33));
            const std::uint64_t taken = frame();
            if (i >= kPath) counted.mouse_moved = std::max(counted.mouse_moved, taken);
        }
        return counted;
    }
};

TEST_F(GlAllocations, operator_new_is_counted) {
    const std::uint64_t before = allocations();
    const auto kept = std::make_unique<std::string>(100, 'x');
    EXPECT_EQ(allocations() - before, 2U) << kept->size();
}

TEST_F(GlAllocations, none_in_a_frame_that_changes_nothing) {
    for (const std::string_view bench : {"overview", "attention"})
        for (const std::string_view figure : workbench::figures_of(workbench::bench_of(bench))) {
            const Counted counted = count({{"length", 2048}}, {true, figure});
            EXPECT_EQ(counted.unchanged, 0U) << figure << " in a frame like the one before";
            EXPECT_EQ(counted.mouse_moved, 0U) << figure << " while the mouse moves";
        }
    const Counted counted = count(Json::object(), {});
    EXPECT_EQ(counted.unchanged, 0U) << "the whole bench";
    EXPECT_EQ(counted.mouse_moved, 0U) << "the whole bench, while the mouse moves";
}

}  // namespace
}  // namespace posiscope::test
