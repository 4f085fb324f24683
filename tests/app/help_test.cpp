// The help screen by mouse: every row of the table of the notes' sections opens what it names.
#include "app/figures/figure.hpp"
#include "app/ui/known.hpp"
#include "app/ui/manual.hpp"
#include "app/workbench/teach/comparison_tables.hpp"
#include "tests/app/desk.hpp"

namespace posiscope::test::help_test {
namespace {

struct HelpDesk : Desk {
    bool has(std::string_view name) const {
        for (const panels::ControlMark& mark : bench.stage.seen.controls)
            if (mark.key == name) return true;
        return false;
    }
    void open_notes() {
        key(ImGuiKey_F1);
        frame(2);
        click(control("help:notes").centre());
        frame(2);
    }
    // Scrolls until a row is well within the list.
    Rect row(const std::string& name) {
        const auto seen_whole = [&] {
            return has(name) && control(name).y0 > 160.0F && control(name).y1 < 640.0F;
        };
        for (int turns = 0; turns < 200 && !seen_whole(); ++turns) wheel({640.0F, 400.0F}, -1.0F);
        return control(name);
    }
};

TEST(Help, EverySectionOpensWhatItNames) {
    for (const Section& section : ui::known_sections()) {
        if (section.figure.empty()) continue;
        SCOPED_TRACE(section.id);
        HelpDesk desk;
        desk.open_notes();
        const Scene before = desk.scene();
        desk.click(desk.row("section:" + section.id).centre());
        desk.frame(3);
        EXPECT_FALSE(desk.has("help:notes")) << "the help screen closes";
        EXPECT_FALSE(desk.tile(section.figure).empty());
        const figures::Figure& figure = *figures::find_figure(section.figure);
        if (!section.mode.empty()) {
            EXPECT_EQ(figures::mode(figure, desk.scene()), section.mode);
        }
        Scene same = before;
        same.bench = desk.scene().bench;
        if (desk.scene() == same) continue;  // another bench alone is no step
        desk.key(ImGuiKey_Z, true);
        EXPECT_EQ(desk.scene(), before) << "one undo step";
    }
}

TEST(Help, LearningGoalsOpenTheLessons) {
    HelpDesk desk;
    desk.open_notes();
    desk.click(desk.row("section:S4.24").centre());
    desk.frame(3);
    desk.control("clocks");
}

// Cells are computed: with another length they say other numbers, and a claim in them opens the guide there.
// The manual is the same text as in the repository, without the marks of Markdown, in the language that is on.
TEST(Help, HasTheManual) {
    for (const bool chinese : {false, true}) {
        HelpDesk desk;
        if (chinese) desk.key(ImGuiKey_L);
        desk.key(ImGuiKey_F1);
        desk.frame(2);
        desk.click(desk.control("help:manual").centre());
        desk.frame(2);
        const auto& pages = ui::manual(chinese ? Language::chinese : Language::english);
        ASSERT_EQ(pages.size(), 12U);
        for (std::size_t i = 0; i < pages.size(); ++i) {
            desk.click(desk.control(fmt::format("help:manual{}", i)).centre());
            desk.frame(2);
            EXPECT_EQ(desk.bench.help.manual, i);
            EXPECT_TRUE(desk.bench.help.open);
        }
        const std::string all = [&] {
            std::string text;
            for (const ui::ManualPage& page : pages)
                for (const ui::ManualPart& part : page.parts)
                    if (part.kind != ui::ManualPart::Kind::code) text += part.text + " " + part.more + "\n";
            return text;
        }();
        for (const char* mark : {"**", "](", "```", "|---"})
            EXPECT_EQ(all.find(mark), std::string::npos) << mark;
        EXPECT_NE(all.find("check"), std::string::npos);
    }
    const ui::ManualPage page =
        ui::read_manual_page("# Title\n**Bold** and `a*b`, see [there](x.md)\ngoes on.\n\n- one\n- two\n  "
                             "more\n| `k` | what \\| it does |\n|---|---|\n"
                             "```sh\nrun | it\n```\n中文\n一行\n");
    using Kind = ui::ManualPart::Kind;
    EXPECT_EQ(page.title, "Title");
    ASSERT_EQ(page.parts.size(), 6U);
    EXPECT_EQ(page.parts[0].text, "Bold and a*b, see there goes on.");
    EXPECT_EQ(page.parts[2].text, "two more");
    EXPECT_EQ(page.parts[3].kind, Kind::row);
    EXPECT_EQ(page.parts[3].more, "what | it does");
    EXPECT_EQ(page.parts[4].text, "run | it");
    EXPECT_EQ(page.parts[5].text, "中文一行");
}

TEST(Help, TheTwoTablesAreOfThePresentScene) {
    Desk desk;
    desk.key(ImGuiKey_F1);
    desk.frame(2);
    desk.click(desk.control("help:tables").centre());
    desk.frame(2);
    desk.click(desk.control("help:claim:B30").centre());
    desk.frame(3);
    ASSERT_NE(desk.bench.teaching.claims().chosen(), nullptr);
    EXPECT_EQ(desk.bench.teaching.claims().chosen()->id, "B30");

    const Strings strings(Language::english, Strings::Missing::throws);
    const auto cell = [&](const char* partial, std::size_t table, std::size_t row, std::size_t column) {
        const Scene scene = overlay(Scene(), *parse_json(partial))->scene;
        return workbench::tables_of(workbench::table_numbers(scene, scene.offset), strings)
            .at(table)
            .rows.at(row)
            .cells.at(column);
    };
    EXPECT_EQ(cell(R"({"length": 512})", 0, 1, 0), "can be computed; 133 of 256 pairs meet new angles");
    EXPECT_EQ(cell("{}", 0, 1, 0), "can be computed; 172 of 256 pairs meet new angles");
    EXPECT_EQ(cell(R"({"length": 512})", 0, 3, 0), "p · p′ falls up to distance 43; 201 of 511 steps rise");
    EXPECT_EQ(cell(R"({"length": 512})", 0, 4, 0),
              "never repeats: the nearest two of 512 positions are 3.714 apart");
    EXPECT_EQ(cell("{}", 0, 5, 0), "log₂ 128 = 7 bits would do; it has 512 numbers");
    EXPECT_EQ(cell("{}", 0, 0, 1), "1024 rows × 512 = 524\u2009288");
    for (const char* partial : {R"({"length": 2147483647})",
                                R"({"d_model": 2, "length": 1, "offset": 0, "position": 0, "pair": 0})",
                                R"({"encoding": "learned"})", R"({"offset": -5})"})
        for (const Language language : {Language::english, Language::chinese}) {
            const Strings other(language, Strings::Missing::throws);
            const Scene scene = overlay(Scene(), *parse_json(partial))->scene;
            for (const auto& table :
                 workbench::tables_of(workbench::table_numbers(scene, scene.offset), other))
                for (const auto& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
        }
}

TEST(Tiles, TheNameOfTheViewOpensTheViews) {
    Desk desk;
    desk.click(desk.control("mode:matrix").centre());
    desk.frame(2);
    ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    desk.key(ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

// In every bench and language each tile with several views has the name of the one it shows, as wide as its words, within its
// head; a click opens the list, and the next name in it shows that view.
TEST(Tiles, EachHasTheNameOfItsViewAndChangesIt) {
    for (const char* language : {"en", "zh"})
        for (const workbench::Bench& bench : workbench::benches())
            for (const std::string_view id : workbench::figures_of(bench)) {
                const figures::Figure& figure = *figures::find_figure(id);
                Desk desk(overlay(Scene(), {{"bench", std::string(bench.id)}, {"d_model", 64}})->scene);
                desk.bench.preferences.language = language;
                desk.frame(3);
                if (figure.modes == nullptr || figure.modes(desk.scene()).size() < 2) continue;
                SCOPED_TRACE(fmt::format("{} {} {}", language, bench.id, id));
                const Strings& strings = desk.bench.appearance.strings();
                const auto name_of = [&](std::string_view mode) {
                    return std::string(strings.text(fmt::format("figure.{}.mode.{}", id, mode)));
                };
                const std::string_view before = figures::mode(figure, desk.scene());
                const Rect name = desk.control(fmt::format("mode:{}", id)), tile = desk.tile(id);
                const std::string words = name_of(before);
                const float width =
                    ImGui::GetFont()
                        ->CalcTextSizeA(ui::kSmallSize, 1e9F, 0.0F, words.data(), words.data() + words.size())
                        .x;
                EXPECT_NEAR(name.width(), width, 26.0F) << words;
                EXPECT_TRUE(tile.contains(name.min()) && tile.contains({name.x1, name.y1})) << words;
                desk.click(name.centre());
                desk.frame(2);
                ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
                desk.key(ImGuiKey_DownArrow);
                desk.key(ImGuiKey_Enter);
                desk.frame(3);
                EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
                EXPECT_EQ(figures::mode(figure, desk.scene()), figure.modes(desk.scene())[1]);
            }
}

}  // namespace
}  // namespace posiscope::test::help_test
