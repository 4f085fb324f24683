// What the figures of a dump say of the examples, and any damage to a file through to the picture.
#include "core/formats/arrays.hpp"
#include "core/formats/table.hpp"
#include "core/measure/reference.hpp"
#include "core/phase/frequencies.hpp"
#include "tests/figures/any_drawing.hpp"
#include "tests/folder.hpp"
#include "tests/sanitized.hpp"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace posiscope::test::measured_test {
namespace {

constexpr std::array<std::string_view, 5> kFigures = {"measured", "residual", "rows", "partners", "findings"};

Scene scene_with(const Json& dump) {
    const auto laid = overlay(
        Scene(), {{"encoding",
                   {{"kind", "rope"},
                    {"max_position_embeddings", 131072},
                    {"rope_scaling",
                     {{"rope_type", "yarn"}, {"factor", 8}, {"original_max_position_embeddings", 16384}}}}},
                  {"layout", "half"},
                  {"d_model", 128},
                  {"view", {{"dump", dump}}}});
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid->scene;
}

std::string headline(std::string_view figure, const char* example) {
    Stage stage;
    Recorder canvas;
    stage.draw(canvas, *figures::find_figure(figure), scene_with({{"example", example}}));
    return stage.headline;
}

TEST(MeasuredFigures, SayWhatIsWrongWithEachExample) {
    EXPECT_EQ(headline("findings", "right"), "As the settings say, in every number.");
    EXPECT_EQ(headline("residual", "right"),
              "All 19\u2009200 numbers are within rounding of what they should be.");
    EXPECT_EQ(headline("rows", "right"), "Each row is at the position it should have: 0 to 299.");
    EXPECT_EQ(headline("findings", "factor"), "Not as the settings say: 1 difference.");
    EXPECT_NE(headline("measured", "factor").find("is divided by 7.000, and the settings say 8."),
              std::string::npos)
        << headline("measured", "factor");
    EXPECT_EQ(headline("rows", "stuck"),
              "149 of 300 rows are elsewhere; row 151 is at position 150, and should be at 151.");
    EXPECT_TRUE(headline("residual", "column").starts_with("299 of 19\u2009200 numbers are beyond rounding"))
        << headline("residual", "column");
    EXPECT_NE(headline("rows", "heads").find("head 3 row 0 is at position 1, not at 0"), std::string::npos)
        << headline("rows", "heads");
    EXPECT_EQ(headline("partners", "heads"),
              "128 columns are rotated with the one 64 further, as the settings say.");
}

TEST(MeasuredFigures, ADumpThatIsNotThereOrNotAllowedIsOneSentence) {
    Stage stage;
    for (const Json& dump : {Json(nullptr), Json{{"file", "/nowhere/cos.npy"}}, Json{{"example", "none"}}})
        for (const std::string_view id : kFigures) {
            Recorder canvas;
            stage.draw(canvas, *figures::find_figure(id), scene_with(dump));
            EXPECT_EQ(canvas.shapes, 0U) << id << dump;
            EXPECT_FALSE(canvas.texts.empty()) << id << dump;
        }
}

// On the bench one figure says it, the others what they will show.
TEST(MeasuredFigures, AnExampleThatIsRefusedIsSaidOnceOnTheBench) {
    Stage stage;
    Scene scene = overlay(Scene(), {{"view", {{"dump", {{"example", "factor"}}}}}})->scene;
    const auto says_why = [&](std::string_view id) {
        Recorder canvas;
        stage.draw(canvas, *figures::find_figure(id), scene);
        std::string all;
        for (const auto& text : canvas.texts) all += text + " ";
        return all.find("scaling") != std::string::npos;
    };
    for (const std::string_view id : kFigures) EXPECT_TRUE(says_why(id)) << id;
    scene.bench = "measured";
    for (const std::string_view id : kFigures) EXPECT_EQ(says_why(id), id == "measured") << id;
}

// While it is measured in the background a figure says so, and no frame waits.
TEST(MeasuredFigures, AreMeasuredBesideTheWindow) {
    Stage stage;
    figures::Background background([] {}, false);
    stage.derived.work_in(&background);
    const Scene scene = scene_with({{"example", "factor"}});
    Recorder first;
    stage.draw(first, *figures::find_figure("measured"), scene);
    EXPECT_EQ(first.shapes, 0U) << "it is not there in the first frame";
    Recorder second;
    for (int n = 0; n < 3000 && second.shapes == 0; ++n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stage.draw(second, *figures::find_figure("measured"), scene);
    }
    EXPECT_GT(second.shapes, 50U);
}

// Bytes changed anywhere, or cut off: a picture or a sentence.
class MeasuredFiles : public InFolder {};

TEST_F(MeasuredFiles, AnyDamageToAFileIsDrawnOrSaid) {
    const Scene own = scene_with(nullptr);
    const auto reference = measuring::reference_of(own, "");
    ASSERT_TRUE(reference);
    Array cache{{"cos", {24, reference->pairs()}}, {}};
    for (int row = 0; row < 24; ++row)
        for (const double w : reference->frequency)
            cache.values.push_back(reference->amplitude * std::cos(row * w));
    std::string bytes;
    ASSERT_TRUE(write_npy({&cache, 1}, [&](std::string_view piece) { bytes += piece; }));
    const std::string path = (folder_ / "cos.npy").string();
    allow_table(path);
    std::uint32_t random = 7;
    for (int n = 0; n < (kSanitized ? 40 : 150); ++n) {
        std::string damaged = bytes;
        for (int flips = 0; flips < 1 + n % 40; ++flips) {
            random = 1664525U * random + 1013904223U;
            damaged[(random >> 8) % (n % 3 == 0 ? 128 : damaged.size())] = static_cast<char>(random >> 5);
        }
        if (n % 5 == 0) damaged.resize((random >> 8) % damaged.size());
        std::ofstream(path, std::ios::binary) << damaged;
        Drawing drawing;
        drawing.scene = scene_with({{"file", path}});
        const auto all = figures::figures();
        const auto at = std::ranges::find(all, kFigures[static_cast<std::size_t>(n) % kFigures.size()],
                                          &figures::Figure::id);
        drawing.figure = static_cast<std::size_t>(at - all.begin());
        drawing.area = {0.0F, 0.0F, 200.0F + 10.0F * static_cast<float>(n % 60), 300.0F};
        drawing.mouse = {90.0F + static_cast<float>(n), 120.0F};
        EXPECT_EQ(complaint_of(std::move(drawing)), "") << n;
    }
}

}  // namespace
}  // namespace posiscope::test::measured_test
