// A few typed numbers: they match the Scene, or one slip explains them, or neither; a slip is never invented.
#include "core/measure/conventions.hpp"

#include "core/encodings/encodings.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::measuring::numbers_test {
namespace {

Scene scene(const Json& partial) { return overlay(Scene(), partial)->scene; }

std::vector<std::string> answers(const Scene& of, std::string_view text) {
    const auto rows = typed_numbers(text);
    if (!rows) return {rows.error().key};
    const auto found = compare_numbers(of, *rows);
    if (!found) return {found.error().key};
    std::vector<std::string> keys;
    for (const Problem& answer : found->answers) keys.push_back(answer.key);
    return keys;
}

using Keys = std::vector<std::string>;

// Columns 0 … count − 1 of a sinusoidal row, as somebody prints them.
std::string row(std::int64_t p, int count, double base, int d, double offset = 0.0, double exponent = 2.0) {
    std::string text = fmt::format("p = {}:", p);
    for (int c = 0; c < count; ++c) {
        const double angle = (static_cast<double>(p) + offset) * std::pow(base, -exponent * (c / 2) / d);
        text += fmt::format(" {:.4f},", c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
    return text;
}

// Zeros with an exponent are no more exact, nor less, than zeros: no tolerance takes everything in.
TEST(Numbers, NoExponentMatchesEverything) {
    const Scene sinusoidal = scene({{"position", 10}});
    for (const char* text : {"0e400 0e400", "0.0e300, 0.0e300", "0 0", "0.0e-2147483648 0.0e-2147483648",
                             "0e2147483647 0e2147483647"})
        EXPECT_EQ(answers(sinusoidal, text).front(), "numbers.neither") << text;
    EXPECT_EQ(answers(scene({{"position", 0}}), "0 1 0 1"), Keys{"numbers.matches"});
    for (const char* text : {"0.0e-2147483648 1", "0.00000 1.00000"})
        EXPECT_EQ(answers(sinusoidal, text), Keys{"numbers.few"})
            << text << ": what position 0 has, and ten turns";
}

TEST(Numbers, AreReadAsPeopleTypeThem) {
    const auto rows = *typed_numbers("p = 5: 0.2837, −0.9589 …\npos=7 [1e-3; -2.50E+1]\n 0.25 1\n");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].position, 5);
    ASSERT_EQ(rows[0].numbers.size(), 2U);
    EXPECT_EQ(rows[0].numbers[1].value, -0.9589);
    EXPECT_DOUBLE_EQ(rows[0].numbers[1].unit, 1e-4);
    EXPECT_EQ(rows[1].position, 7);
    EXPECT_EQ(rows[1].numbers.size(), 4U) << "a row goes on where no position begins";
    EXPECT_DOUBLE_EQ(rows[1].numbers[0].unit, 1e-3);
    EXPECT_EQ(rows[1].numbers[1].value, -25.0);
    EXPECT_DOUBLE_EQ(rows[1].numbers[1].unit, 0.1);
    EXPECT_EQ((*typed_numbers("12 0e400"))[0].numbers[0].unit, 0.5);
    EXPECT_EQ((*typed_numbers("12 0e400"))[0].numbers[1].unit, 0.5);
    EXPECT_EQ((*typed_numbers("0.0e-2147483648 0.000e-400"))[0].numbers[0].unit, 0.0);
    EXPECT_EQ((*typed_numbers("array([-0.9589,  0.2837], dtype=float32)"))[0].numbers.size(), 2U);
    EXPECT_EQ((*typed_numbers("PE(12) = 0.5 0.25"))[0].position, 12);
    EXPECT_FALSE((*typed_numbers("0.5 0.25"))[0].position);
    EXPECT_EQ(typed_numbers("0.5").error().key, "numbers.none");
    EXPECT_EQ(typed_numbers("0.5 x").error().key, "numbers.word");
    EXPECT_EQ(typed_numbers("").error().key, "numbers.none");
    std::string many;
    for (int i = 0; i < 201; ++i) many += "1 ";
    EXPECT_EQ(typed_numbers(many).error().key, "numbers.many");
}

TEST(Numbers, MatchTheScene) {
    const Scene s = scene({{"d_model", 64}});
    EXPECT_EQ(answers(s, row(5, 2, 1e4, 64)), Keys{"numbers.matches"});
    EXPECT_EQ(answers(s, row(5, 64, 1e4, 64) + "\n" + row(9, 8, 1e4, 64)), Keys{"numbers.matches"});
    EXPECT_EQ(answers(scene({{"d_model", 64}, {"position", 9}}), row(9, 6, 1e4, 64).substr(6)),
              Keys{"numbers.matches"});
    const Scene rope = scene({{"encoding", "rope"}, {"d_model", 64}, {"layout", "half"}});
    EXPECT_EQ(answers(rope, "p = 5: 0.28366 -0.82086"), Keys{"numbers.matches"});
    EXPECT_EQ(answers(rope, "1.0, 0.74989, 0.56234"), Keys{"numbers.frequencies"});
}

TEST(Numbers, NameASlip) {
    const Scene s = scene({{"d_model", 64}});
    EXPECT_EQ(answers(s, row(5, 4, 1e4, 64, 1.0)), Keys{"slip.offset_one"});
    EXPECT_EQ(answers(s, row(5, 36, 1e4, 64, 0.0, 4.0)), Keys{"measured.exponent_doubled"});
    EXPECT_EQ(answers(s, "p = 5: 0.2837, -0.9589"), Keys{"slip.exchanged"});
    EXPECT_EQ(answers(s, "p=5: 0.9589, 0.2837"), Keys{"measured.sine_negated"});
    // 257 in bfloat16 is 256.
    EXPECT_EQ(answers(s, fmt::format("p = 257: {:.6f} {:.6f}", std::sin(256.0), std::cos(256.0))),
              (Keys{"slip.offset_minus", "measured.narrowed", "measured.narrowed", "measured.narrowed"}))
        << "one row cannot tell these apart, so all are said";
}

TEST(Numbers, AreNeitherElse) {
    const Scene s = scene({{"d_model", 64}});
    EXPECT_EQ(answers(s, row(5, 8, 777.0, 64)), (Keys{"numbers.neither", "numbers.nowhere"}))
        << "no base is fitted";
    EXPECT_EQ(answers(s, "p = 5: 0.5, 0.5"), (Keys{"numbers.neither", "numbers.nowhere"}));
    EXPECT_EQ(answers(s, "p = 5: 0.3, -1.0"), Keys{"numbers.few"}) << "one digit fits too much";
    EXPECT_EQ(answers(scene({{"encoding", "alibi"}}), "0.5, 0.5"), Keys{"numbers.no_spectrum"});
    EXPECT_EQ(answers(scene({{"d_model", 4}}), "1 2 3 4 5"), Keys{"numbers.wide"});
}

// Of what position, width and base they are, where nothing else is known.
TEST(Numbers, AreFoundInOtherConventions) {
    const auto rows_of = [](const std::string& text) { return *typed_numbers(text); };
    const auto typed = [](std::int64_t p, double base, int d, int columns, bool sine_first, bool halves,
                          int digits) {
        std::string text;
        for (int c = 0; c < columns; ++c) {
            const double angle = static_cast<double>(p) * std::pow(base, -2.0 * (halves ? c : c / 2) / d);
            const bool sine = halves ? sine_first : (c % 2 == 0) == sine_first;
            text += fmt::format("{:.{}f} ", sine ? std::sin(angle) : std::cos(angle), digits);
        }
        return text;
    };
    for (const auto& [p, base, d] : {std::tuple(13, 1e4, 96), {7, 5e5, 128}, {1, 1e4, 512}, {999, 1e6, 64}})
        for (const bool sine_first : {true, false}) {
            const auto found = conventions_of(rows_of(typed(p, base, d, 8, sine_first, false, 6)));
            ASSERT_FALSE(found.empty()) << p << " " << d;
            EXPECT_EQ(found[0].position, p);
            EXPECT_EQ(found[0].base, base);
            EXPECT_LE(found[0].from, d);
            EXPECT_GE(found[0].to, d);
            EXPECT_EQ(found[0].sine_first, sine_first);
            EXPECT_FALSE(found[0].halves);
        }
    const auto halves = conventions_of(rows_of("p = 13: " + typed(13, 1e4, 96, 6, false, true, 6)));
    ASSERT_FALSE(halves.empty());
    EXPECT_TRUE(halves[0].halves);
    EXPECT_EQ(halves[0].from, 96);
    const auto described = [&](const std::string& text) { return describe_conventions(rows_of(text)).key; };
    EXPECT_EQ(described(typed(13, 5e5, 128, 8, true, false, 6)), "numbers.convention");
    const Problem same = describe_conventions(rows_of(typed(13, 1e4, 96, 8, true, false, 6)));
    EXPECT_EQ(same.key, "numbers.convention_same");
    EXPECT_EQ(*value_of(same, "convention"), "p = 13, d = 96, b = 10000, sin cos sin cos");
    EXPECT_EQ(*value_of(same, "same"), "d = 144, b = 1000000; d = 120, b = 100000; d = 72, b = 1000; d = 48, "
                                       "b = 100; d = 168, b = 10000000");
    EXPECT_EQ(described(typed(13, 1e4, 96, 4, true, false, 2)), "numbers.vague") << "two digits fit anything";
    EXPECT_EQ(described(typed(13, 1e4, 96, 4, true, false, 4)), "numbers.conventions");
    EXPECT_EQ(described(typed(13, 1e4, 96, 2, true, false, 6)), "numbers.pair_zero")
        << "of any base and width";
    EXPECT_EQ(described("0.42017 0.90745 0.11 0.22 0.93 0.1"), "numbers.nowhere");
    // A whole pair is no width of its own: an odd ratio fits none.
    EXPECT_EQ(described(typed(13, 1e4, 97, 8, true, false, 6)), "numbers.nowhere");
    const Scene s = scene({{"d_model", 64}});
    EXPECT_EQ(answers(s, typed(13, 1e4, 96, 8, true, false, 6)),
              (Keys{"numbers.neither", "numbers.convention_same"}));
}

// Numbers at random are of no slip.
RC_GTEST_PROP(Numbers, NothingIsInvented, ()) {
    std::string text = "p = 37:";
    for (int i = 0; i < 4; ++i) text += fmt::format(" {:.4f}", *rc::gen::inRange(-10000, 10001) * 1e-4);
    const auto found = answers(scene({{"d_model", 64}}), text);
    RC_ASSERT(found == Keys({"numbers.neither", "numbers.nowhere"}) || found == Keys{"numbers.few"});
}

RC_GTEST_PROP(Numbers, AnyTextIsASentence, (const std::string& text)) { (void)typed_numbers(text); }

}  // namespace
}  // namespace posiscope::measuring::numbers_test
