// One law for every figure: a frame of a window takes at most so much of its thread, whatever valid scene is shown.
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/positions/positions.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/finished.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/workbench/window/benches.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>

namespace posiscope::test::frame_law_test {
namespace {

using figures::Background;

struct Named {
    std::string name;
    Scene scene;
};

// An encoding at the ends of what a Scene may hold.
std::vector<Named> extremes(const Encoding& encoding) {
    std::vector<Named> all;
    const auto add = [&](const std::string& name, const Json& partial) {
        Json whole = partial;
        const std::string kind(encoding.kind);
        if (!whole.contains("encoding")) whole["encoding"] = kind;
        if (auto laid = overlay(Scene(), whole)) all.push_back({kind + " " + name, std::move(laid->scene)});
    };
    const auto last = kLastPosition;
    add("long", {{"length", last}, {"position", last - 4}});
    add("wide", {{"d_model", kLargestWidth}});
    add("wide and long", {{"d_model", kLargestWidth}, {"length", last}});
    add("heads", {{"d_model", kLargestWidth}, {"num_heads", kLargestWidth / 2}, {"length", 65536}});
    add("middling", {{"d_model", 1024}, {"length", 4096}});
    add("large", {{"d_model", 4096}, {"length", 8192}});
    add("head_dim", {{"d_model", 4096}, {"head_dim", kLargestWidth}, {"num_heads", 64}});
    for (const char* content : {"seeded", "tokens"})
        for (const std::int64_t width : {1024L, 4096L, 65536L})
            add(fmt::format("{} {}", content, width),
                {{"d_model", width}, {"length", 8192}, {"content", content}});
    add("seeded, long", {{"length", last}, {"content", "seeded"}});
    add("trained", {{"d_model", kLargestWidth},
                    {"length", last},
                    {"trained", {{"length", last - 1}, {"scene", {{"base", 3.0}}}}}});
    add("base", {{"base", kLargestBase}, {"d_model", 8192}, {"length", last}, {"causal", false}});
    for (const Parameter& parameter : encoding.parameters) {
        if (parameter.kind != Parameter::Kind::integer) continue;
        Json choice{{"kind", std::string(encoding.kind)}};
        choice[std::string(parameter.key)] = static_cast<std::int64_t>(parameter.maximum);
        add(std::string(parameter.key), {{"encoding", choice}, {"length", 4096}});
        add(std::string(parameter.key) + ", wide",
            {{"encoding", choice}, {"length", last}, {"d_model", kLargestWidth}});
    }
    return all;
}

// One in so many of some ten thousand cases, so that every encoding, extreme, figure and mode still occurs many times.
constexpr std::size_t kEvery = kSanitized ? 211 : 7;

// The units of work that it took.
double draw(canvas::Canvas& canvas, const figures::Figure& figure, const Scene& scene, Stage& stage,
            Background* background) {
    stage.area = {0.0F, 0.0F, 1280.0F, 800.0F};
    stage.derived.work_in(background);
    const double before = work_done();
    stage.draw(canvas, figure, scene);
    canvas.text({}, stage.headline, {});
    return work_done() - before;
}

// What the thread of a window may take for one figure: what a frame may spend on values, the rough ones in place of what did not
// fit, and what is cheap enough for every frame.
constexpr double kMostUnits = 6e7;

template <class Visit>
void each_mode(const Scene& scene, Visit visit) {
    for (const figures::Figure* figure : figures::figures()) {
        const auto modes =
            figure->modes != nullptr ? figure->modes(scene) : std::span<const std::string_view>();
        for (std::size_t m = 0; m < std::max<std::size_t>(1, modes.size()); ++m) {
            Scene in_mode = scene;
            if (!modes.empty()) figures::set_view_value(in_mode, figure->id, "mode", std::string(modes[m]));
            visit(*figure, in_mode, modes.empty() ? std::string_view() : modes[m]);
        }
    }
}

// Counted work is the same on every machine; frame_bench times the worst of these scenes, which shows work that nobody counts.
TEST(FrameLaw, AnyValidSceneFitsInAFrame) {
    std::size_t n = 0;
    for (const Encoding* encoding : encodings())
        for (const Named& one : extremes(*encoding))
            each_mode(one.scene,
                      [&](const figures::Figure& figure, const Scene& scene, std::string_view mode) {
                          if (++n % kEvery != 0) return;
                          SCOPED_TRACE(fmt::format("{}: {} {}", one.name, figure.id, mode));
                          Stage stage;
                          Background background([] {});
                          Recorder canvas;
                          try {
                              EXPECT_LE(draw(canvas, figure, scene, stage, &background), kMostUnits);
                          } catch (const std::exception& error) {
                              ADD_FAILURE() << error.what();
                          }
                      });
}

// So do rows of tokens by every policy of ids and each slip, at 4096 tokens and at the most that a row may have.
TEST(FrameLaw, AnyPolicyOfIdsFitsInAFrame) {
    for (const Policy& policy : policies()) {
        std::vector<std::string_view> slips = {kNoSlip};
        for (const Parameter& parameter : policy.parameters)
            if (parameter.key == "slip") slips = parameter.choices;
        for (const std::string_view slip : slips)
            for (const std::int64_t step : {std::int64_t{4095}, kMostTokens - 1}) {
                Json ids{{"kind", std::string(policy.kind)}};
                if (slip != kNoSlip) ids["slip"] = std::string(slip);
                const auto laid = overlay(Scene(), {{"encoding", "rope"},
                                                    {"d_model", 1024},
                                                    {"length", step + 1},
                                                    {"position", step},
                                                    {"offset", -1},
                                                    {"view", {{"ids", ids}}}});
                ASSERT_TRUE(laid) << ids.dump();
                for (const char* id : {"positions", "distances", "key_scores", "verdict"}) {
                    Stage stage;
                    Background background([] {});
                    Recorder canvas;
                    EXPECT_LE(draw(canvas, *figures::find_figure(id), laid->scene, stage, &background),
                              kMostUnits)
                        << id << " " << ids.dump();
                }
                if (step > 4095) continue;
                for (const auto& [id, mode] : {std::pair{"attention", "weights"}, {"matrix", "attention"}}) {
                    Scene scene = laid->scene;
                    figures::set_view_value(scene, id, "mode", std::string(mode));
                    Stage stage;
                    Background background([] {});
                    Recorder canvas;
                    EXPECT_LE(draw(canvas, *figures::find_figure(id), scene, stage, &background), kMostUnits)
                        << id << " " << ids.dump();
                }
            }
    }
}

// Work is counted where it is done, in small steps: what does not fit in a frame, and what nobody wants any more, ends soon.
TEST(FrameLaw, NoStepOfWorkIsLong) {
    constexpr double kAllowed = 1.5e7, kLongest = 6e6;  // some rows of the widest Scene
    std::size_t n = 0, interrupted = 0;
    for (const Encoding* encoding : encodings())
        for (const Named& one : extremes(*encoding))
            each_mode(one.scene,
                      [&](const figures::Figure& figure, const Scene& scene, std::string_view mode) {
                          if (++n % kEvery != 1) return;
                          Stage stage;
                          Recorder canvas;
                          const double before = work_done();
                          try {
                              const Allowance allowance(kAllowed);
                              draw(canvas, figure, scene, stage, nullptr);
                          } catch (const Interrupted&) {
                              ++interrupted;
                              EXPECT_GT(work_done() - before, kAllowed - kLongest)
                                  << one.name << ": " << figure.id << " " << mode;
                          }
                      });
    EXPECT_GT(interrupted, n / kEvery / 10);
}

// A scene that a window shows roughly at first, or not at all: without a window it is whole, and the same each time.
TEST(FrameLaw, APictureOutsideAWindowIsExactAndTheSameEachTime) {
    struct Heavy {
        std::string_view figure, mode;
        Json scene;
    };
    for (const Heavy& one :
         {Heavy{"scores", "logit", {{"encoding", "transformer_xl"}, {"d_model", 2048}, {"length", 4096}}},
          Heavy{"matrix", "attention", {{"encoding", "alibi"}, {"d_model", 64}, {"length", 1500}}},
          Heavy{"matrix",
                "table",
                {{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 20000}}},
                 {"length", 20000}}}}) {
        SCOPED_TRACE(std::string(one.figure) + " " + std::string(one.mode));
        Scene scene = overlay(Scene(), one.scene)->scene;
        figures::set_view_value(scene, one.figure, "mode", std::string(one.mode));
        const figures::Figure& figure = *figures::find_figure(one.figure);
        Stage in_window, first, second;
        Background background([] {});
        Fingerprint rough, exact, again, arrived;
        draw(rough, figure, scene, in_window, &background);
        draw(exact, figure, scene, first, nullptr);
        draw(again, figure, scene, second, nullptr);
        EXPECT_EQ(exact.value(), again.value());
        EXPECT_NE(rough.value(), exact.value()) << "it was meant to be too much for a frame";
        Recorder words;
        draw(words, figure, scene, first, nullptr);
        EXPECT_FALSE(words.says("being computed") || words.says("every "));
        // What depends on another value is asked for only once that is there.
        for (int round = 0; round < 4; ++round) {
            ASSERT_TRUE(finished(background));
            arrived = Fingerprint();
            draw(arrived, figure, scene, in_window, &background);
        }
        EXPECT_EQ(arrived.value(), exact.value());
    }
}

// What people see first, and the pictures of the README, are never rough: not even in the first frame.
TEST(FrameLaw, TheDefaultSceneAndTheGalleryAreExactAtOnce) {
    std::vector<Named> scenes;
    for (const auto& file : std::filesystem::directory_iterator(std::string(kTree) + "/assets/gallery")) {
        if (file.path().extension() != ".json") continue;
        std::ifstream in(file.path());
        const std::string text(std::istreambuf_iterator<char>(in), {});
        scenes.push_back({file.path().filename().string(), overlay(Scene(), *parse_json(text))->scene});
    }
    ASSERT_GT(scenes.size(), 3U);
    const auto exact_at_once = [](std::string_view name, const figures::Figure& figure, const Scene& scene) {
        Stage in_window, at_once;
        Background background([] {});
        Fingerprint shown, exact;
        draw(shown, figure, scene, in_window, &background);
        draw(exact, figure, scene, at_once, nullptr);
        EXPECT_EQ(shown.value(), exact.value())
            << name << " " << figure.id << " " << figures::mode(figure, scene);
    };
    each_mode(Scene(), [&](const figures::Figure& figure, const Scene& scene, std::string_view) {
        exact_at_once("default", figure, scene);
    });
    for (const Named& one : scenes)
        for (const std::string_view id : workbench::figures_of(workbench::bench_of(one.scene.bench)))
            exact_at_once(one.name, *figures::find_figure(id), one.scene);
}

}  // namespace
}  // namespace posiscope::test::frame_law_test
