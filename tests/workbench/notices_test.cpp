// The notices alone: how long they stay, what is said twice, another language.
#include "app/workbench/window/notices.hpp"

#include <gtest/gtest.h>

namespace posiscope::workbench {
namespace {

TEST(Notices, OneAtATimeForSomeSecondsAndSaidOnce) {
    const Strings english(Language::english);
    Notices notices(english);
    notices.say("one");
    notices.pass(2.0F);
    notices.say("two", Tone::good);
    notices.say("one");
    EXPECT_EQ(notices.said(), (std::vector<std::string>{"one", "two"}));
    notices.pass(2.0F);
    EXPECT_EQ(notices.said().size(), 2U) << "said again, it stays longer";
    notices.pass(2.0F);
    EXPECT_EQ(notices.said(), std::vector<std::string>{"two"}) << "which waited";
    notices.pass(2.0F);
    EXPECT_FALSE(notices.empty());
    notices.pass(2.0F);
    EXPECT_TRUE(notices.empty());
    notices.say("a refusal and its mend", Tone::bad);
    notices.pass(4.0F);
    EXPECT_FALSE(notices.empty()) << "to be read";
}

TEST(Notices, TheOldestGiveWay) {
    const Strings english(Language::english);
    Notices notices(english);
    for (const char* text : {"1", "2", "3", "4", "5"}) notices.say(text);
    EXPECT_EQ(notices.said(), (std::vector<std::string>{"2", "3", "4", "5"}));
}

TEST(Notices, AProblemIsSaidInAnyLanguageAndWordsInNone) {
    const Strings english(Language::english), chinese(Language::chinese);
    const Problem problem{"clipboard.empty", {}};
    Notices notices(english);
    notices.say("only in English");
    notices.say(problem);
    EXPECT_EQ(notices.shown().back().tone, Tone::bad);
    EXPECT_EQ(notices.said().back(), english.sentence_in_window(problem));
    notices.follow(chinese);
    EXPECT_EQ(notices.said(), std::vector<std::string>{chinese.sentence_in_window(problem)});
}

TEST(Notices, AFileHasOneMistakeAndNoneOnceItIsGood) {
    const Strings english(Language::english);
    Notices notices(english);
    const Problem unknown{"lesson.unknown_control",
                          {{"path", "steps[0].controls"}, {"name", "paire"}, {"known", "pair"}}};
    Problem second = unknown;
    second.values[1].second = "lenght";
    const Problem elsewhere{"file.missing", {{"path", "b.json"}}};
    notices.say(in_file(unknown, "a.json › 1"));
    notices.say(elsewhere);
    notices.say(in_file(second, "a.json › 2 waves"));
    EXPECT_EQ(notices.said(),
              (std::vector<std::string>{english.sentence_in_window(elsewhere),
                                        english.sentence_in_window(in_file(second, "a.json › 2 waves"))}));
    notices.forgive("a.json");
    EXPECT_EQ(notices.said(), std::vector<std::string>{english.sentence_in_window(elsewhere)});
    notices.forgive("b.json");
    EXPECT_TRUE(notices.empty());
}

}  // namespace
}  // namespace posiscope::workbench
