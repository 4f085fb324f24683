// The lecturer's page: its picture of the next slide is the slide that comes, and it is drawn only when it changes.
#include "app/workbench/lecturer_page.hpp"
#include "tests/app/allocations.hpp"
#include "tests/app/gl_support.hpp"

#include <cstdlib>
#include <imgui.h>
#include <utility>

namespace posiscope::test::gl_lecturer_page_test {
namespace {

constexpr int kWidth = 800, kHeight = 500;
constexpr float kStill = 60.0F;  // seconds: no controls are over the slide

workbench::Preferences preferences() {
    workbench::Preferences p;
    p.language = "en";
    p.drag_hint_seen = true;
    return p;
}

class GlLecturerPage : public canvas::GlTest {
protected:
    GlLecturerPage()
        : layers_(*canvas::Layers::create(canvas::Target::framebuffer)),
          bench_(Scene(), preferences(), &layers_) {
        pixels_.resize(kWidth, kHeight);
        bench_.session.step(*bench_.teaching.begin("clocks"));
        slide();
        bench_.lecture.present(true);
        slide();
    }

    Image slide() {
        for (int i = 0; i < 4; ++i) {
            gui_.begin(kWidth, kHeight, 1.0F, 1.0F / 60.0F);
            (void)bench_.frame(kStill, 1.0F);
            if (i < 3) gui_.skip();
        }
        pixels_.bind();
        const ui::Colour ground = bench_.appearance.theme().ground;
        const auto channel = [&](int shift) {
            return static_cast<float>((ground >> shift) & 0xffU) / 255.0F;
        };
        glDisable(GL_SCISSOR_TEST);
        glClearColor(channel(0), channel(8), channel(16), 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        gui_.end();
        return pixels_.read();
    }
    void page(workbench::LecturerPage& shown, platform::Gui& gui) {
        gui.make_current();
        gui.begin(900, 560, 1.0F, 1.0F / 60.0F);
        shown.draw();
        gui.skip();
        gui_.make_current();
    }

    platform::Gui gui_;
    canvas::Layers layers_;
    workbench::Workbench bench_;
    gl::Framebuffer pixels_{gl::PixelFormat::rgba8};
};

TEST_F(GlLecturerPage, ShowsTheSlideThatComes) {
    workbench::NextSlide next(bench_, [] {});
    for (int turn = 0; turn < 6; ++turn) {         // lines, a question and its answer
        bench_.lecture.presenting.toggle_blank();  // the class sees nothing, the lecturer what comes
        ASSERT_TRUE(next.draw(bench_, kWidth, {kWidth, kHeight}));
        bench_.lecture.presenting.toggle_blank();
        const Image foretold = next.picture().read();
        ASSERT_TRUE(bench_.lecture.turn(1));
        const Image came = slide();
        ASSERT_EQ(foretold.rgba.size(), came.rgba.size());
        std::size_t others = 0;  // but for the edges of letters, which may fall otherwise
        for (std::size_t i = 0; i < came.rgba.size(); ++i)
            others += std::abs(int{foretold.rgba[i]} - int{came.rgba[i]}) > 16 ? 1 : 0;
        EXPECT_LT(others, came.rgba.size() / 500) << "turn " << turn;
    }
    bench_.lecture.jump_to(9);
    slide();
    while (bench_.lecture.presenting.can_turn(std::as_const(bench_.teaching).guide(), 1))
        (void)bench_.lecture.turn(1);
    slide();
    EXPECT_TRUE(next.draw(bench_, kWidth, {kWidth, kHeight})) << "the next lesson follows";
}

TEST_F(GlLecturerPage, IsDrawnWhenItChanges) {
    platform::Gui gui;
    workbench::LecturerPage shown(bench_, [] {});
    gui_.make_current();
    slide();
    EXPECT_TRUE(shown.due());
    page(shown, gui);
    EXPECT_FALSE(shown.due()) << "no second has passed, and nothing was turned";
    const std::uint64_t before = allocations();
    EXPECT_FALSE(shown.due());
    EXPECT_EQ(allocations(), before);
    ASSERT_TRUE(bench_.lecture.turn(1));
    EXPECT_TRUE(shown.due());
    page(shown, gui);
    EXPECT_FALSE(shown.due());
}

}  // namespace
}  // namespace posiscope::test::gl_lecturer_page_test
