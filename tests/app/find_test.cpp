// Ctrl K, as people type into it: the words of either language, or the initials of the Chinese ones.
#include "app/ui/initials.hpp"
#include "app/workbench/teach/decks.hpp"
#include "tests/app/desk.hpp"

namespace posiscope::test::find_test {
namespace {

struct Finding : Desk {
    void find(const char* words) {
        key(ImGuiKey_K, true);
        frame(2);
        type(words);
        frame(2);
    }
};

TEST(Find, ChineseByItsInitials) {
    EXPECT_TRUE(ui::has_initials("旋转", "xz"));
    EXPECT_TRUE(ui::has_initials("正弦编码 · 原论文", "bm"));
    EXPECT_TRUE(ui::has_initials("RoPE 旋转", "ropexz"));
    EXPECT_TRUE(ui::has_initials("长度", "CD")) << "a letter for each reading";
    EXPECT_FALSE(ui::has_initials("旋转", "zx"));
    EXPECT_FALSE(ui::has_initials("旋转", "xzz"));
    EXPECT_FALSE(ui::has_initials("", "x"));
}

// Every name that is found has a letter for each of its characters.
TEST(Find, TheTableHasTheCharactersOfAllNames) {
    const Strings chinese = workbench::texts_in(Language::chinese);
    const auto judge = [](std::string_view name) {
        for (std::size_t i = 0; i < name.size();) {
            const auto lead = static_cast<unsigned char>(name[i]);
            const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
            const std::string one(name.substr(i, bytes));
            bool any = bytes != 3 || lead < 0xE4 || lead > 0xE9;  // no Han character
            for (char letter = 'a'; letter <= 'z'; ++letter)
                any = any || ui::has_initials(one, std::string(1, letter));
            EXPECT_TRUE(any) << one << " of " << name << " has no initial: add it to app/ui/initials.cpp";
            i += bytes;
        }
    };
    for (const workbench::Bench& bench : workbench::benches())
        judge(chinese.text(fmt::format("bench.{}.name", bench.id)));
    for (const figures::Figure* figure : figures::figures())
        judge(chinese.text(fmt::format("figure.{}.name", figure->id)));
    Desk desk;
    for (const panels::Action& action : desk.bench.actions().list())
        judge(chinese.text(fmt::format("action.{}", action.id)));
}

TEST(Find, LeadsToBenchesFiguresAndModes) {
    Finding desk;
    desk.find("debug");
    EXPECT_EQ(desk.scene().bench, "debug");
    desk.find("terms");
    EXPECT_EQ(desk.bench.layout.alone(), "terms");
    desk.find("matrix phase");
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    EXPECT_EQ(desk.scene().view.at("matrix").at("mode"), "phase");
    desk.find("zj");  // 注意力
    EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

TEST(Find, SetsWhatIsTypedAfterASettingsName) {
    Finding desk;
    desk.find("d_model 128");
    EXPECT_EQ(desk.scene().d_model, 128);
    desk.find("length 4096");
    EXPECT_EQ(desk.scene().length, 4096);
    desk.find("encoding alibi");
    EXPECT_EQ(desk.scene().encoding.kind, "alibi");
    desk.find("d_model 127");
    EXPECT_EQ(desk.scene().d_model, 128);
    EXPECT_FALSE(desk.bench.notices.empty()) << "with the mend";
    desk.key(ImGuiKey_Z, true);
    desk.frame(2);
    EXPECT_EQ(desk.scene().encoding.kind, "sinusoidal") << "one step each";
}

TEST(Find, OpensExamplesModelsLessonsAndClaims) {
    Finding desk;
    desk.find("Llama 3.1 as it was trained");
    EXPECT_EQ(desk.scene().d_model, 4096);
    desk.find("gpt2");
    EXPECT_EQ(desk.scene().d_model, 768);
    desk.find("b16");
    EXPECT_TRUE(desk.bench.teaching.on_claims());
    desk.find("shift as a matrix");
    ASSERT_NE(desk.bench.teaching.guide().lesson(), nullptr);
    EXPECT_EQ(desk.bench.teaching.guide().lesson()->id, "shift");
    desk.find("undo");
    EXPECT_EQ(desk.scene().bench, "context") << "as the lesson found it";
}

TEST(Find, ArrowsChooseAndEscapeLeaves) {
    Finding desk;
    desk.key(ImGuiKey_K, true);
    desk.frame(2);
    desk.control("find");
    const std::int64_t position = desk.scene().position;
    desk.key(ImGuiKey_DownArrow);
    desk.key(ImGuiKey_Enter);
    desk.frame(2);
    EXPECT_EQ(desk.scene().bench, "shift") << "the second of the benches, which an empty field lists";
    EXPECT_EQ(desk.scene().position, position);
    desk.key(ImGuiKey_K, true);
    desk.frame(2);
    desk.key(ImGuiKey_Escape);
    desk.frame(2);
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls) EXPECT_NE(mark.key, "find");
    EXPECT_EQ(desk.scene().bench, "shift");
}

}  // namespace
}  // namespace posiscope::test::find_test
