// Results of an experiment as files of the window: on their own, and beside the scene in an image.
#include "app/export/png.hpp"
#include "app/workbench/document/opening.hpp"
#include "core/experiment/shown.hpp"
#include "core/formats/file.hpp"
#include "tests/folder.hpp"

namespace posiscope::workbench::results_files_test {
namespace {

class ResultsFiles : public test::InFolder {
protected:
    experiment::Results results_ = experiment::run_all(
        *experiment::settings_from(
            {{"length", 8}, {"tested", 16}, {"steps", 30}, {"seeds", 1}, {"encodings", {"rope"}}}),
        1, {});

    std::string file(const std::string& name, std::string_view bytes) {
        const std::string path = (folder_ / name).string();
        EXPECT_TRUE(write_file(path, bytes));
        return path;
    }
};

TEST_F(ResultsFiles, OpenOnTheirBenchWithTheirSettings) {
    const auto opened = open_file(file("r.json", experiment::to_text(results_)), Scene());
    ASSERT_TRUE(opened) << to_string(opened.error());
    ASSERT_NE(opened->results, nullptr);
    EXPECT_EQ(opened->scene.bench, "experiment");
    EXPECT_EQ(experiment::shown_in(opened->scene.view)->settings, results_.settings);
    EXPECT_EQ(experiment::to_text(*opened->results), experiment::to_text(results_));
}

TEST_F(ResultsFiles, TravelInAnImageBesideItsScene) {
    const auto laid = overlay(Scene(), experiment::scene_of(results_.settings));
    const std::string scene = *exporting::scene_text(laid->scene), text = experiment::to_text(results_);
    const Image image{2, 1, std::vector<std::uint8_t>(8, 255)};
    const std::string path = file("r.png", exporting::png(image, {.scene = scene, .results = text}));
    EXPECT_EQ(exporting::results_in_png(path).value(), text);
    const auto opened = open_file(path, Scene());
    ASSERT_TRUE(opened && opened->results);
    EXPECT_EQ(opened->scene, laid->scene);
    EXPECT_EQ(opened->results->runs.size(), 1U);
    EXPECT_EQ(exporting::results_in_png(file("plain.png", exporting::png(image, {.scene = scene}))).value(),
              "");
}

TEST_F(ResultsFiles, ThatAreDamagedGetTheirSentence) {
    const std::string text = experiment::to_text(results_);
    const auto key_of = [&](const std::string& bytes) {
        const auto opened = open_file(file("d.json", bytes), Scene());
        return opened ? std::string() : opened.error().key;
    };
    EXPECT_NE(key_of(text.substr(0, text.size() / 2)), "");
    Json json = Json::parse(text);
    json["runs"][0]["seed"] = 9;
    EXPECT_NE(key_of(json.dump()), "");
    json = Json::parse(text);
    json["runs"][0]["moments"][0]["heads"] = "?";
    EXPECT_NE(key_of(json.dump()), "");
    json = Json::parse(text);
    json["settings"]["length"] = 1000000;
    EXPECT_NE(key_of(json.dump()), "");
}

}  // namespace
}  // namespace posiscope::workbench::results_files_test
