// Typed formulas: what is read, what is refused and where, values, slopes, and what other programs are given.
#include "core/formula/evaluate.hpp"
#include "core/formula/formula.hpp"
#include "core/formula/write.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <rapidcheck/gtest.h>

namespace posiscope::formula::formula_test {
namespace {

Formula read(std::string_view text) {
    auto parsed = parse(text, "slot");
    EXPECT_TRUE(parsed.has_value()) << text << ": " << (parsed ? "" : to_string(parsed.error()));
    return parsed ? *parsed : *parse("0", "slot");
}

double value(std::string_view text, const std::map<std::string, double>& names = {},
             std::span<const double> list = {}) {
    const Formula formula = read(text);
    std::vector<Binding> bindings;
    for (const Name& name : formula.names()) {
        EXPECT_TRUE(name.bound || name.list || names.contains(name.text)) << text << " uses " << name.text;
        bindings.push_back({.one = names.contains(name.text) ? names.at(name.text) : 0.0,
                            .list = name.list ? list : std::span<const double>{}});
    }
    return value_of(formula, bindings);
}

std::string refusal(std::string_view text) {
    const auto parsed = parse(text, "slot");
    return parsed ? "read"
                  : parsed.error().key + "@" +
                        (value_of(parsed.error(), "column") == nullptr ? ""
                                                                       : *value_of(parsed.error(), "column"));
}

TEST(Formula, BindsAsMathematicsDoes) {
    EXPECT_EQ(value("2+3*4"), 14.0);
    EXPECT_EQ(value("-2^2"), -4.0);
    EXPECT_EQ(value("2^-1"), 0.5);
    EXPECT_EQ(value("2^3^2"), 512.0);
    EXPECT_EQ(value("8/4/2"), 1.0);
    EXPECT_EQ(value("1-2-3"), -4.0);
    EXPECT_EQ(value("!1 == 0"), 1.0);
    EXPECT_EQ(value("1 < 2 && 3 > 4 || 5 == 5"), 1.0);
    EXPECT_EQ(value("0 ? 1 : 2 > 1 ? 3 : 4"), 3.0);
    EXPECT_EQ(value("if(1, 7, log(0))"), 7.0);
    EXPECT_EQ(value("mod(-1, 8)"), 7.0);
    EXPECT_EQ(value("min(3, 2, 5) + max(1, 4)"), 6.0);
    EXPECT_EQ(value("clamp(9, 0, 4)"), 4.0);
    EXPECT_EQ(value("round(2.5) + round(3.5)"), 6.0);
    EXPECT_EQ(value("sum(m, 1, 4, m^2)"), 30.0);
    EXPECT_EQ(value("sum(m, 1, 3, sum(k, 1, m, k))"), 10.0);
    EXPECT_EQ(value("sum(m, 5, 1, m)"), 0.0);
    EXPECT_EQ(value("c[1] + c[2.9]", {}, std::vector<double>{1.0, 10.0, 100.0}), 110.0);
    EXPECT_EQ(value("e"), std::numbers::e);
}

// As people write it on paper, paste it from one, or type it with a Chinese input method.
TEST(Formula, ReadsWhatPeopleWrite) {
    EXPECT_EQ(value("2i/d", {{"i", 3.0}, {"d", 12.0}}), 0.5);
    EXPECT_EQ(value("b^(−2i/d)(1 + 0.1cos(i))", {{"b", 16.0}, {"i", 0.0}, {"d", 4.0}}), 1.1);
    EXPECT_EQ(value("−log(1 + |Δ|)", {{"D", -1.0}}), -std::log(2.0));
    EXPECT_EQ(value("||x| − 3|", {{"x", -1.0}}), 2.0);
    EXPECT_EQ(value("|x| || 0", {{"x", 0.0}}), 0.0);
    EXPECT_EQ(value("2（x＋1）×3÷4", {{"x", 1.0}}), 3.0);
    EXPECT_EQ(value("3(1 + 2 cos x)", {{"x", 0.0}}), 9.0);
    EXPECT_EQ(value("x cos(0) exp y - x", {{"x", 2.0}, {"y", 0.0}}), 0.0);
    EXPECT_EQ(value("x**2 ≤ 4 ? π : 0", {{"x", 2.0}}), std::numbers::pi);
}

TEST(Formula, ARefusalNamesItsCharacter) {
    EXPECT_EQ(refusal(""), "formula.empty@");
    EXPECT_EQ(refusal("1 +"), "formula.ends@4");
    EXPECT_EQ(refusal("a * * b"), "formula.operand@5");
    EXPECT_EQ(refusal("(1 + 2"), "formula.open@1");
    EXPECT_EQ(refusal("θ+1"), "formula.character@1");
    EXPECT_EQ(refusal("−Δ + §"), "formula.character@6");
    EXPECT_EQ(refusal("cos 2i"), "formula.call@1");
    EXPECT_EQ(refusal("cos i^2"), "formula.call@1");
    EXPECT_EQ(refusal("1 + log sin i"), "formula.call@5");
    EXPECT_EQ(refusal("max i"), "formula.call@1");
    EXPECT_EQ(refusal("1 + tg(x)"), "formula.function@5");
    EXPECT_EQ(refusal("sin(1, 2)"), "formula.arguments@1");
    EXPECT_EQ(refusal("max(1)"), "formula.arguments_least@1");
    EXPECT_EQ(refusal("a b"), "formula.operator@3");
    EXPECT_EQ(refusal("1e999"), "formula.number@1");
    EXPECT_EQ(refusal("c + c[1]"), "formula.list@5");
    EXPECT_EQ(refusal("sum(1, 2, 3)"), "formula.sum@1");
    EXPECT_EQ(refusal("x ? 1"), "formula.otherwise@3");
    EXPECT_EQ(refusal(std::string(501, '1')), "formula.long@");
    EXPECT_EQ(refusal(std::string(70, '(') + "1" + std::string(70, ')')), "formula.deep@65");
    EXPECT_EQ(refusal(std::string(63, '(') + "1" + std::string(63, ')')), "read");
    std::string chain = "1";
    for (int n = 0; n < 100; ++n) chain += "+1";
    EXPECT_EQ(refusal(chain), "formula.chain@128");
    EXPECT_EQ(refusal("1 + " + std::string(24, 'a')), "read");
    EXPECT_EQ(refusal("1 + " + std::string(25, 'a')), "formula.name@5");
    EXPECT_EQ(refusal("a.b"), "formula.character@2");
    EXPECT_EQ(refusal("\xff"), "formula.utf8@");
}

TEST(Formula, ASumsVariableIsItsOwn) {
    const Formula formula = read("m + sum(m, 1, 2, m) + m");
    ASSERT_EQ(formula.names().size(), 2U);
    EXPECT_TRUE(formula.uses("m"));
    EXPECT_FALSE(read("sum(m, 1, 2, m)").uses("m"));
    EXPECT_EQ(value("m + sum(m, 1, 2, m) + m", {{"m", 10.0}}), 23.0);
}

TEST(Formula, ManyValuesEqualOneByOne) {
    const Formula formula = read("x > 3 ? sum(m, 0, x, m*y) : clamp(x^2 - y, -1, 5) + mod(x, 3) + c[x]");
    std::vector<double> x, list;
    for (int n = 0; n < 101; ++n) {
        x.push_back(n % 11 - 2.0);
        list.push_back(0.5 * n);
    }
    std::vector<Binding> bindings;
    for (const Name& name : formula.names())
        bindings.push_back(name.text == "x"   ? Binding{.each = x}
                           : name.text == "c" ? Binding{.list = list}
                                              : Binding{.one = 1.5});
    std::vector<double> all(x.size());
    evaluate(formula, bindings, all);
    for (std::size_t n = 0; n < x.size(); ++n) {
        std::vector<Binding> one = bindings;
        for (Binding& binding : one)
            if (!binding.each.empty()) binding = {.one = x[n]};
        const double alone = value_of(formula, one);
        EXPECT_TRUE(all[n] == alone || (std::isnan(all[n]) && std::isnan(alone))) << n;
    }
}

TEST(Formula, SaysWhichOperationIsNotFinite) {
    const auto why = [](std::string_view text, double x) {
        const Formula formula = read(text);
        const std::vector<Binding> bindings(formula.names().size(), Binding{.one = x});
        const auto found = why_not_finite(formula, bindings);
        return found ? found->operation + "@" + std::to_string(found->column) : "finite";
    };
    EXPECT_EQ(why("1 + log(abs(x))", 0.0), "log(0)@5");
    EXPECT_EQ(why("1/(x - 2)", 2.0), "1 / 0@2");
    EXPECT_EQ(why("x > 0 ? log(x) : 0", 0.0), "finite");
    EXPECT_EQ(why("(x - 9)^0.5", 0.0), "(-9)^0.5@8");
    EXPECT_EQ(why("sum(m, 1, 10^9, m)", 0.0), "sum(1 ... 1000000000)@1");
    EXPECT_EQ(why("sum(m, 0, 3, 1/(m - 2))", 0.0), "1 / 0@15");
    EXPECT_EQ(why("2*log(-x)", 5.0), "log(-5)@3");
}

// The slopes that training follows, against differences; away from corners.
RC_GTEST_PROP(Formula, SlopesFollowTheValues, ()) {
    static const char* const kTexts[] = {
        "a^2*x + x^a",          "sin(a*x)/a",           "exp(-a*x)*cos(x)",  "log(1 + a*abs(x))",
        "tanh(a - x)*tan(a/4)", "sqrt(a*x) + log2(a)",  "sum(m, 1, 4, a^m)", "x > a ? a*x : x/a",
        "clamp(a*x, 0, 100)",   "max(a, 2*a)*mod(a, 7)"};
    const std::string text = kTexts[*rc::gen::inRange<std::size_t>(0, std::size(kTexts))];
    const double a = 0.5 + *rc::gen::inRange(1, 1000) / 997.0, x = 0.25 + *rc::gen::inRange(1, 1000) / 499.0;
    if (std::abs(a - x) < 1e-3) return;
    const Formula formula = read(text);
    std::size_t by = 0;
    const auto at = [&](double of_a) {
        std::vector<Binding> bindings;
        for (std::size_t n = 0; n < formula.names().size(); ++n) {
            if (formula.names()[n].text == "a") by = n;
            bindings.push_back({.one = formula.names()[n].text == "a" ? of_a : x});
        }
        return bindings;
    };
    double value = 0.0, slope = 0.0;
    const std::vector<Binding> here = at(a);
    evaluate(formula, here, by, std::span(&value, 1), std::span(&slope, 1));
    RC_ASSERT(value == value_of(formula, here));
    const double h = 1e-6,
                 difference = (value_of(formula, at(a + h)) - value_of(formula, at(a - h))) / (2.0 * h);
    RC_ASSERT(std::abs(slope - difference) <= 1e-6 * (1.0 + std::abs(difference)));
}

// A formula that the grammar has, made by decisions.
std::string grown(std::span<const int>& decisions, int depth) {
    const auto decide = [&](int of) {
        if (decisions.empty()) return 0;
        const int decision = decisions.front() % of;
        decisions = decisions.subspan(1);
        return decision;
    };
    if (depth == 0)
        return std::array{
            "a", "2", "D", "0.5", "pi", "c[1]", "1e-3", "b"}[static_cast<std::size_t>(decide(8))];
    const auto inner = [&] { return grown(decisions, depth - 1); };
    const auto in_brackets = [&] { return "(" + inner() + ")"; };
    switch (decide(9)) {
        case 0: return inner();
        case 1: return "-" + in_brackets();
        case 2: return in_brackets() + std::array{" ? ", " ? "}[0] + inner() + " : " + in_brackets();
        case 3: {
            const FunctionEntry& function =
                functions()[static_cast<std::size_t>(decide(static_cast<int>(functions().size())))];
            std::string text = std::string(function.name) + "(" + inner();
            for (int more = 1; more < function.least; ++more) text += ", " + inner();
            return text + ")";
        }
        case 4: return "sum(m, 1, 3, m*" + in_brackets() + ")";
        case 5: return "!" + in_brackets();
        default: {
            static constexpr std::array kSigns = {
                "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
            const char* sign = kSigns[static_cast<std::size_t>(decide(static_cast<int>(kSigns.size())))];
            return in_brackets() + sign + in_brackets();
        }
    }
}

void check_round_trip(const Formula& formula) {
    const std::vector<double> list = {1.0, 2.0};
    const auto bindings = [&](const Formula& of) {
        std::vector<Binding> made;
        for (const Name& name : of.names())
            made.push_back(name.list ? Binding{.list = list} : Binding{.one = 1.25});
        return made;
    };
    const double was = value_of(formula, bindings(formula));
    if (!std::isfinite(was)) RC_ASSERT(why_not_finite(formula, bindings(formula)).has_value());
    const std::string typed = write(formula, Notation::typed);
    if (const auto again = parse(typed, "slot")) {
        RC_ASSERT(write(*again, Notation::typed) == typed);
        const double is = value_of(*again, bindings(*again));
        RC_ASSERT(was == is || (std::isnan(was) && std::isnan(is)));
    } else {
        RC_ASSERT(typed.size() > kMostBytes);
    }
    for (const Notation notation : {Notation::latex, Notation::screen, Notation::numpy, Notation::jax,
                                    Notation::pytorch, Notation::cpp})
        RC_ASSERT(!write(formula, notation).empty());
}

RC_GTEST_PROP(Formula, IsTheSameWhenWrittenAndReadAgain, ()) {
    const auto decisions = *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(0, 1000));
    std::span<const int> left(decisions);
    const auto parsed = parse(grown(left, 4), "slot");
    if (!parsed) {
        RC_ASSERT(parsed.error().key == "formula.long" || parsed.error().key == "formula.size" ||
                  parsed.error().key == "formula.deep" || parsed.error().key == "formula.chain");
        return;
    }
    check_round_trip(*parsed);
}

// Any bytes are read or refused; what is read has a value, a cause where it has none, and every notation.
RC_GTEST_PROP(Formula, AnyTextIsReadOrRefused, ()) {
    static const std::vector<std::string> kPieces = {
        "a", "b", "D", "c[", "]",    "(", ")",    "+",    "-", "*",   "/",   "^", "<",   "==", "&&", "||",
        "?", ":", ",", "|",  "sum(", "m", "log(", "min(", "2", "1e9", "0.5", " ", "if(", "!",  "π"};
    std::string text;
    for (const int piece :
         *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(kPieces.size()))))
        text += kPieces[static_cast<std::size_t>(piece)];
    const auto parsed = parse(text, "slot");
    if (!parsed) return;
    check_round_trip(*parsed);
}

TEST(Formula, IsWrittenForOtherPrograms) {
    const auto in = [](Notation notation, std::string_view text) {
        return write(read(text), notation, {.tensor = [](std::string_view name) { return name == "D"; }});
    };
    EXPECT_EQ(in(Notation::latex, "b^(-2*i/d)*(1+0.1*cos(i))"),
              "b^{-2 i/d} \\, \\left(1 + 0.1 \\cos i\\right)");
    EXPECT_EQ(in(Notation::screen, "-s*log(1+abs(D))"), "-s \\text{ln}(1 + |\\Delta|)");
    EXPECT_EQ(in(Notation::latex, "w2/(a-1)"), "\\frac{w_{2}}{a - 1}");
    EXPECT_EQ(in(Notation::numpy, "1/3^D"), "1.0 / np.power(3.0, D)");
    EXPECT_EQ(in(Notation::jax, "min(1/3^D, pi)"), "jnp.minimum(1.0 / jnp.power(3.0, D), jnp.pi)");
    EXPECT_EQ(in(Notation::cpp, "a-(b-c)"), "a - (b - c)");
    EXPECT_EQ(in(Notation::cpp, "D < 2 ? 1 : D"), "D < 2.0 ? 1.0 : D");
    EXPECT_EQ(in(Notation::pytorch, "log(L)*min(D, w)"), "math.log(L) * torch.clamp(D, max=w)");
    EXPECT_EQ(in(Notation::pytorch, "(D < 2)*3"), "(1.0 * (D < 2.0)) * 3.0");
}

// The numbers of encodings that people ask for, each computed from its paper's formula.
TEST(Formula, GivesThePublishedNumbers) {
    const auto rate = [](double i) {
        return value("b^(-2*i/d)*(1+0.1*cos(i))", {{"b", 1e4}, {"d", 64.0}, {"i", i}});
    };
    EXPECT_DOUBLE_EQ(rate(0), 1.1);
    EXPECT_DOUBLE_EQ(rate(1), 0.7904111663784049);
    EXPECT_DOUBLE_EQ(rate(2), 0.53893966883658);
    EXPECT_DOUBLE_EQ(rate(31), 0.00014555042860673196);
    const std::string leaky = "abs(D) <= w ? D : (w + floor((abs(D) - w)/k))*sign(D)";
    EXPECT_EQ(value(leaky, {{"D", 5000.0}, {"w", 512.0}, {"k", 4.0}}), 1634.0);
    const std::string self_extend = "abs(q - k) <= w ? q - k : floor(q/G) - floor(k/G) + w - floor(w/G)";
    EXPECT_EQ(value(self_extend, {{"q", 5000.0}, {"k", 0.0}, {"w", 512.0}, {"G", 8.0}}), 1073.0);
    EXPECT_EQ(value(self_extend, {{"q", 5000.0}, {"k", 3.0}, {"w", 512.0}, {"G", 4.0}}), 1634.0);
    EXPECT_EQ(value(self_extend, {{"q", 600.0}, {"k", 100.0}, {"w", 512.0}, {"G", 4.0}}), 500.0);
    EXPECT_EQ(value(self_extend, {{"q", 16383.0}, {"k", 0.0}, {"w", 512.0}, {"G", 4.0}}), 4479.0);
    EXPECT_DOUBLE_EQ(value("log(q+1)/log(L)", {{"q", 32767.0}, {"L", 512.0}}), 5.0 / 3.0);
    EXPECT_DOUBLE_EQ(value("1+0.1*log(floor((q+1)/8192)+1)", {{"q", 8191.0}}), 1.0693147180559945);
    EXPECT_DOUBLE_EQ(value("1+0.1*log(floor((q+1)/8192)+1)", {{"q", 131071.0}}), 1.2833213344056216);
    // YaRN with its ramp from 20 to 46, for d 128, b 10^4, s 4.
    const auto yarn = [](double i) {
        return value("b^(-2*i/d)*(1/s + (1 - 1/s)*(1 - clamp((i - low)/(high - low), 0, 1)))",
                     {{"b", 1e4}, {"d", 128.0}, {"s", 4.0}, {"low", 20.0}, {"high", 46.0}, {"i", i}});
    };
    EXPECT_NEAR(yarn(21) / 0.047292038501684786, 1.0, 1e-14);
    EXPECT_NEAR(yarn(33) / 0.005412277021000409, 1.0, 1e-14);
    EXPECT_NEAR(yarn(46) / 0.000333380358040831, 1.0, 1e-14);
    EXPECT_NEAR(yarn(63) / 2.8869549617236455e-05, 1.0, 1e-14);
    EXPECT_NEAR(value("2*pi/round(2*pi/w)", {{"w", 1.0}}), 1.0471975511965976, 1e-15);
}

}  // namespace
}  // namespace posiscope::formula::formula_test
