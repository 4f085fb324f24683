// The claims in the guide's pane, as people use them: by mouse, one event per frame.
#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/window/benches.hpp"
#include "tests/app/allocations.hpp"
#include "tests/app/desk.hpp"

#include "core/mathematics.hpp"

#include <algorithm>
#include <set>

namespace posiscope::test::claims_pane_test {
namespace {

struct ClaimsDesk : Desk {
    ClaimsDesk() {
        key(ImGuiKey_G);
        press("guide:claims");
    }
    void press(std::string_view control) {
        click(this->control(control).centre());
        frame(2);
    }
    // A claim by its number, whatever else the filter has.
    void choose(const char* id) {
        for (std::size_t i = 0; i < pane().view(scene(), strings())->filter->text.size(); ++i)
            pane().view(scene(), strings())->filter->text[i] = '\0';
        std::copy_n(id, std::char_traits<char>::length(id),
                    pane().view(scene(), strings())->filter->text.data());
        frame(2);
        press(id);
    }
    workbench::ClaimsPane& pane() { return bench.teaching.claims(); }
    const Strings& strings() { return bench.appearance.strings(); }
    const panels::ClaimWords& words() { return *pane().view(scene(), strings())->words; }
    std::size_t rows() { return pane().view(scene(), strings())->rows.size(); }
};

TEST(ClaimsPane, FiltersByVerdictNoteAndWords) {
    ClaimsDesk desk;
    EXPECT_EQ(desk.rows(), 72U);
    desk.press("claims:untested");
    EXPECT_EQ(desk.rows(), 1U);
    desk.press("claims:untested");
    EXPECT_EQ(desk.rows(), 72U) << "pressed again it lets all through";
    desk.press("claims:note001");
    desk.press("claims:false");
    for (const Claim* claim : desk.pane().view(desk.scene(), desk.strings())->rows) {
        EXPECT_EQ(claim->note, "001");
        EXPECT_EQ(claim->verdict, Verdict::wrong);
    }
    desk.press("claims:all");
    desk.press("claims:note");
    desk.click(desk.control("claims:search").centre());
    desk.type("linearly INDEPENDENT");
    EXPECT_GE(desk.rows(), 2U);
    EXPECT_LE(desk.rows(), 4U);
}

TEST(ClaimsPane, ShowIsOneStepAndBeforeBringsBackWhatWas) {
    ClaimsDesk desk;
    const Scene before = desk.scene();
    desk.choose("B16");
    EXPECT_EQ(desk.scene(), before) << "to choose a claim changes nothing";
    desk.press("claim:show");
    EXPECT_EQ(desk.scene(), workbench::shown(*ui::find_claim("B16")));
    EXPECT_EQ(desk.words().value, "1");
    EXPECT_EQ(desk.words().standing, Standing::fails);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before) << "one undo step";
    desk.press("claim:show");
    desk.press("claim:before");
    EXPECT_EQ(desk.scene(), before);
}

// B16: the rank stops at d.
TEST(ClaimsPane, ASliderMovesTheNumber) {
    ClaimsDesk desk;
    desk.choose("B16");
    desk.press("claim:show");
    const auto set = [&](const char* partial) {
        desk.bench.session.edit(overlay(desk.scene(), *parse_json(partial))->scene);
        desk.frame(2);
    };
    set(R"({"length": 4})");
    EXPECT_EQ(desk.words().standing, Standing::hidden)
        << "four vectors of four numbers are no counterexample";
    EXPECT_EQ(desk.words().value, "0");
    EXPECT_NE(mathematics::plain(desk.words().mend)
                  .find("own scene: No more than d of them can be: 5 vectors of 4 numbers have rank 4"),
              std::string::npos)
        << desk.words().mend;
    set(R"({"length": 9})");
    EXPECT_EQ(desk.words().value, "5");
    EXPECT_NE(desk.words().mend.find("9 vectors of 4 numbers have rank 4"), std::string::npos);
    desk.wheel({100.0F, 500.0F}, -20.0F);  // a long claim is scrolled
    const Rect track = desk.control("d_model");
    EXPECT_LT(track.y1, 736.0F) << "above the timeline";
    desk.drag(track.min() + Point{2.0F, 2.0F}, track.min() + Point{60.0F, 2.0F});
    desk.frame(2);
    EXPECT_EQ(desk.words().standing, Standing::hidden) << "d is past n: " << desk.scene().d_model;
}

TEST(ClaimsPane, EscapeFoldsThenLeaves) {
    ClaimsDesk desk;
    desk.choose("A10");
    ASSERT_NE(desk.pane().chosen(), nullptr);
    desk.key(ImGuiKey_Escape);
    EXPECT_EQ(desk.pane().chosen(), nullptr);
    desk.key(ImGuiKey_Escape);
    EXPECT_FALSE(desk.bench.teaching.guide().open());
}

// Each claim's picture, from the pane: what decides it is there to be ringed, and its number is told or its absence explained.
TEST(ClaimsPane, EveryClaimCanBeShownAndItsPlaceIsDrawn) {
    ClaimsDesk desk;
    for (const Claim& claim : ui::known_claims()) {
        SCOPED_TRACE(claim.id);
        desk.bench.session.open(workbench::shown(claim));
        desk.frame(2);
        if (claim.place.empty()) {
            EXPECT_FALSE(desk.tile(claim.figure).empty());
        } else {
            desk.handle(claim.figure, claim.place);
        }
        for (const bool chinese : {false, true}) {
            const Strings strings(chinese ? Language::chinese : Language::english, Strings::Missing::throws);
            workbench::LiveClaim live;
            const auto now = claim.measure != nullptr ? live.of(claim, desk.scene()).measured : nullptr;
            EXPECT_FALSE(now && now->own) << "its own scene decides it";
            const panels::ClaimWords words =
                workbench::words_of(claim, now ? &now->residual : nullptr, std::nullopt, strings);
            EXPECT_FALSE(words.where.empty());
            // The number is said once, in one way: in its box and in the sentence.
            if (now && now->residual && !workbench::exactly_zero(*now->residual) &&
                ui::words(*mend(claim, *now->residual), strings.language()).find("{value}") !=
                    std::string_view::npos) {
                const std::string_view bare =
                    std::string_view(words.value).substr(words.value.starts_with("≤ ") ? 4 : 0);
                EXPECT_NE(words.mend.find(bare), std::string::npos) << words.value << " in: " << words.mend;
            }
            EXPECT_FALSE(words.mend.empty());
            EXPECT_FALSE(words.breaks.empty());
            EXPECT_EQ(words.measured.empty(), claim.measure == nullptr);
            EXPECT_EQ(words.value.empty(), claim.measure == nullptr) << words.absent;
            EXPECT_EQ(words.needed.empty(), claim.measure == nullptr);
            EXPECT_EQ(claim.controls.empty(), claim.measure == nullptr);
        }
    }
}

TEST(ClaimsPane, NumbersAreRoundedToNearestAndRoundingsUp) {
    ui::Scratch scratch;
    EXPECT_EQ(workbench::residual_text(scratch, {0.12341, 0.0, 0.05, {}}), "0.1234");
    EXPECT_EQ(workbench::residual_text(scratch, {0.5, 0.0, 0.05, {}}), "0.5000");
    EXPECT_EQ(workbench::residual_text(scratch, {3e-13, 0.0, 1e-12, {}}), "≤ 10⁻¹²");
    for (const double value : {2e-16, 6e-17, 0.0})  // other roundings of the same
        EXPECT_EQ(workbench::residual_text(scratch, {value, 0.0, 1e-12, {}}), "≤ 10⁻¹⁵");
    EXPECT_EQ(workbench::residual_text(scratch, {0.0, 0.0, 0.0, {}}), "0") << "no rounding is allowed for";
    EXPECT_EQ(workbench::residual_text(scratch, {0.12341, 0.1, 0.2, {}}), "0.1234") << "no residual";
    EXPECT_EQ(workbench::residual_text(scratch, {201, 0.0, 0.0, {}}), "201");
}

TEST(ClaimsPane, AFrameThatChangesNothingAllocatesNothing) {
    ClaimsDesk desk;
    desk.choose("B28");
    desk.press("claim:show");
    desk.bench.stage.seen.with_controls = false;
    desk.frame(4);
    const std::size_t before = allocations();
    desk.frame(3);
    EXPECT_EQ(allocations() - before, 0U);
}

// Whole scenes: nothing of the last one is left, so the third and then the first is the first.
TEST(Examples, AreWholeScenes) {
    Desk desk;
    desk.key(ImGuiKey_G);
    desk.click(desk.control("guide:examples").centre());
    desk.frame(2);
    const auto open = [&](std::string_view id) {
        const std::string mark = fmt::format("example:{}", id);
        for (int turns = 0; desk.control(mark).y1 > 730.0F && turns < 40; ++turns)
            desk.wheel({140.0F, 400.0F}, -1.0F);
        desk.click(desk.control(mark).centre());
        desk.frame(2);
    };
    const Scene before = desk.scene();
    open("fitted_score");
    EXPECT_FALSE(desk.scene().compare.is_null());
    open("short_to_long");
    EXPECT_EQ(desk.scene(), ui::find_example("short_to_long")->scene);
    EXPECT_TRUE(desk.scene().compare.is_null());
    EXPECT_TRUE(desk.scene().view.empty());
    desk.key(ImGuiKey_Z, true);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before) << "one step each";
}

TEST(Examples, EachFitsItsBenchAndEveryBenchHasOne) {
    std::set<std::string_view> ids, benches;
    for (const ui::Example& example : ui::known_examples()) {
        EXPECT_TRUE(ids.insert(example.id).second) << example.id;
        EXPECT_NE(workbench::find_bench(example.scene.bench), nullptr) << example.id;
        benches.insert(example.scene.bench);
        for (const Words* words : {&example.name, &example.help}) EXPECT_EQ(words->size(), 2U) << example.id;
    }
    for (const char* bench : {"overview", "shift", "attention", "context"})
        EXPECT_TRUE(benches.contains(bench));
}

// Two benches bring an example, which is gone with them.
TEST(Benches, AVisitChangesNothing) {
    Desk desk;
    const Scene before = desk.scene();
    bool example = false;
    for (const workbench::Bench& bench : workbench::benches()) {
        Scene there = before;
        there.bench = bench.id;
        const bool brings = bench.id == "context" || bench.id == "positions";
        example = example || brings;
        if (!brings) {
            EXPECT_EQ(desk.scene(), there);
        }
        if (!example) {
            EXPECT_FALSE(desk.bench.session.can_undo()) << bench.id;
        }
        desk.key(ImGuiKey_RightArrow, true);
        desk.frame(2);
    }
    EXPECT_EQ(desk.scene(), before) << "all the way round";
}

TEST(Benches, ControlsThatMoveNothingAreHidden) {
    Desk desk;
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(desk.bench.stage.seen.controls,
                                   [&](const panels::ControlMark& mark) { return mark.key == name; });
    };
    EXPECT_TRUE(has("position") && has("offset"));
    desk.bench.session.open(overlay(Scene(), {{"bench", "context"}})->scene);
    desk.frame(2);
    EXPECT_FALSE(has("position"));
    EXPECT_TRUE(has("offset")) << "of the scores";
}

TEST(Benches, AlibiFromTheMenuHasEightHeads) {
    Desk desk;
    for (std::size_t down = 1; down < encoding_kinds().size() && desk.scene().encoding.kind != "alibi";
         ++down) {
        desk.click(desk.control("encoding:more").centre());
        desk.frame(2);
        for (std::size_t i = 0; i < down; ++i) desk.key(ImGuiKey_DownArrow);
        desk.key(ImGuiKey_Enter);
        desk.frame(2);
    }
    EXPECT_EQ(desk.scene().encoding.kind, "alibi");
    EXPECT_EQ(desk.scene().num_heads, 8);
    EXPECT_EQ(overlay(Scene(), {{"encoding", "alibi"}})->scene.num_heads, 1) << "a scene says for itself";
}

}  // namespace
}  // namespace posiscope::test::claims_pane_test
