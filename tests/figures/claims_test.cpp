// The picture that decides each claim, and the table of where each section of the notes is shown.
#include "app/ui/claims.hpp"
#include "app/workbench/teach/claim_pictures.hpp"
#include "app/workbench/window/benches.hpp"
#include "tests/figures/hand.hpp"

#include <algorithm>
#include <set>

namespace posiscope::test::claims_test {
namespace {

bool offers(const figures::Figure& figure, const Scene& scene, std::string_view mode) {
    if (figure.modes == nullptr) return mode.empty();
    const auto modes = figure.modes(scene);
    return mode.empty() || std::ranges::find(modes, mode) != modes.end();
}

TEST(ClaimPictures, EveryClaimsSceneDrawsInItsFigureAndMode) {
    for (const Claim& claim : ui::known_claims()) {
        SCOPED_TRACE(claim.id);
        const figures::Figure* figure = figures::find_figure(claim.figure);
        ASSERT_NE(figure, nullptr) << claim.figure;
        const Scene scene = workbench::shown(claim);
        EXPECT_TRUE(offers(*figure, scene, claim.mode)) << claim.mode;
        if (!claim.mode.empty()) {
            EXPECT_EQ(figures::mode(*figure, scene), claim.mode);
        }
        const workbench::Bench* bench = workbench::find_bench(scene.bench);
        ASSERT_NE(bench, nullptr);
        const auto ids = workbench::figures_of(*bench);
        EXPECT_NE(std::ranges::find(ids, std::string_view(claim.figure)), ids.end());
        const Hand hand(claim.figure, scene);
        EXPECT_FALSE(hand.headline.empty());
        EXPECT_FALSE(hand.canvas.texts.empty());
        if (!claim.place.empty()) hand.handle(claim.place);
    }
}

TEST(ClaimPictures, SectionsOfTheNotesAreShownOrNamedAsMissing) {
    std::set<std::string> ids, shown_claims;
    std::size_t missing = 0;
    for (const Section& section : ui::known_sections()) {
        SCOPED_TRACE(section.id);
        EXPECT_TRUE(ids.insert(section.id).second);
        EXPECT_EQ(section.title.size(), 2U);
        for (const std::string& id : section.claims) {
            EXPECT_NE(ui::find_claim(id), nullptr) << id;
            shown_claims.insert(id);
        }
        if (!section.opens.empty()) {
            EXPECT_TRUE(section.opens == "lessons" || section.opens == "tables" ||
                        section.opens == "experiment");
            continue;
        }
        if (!section.missing.empty()) {
            ++missing;
            EXPECT_EQ(figures::find_figure(section.missing), nullptr)
                << "it exists now: name the mode and the scene";
            EXPECT_TRUE(section.figure.empty());
            continue;
        }
        const figures::Figure* figure = figures::find_figure(section.figure);
        ASSERT_NE(figure, nullptr) << section.figure;
        auto scene = posiscope::scene_of(section.scene);
        ASSERT_TRUE(scene) << to_string(scene.error());
        if (!section.mode.empty()) figures::set_view_value(*scene, section.figure, "mode", section.mode);
        EXPECT_TRUE(offers(*figure, *scene, section.mode)) << section.mode;
        const Hand hand(section.figure, *scene);
        EXPECT_FALSE(hand.headline.empty());
        EXPECT_FALSE(hand.canvas.texts.empty());
    }
    EXPECT_EQ(ids.size(), 94U);
    EXPECT_LE(missing, 23U) << "what was shown once stays shown";
    for (const Claim& claim : ui::known_claims())
        EXPECT_TRUE(shown_claims.contains(claim.id)) << claim.id << " has no section";
}

TEST(ClaimPictures, SentencesCarryTheNumbersOfTheirScene) {
    ui::Scratch scratch;
    const auto said = [&](std::string_view id, std::string_view partial, Language language) {
        const Claim& claim = *ui::find_claim(id);
        const auto laid = overlay(workbench::shown(claim), *parse_json(partial));
        const auto residual = measure(*claim.measure, laid->scene);
        return std::string(ui::with_numbers(scratch, ui::words(claim.mend, language), *residual));
    };
    EXPECT_EQ(said("B16", "{}", Language::english),
              "No more than d of them can be: 5 vectors of 4 numbers have rank 4.");
    EXPECT_EQ(said("B16", R"({"length": 9})", Language::chinese),
              "最多只有 d 个线性无关：9 个 4 维向量的秩为 4。");
    EXPECT_NE(said("B7", "{}", Language::english).find("i e^{−iθ} (difference 0)"), std::string::npos);
    EXPECT_EQ(ui::with_numbers(scratch, "{unknown}, {{x}}", {}), "–, {x}");
    for (const Claim& claim : ui::known_claims())
        for (const Language language : {Language::english, Language::chinese}) {
            scratch.reset();
            Residual residual;
            if (claim.measure != nullptr) residual = *measure(*claim.measure, workbench::shown(claim));
            const auto sentence = ui::with_numbers(scratch, ui::words(claim.mend, language), residual);
            EXPECT_EQ(sentence.find("–,"), std::string_view::npos) << claim.id;
            EXPECT_FALSE(sentence.empty()) << claim.id;
            const bool full_stop =
                language == Language::english ? sentence.ends_with(".") : sentence.ends_with("。");
            EXPECT_TRUE(full_stop) << claim.id << ": " << sentence;
        }
}

}  // namespace
}  // namespace posiscope::test::claims_test
