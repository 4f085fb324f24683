// The picture that decides each claim, and the table of where each section of the notes is shown.
#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/mathematics.hpp"
#include "tests/claim_controls.hpp"
#include "tests/figures/hand.hpp"

#include <algorithm>
#include <array>
#include <regex>
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
        return mathematics::plain(ui::mend(scratch, claim, *residual, language));
    };
    EXPECT_EQ(said("B16", "{}", Language::english),
              "No more than d of them can be: 5 vectors of 4 numbers have rank 4.");
    EXPECT_EQ(said("B16", R"({"length": 9})", Language::chinese),
              "最多只有 d 个线性无关：9 个 4 维向量的秩为 4。");
    EXPECT_NE(said("B7", "{}", Language::english).find("i e^(−iθ) (difference 0)"), std::string::npos);
    EXPECT_EQ(ui::with_numbers(scratch, "{unknown}, {{x}}", {}), "–, {x}");
    for (const Claim& claim : ui::known_claims())
        for (const Language language : {Language::english, Language::chinese}) {
            scratch.reset();
            Residual residual;
            if (claim.measure != nullptr) residual = *measure(*claim.measure, workbench::shown(claim));
            const auto sentence = ui::mend(scratch, claim, residual, language);
            EXPECT_EQ(sentence.find("–,"), std::string_view::npos) << claim.id;
            EXPECT_FALSE(sentence.empty()) << claim.id;
            const bool full_stop =
                language == Language::english ? sentence.ends_with(".") : sentence.ends_with("。");
            EXPECT_TRUE(full_stop) << claim.id << ": " << sentence;
        }
}

// A claim and its picture show one number, whichever way the offset points: the query is k after the key in both.
TEST(ClaimPictures, ShowTheNumbersOfTheirClaims) {
    struct Row {
        const char* claim;
        const char* number;
        int digits;          // 0: a whole number
        const char* around;  // in the headline or a text of the figure; {} the number
    };
    const Row rows[] = {
        {"A2", "turned", 4, "pair 10 by {} rad"},
        {"A10", "here", 6, "t = 0: {}, moved"},
        {"A12", "distance", 6, "t = 0: {}, moved"},
        {"B4", "radians", 6, "t = 0: {}, moved"},
        {"B8", "product", 5, "add up to {};"},
        {"B15", "whole", 6, "t = 0: {}, moved"},
        {"B16", "rank", 0, "rank {};"},
        {"B17", "rank", 0, "in double precision {} can"},
        {"B18", "rank", 0, "rank {};"},
        {"B21", "value", 3, "overlap by up to {},"},
        {"B22", "value", 3, "with itself by as little as {};"},
        {"B23", "value", 4, "lie {} apart"},
        {"B24", "distance", 0, "Positions {} apart"},
        {"B26", "value", 0, "{} of 256 pairs"},
        {"B29", "value", 0, "{} pairs meet angles unseen"},
        {"B32", "value", 0, "first below 0 at {}"},
        {"C1", "score", 5, "add up to {};"},
        {"C3", "score", 6, "t = 1000: {}, moved"},
        {"C4", "score", 5, "add up to {};"},
        {"C9", "minus", 4, "it scores {}, not"},
        {"C9", "plus", 4, "not {}."},
        {"C16", "value", 3, "reaches {}."},
    };
    ui::Scratch scratch;
    for (const Row& row : rows)
        for (const std::int64_t offset : {0, -4}) {
            const Claim& claim = *ui::find_claim(row.claim);
            Scene scene = workbench::shown(claim);
            const bool moves = std::ranges::find(claim.controls, "offset") != claim.controls.end();
            if (offset != 0 && (!moves || scene.position + offset < 0)) continue;
            if (offset != 0) scene.offset = offset;
            const Residual made = *measure(*claim.measure, scene);
            const auto number =
                std::ranges::find(made.numbers, row.number, [](const auto& one) { return one.first; });
            ASSERT_NE(number, made.numbers.end()) << row.number;
            scratch.reset();
            // The picture turns hands by kω; a sinusoidal pair turns the other way, clockwise.
            const double value = claim.id == "A2" ? -number->second : number->second;
            const std::string wanted = fmt::format(
                fmt::runtime(row.around), row.digits == 0 ? ui::integer(scratch, std::llround(value))
                                                          : ui::significant(scratch, value, row.digits));
            const Hand hand(claim.figure, scene);
            EXPECT_TRUE(
                hand.headline.find(wanted) != std::string::npos ||
                std::ranges::any_of(hand.canvas.texts,
                                    [&](const auto& text) { return text.find(wanted) != std::string::npos; }))
                << claim.id << " at " << scene.offset << ": " << wanted << " in: " << hand.headline;
        }
}

// Where the controls move too, two numbers of a contrast are not written alike.
TEST(ClaimPictures, ContrastsAreSeenInTheirDigits) {
    ui::Scratch scratch;
    const std::array contrasts = {std::regex("(\\S+) instead of (\\S+?)[,.]? "),
                                  std::regex("(\\S+), not (\\S+)[.:]"),
                                  std::regex("score is (\\S+), \\(q · k\\) cos kω is (\\S+)\\."),
                                  std::regex("give (\\S+) and (\\S+)\\."),
                                  std::regex("is (\\S+) by eq. 6.1.1 and (\\S+) by"),
                                  std::regex("runs from (\\S+) to (\\S+)\\.")};
    std::size_t seen = 0;
    for (const Claim& claim : ui::known_claims())
        move_controls(claim, [&](const ClaimAt& at) {
            scratch.reset();
            const std::string sentence(ui::mend(scratch, claim, at.residual, Language::english));
            std::smatch found;
            for (const std::regex& contrast : contrasts)
                if (const std::string padded = sentence + " "; std::regex_search(padded, found, contrast)) {
                    ++seen;
                    EXPECT_NE(found[1].str(), found[2].str()) << at.where << ": " << sentence;
                }
        });
    EXPECT_GT(seen, 60U);
}

}  // namespace
}  // namespace posiscope::test::claims_test
