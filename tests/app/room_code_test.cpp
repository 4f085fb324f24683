// The link as a QR code: shown, hidden, and refused where it would be of no use.
#include "core/scene/link.hpp"

#include "tests/app/desk.hpp"

namespace posiscope::test::room_code_test {
namespace {

TEST(RoomCode, IsShownForAShortLinkAndHiddenByEscapeOrAClick) {
    Desk desk(Scene{});
    desk.key(ImGuiKey_Q);
    EXPECT_FALSE(desk.bench.sharing.room_code.shown()) << "no page is known";
    EXPECT_FALSE(desk.bench.notices.empty());
    desk.bench.preferences.page = "https://example.org/posiscope/";
    desk.key(ImGuiKey_Q);
    EXPECT_TRUE(desk.bench.sharing.room_code.shown());
    desk.key(ImGuiKey_Escape);
    EXPECT_FALSE(desk.bench.sharing.room_code.shown());
    desk.key(ImGuiKey_Q);
    desk.click({640.0F, 400.0F});
    EXPECT_FALSE(desk.bench.sharing.room_code.shown());
}

TEST(RoomCode, IsRefusedWhereARoomCouldNotReadIt) {
    workbench::RoomCode code;
    const auto refused = code.show("https://example.org/", std::string(300, 'a'));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().key, "link.room_long");
    EXPECT_FALSE(code.shown());
    EXPECT_TRUE(code.show("https://example.org/", std::string(280, 'a')));
    EXPECT_TRUE(code.shown());
}

}  // namespace
}  // namespace posiscope::test::room_code_test
