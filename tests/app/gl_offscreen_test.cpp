// A context without a window: that there is one, and the error without one.
#include "app/platform/offscreen.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

namespace posiscope::platform::gl_offscreen_test {
namespace {

// In a process of its own, in which EGL has not been loaded yet: prints what came back, and ends.
[[noreturn]] void try_with(const char* variable, const char* value) {
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");  // would come before the folders of drivers
    setenv(variable, value, 1);
    const auto made = Offscreen::create();
    std::fputs((made ? "made by " + std::string(made->renderer()) : to_string(made.error())).c_str(), stderr);
    std::exit(0);
}

std::ptrdiff_t threads() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

// Draws with the process's only context, ends it, and exits with how many threads it has left behind.
[[noreturn]] void draw_and_count() {
    const auto before = threads();
    {
        const auto made = Offscreen::create(Contexts::only);
        if (!made) std::exit(100);
        glClear(GL_COLOR_BUFFER_BIT);
        glFinish();
    }
    for (int i = 0; i < 100 && threads() > before; ++i)  // one that has been joined is listed a moment longer
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::exit(static_cast<int>(threads() - before));
}

class Offscreens : public testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using OffscreensDeathTest = Offscreens;

TEST_F(OffscreensDeathTest, without_a_driver_there_is_no_context) {
    EXPECT_EXIT(try_with("__EGL_VENDOR_LIBRARY_DIRS", "/nowhere"), testing::ExitedWithCode(0),
                "gl.no_context");
}

TEST_F(OffscreensDeathTest, an_old_driver_is_named) {
    EXPECT_EXIT(try_with("MESA_GL_VERSION_OVERRIDE", "3.1"), testing::ExitedWithCode(0),
                "gl.too_old .found=3.1|made by NVIDIA");  // Mesa alone can pretend
}

TEST_F(OffscreensDeathTest, no_display_is_needed) {
    EXPECT_EXIT(try_with("DISPLAY", ""), testing::ExitedWithCode(0), "made");
}

TEST_F(OffscreensDeathTest, the_only_context_takes_the_drivers_threads_along) {
    if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "threads are counted in /proc";
    EXPECT_EXIT(draw_and_count(), testing::ExitedWithCode(0), "");
}

TEST(Offscreen, is_current_and_can_be_made_so_again) {
    auto first = Offscreen::create();
    ASSERT_TRUE(first) << to_string(first.error());
    EXPECT_FALSE(first->renderer().empty());
    EXPECT_FALSE(first->platform().empty());
    {
        auto second = Offscreen::create();
        ASSERT_TRUE(second);
        GLuint name = 0;
        glGenTextures(1, &name);
        EXPECT_NE(name, 0U);
    }
    first->make_current();
    const Offscreen moved = std::move(*first);
    GLint major = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    EXPECT_GE(major, 3);
}

}  // namespace
}  // namespace posiscope::platform::gl_offscreen_test
