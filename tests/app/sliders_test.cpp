// Every slider of every encoding, dragged across its whole track and beyond both ends, and stepped by the wheel: no value is refused,
// each Scene on the way is valid, and the value follows the hand.
#include "core/encodings/encodings.hpp"
#include "tests/app/desk.hpp"

#include <fmt/format.h>

namespace posiscope::test::sliders_test {
namespace {

std::vector<Json> scenes() {
    std::vector<Json> all;
    for (const Encoding* encoding : encodings()) all.push_back({{"encoding", std::string(encoding->kind)}});
    for (const char* encoding :
         {R"j({"kind": "sinusoidal", "variant": "fairseq", "padding_idx": 1})j",
          R"j({"kind": "rope", "partial_rotary_factor": 0.5})j", R"j({"kind": "rope", "rotary_dim": 4})j",
          R"j({"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4,
                                                "original_max_position_embeddings": 16}})j",
          R"j({"kind": "t5", "bidirectional": false})j",
          R"j({"kind": "kerple", "variant": "power", "bias_a": 1, "bias_p": 1})j",
          R"j({"kind": "own", "frequency": "b^(-2i/d)", "bias": "-s log(1 + |D|)", "values": {"s": 1}})j"})
        all.push_back({{"encoding", Json::parse(encoding)}});
    for (Json& one : all) one.update({{"length", 24}, {"position", 4}, {"offset", 3}, {"pair", 0}});
    std::vector<Json> wide;
    for (const auto& [d_model, heads] : {std::pair(32, 2), std::pair(12, 3), std::pair(4, 1)})
        for (Json one : all) {
            one["d_model"] = d_model, one["num_heads"] = heads;
            if (overlay(Scene(), one)) wide.push_back(std::move(one));
        }
    return wide;
}

// NaN where a Scene has none.
double value_of(const Scene& scene, std::string_view key) {
    Json value = to_json(scene);
    while (!key.empty() && value.is_object()) {
        const std::string part(key.substr(0, key.find('.')));
        value = value.value(part, Json());
        key.remove_prefix(std::min(part.size() + 1, key.size()));
    }
    return value.is_number() ? value.get<double>() : std::nan("");
}

// The dependent values that an edit moved are said, and nothing else.
bool told_of_a_move(const std::string& sentence) {
    return sentence.find("was changed from") != std::string::npos ||
           sentence.find("was removed") != std::string::npos;
}

TEST(Sliders, ADragIsNeverRefusedAndFollowsTheHand) {
    std::size_t dragged = 0;
    const std::vector<Json> all = scenes();
    figures::Background background([] {});  // a drag meets widths and lengths that take longer than a frame
    for (std::size_t n = 0; n < all.size(); n += 2) {
        const Json& partial = all[n];
        const Scene begin = overlay(Scene(), partial)->scene;
        Desk desk(begin, 1280, 1500);
        desk.bench.work_in(background);
        for (const panels::ControlMark& mark : std::vector(desk.bench.stage.seen.controls)) {
            if (mark.area.height() > 5.0F || mark.key == "timeline") continue;  // no slider's track
            SCOPED_TRACE(partial.dump() + " " + mark.key);
            desk.bench.session.step(Scene(begin));
            desk.frame(2);
            const Rect track = desk.control(mark.key);
            const float y = track.centre().y;
            desk.move({track.x0 + 0.5F * track.width(), y});
            desk.press();
            for (const float way : {1.0F, -1.0F}) {
                double before = -way * std::numeric_limits<double>::infinity();
                for (int i = -4; i <= 24; i += 4) {
                    const float t = static_cast<float>(i) / 20.0F;
                    desk.move({track.x0 + (way > 0.0F ? t : 1.0F - t) * track.width(), y});
                    desk.frame();
                    const double now = value_of(desk.scene(), mark.key);
                    if (!std::isnan(now)) {  // a figure's own default is not written down
                        EXPECT_GE(static_cast<double>(way) * now, static_cast<double>(way) * before);
                        before = now;
                    }
                    const auto again = overlay(Scene(), to_json(desk.scene()));
                    ASSERT_TRUE(again) << to_string(again.error());
                }
            }
            desk.release();
            ++dragged;
            for (const std::string& sentence : desk.bench.notices.said())
                EXPECT_TRUE(told_of_a_move(sentence)) << sentence;
        }
    }
    EXPECT_GT(dragged, 200U);
}

// A step that is refused goes on to the next one that is not.
TEST(Sliders, TheWheelReachesTheNextValueThatCanBe) {
    for (const auto& [partial, key] :
         {std::pair(R"({"encoding": "rope_2d", "d_model": 8})", "d_model"),
          std::pair(R"({"encoding": "sandwich"})", "encoding.bar_d"),
          std::pair(R"({"encoding": "rope", "num_heads": 4, "d_model": 96})", "num_heads"),
          std::pair(R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.5},
                                                     "d_model": 8})",
                    "encoding.partial_rotary_factor")}) {
        SCOPED_TRACE(key);
        Json of = Json::parse(partial);
        of["pair"] = 0;
        Desk desk(overlay(Scene(), of)->scene, 1280, 1500);
        double before = value_of(desk.scene(), key);
        for (int n = 0; n < 3; ++n) {
            desk.wheel(desk.control(key).centre(), 1.0F);
            desk.frame(40);  // the gesture ends
            const double now = value_of(desk.scene(), key);
            if (n < 2) {
                EXPECT_GT(now, before);
            }
            EXPECT_GE(now, before);
            before = now;
        }
        EXPECT_TRUE(desk.bench.notices.said().empty());
    }
}

TEST(Sliders, AnOffsetEndsWhereItsPositionWouldBeNegative) {
    Desk desk;
    const Rect track = desk.control("offset");
    desk.drag({track.x0 + 0.5F * track.width(), track.centre().y}, {track.x0 - 40.0F, track.centre().y});
    EXPECT_EQ(desk.scene().offset, -desk.scene().position);
    EXPECT_TRUE(desk.bench.notices.said().empty());
    // Typed, it is refused where it is typed.
    desk.double_click({track.x1 - 10.0F, track.y0 - 20.0F});
    desk.frame(2);
    desk.type("-11");
    EXPECT_EQ(desk.scene().offset, -10);
    EXPECT_TRUE(desk.bench.host.typing.problem);
}

}  // namespace
}  // namespace posiscope::test::sliders_test
