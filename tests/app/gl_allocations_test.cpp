// A frame in which nothing changed, or only the mouse moved, allocates nothing: with OpenGL for every figure of the
// benches Overview and Attention, without it for every figure of every encoding, and for the controls around them.
#include "app/platform/gui.hpp"
#include "app/workbench/workbench.hpp"
#include "core/encodings/encodings.hpp"
#include "tests/app/allocations.hpp"
#include "tests/app/gl_support.hpp"

#include <imgui.h>

namespace posiscope::test::gl_allocations_test {
namespace {

struct Counted {
    std::uint64_t unchanged = 0, mouse_moved = 0;
};

struct Ground {
    int width = 1280, height = 800;
    int steps = 90;  // of the mouse over it all
    canvas::Layers* layers = nullptr;
};

// Some frames first: vectors grow to what is needed, glyphs are drawn when they are first seen.
Counted count(const Json& partial, workbench::Shown shown, const Ground& ground) {
    platform::Gui gui(ground.layers != nullptr);
    gl::Framebuffer target(gl::PixelFormat::rgba8);
    if (ground.layers != nullptr) target.resize(ground.width, ground.height);
    workbench::Preferences preferences;
    preferences.language = "en";
    preferences.drag_hint_seen = true;
    const auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << partial.dump();
    if (!laid) return {};
    workbench::Workbench bench(laid->scene, preferences, ground.layers);
    const auto frame = [&] {
        gui.begin(ground.width, ground.height, 1.0F, 1.0F / 60.0F);
        const std::uint64_t before = allocations();
        bench.frame(1.0F / 60.0F, 1.0F, shown);
        const std::uint64_t taken = allocations() - before;
        if (ground.layers != nullptr) target.bind();
        gui.end();
        return taken;
    };
    for (int i = 0; i < 6; ++i) frame();
    Counted counted{frame(), 0};
    // Over everything twice: the first time the largest tip makes its room.
    const auto along = [&](int i, int from, int to) {
        return static_cast<float>(from) + static_cast<float>(i % ground.steps) *
                                              static_cast<float>(to - from) /
                                              static_cast<float>(ground.steps);
    };
    for (int i = 0; i < 2 * ground.steps; ++i) {
        const int down = (i % ground.steps) * 3;
        ImGui::GetIO().AddMousePosEvent(along(i, 20, ground.width), along(down, 60, ground.height));
        const std::uint64_t taken = frame();
        if (i >= ground.steps) counted.mouse_moved = std::max(counted.mouse_moved, taken);
    }
    return counted;
}

class GlAllocations : public canvas::GlTest {};

TEST_F(GlAllocations, operator_new_is_counted) {
    const std::uint64_t before = allocations();
    const auto kept = std::make_unique<std::string>(100, 'x');
    EXPECT_EQ(allocations() - before, 2U) << kept->size();
}

TEST_F(GlAllocations, none_in_a_frame_that_changes_nothing) {
    auto layers = canvas::Layers::create(canvas::Target::framebuffer);
    ASSERT_TRUE(layers) << to_string(layers.error());
    const Ground ground{.layers = &*layers};
    for (const std::string_view bench : {"overview", "attention"})
        for (const std::string_view figure : workbench::figures_of(workbench::bench_of(bench))) {
            const Counted counted = count({{"length", 2048}}, {true, figure}, ground);
            EXPECT_EQ(counted.unchanged, 0U) << figure << " in a frame like the one before";
            EXPECT_EQ(counted.mouse_moved, 0U) << figure << " while the mouse moves";
        }
    const Counted counted = count(Json::object(), {}, ground);
    EXPECT_EQ(counted.unchanged, 0U) << "the whole bench";
    EXPECT_EQ(counted.mouse_moved, 0U) << "the whole bench, while the mouse moves";
}

TEST(Allocations, none_by_any_figure_of_any_encoding) {
    const Ground ground{.width = 900, .height = 620, .steps = 24};
    for (const Encoding* encoding : encodings())
        for (const figures::Figure* figure : figures::figures()) {
            const Counted counted = count({{"encoding", std::string(encoding->kind)}, {"num_heads", 4}},
                                          {true, figure->id}, ground);
            EXPECT_EQ(counted.unchanged, 0U)
                << figure->id << " of " << encoding->kind << " in a frame like the one before";
            EXPECT_EQ(counted.mouse_moved, 0U)
                << figure->id << " of " << encoding->kind << " while the mouse moves";
        }
}

TEST(Allocations, none_by_a_typed_encoding) {
    const Json typed = {{"kind", "own"},
                        {"position", "p/2"},
                        {"frequency", "b^(-2i/d)(1 + a cos i)"},
                        {"bias", "-s*log(1 + |D|)"},
                        {"scale", "log(n)"},
                        {"values", {{"a", 0.1}}},
                        {"from", "rope"}};
    const Counted counted = count({{"encoding", typed}, {"d_model", 64}}, {}, {});
    EXPECT_EQ(counted.unchanged, 0U);
    EXPECT_EQ(counted.mouse_moved, 0U) << "while the mouse moves";
}

TEST(Allocations, none_by_the_controls_of_a_model) {
    const Json yarn = {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 4096}};
    const Counted counted = count({{"bench", "context"},
                                   {"encoding", {{"kind", "rope"}, {"rope_scaling", yarn}}},
                                   {"length", 16384},
                                   {"trained", {{"length", 4096}}}},
                                  {}, {});
    EXPECT_EQ(counted.unchanged, 0U);
    EXPECT_EQ(counted.mouse_moved, 0U) << "while the mouse moves";
}

}  // namespace
}  // namespace posiscope::test::gl_allocations_test
