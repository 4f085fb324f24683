// Clocks: the pixels at known places.
#include "app/canvas/screen/clock_layer.hpp"
#include "tests/app/gl_support.hpp"

#include <cmath>

namespace posiscope::canvas::gl_clock_test {
namespace {

constexpr std::uint32_t kBack = 0xff000000U;
constexpr std::uint32_t kInk = 0xffffffffU;
constexpr std::uint32_t kOffset = 0xff0000ffU;  // red
constexpr std::uint32_t kRing = 0xff00ff00U;    // green

class GlClock : public GlTest {
protected:
    // One clock in the middle of 100 × 100 points.
    Image drawn(const Clock& clock, float pixels_per_point = 1.0F, const ClockStyle& style = plain(),
                gl::Projection p = {}) {
        auto made = ClockLayer::create();
        EXPECT_TRUE(made) << to_string(made.error());
        gl::Framebuffer target(gl::PixelFormat::rgba8);
        const int size = static_cast<int>(100.0F * pixels_per_point);
        target.resize(size, size);
        target.bind();
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        p.width = p.height = 100.0F;
        p.pixels_per_point = pixels_per_point;
        made->draw({&clock, 1}, style, p);
        glDisable(GL_BLEND);
        glDisable(GL_SCISSOR_TEST);
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return target.read();
    }
    static ClockStyle plain() {
        ClockStyle style;
        style.ink = kInk;
        style.offset = kOffset;
        style.mark = kInk;
        style.sector = 0.5F;
        return style;
    }
    static std::uint32_t at(const Image& image, double x, double y) {
        const std::uint8_t* p = image.pixel(static_cast<int>(x), static_cast<int>(y));
        return p[0] | (static_cast<std::uint32_t>(p[1]) << 8) | (static_cast<std::uint32_t>(p[2]) << 16) |
               0xff000000U;
    }
    // At a part of the radius, in a direction in turns, y up.
    static std::uint32_t on_dial(const Image& image, double radius, double part, double turns) {
        const double centre = image.width / 2.0;
        return at(image, centre + part * radius * std::cos(turns * 6.283185307179586),
                  centre - part * radius * std::sin(turns * 6.283185307179586));
    }
};

TEST_F(GlClock, hands_ring_and_sector_stand_where_they_should) {
    for (const float scale : {1.0F, 2.0F, 3.0F}) {
        for (const float p : {0.0F, 0.13F, 0.25F, 0.6F, 0.9F, -0.3F}) {
            for (const float k : {0.1F, 0.45F, 0.75F, -0.2F, -0.6F}) {
                const Image image = drawn({50.0F, 50.0F, 40.0F, p, k, kRing, 0.0F}, scale);
                const double r = 40.0 * static_cast<double>(scale);
                EXPECT_EQ(on_dial(image, r, 0.6, p), kInk) << p << " " << k;
                EXPECT_EQ(on_dial(image, r, 0.6, p + k), kOffset) << p << " " << k;
                EXPECT_NEAR(on_dial(image, r, 0.6, p + 0.5F * k) & 0xffU, 127.5, 0.5)
                    << "half-way between the hands, softly";
                EXPECT_EQ(on_dial(image, r, 0.6, p + k + (k > 0 ? 0.04 : -0.04)), kBack) << p << " " << k;
                EXPECT_GT((on_dial(image, r, 0.987, p + k + 0.5) >> 8) & 0xffU, 180U) << "the ring";
                EXPECT_EQ(at(image, 1, 1), kBack);
            }
        }
    }
}

TEST_F(GlClock, without_an_offset_there_is_one_hand) {
    ClockStyle style = plain();
    style.show_offset = false;
    const Image image = drawn({50.0F, 50.0F, 40.0F, 0.0F, 0.25F, kRing, 0.0F}, 1.0F, style);
    EXPECT_EQ(on_dial(image, 40, 0.6, 0.0), kInk);
    EXPECT_EQ(on_dial(image, 40, 0.6, 0.25), kBack);
    EXPECT_EQ(on_dial(image, 40, 0.6, 0.125), kBack);
}

TEST_F(GlClock, a_whole_turn_fills_the_disc) {
    const Image image = drawn({50.0F, 50.0F, 40.0F, 0.0F, 1.25F, kRing, 0.0F});
    const auto red = [&](double turns) { return on_dial(image, 40, 0.6, turns) & 0xffU; };
    EXPECT_GT(red(0.6), 30U);
    EXPECT_GT(red(0.125), red(0.6) + 30U);
}

TEST_F(GlClock, small_clocks_keep_ring_and_hands) {
    const Image image = drawn({50.2F, 49.7F, 6.0F, 0.25F, 0.25F, kRing, 0.0F});
    // Centred on a pixel: hand up, offset to the left, ring all round.
    EXPECT_GT(at(image, 50, 46) & 0xffU, 200U);
    EXPECT_GT((at(image, 50, 46) >> 8) & 0xffU, 200U);
    EXPECT_GT(at(image, 47, 49) & 0xffU, 200U);
    EXPECT_LT((at(image, 47, 49) >> 8) & 0xffU, 60U);
    EXPECT_GT((at(image, 55, 49) >> 8) & 0xffU, 120U);
    for (const int channel : {0, 8, 16})
        EXPECT_NEAR(static_cast<int>((at(image, 50, 43) >> channel) & 0xffU),
                    static_cast<int>((at(image, 50, 55) >> channel) & 0xffU), 1)
            << "the same above and below";
}

TEST_F(GlClock, emphasis_adds_a_ring_outside) {
    const Image plain_clock = drawn({50.0F, 50.0F, 30.0F, 0.0F, 0.25F, kRing, 0.0F});
    const Image selected = drawn({50.0F, 50.0F, 30.0F, 0.0F, 0.25F, kRing, 2.0F});
    EXPECT_EQ(at(plain_clock, 50, 17), kBack);
    EXPECT_GT(at(selected, 50, 17) & 0xffU, 100U);
}

TEST_F(GlClock, nothing_is_drawn_outside_the_clip_rectangle) {
    gl::Projection p;
    p.clip_x0 = 50.0F;
    p.clip_y0 = 0.0F;
    p.clip_x1 = 100.0F;
    p.clip_y1 = 50.0F;
    const Image image = drawn({50.0F, 50.0F, 40.0F, 0.125F, 0.25F, kRing, 0.0F}, 1.0F, plain(), p);
    EXPECT_EQ(on_dial(image, 40, 0.6, 0.125), kInk);
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 100; ++x) {
            if (x < 50 || y >= 50) {
                ASSERT_EQ(at(image, x, y), kBack) << x << " " << y;
            }
        }
    }
}

TEST_F(GlClock, more_clocks_than_the_buffer_holds) {
    auto made = ClockLayer::create();
    ASSERT_TRUE(made);
    gl::Framebuffer target(gl::PixelFormat::rgba8);
    target.resize(64, 64);
    target.bind();
    std::vector<Clock> clocks(5000, Clock{32.0F, 32.0F, 20.0F, 0.0F, 0.0F, kRing, 0.0F});
    gl::Projection p;
    p.width = p.height = 64.0F;
    made->draw(std::span(clocks).first(3000), plain(), p);
    made->draw(std::span(clocks).first(3000), plain(), p);
    clocks.back() = {32.0F, 32.0F, 28.0F, 0.25F, 0.0F, kRing, 0.0F};
    made->draw(clocks, plain(), p);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    EXPECT_EQ(at(target.read(), 32, 14), kInk);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace posiscope::canvas::gl_clock_test
