// Every figure, drawn for every encoding, theme and language, with its stated numbers compared with core.
#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "core/formats/table.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"
#include "tests/sanitized.hpp"
#include "tests/shown.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <set>

namespace posiscope::test::figures_test {
namespace {

using figures::Figure;

struct Drawn {
    Recorder canvas;
    std::string headline;
    figures::Link hovered;
    std::string tip_formula, tip_value;
};

Drawn draw(const Figure& figure, const Scene& scene, Rect area = {0.0F, 0.0F, 520.0F, 640.0F},
           std::optional<Point> mouse = {}, Language language = Language::english) {
    Drawn drawn;
    Stage stage;
    stage.area = area, stage.language = language;
    if (mouse) stage.point(*mouse);
    stage.draw(drawn.canvas, figure, scene);
    drawn.headline = stage.headline;
    drawn.hovered = stage.hovered;
    drawn.tip_formula = stage.tip_formula;
    drawn.tip_value = stage.tip_value;
    return drawn;
}

Scene scene_with(const Json& partial) {
    auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

const Figure& figure(std::string_view id) { return *figures::find_figure(id); }

TEST(Figures, OpeningSceneIsTheWorkedExample) {
    const Drawn rotations = draw(figure("rotations"), Scene());
    EXPECT_EQ(rotations.headline, "From 10 to 13, every hand rotates by 3ω; pair 10 by 2.093 rad.");
    // d_model 512, p 10, k 3, pair 10: the example that the encoding is usually explained with.
    EXPECT_TRUE(rotations.canvas.says("0.346"));
    EXPECT_TRUE(rotations.canvas.says("\u22120.938"));
    EXPECT_TRUE(rotations.canvas.says("84 pairs turn at least once in 128 positions"));
    EXPECT_TRUE(rotations.canvas.says("172 slower pairs do not finish a turn"));

    EXPECT_EQ(draw(figure("matrix"), Scene()).headline,
              "Fast on the left, slow on the right: 172 of 256 pairs do not finish a turn in 128 positions.");
    EXPECT_TRUE(draw(figure("scores"), Scene()).canvas.says("211.75"));
}

// A divider may stand anywhere.
TEST(Figures, ArithmeticIsWholeInATileOfAnyWidth) {
    for (float width = 190.0F; width < 560.0F; width += 6.0F) {
        const Drawn drawn = draw(figure("rotations"), Scene(), {0.0F, 0.0F, width, 640.0F});
        const auto& boxes = drawn.canvas.boxes;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            EXPECT_LE(boxes[i].x1, width + 3.0F) << width << ": " << drawn.canvas.texts[i];
            for (std::size_t j = 0; j < i; ++j)  // in one row of the arithmetic
                if (drawn.canvas.texts[j] == strings(Language::english).text("rotations.computed") &&
                    boxes[i].y1 == boxes[j].y1) {
                    EXPECT_GE(boxes[i].x0, boxes[j].x1) << width << ": " << drawn.canvas.texts[i];
                }
        }
    }
}

TEST(Figures, HeadlineCountsThePairsThatDoNotFinishATurn) {
    const Drawn drawn = draw(figure("matrix"), scene_with({{"length", 512}}));
    EXPECT_NE(drawn.headline.find("133 of 256"), std::string::npos) << drawn.headline;
}

TEST(Figures, WhereThereAreNoClocksTheReasonIsTheEncodingsOwn) {
    const auto said = [](const char* kind) {
        std::string all;  // a sentence is broken into lines
        for (const std::string& line :
             draw(figure("rotations"), scene_with({{"encoding", kind}})).canvas.texts)
            all += line + " ";
        return all;
    };
    for (const char* kind : {"none", "alibi", "t5", "learned"})
        EXPECT_NE(said(kind).find("nothing in it rotates"), std::string::npos) << said(kind);
}

// fairseq's padding row is on no circle: that is why, and no other encoding has to be chosen.
TEST(Figures, APaddingRowIsTheReasonItself) {
    for (const char* id : {"rotations", "shift", "sum"}) {
        std::string all;
        for (const std::string& line :
             draw(figure(id),
                  scene_with(
                      {{"encoding", {{"kind", "sinusoidal"}, {"variant", "fairseq"}, {"padding_idx", 1}}},
                       {"position", 1},
                       {"offset", 5}}))
                 .canvas.texts)
            all += line + " ";
        EXPECT_NE(all.find("Row 1 is padding"), std::string::npos) << id << ": " << all;
        EXPECT_EQ(all.find("Choose the sinusoidal"), std::string::npos) << id << ": " << all;
    }
}

TEST(Figures, EachClockPointsWhereCoreSays) {
    for (const char* kind : {"sinusoidal", "rope"}) {
        const Scene scene = scene_with(
            {{"encoding", kind}, {"d_model", 64}, {"position", 123456789}, {"offset", -1000}, {"pair", 5}});
        const Drawn drawn = draw(figure("rotations"), scene);
        const Spectrum spectrum = *spectrum_of(scene);
        ASSERT_EQ(drawn.canvas.clocks_drawn.size(), spectrum.pairs());
        for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
            const canvas::Clock& clock = drawn.canvas.clocks_drawn[i];
            const PairPoint p = pair_point(encoding_of(scene), phase(spectrum.step[i], scene.position));
            const PairPoint q =
                pair_point(encoding_of(scene), phase(spectrum.step[i], scene.position + scene.offset));
            const double turn = 2.0 * std::numbers::pi;
            EXPECT_NEAR(std::cos(turn * static_cast<double>(clock.angle_p)), p.first, 1e-6)
                << kind << " pair " << i;
            EXPECT_NEAR(std::sin(turn * static_cast<double>(clock.angle_p)), p.second, 1e-6)
                << kind << " pair " << i;
            const double hand =
                turn * (static_cast<double>(clock.angle_p) + static_cast<double>(clock.turned_k));
            EXPECT_NEAR(std::cos(hand), q.first, 2e-6) << kind << " pair " << i;
            EXPECT_NEAR(std::sin(hand), q.second, 2e-6) << kind << " pair " << i;
            // The sector runs the way the hand turns, and is a whole disc past one turn.
            const double turned = static_cast<double>(scene.offset) * spectrum.frequency[i] *
                                  (std::string_view(kind) == "rope" ? 1.0 : -1.0);
            EXPECT_EQ(clock.turned_k > 0.0F, turned > 0.0) << kind << " pair " << i;
            EXPECT_EQ(std::abs(clock.turned_k) >= 1.0F, std::abs(turned) >= turn) << kind << " pair " << i;
        }
    }
}

TEST(Figures, OneOfAThingIsNotManyOfThem) {
    const Scene scene = overlay(Scene(), {{"d_model", 2}})->scene;
    for (const char* id : {"rotations", "sum", "spectrum", "turns", "matrix", "shift", "waves"}) {
        const Drawn drawn = draw(figure(id), scene);
        std::string all = drawn.headline;
        for (const std::string& text : drawn.canvas.texts) all += " " + text;
        for (const char* wrong : {" 1 pairs", " 1 arrows", "(1)", "of 1 ", "all 1 "})
            EXPECT_EQ((" " + all).find(wrong), std::string::npos) << id << ": " << all;
    }
}

TEST(Figures, MatrixTipGivesTheCellItsFormulaAndItsLink) {
    const Scene scene = scene_with({{"d_model", 8}, {"length", 16}, {"pair", 1}});
    const Rect area{0.0F, 0.0F, 600.0F, 420.0F};
    const Drawn plain = draw(figure("matrix"), scene, area);
    ASSERT_EQ(plain.canvas.heatmaps.size(), 1U);
    const canvas::HeatmapView& view = plain.canvas.heatmaps[0];
    EXPECT_FALSE(view.blocks) << "8 columns are wide enough to stand in their own order";
    // The plot is where the mouse finds cells: walk over it and check each tip against the table.
    std::size_t seen = 0;
    for (float y = 30.0F; y < 390.0F; y += 23.0F)
        for (float x = 60.0F; x < 530.0F; x += 37.0F) {
            const Drawn drawn = draw(figure("matrix"), scene, area, Point{x, y});
            if (drawn.tip_formula.empty()) continue;
            ++seen;
            ASSERT_TRUE(drawn.hovered.frequency && drawn.hovered.position);
            const auto pair = linked_pair(*drawn.hovered.frequency, *spectrum_of(scene)).pair;
            const bool sine = drawn.tip_formula.find("\\sin") != std::string::npos;
            const auto column = static_cast<std::int64_t>(2 * pair + (sine ? 0 : 1));
            const double value =
                table_value(*spectrum_of(scene), PairLayout::interleaved, *drawn.hovered.position, column);
            EXPECT_EQ(drawn.tip_value, "= " + shown(value, 6));
            EXPECT_NE(drawn.tip_formula.find("PE(" + std::to_string(*drawn.hovered.position) + ", " +
                                             std::to_string(column) + ")"),
                      std::string::npos);
        }
    EXPECT_GT(seen, 100U);
}

TEST(Figures, SinesAndCosinesStandApartWhereColumnsAreNarrow) {
    EXPECT_TRUE(draw(figure("matrix"), Scene()).canvas.heatmaps[0].blocks);
    EXPECT_TRUE(draw(figure("matrix"), Scene()).canvas.says("sin of pairs 0"));
    EXPECT_TRUE(draw(figure("matrix"), Scene()).canvas.says("cos of pairs 0"));
}

TEST(Figures, ScoresMarkerSaysCoresScore) {
    for (const char* kind : {"sinusoidal", "rope"})
        for (const std::int64_t offset : {-40, -1, 0, 7, 63}) {
            const Scene scene = scene_with({{"encoding", kind},
                                            {"position", 50},
                                            {"offset", offset},
                                            {"content", {{"kind", "seeded"}, {"seed", 4}}}});
            const ScoreKind score = std::string_view(kind) == "rope" ? ScoreKind::logit : ScoreKind::dot;
            const Spectrum spectrum = *spectrum_of(scene);
            auto scratch = std::make_unique<ui::Scratch>();
            const auto said =
                ui::significant(*scratch, score_at(score_form(scene, spectrum, score), spectrum, offset), 5);
            EXPECT_TRUE(draw(figure("scores"), scene, {0, 0, 620, 420}).canvas.says(said))
                << kind << " at " << offset << ": " << said;
        }
}

TEST(Figures, EncodingsWithoutCirclesSayWhyOrShowTheirLogits) {
    const Scene alibi = scene_with({{"encoding", "alibi"}, {"num_heads", 8}, {"d_model", 512}});
    EXPECT_TRUE(draw(figure("rotations"), alibi).canvas.says("ALiBi"));
    EXPECT_TRUE(draw(figure("rotations"), alibi).canvas.clocks_drawn.empty());
    // Head 0 of 8 has slope 1/2; equal content adds q·k / √head_dim = 64 / 8.
    const std::string headline = draw(figure("scores"), alibi).headline;
    EXPECT_NE(headline.find("6.5"), std::string::npos) << headline;
}

TEST(Figures, ALearnedTableIsSeenNumberByNumber) {
    const Scene scene = scene_with({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 12}}},
                                    {"d_model", 8},
                                    {"length", 16}});
    const Rect area{0.0F, 0.0F, 600.0F, 420.0F};
    const Drawn plain = draw(figure("matrix"), scene, area);
    EXPECT_EQ(plain.headline, "A table of 12 rows, random (std 0.02) instead of trained: neighbouring rows "
                              "have nothing in common.");
    ASSERT_EQ(plain.canvas.heatmaps.size(), 1U);
    EXPECT_EQ(plain.canvas.heatmaps[0].field, Field::samples);
    EXPECT_TRUE(plain.canvas.says("The table ends at 11"));
    std::set<double> seen;
    for (float y = 30.0F; y < 390.0F; y += 23.0F)
        for (float x = 60.0F; x < 530.0F; x += 37.0F) {
            const Drawn drawn = draw(figure("matrix"), scene, area, Point{x, y});
            if (drawn.tip_formula.empty()) continue;
            ASSERT_TRUE(drawn.hovered.position);
            const auto row = *drawn.hovered.position;
            ASSERT_LT(row, 12) << "past the end there is no number";
            const auto comma = drawn.tip_formula.find(", ");
            const auto column = std::stoll(drawn.tip_formula.substr(comma + 2));
            std::vector<double> numbers(8);
            action_of(scene)->add(row, numbers);
            auto scratch = std::make_unique<ui::Scratch>();
            EXPECT_EQ(drawn.tip_value, "= " + std::string(ui::significant(
                                                  *scratch, numbers[static_cast<std::size_t>(column)], 6)));
            seen.insert(numbers[static_cast<std::size_t>(column)]);
        }
    EXPECT_GT(seen.size(), 50U);
}

TEST(Figures, ATableThatCannotBeReadIsASentenceInItsPlace) {
    allow_table("/no/such/table.npy");
    const Scene scene =
        scene_with({{"encoding", {{"kind", "learned"}, {"table", "/no/such/table.npy"}}}, {"d_model", 8}});
    const Drawn drawn = draw(figure("matrix"), scene);
    EXPECT_TRUE(drawn.canvas.says("/no/such/table.npy does not exist"));
    EXPECT_TRUE(drawn.canvas.heatmaps.empty());
}

struct Spread {
    const char* name;
    Json partial;
};
const std::vector<Spread>& spreads() {
    static const std::vector<Spread> list = {
        {"default", Json::object()},
        // The means over so many positions take ten seconds: generated_test.cpp draws lengths as large in every run.
        {"farthest",
         {{"position", 2147483000}, {"offset", 647}, {"length", all_cases() ? 2147483647 : 4096}}},
        {"least", {{"d_model", 2}, {"length", 1}, {"position", 0}, {"offset", 0}, {"pair", 0}}},
        {"wide", {{"d_model", 1024}, {"num_heads", 8}, {"base", 500000.0}, {"offset", -9}}},
    };
    return list;
}

class EveryFigure : public testing::TestWithParam<const Encoding*> {};

// All modes of all figures in all themes and both languages: nothing may throw, leave a word out, or draw at infinity.
// With sanitizers each mode takes one theme and language, in turn, so that each theme and language meets each encoding.
TEST_P(EveryFigure, ModeThemeAndLanguage) {
    std::size_t turn = 0;
    for (const Spread& spread : spreads()) {
        Json partial = spread.partial;
        partial["encoding"] = std::string(GetParam()->kind);
        const auto laid = overlay(Scene(), partial);
        // Two features are one pair on one axis; these two encodings need a pair for each of theirs.
        const bool refused = spread.name == std::string_view("least") &&
                             (GetParam()->kind == "rope_2d" || GetParam()->kind == "mrope");
        ASSERT_EQ(laid.has_value(), !refused) << spread.name << (laid ? "" : to_string(laid.error()));
        if (refused) continue;
        for (const Figure* figure : figures::figures()) {
            const auto modes =
                figure->modes != nullptr ? figure->modes(laid->scene) : std::span<const std::string_view>();
            for (std::size_t m = 0; m < std::max<std::size_t>(modes.size(), 1); ++m) {
                Scene scene = laid->scene;
                if (!modes.empty()) figures::set_view_value(scene, figure->id, "mode", std::string(modes[m]));
                Stage stage;  // one for all: a theme changes no number
                stage.area = {10.0F, 20.0F, 480.0F, 400.0F};
                stage.point({200.0F, 200.0F});
                const std::size_t looks = 2 * ui::themes().size();
                for (std::size_t look = 0; look < (kSanitized ? 1 : looks); ++look, ++turn) {
                    stage.language = turn % 2 == 0 ? Language::english : Language::chinese;
                    stage.theme = ui::themes()[turn / 2 % ui::themes().size()].name;
                    SCOPED_TRACE(fmt::format("{} {} {} {} {}", figure->id, modes.empty() ? "" : modes[m],
                                             spread.name, stage.theme, code(stage.language)));
                    Recorder canvas;
                    stage.draw(canvas, *figure, scene);
                    EXPECT_TRUE(canvas.balanced());
                    EXPECT_TRUE(canvas.finite());
                    EXPECT_FALSE(canvas.texts.empty());
                    EXPECT_EQ(stage.headline.find('{'), std::string::npos) << stage.headline;
                }
            }
        }
    }
    EXPECT_GE(turn, 2 * ui::themes().size()) << "not every theme was seen in both languages";
}

INSTANTIATE_TEST_SUITE_P(Encodings, EveryFigure, testing::ValuesIn(encodings().begin(), encodings().end()),
                         [](const auto& of) { return std::string(of.param->kind); });

}  // namespace
}  // namespace posiscope::test::figures_test
