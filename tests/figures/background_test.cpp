// What takes longer than a frame is computed in the background: the figure says so, and the result is the same.
#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "core/cost.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/finished.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"
#include "tests/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace posiscope::test::background_test {
namespace {

using figures::Background;

void draw(canvas::Canvas& canvas, std::string_view id, const Scene& scene, Stage& stage) {
    stage.draw(canvas, *figures::find_figure(id), scene);
    canvas.text({}, stage.headline, {});
}

struct Case {
    std::string_view figure, mode;
    Json scene;
};

Scene scene_of(const Case& one) {
    Scene scene = overlay(Scene(), one.scene)->scene;
    figures::set_view_value(scene, one.figure, "mode", std::string(one.mode));
    return scene;
}

// W_R has d_model² entries in one head.
const Json kWide{{"encoding", "transformer_xl"}, {"d_model", 4096}, {"length", 4096}};

TEST(Background, AFigureSaysThatItComputesAndThenShowsTheSame) {
    for (const Case& one :
         {Case{"scores", "logit", kWide}, Case{"scores", "all", kWide}, Case{"matrix", "logits", kWide}}) {
        SCOPED_TRACE(std::string(one.figure) + " " + std::string(one.mode));
        const Scene scene = scene_of(one);
        Stage in_window, at_once;
        std::atomic<int> woken = 0;
        Background background([&] { ++woken; });
        in_window.derived.work_in(&background);
        Recorder before;
        draw(before, one.figure, scene, in_window);
        EXPECT_TRUE(before.says("being computed"));
        // What depends on it may take long by itself: one is asked for after the other.
        Fingerprint after, fresh;
        for (int round = 0; round < 4; ++round) {
            ASSERT_TRUE(finished(background));
            after = Fingerprint();
            draw(after, one.figure, scene, in_window);
        }
        EXPECT_GT(woken, 0);
        draw(fresh, one.figure, scene, at_once);
        EXPECT_EQ(after.value(), fresh.value());
    }
}

TEST(Background, WhatPeopleUseIsDrawnAtOnce) {
    for (const Encoding* encoding : encodings())
        for (const figures::Figure* figure : figures::figures()) {
            const auto laid = overlay(
                Scene(), {{"encoding", std::string(encoding->kind)}, {"d_model", 512}, {"num_heads", 8}});
            ASSERT_TRUE(laid);
            const auto modes =
                figure->modes != nullptr ? figure->modes(laid->scene) : std::span<const std::string_view>();
            for (std::size_t m = 0; m < std::max<std::size_t>(1, modes.size()); ++m) {
                Scene scene = laid->scene;
                if (!modes.empty()) figures::set_view_value(scene, figure->id, "mode", std::string(modes[m]));
                Stage stage;
                Background background([] {});
                stage.derived.work_in(&background);
                Recorder canvas;
                draw(canvas, figure->id, scene, stage);
                EXPECT_FALSE(canvas.says("being computed")) << figure->id << " " << encoding->kind;
            }
        }
}

// The words of a picture, with its headline.
std::set<std::string> words_of(std::string_view figure, const Scene& scene, Stage& stage) {
    Recorder canvas;
    draw(canvas, figure, scene, stage);
    return {canvas.texts.begin(), canvas.texts.end()};
}
// While a large scene is computed, no word of the scene before it stays, nor a word of the large one once another encoding is
// chosen, but for those that ask to wait: the older work may not have ended.
TEST(Background, WhileAFigureIsComputedNothingOfAnotherEncodingIsSeen) {
    const std::vector<Json> slow = {{{"encoding", "rope"},
                                     {"d_model", 65536},
                                     {"num_heads", 8},
                                     {"length", 2147483647},
                                     {"position", 2000000000},
                                     {"offset", 100000000}},
                                    kWide};
    const auto waits = [](std::string_view word) {
        return word.empty() || word == "This takes a moment: it is being computed." || word.ends_with("…");
    };
    std::size_t waited = 0;
    for (const figures::Figure* figure : figures::figures())
        for (const Json& partial : slow) {
            const Scene large = overlay(Scene(), partial)->scene,
                        small = overlay(Scene(), {{"encoding", "alibi"}, {"d_model", 64}})->scene,
                        after = overlay(Scene(), {{"encoding", "sinusoidal"}, {"d_model", 32}})->scene;
            const auto modes =
                figure->modes != nullptr ? figure->modes(large) : std::span<const std::string_view>();
            for (std::size_t m = 0; m < std::max<std::size_t>(1, modes.size()); ++m) {
                const auto in_mode = [&](Scene scene) {
                    if (!modes.empty())
                        figures::set_view_value(scene, figure->id, "mode", std::string(modes[m]));
                    return scene;
                };
                SCOPED_TRACE(fmt::format("{} {}", figure->id, partial.dump()));
                Stage stage, opened, opened_after;
                Background background([] {}), for_opened([] {}), for_after([] {});
                stage.derived.work_in(&background);
                opened.derived.work_in(&for_opened);
                opened_after.derived.work_in(&for_after);
                const auto before = words_of(figure->id, in_mode(small), stage);
                const auto during = words_of(figure->id, in_mode(large), stage);
                if (!background.working()) continue;
                ++waited;
                const auto fresh = words_of(figure->id, in_mode(large), opened);
                for (const std::string& word : during)
                    EXPECT_TRUE(fresh.contains(word) || !before.contains(word)) << word;
                const auto chosen = words_of(figure->id, in_mode(after), opened_after);
                for (const std::string& word : words_of(figure->id, in_mode(after), stage))
                    EXPECT_TRUE(chosen.contains(word) || !during.contains(word) || waits(word)) << word;
            }
        }
    EXPECT_GT(waited, 5U);
}

// A job for a key that nobody wants any more is stopped.
TEST(Background, TheLastKeyWins) {
    Background background([] {});
    figures::Slow<int, int> slow;
    const auto twice = [](int of) {
        spend(1e9);
        return 2 * of;
    };
    EXPECT_EQ(slow.get(&background, 1, twice), nullptr);
    EXPECT_EQ(slow.get(&background, 2, twice), nullptr);
    figures::Kept<int> made;
    for (int i = 0; i < 4 && made == nullptr && finished(background); ++i)
        made = slow.get(&background, 2, twice);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(*made, 4);
    EXPECT_EQ(slow.get(&background, 2, twice), made) << "the same object";
}

// Closing the window or another Scene does not wait for what nobody will see.
TEST(Background, AJobThatNobodyWantsStopsAtOnce) {
    // The job never ends by itself: a wait that ends at all shows that it was stopped.
    const auto forever = [](int) -> int {
        for (;;) spend(1e4);
    };
    auto background = std::make_unique<Background>([] {});
    figures::Slow<int, int> slow;
    EXPECT_EQ(slow.get(background.get(), 1, forever), nullptr);
    EXPECT_EQ(slow.get(background.get(), 2, forever), nullptr);
    slow = {};
    EXPECT_TRUE(finished(*background));
    EXPECT_EQ(slow.get(background.get(), 3, forever), nullptr);
    background = nullptr;
}

// What was begun with the old file ends after the new one is asked for: it reaches nobody.
test::Gate* begun = nullptr;
test::Gate* forgotten = nullptr;
std::atomic<int> file = 0;

TEST(Background, AValueThatWasForgottenWhileItWasMadeIsMadeAnew) {
    test::Gate first, second;
    begun = &first, forgotten = &second, file = 1;
    const auto read = [](int) {
        const int now = file;
        spend(1e9);
        if (now == 1) {
            begun->open();
            forgotten->wait();
        }
        return now;
    };
    Background background([] {});
    figures::Slow<int, int> slow;
    EXPECT_EQ(slow.get(&background, 7, read), nullptr);
    first.wait();
    file = 2;
    slow = {};
    EXPECT_EQ(slow.get(&background, 7, read), nullptr);
    second.open();
    EXPECT_TRUE(finished(background));
    const figures::Kept<int> made = slow.get(&background, 7, read);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(*made, 2);
}

TEST(Background, WithoutThreadsItWorksBetweenTwoFramesOnceNothingChanges) {
    int woken = 0;
    Background background([&] { ++woken; }, false);
    figures::Slow<int, int> slow;
    const auto twice = [](int of) {
        spend(9e8);
        return 2 * of;
    };
    background.begin_frame();
    EXPECT_EQ(slow.get(&background, 1, twice), nullptr);
    background.begin_frame();
    EXPECT_EQ(woken, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(260));
    background.begin_frame();
    EXPECT_EQ(woken, 1);
    EXPECT_EQ(*slow.get(&background, 1, twice), 2);
}

// Once for each key: it is not tried again in each frame.
TEST(Background, WhatIsThrownThereIsThrownHere) {
    static std::atomic<int> tries;
    tries = 0;
    Background background([] {});
    figures::Slow<int, int> slow, in_a_picture;
    const auto fails = [](int of) -> int {
        ++tries;
        spend(of > 1 ? 1.0 : 1e9);
        throw std::runtime_error("no");
    };
    EXPECT_EQ(slow.get(&background, 1, fails), nullptr);
    EXPECT_THROW(
        {
            for (int i = 0; i < 4 && finished(background); ++i) slow.get(&background, 1, fails);
        },
        std::runtime_error);
    const int tried = tries;
    for (int frame = 0; frame < 3; ++frame) EXPECT_THROW(slow.get(&background, 1, fails), std::runtime_error);
    EXPECT_EQ(tries, tried);
    for (int frame = 0; frame < 3; ++frame)
        EXPECT_THROW(in_a_picture.get(nullptr, 2, fails), std::runtime_error);
    EXPECT_EQ(tries, tried + 1);
    EXPECT_EQ(*slow.get(nullptr, 3, [](int of) { return of; }), 3) << "another key";
}

}  // namespace
}  // namespace posiscope::test::background_test
