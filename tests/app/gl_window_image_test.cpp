// F12 saves what is seen: the image of the window is, pixel for pixel, what the window draws, whatever is open in it.
#include "app/gl/framebuffer.hpp"
#include "app/platform/gui.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/app/gl_support.hpp"

#include <imgui.h>

namespace posiscope::test::gl_window_image_test {
namespace {

constexpr int kWidth = 1280, kHeight = 800;

workbench::Preferences preferences() {
    workbench::Preferences p;
    p.language = "en";
    p.lessons_offered = true;
    p.drag_hint_seen = true;
    p.picture_scale = 1.0;
    return p;
}

class GlWindowImage : public canvas::GlTest {
protected:
    GlWindowImage()
        : layers_(*canvas::Layers::create(canvas::Target::framebuffer)),
          bench_(Scene(), preferences(), &layers_) {
        pixels_.resize(kWidth, kHeight);
        frame(4);
    }

    void frame(int count = 1) {
        for (int i = 0; i < count; ++i) {
            gui_.begin(kWidth, kHeight, 1.0F, 1.0F / 60.0F);
            (void)bench_.frame(0.0F, 1.0F);
            gui_.skip();
        }
    }
    // The bytes in which the saved image differs from the next frame of the window.
    std::size_t differing() {
        gui_.begin(kWidth, kHeight, 1.0F, 1.0F / 60.0F);
        (void)bench_.frame(0.0F, 1.0F);
        pixels_.bind();
        const ui::Colour ground = bench_.appearance.theme().ground;
        const auto channel = [&](int shift) {
            return static_cast<float>((ground >> shift) & 0xffU) / 255.0F;
        };
        glDisable(GL_SCISSOR_TEST);
        glClearColor(channel(0), channel(8), channel(16), 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        gui_.end();
        const Image seen = pixels_.read();
        const auto saved = workbench::picture(bench_.session.scene(), bench_.preferences,
                                              workbench::as_seen(bench_, "", false));
        EXPECT_TRUE(saved);
        if (!saved || saved->rgba.size() != seen.rgba.size()) return seen.rgba.size();
        std::size_t count = 0;
        for (std::size_t i = 0; i < seen.rgba.size(); ++i) count += seen.rgba[i] != saved->rgba[i] ? 1 : 0;
        return count;
    }
    void begin_lesson() {
        bench_.session.step(*bench_.teaching.begin("why"));
        frame(4);
    }

    platform::Gui gui_;
    canvas::Layers layers_;
    workbench::Workbench bench_;
    gl::Framebuffer pixels_{gl::PixelFormat::rgba8};
};

TEST_F(GlWindowImage, ABenchAndWhatCanBeUndone) {
    EXPECT_EQ(differing(), 0U);
    Scene moved = bench_.session.scene();
    moved.position = 20;
    bench_.session.step(moved);
    frame(3);
    EXPECT_EQ(differing(), 0U) << "undo is lit";
    bench_.session.undo();
    frame(3);
    EXPECT_EQ(differing(), 0U) << "redo is lit";
    bench_.playing.on = true;
    frame(3);
    EXPECT_EQ(differing(), 0U) << "the button pauses";
}

TEST_F(GlWindowImage, AStepOfALessonAndItsWholeBench) {
    begin_lesson();
    EXPECT_EQ(differing(), 0U);
    bench_.layout.show_bench();
    frame(3);
    ASSERT_GT(bench_.layout.tiles().size(), 1U);
    EXPECT_EQ(differing(), 0U) << "key 0 shows all figures";
}

TEST_F(GlWindowImage, AClaimFarDownTheList) {
    bench_.teaching.turn_to(panels::GuideTab::claims);
    bench_.teaching.claims().choose("C4");
    frame(6);
    EXPECT_EQ(differing(), 0U);
}

TEST_F(GlWindowImage, AHiddenSidebarAndACodeForTheRoom) {
    bench_.sizing.toggle_sidebar();
    bench_.preferences.page = "https://example.org/";
    bench_.sharing.show_room_code();
    frame(3);
    ASSERT_TRUE(bench_.sharing.room_code.shown());
    EXPECT_EQ(differing(), 0U);
}

TEST_F(GlWindowImage, ALectureWithItsClockAndNotes) {
    begin_lesson();
    bench_.lecture.present(true);
    bench_.lecture.toggle_clock();
    bench_.lecture.toggle_notes();
    frame(4);
    EXPECT_EQ(differing(), 0U);
}

}  // namespace
}  // namespace posiscope::test::gl_window_image_test
