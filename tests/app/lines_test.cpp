// Where lines break: Latin at spaces, Chinese between any two characters but for the marks that may not begin or end
// a line; and how mathematics is set, such as M_k.
#include "app/ui/lines.hpp"
#include "app/ui/strings.hpp"
#include "core/mathematics.hpp"

#include <gtest/gtest.h>

namespace posiscope::ui::lines_test {
namespace {

using Lines = std::vector<std::string>;

// A character of one byte or of Greek is 1 wide, every other 2, at size 1.
class Typewriter : public Measure {
public:
    float text_width(std::string_view text, Face, float size) const override {
        float width = 0.0F;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if ((byte & 0xC0U) != 0x80U) width += byte >= 0xE0U ? 2.0F : 1.0F;
        }
        return size * width;
    }
};

Lines lines_of(std::string_view text, float width, const Measure& measure = Typewriter()) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = line_end(measure, text, Face::text, 1.0F, width);
        EXPECT_GT(end, 0U);
        if (end == 0) break;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

TEST(Lines, LatinBreaksAtSpacesAndWordsStayWhole) {
    EXPECT_EQ(lines_of("drag one hand", 8.0F), (Lines{"drag one ", "hand"}));
    EXPECT_EQ(lines_of("drag one hand", 13.0F), (Lines{"drag one hand"}));
    EXPECT_EQ(lines_of("don’t re-read it’s", 7.0F), (Lines{"don’t ", "re-read ", "it’s"}));
    EXPECT_EQ(lines_of("positions 65\u2009536", 9.0F), (Lines{"positions ", "65\u2009536"}))
        << "a thin space is part of its number";
    EXPECT_EQ(lines_of("0, 1, 2 … and", 8.0F), (Lines{"0, 1, ", "2 … and"})) << "an ellipsis begins no line";
}

TEST(Lines, FormulasStayTogetherWhereTheyFit) {
    EXPECT_EQ(lines_of("pair 10 (p = 9) has", 12.0F), (Lines{"pair 10 ", "(p = 9) has"}));
    EXPECT_EQ(lines_of("from p + k to q", 8.0F), (Lines{"from ", "p + k to ", "q"}));
    EXPECT_EQ(lines_of("a = b = c", 5.0F), (Lines{"a = b ", "= c"}))
        << "too long for a line, it breaks at a space";
    EXPECT_EQ(lines_of("第七对 λ = 9 的值", 9.0F), (Lines{"第七对 ", "λ = 9 的", "值"}));
}

// An index without braces is its digits: the bracket after it closes on the line.
TEST(Formulas, AnIndexEndsWithItsDigits) {
    const Typewriter measure;
    const FormulaBox box = lay_out("(x_1, x_23) M_k", 1.0F, measure);
    std::string small, full;
    for (const FormulaRun& run : box.runs) (run.size < 1.0F ? small : full) += run.text;
    EXPECT_EQ(small, "123k");
    EXPECT_EQ(full, "(x,x)M");
}

TEST(Lines, ASpaceAtTheEndTakesNoRoom) {
    EXPECT_EQ(lines_of("abcd efgh", 4.0F), (Lines{"abcd ", "efgh"}));
    EXPECT_EQ(lines_of("abcd   efgh", 4.0F), (Lines{"abcd   ", "efgh"})) << "and no line begins with one";
    EXPECT_EQ(lines_of("abcd ", 4.0F), (Lines{"abcd "}));
}

TEST(Lines, ChineseBreaksBetweenAnyTwoCharacters) {
    EXPECT_EQ(lines_of("位置编码", 4.0F), (Lines{"位置", "编码"}));
    EXPECT_EQ(lines_of("位置编码", 5.0F), (Lines{"位置", "编码"}));
    EXPECT_EQ(lines_of("位置编码", 2.0F), (Lines{"位", "置", "编", "码"}));
}

TEST(Lines, MarksThatCloseBeginNoLine) {
    for (const char* mark :
         {"，", "。", "、", "；", "：", "？", "！", "）", "】", "》", "」", "』", "”", "’", "…", "—", "%"}) {
        const std::string text = std::string("位置编码") + mark + "在";
        EXPECT_EQ(lines_of(text, 8.0F), (Lines{"位置编", std::string("码") + mark + "在"})) << mark;
    }
    EXPECT_EQ(lines_of("是编码”。在", 6.0F), (Lines{"是编", "码”。", "在"})) << "two of them stay together";
}

TEST(Lines, MarksThatOpenEndNoLine) {
    for (const char* mark : {"（", "【", "《", "「", "『", "“", "‘", "("}) {
        const std::string text = std::string("位置") + mark + "编码";
        EXPECT_EQ(lines_of(text, 6.0F), (Lines{"位置", std::string(mark) + "编码"})) << mark;
    }
}

TEST(Lines, DoubledMarksStayTogether) {
    EXPECT_EQ(lines_of("一二三……四", 7.0F), (Lines{"一二", "三……", "四"}));
    EXPECT_EQ(lines_of("一二三——四", 7.0F), (Lines{"一二", "三——", "四"}));
}

TEST(Lines, LatinWordsAmongChineseStayWhole) {
    EXPECT_EQ(lines_of("旋转q与key的值", 8.0F), (Lines{"旋转q与", "key的值"}));
    EXPECT_EQ(lines_of("设置 config.json 后", 13.0F), (Lines{"设置 ", "config.json ", "后"}));
    EXPECT_EQ(lines_of("共65\u2009536个", 4.0F), (Lines{"共", "65\u2009", "536", "个"}))
        << "only a number that is wider than the line is cut";
}

TEST(Lines, APathThatIsWiderThanTheLineIsCutWhereItIsFull) {
    EXPECT_EQ(lines_of("/home/someone/scene.json", 10.0F), (Lines{"/home/some", "one/scene.", "json"}));
    EXPECT_EQ(lines_of("见 /home/someone", 8.0F), (Lines{"见 ", "/home/so", "meone"}));
    EXPECT_EQ(lines_of("abc", 0.0F), (Lines{"a", "b", "c"})) << "a line holds at least one character";
    EXPECT_EQ(lines_of("e\u0301e\u0301", 1.0F), (Lines{"e\u0301", "e\u0301"}))
        << "an accent stays on its letter";
}

TEST(Lines, BytesThatAreNoTextPassThrough) {
    for (const std::string& text :
         {std::string("\xff\xfe abc"), std::string("位\xe4\xbd"), std::string("\x80\x80\x80")}) {
        std::string joined;
        for (const std::string& line : lines_of(text, 2.0F)) joined += line;
        EXPECT_EQ(joined, text);
    }
}

// Every explanation and help in both languages, at every width: nothing is lost, every line fits or is one word, no
// line begins or ends with the wrong mark.
TEST(Lines, OurOwnTextsKeepTheRulesAtEveryWidth) {
    const Typewriter measure;
    constexpr std::string_view closing[] = {"，", "。", "、", "；", "：", "）", "”", "…", "》"};
    constexpr std::string_view opening[] = {"（", "“", "《"};
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings strings(language, Strings::Missing::throws, Strings::For::window);
        for (const char* figure : {"rotations", "matrix", "scores", "sum", "shift", "waves", "spectrum",
                                   "turns", "check", "attention", "terms"}) {
            const std::string_view text = strings.text(std::string("figure.") + figure + ".explain");
            for (float width = 20.0F; width < 80.0F; width += 1.0F) {
                const Lines lines = lines_of(text, width, measure);
                EXPECT_EQ(static_cast<int>(lines.size()), line_count(measure, text, Face::text, 1.0F, width));
                std::string joined;
                for (const std::string& line : lines) {
                    joined += line;
                    const std::string drawn = line.substr(0, line.find_last_not_of(" \x01\x04") + 1);
                    EXPECT_LE(line_width(measure, drawn, Face::text, 1.0F), width) << line;
                    const std::string plain = mathematics::plain(drawn);
                    for (const std::string_view mark : closing) EXPECT_FALSE(plain.starts_with(mark)) << line;
                    for (const std::string_view mark : opening) EXPECT_FALSE(plain.ends_with(mark)) << line;
                }
                EXPECT_EQ(joined, text);
            }
        }
    }
}

using Runs = std::vector<std::pair<std::string, std::string>>;

// Each run with its index, or with "^" and its power.
Runs runs(std::string_view written) {
    const std::string read = mathematics::read(written);
    Runs all;
    for (std::string_view text = read; !text.empty();) {
        const IndexedRun run = next_run(text);
        if (run.text.empty() && run.index.empty()) continue;  // the end of a formula
        all.emplace_back(run.text, (run.raised ? "^" : "") + std::string(run.index));
    }
    return all;
}

TEST(IndexedText, MathematicsIsSetWhereItIsMarked) {
    EXPECT_EQ(runs("so $M_k$ is fixed"), (Runs{{"so ", ""}, {"M", "k"}, {" is fixed", ""}}));
    EXPECT_EQ(runs("$M_a M_b = M_{a+b}$"), (Runs{{"M", "a"}, {" M", "b"}, {" = M", "a+b"}}));
    EXPECT_EQ(runs("所以$|q_i|$，$ω_i$"),
              (Runs{{"所以", ""}, {"|q", "i"}, {"|", ""}, {"，", ""}, {"ω", "i"}}));
    EXPECT_EQ(runs("$T^i c_0$"), (Runs{{"T", "^i"}, {" c", "0"}}));
    EXPECT_EQ(runs("$10000^{2i/d}$"), (Runs{{"10000", "^2i/d"}}));
    for (const char* plain : {"d_model, rope_theta", "x_1 and M_k", "10000^(2i/d)", "e^{ix}", "5 $"})
        EXPECT_EQ(runs(plain), (Runs{{plain, ""}}));
    EXPECT_LT(IndexedRun({"e", "x", true}).drop(), 0.0F);
}

TEST(IndexedText, MarksBreakNoLine) {
    for (const char* written :
         {"位置$底数$，在", "（$p = 9$）在$n$", "drag $p$, then $k$ …", "$p$是$q$——$底$"})
        for (float width = 2.0F; width < 20.0F; width += 1.0F) {
            Lines lines = lines_of(mathematics::read(written), width);
            for (std::string& line : lines) line = mathematics::plain(line);
            EXPECT_EQ(lines, lines_of(mathematics::plain(mathematics::read(written)), width)) << written;
        }
}

// A line may begin or end inside a formula, but not inside an index.
TEST(IndexedText, AFormulaBreaksAtItsSpaces) {
    const std::string text = mathematics::read("so $c_{p + k} = M_k c_p$");
    std::string joined;
    for (const std::string& line : lines_of(text, 5.0F)) {
        EXPECT_EQ(std::ranges::count(line, mathematics::kIndex), std::ranges::count(line, mathematics::kEnd));
        joined += line;
    }
    EXPECT_EQ(joined, text);
}

TEST(IndexedText, NumbersAreStrongWhereTheyAreAskedFor) {
    const auto strong = [](std::string_view written) {
        const std::string read = mathematics::read(written);
        std::vector<std::string> all;
        for (std::string_view text = read; !text.empty();)
            if (const IndexedRun run = next_run(text, Numbers::strong); run.strong)
                all.emplace_back(run.text);
        return all;
    };
    using Found = std::vector<std::string>;
    EXPECT_EQ(strong("Pair 10 has made 1.11 turns."), (Found{"10", "1.11"}));
    EXPECT_EQ(strong("到 60\u2009611 个，误差 2×10⁻¹⁶。"), (Found{"60\u2009611", "2×10⁻¹⁶"}));
    EXPECT_EQ(strong("第77对：−1.37…0.61"), (Found{"77", "−1.37", "0.61"}));
    EXPECT_EQ(strong("10⁻¹⁶ is rounding, 5, 2.5 and 1.25"), (Found{"10⁻¹⁶", "5", "2.5", "1.25"}));
    EXPECT_EQ(strong("float32, llama3, $2π$, $M_5$, $e^{−x}$, $10000^{2x}$, $λ = 12$"), (Found{"12"}));
    std::string_view text = "Pair 10";
    EXPECT_EQ(next_run(text).text, "Pair 10") << "plain unless asked for";
}

TEST(IndexedText, AnIndexIsMeasuredAsItIsSet) {
    const Typewriter measure;
    const auto width = [&](std::string_view written) {
        return line_width(measure, mathematics::read(written), Face::text, 10.0F);
    };
    EXPECT_FLOAT_EQ(width("$M_k$"), 10.0F + 10.0F * kIndexSize);
    EXPECT_FLOAT_EQ(width("d_model"), 70.0F);
}

}  // namespace
}  // namespace posiscope::ui::lines_test
