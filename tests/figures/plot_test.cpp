// A plot's margins come from its labels, and the tile's size alone decides where things stand.
#include "app/plot/plot.hpp"

#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::plot_test {
namespace {

using plot::Kind;
using plot::Plot;

struct Sheet {
    canvas::Typefaces faces;
    Recorder recorder;
    Stage stage;
    Scene scene;
    figures::Frame frame;

    Sheet() : frame(stage.frame(recorder, *figures::find_figure("turns"), scene)) { recorder.faces = &faces; }
    Rect box_of(std::string_view text) const {
        const auto found = std::ranges::find(recorder.texts, text);
        return found == recorder.texts.end()
                   ? Rect{}
                   : recorder.boxes[static_cast<std::size_t>(found - recorder.texts.begin())];
    }
};

constexpr Rect kTile{10.0F, 10.0F, 410.0F, 260.0F};

TEST(Plots, LeaveAsMuchRoomAsTheirNumbersNeed) {
    Sheet sheet;
    const Plot narrow(sheet.frame, kTile, {Kind::whole, 0.0, 10.0, "x"}, {Kind::whole, 0.0, 8.0, "y"});
    const Plot wide(sheet.frame, kTile, {Kind::whole, 0.0, 10.0, "x"}, {Kind::whole, 0.0, 8e6, "y"});
    EXPECT_LT(narrow.area.x0 + 30.0F, wide.area.x0);
    for (const Rect& box : sheet.recorder.boxes) {
        EXPECT_GE(box.x0, kTile.x0 - 0.5F);
        EXPECT_LE(box.x1, kTile.x1 + 0.5F);
        EXPECT_LE(box.y1, kTile.y1 + 0.5F);
    }
}

TEST(Plots, UseTheirTile) {
    Sheet sheet;
    for (const Point size : {Point{400.0F, 250.0F}, Point{1280.0F, 800.0F}, Point{3840.0F, 2160.0F}}) {
        const Plot p(sheet.frame, {0.0F, 0.0F, size.x, size.y}, {Kind::log, 0.0, 9.0, "x"},
                     {Kind::linear, -1.0, 1.0, "y"});
        EXPECT_GE(p.area.width() * p.area.height(), 0.6F * size.x * size.y) << size.x;
    }
}

TEST(Plots, NumbersAndNameShareARowInALowTile) {
    Sheet sheet;
    const Plot p(sheet.frame, {0.0F, 0.0F, 400.0F, 120.0F}, {Kind::whole, 0.0, 100.0, "position"},
                 {Kind::linear, 0.0, 1.0, {}});
    EXPECT_TRUE(p.has_room());
    EXPECT_EQ(sheet.box_of("position").y1, sheet.box_of("20").y1);
}

// A model tested on little more than it was trained on, or on less.
TEST(Plots, MultiplesOfAStepEndWhereTheirAxisEnds) {
    for (const auto& [step, numbers] : {std::pair{8.0, std::vector<std::string>{"0", "8", "15"}},
                                        {40.0, {"0", "15"}},
                                        {1.0, {"0", "2", "4", "6", "8", "10", "12", "14", "15"}}}) {
        Sheet sheet;
        const Plot p(sheet.frame, {0.0F, 0.0F, 900.0F, 400.0F}, {Kind::whole, 0.0, 15.0, "x", step},
                     {Kind::linear, 0.0, 1.0});
        for (const std::string& number : numbers)
            EXPECT_TRUE(std::ranges::count(sheet.recorder.texts, number) > 0) << step << ": " << number;
        EXPECT_LT(sheet.recorder.texts.size(), 26U) << step;
    }
}

TEST(Plots, ALegendStandsBesideTheNameOrInRowsOfItsOwn) {
    const std::array few = {plot::Key{"one", {0xffffffff, 1.0F}}};
    std::array<plot::Key, 12> many;
    many.fill({"a name of some length", {0xffffffff, 1.0F}});
    Sheet sheet;
    const Rect tile{0.0F, 0.0F, 500.0F, 600.0F};
    const plot::Scale across{Kind::whole, 0.0, 9.0}, up{Kind::linear, 0.0, 1.0, "y"};
    const Plot plain(sheet.frame, tile, across, up), beside(sheet.frame, tile, across, up, few),
        above(sheet.frame, tile, across, up, many);
    EXPECT_EQ(beside.area.y0, plain.area.y0);
    EXPECT_GT(above.area.y0, plain.area.y0 + 40.0F);
    EXPECT_EQ(std::ranges::count(sheet.recorder.texts, "a name of some length"), 12);
}

TEST(Plots, LabelsAreKeptApart) {
    std::array<plot::EndLabel, 5> labels = {{{50.0F, 0}, {50.0F, 1}, {52.0F, 2}, {190.0F, 3}, {199.0F, 4}}};
    plot::keep_apart(labels, 10.0F, 200.0F, 15.0F);
    for (std::size_t i = 1; i < labels.size(); ++i) EXPECT_GE(labels[i].y - labels[i - 1].y, 14.9F);
    EXPECT_LE(labels.back().y, 200.0F);
    plot::keep_apart(labels, 0.0F, 20.0F, 15.0F);  // too many: closer together, in the same order
    for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(labels[i].of, i);
    EXPECT_LE(labels.back().y, 20.0F);
}

TEST(Plots, ALonePointIsADiscAndWhatIsNotFiniteIsLeftOut) {
    Sheet sheet;
    const Plot p(sheet.frame, kTile, {Kind::whole, 0.0, 9.0}, {Kind::linear, 0.0, 1.0});
    const std::size_t lines = sheet.recorder.lines;
    const std::array lone = {0.5};
    p.curve(lone, {0xffffffff, 1.0F});
    EXPECT_EQ(sheet.recorder.lines, lines);
    const std::array broken = {0.1, std::nan(""), 0.3};
    p.curve(broken, {0xffffffff, 1.0F});
    EXPECT_EQ(sheet.recorder.lines, lines + 1);
    EXPECT_TRUE(sheet.recorder.finite());
}

}  // namespace
}  // namespace posiscope::test::plot_test
