// Counts in the README, the manual and the book: of lessons, claims, rules of ids and slips, in both languages.
#include "app/ui/known.hpp"
#include "core/formats/file.hpp"
#include "core/positions/positions.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace posiscope::test::counts_test {
namespace {

// A line break is a space.
std::string text_of(const char* path) {
    std::string text = *read_file(fmt::format("{}/{}", kTree, path));
    std::string one;
    for (const char c : text) {
        const bool space = c == '\n' || c == ' ';
        if (!space || one.empty() || one.back() != ' ') one += space ? ' ' : c;
    }
    return one;
}

void expect_says(const char* path, const std::string& words) {
    EXPECT_NE(text_of(path).find(words), std::string::npos) << path << " does not say: " << words;
}

TEST(Counts, OfTheTextsAreThoseOfTheProgram) {
    const auto& claims = ui::known_claims();
    const auto all = claims.size();
    const auto measured =
        std::ranges::count_if(claims, [](const Claim& one) { return one.measure != nullptr; });
    expect_says("README.md", fmt::format("{} sentences of lecture notes, each judged, {} of them by a number",
                                         all, measured));
    expect_says("assets/manual/en/03-learn.md", fmt::format("lists {} sentences", all));
    expect_says("assets/manual/en/03-learn.md", fmt::format("the {} that can be measured", measured));
    expect_says("assets/manual/zh/03-learn.md", fmt::format("{} 个论断", all));
    expect_says("assets/manual/zh/03-learn.md", fmt::format("其中 {} 个可以测量", measured));
    expect_says("assets/manual/en/06-export.md", fmt::format("judges {} common claims", all));
    expect_says("assets/manual/en/06-export.md", fmt::format("measures {} of them", measured));
    expect_says("assets/manual/zh/06-export.md", fmt::format("判断 {} 条", all));
    expect_says("assets/manual/zh/06-export.md", fmt::format("测量其中 {} 条", measured));

    expect_says("assets/manual/en/02-window.md", fmt::format("{} rules in all", policies().size()));
    expect_says("assets/manual/zh/02-window.md", fmt::format("共 {} 种规则", policies().size()));

    const auto& lessons = ui::known_lessons();
    ASSERT_EQ(lessons.size(), 18U) << "written as a word";
    for (const char* path : {"README.md", "assets/manual/en/03-learn.md", "app/web/book.py"})
        expect_says(path, "eighteen short lessons");
    for (std::size_t n = 0; n < lessons.size(); ++n)
        EXPECT_EQ(std::ranges::any_of(lessons[n].steps,
                                      [](const lessons::Step& s) { return s.question.has_value(); }),
                  n > 0)
            << "all but the first with questions";
}

}  // namespace
}  // namespace posiscope::test::counts_test
