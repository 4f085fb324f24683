// write.cpp — one walk for all notations; brackets are written where the precedence of the target needs them.
#include "core/formula/write.hpp"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace posiscope::formula {
namespace {

// How tightly a text binds in its notation; higher is tighter.
enum Tightness { kChoice, kOr, kAnd, kCompare, kSum, kProduct, kSign, kPower, kAtom };

struct Piece {
    std::string text;
    Tightness tightness = kAtom;
    bool condition = false;  // true or false there, not a number
};

// The shortest text that every language reads as this double.
std::string shortest(double value) { return fmt::format("{}", value); }

std::string_view written_sign(Op op) {
    switch (op) {
        case Op::add: return "+";
        case Op::subtract: return "-";
        case Op::multiply: return "*";
        case Op::divide: return "/";
        case Op::less: return "<";
        case Op::at_most: return "<=";
        case Op::greater: return ">";
        case Op::at_least: return ">=";
        case Op::equal: return "==";
        case Op::unequal: return "!=";
        default: return "";
    }
}

Tightness tightness_of(Op op) {
    switch (op) {
        case Op::add:
        case Op::subtract: return kSum;
        case Op::multiply:
        case Op::divide: return kProduct;
        default: return kCompare;
    }
}

class Writer {
public:
    Writer(const Formula& formula, const Words& words) : formula_(formula), words_(words) {}
    virtual ~Writer() = default;
    std::string whole() { return number(formula_.root()).text; }

protected:
    const Node& operand(const Node& node, std::size_t which) const {
        return formula_.node(node.operand[which]);
    }
    const Name& name_of(const Node& node) const { return formula_.names()[node.name]; }

    virtual Piece piece(const Node& node) = 0;
    virtual Piece as_number(Piece condition) = 0;
    virtual std::string bracketed(const std::string& text) const { return "(" + text + ")"; }

    // Kept, since who writes a node may ask for an operand twice, and it for its own.
    Piece kept(const Node& node) {
        std::optional<Piece>& place =
            kept_[{&node - formula_.nodes().data(), small_ > 0}];  // stays where it is
        if (!place) place = piece(node);
        return *place;
    }
    Piece number(const Node& node) {
        Piece made = kept(node);
        return made.condition ? as_number(std::move(made)) : made;
    }
    // Its text, in brackets where it binds looser than `least`.
    std::string within(const Piece& made, Tightness least) const {
        return made.tightness < least ? bracketed(made.text) : made.text;
    }
    std::string within(const Node& node, Tightness least) { return within(number(node), least); }

    const Formula& formula_;
    const Words& words_;
    int small_ = 0;  // within indices and exponents

private:
    std::map<std::pair<std::ptrdiff_t, bool>, std::optional<Piece>> kept_;
};

// --- Programs --------------------------------------------------------------------------------------------

class CodeWriter : public Writer {
public:
    CodeWriter(const Formula& formula, Notation notation, const Words& words)
        : Writer(formula, words),
          notation_(notation),
          np_(notation == Notation::numpy ? "np."
              : notation == Notation::jax ? "jnp."
                                          : "") {
        for (const Node& node : formula.nodes()) {
            bool tensor = notation == Notation::numpy || notation == Notation::jax;
            if (notation == Notation::pytorch) {
                if (node.op == Op::name || node.op == Op::element)
                    tensor = !name_of(node).bound && (!words.tensor || words.tensor(name_of(node).text));
                for (std::size_t o = 0; o < node.operands; ++o) tensor = tensor || tensors_[node.operand[o]];
            }
            tensors_.push_back(tensor);
        }
    }

private:
    bool cpp() const { return notation_ == Notation::cpp; }
    bool numpy() const { return !np_.empty(); }
    std::string np(std::string_view rest) const { return std::string(np_) + std::string(rest); }
    bool tensor(const Node& node) const {
        return tensors_[static_cast<std::size_t>(&node - formula_.nodes().data())];
    }
    // The module of NumPy arrays, of tensors, or Python's own.
    std::string_view module_of(const Node& node) const {
        return numpy() ? np_ : tensor(node) ? "torch." : "math.";
    }

    Piece as_number(Piece made) override {
        if (cpp()) return {"(" + made.text + " ? 1.0 : 0.0)"};
        if (numpy()) return {np("where(") + made.text + ", 1.0, 0.0)"};
        return {"(1.0 * " + within(made, kPower) + ")"};
    }

    Piece condition(const Node& node) {
        Piece made = kept(node);
        if (made.condition) return made;
        return {within(made, kSum) + " != 0.0", kCompare, true};
    }

    std::string name(const Node& node) const {
        const std::string& text = name_of(node).text;
        return words_.name && !name_of(node).bound ? words_.name(text) : text;
    }

    Piece piece(const Node& node) override {
        switch (node.op) {
            case Op::number:
                if (std::isinf(node.number))
                    return {cpp()     ? "std::numeric_limits<double>::infinity()"
                            : numpy() ? np("inf")
                                      : "math.inf"};
                return {floating(shortest(node.number))};
            case Op::pi: return {cpp() ? "std::numbers::pi" : numpy() ? np("pi") : "math.pi"};
            case Op::euler: return {cpp() ? "std::numbers::e" : numpy() ? np("e") : "math.e"};
            case Op::name: return {name(node)};
            case Op::element: return element(node);
            case Op::negate: return {"-" + within(operand(node, 0), kSign), kSign};
            case Op::opposite: {
                const Piece inner = condition(operand(node, 0));
                if (cpp()) return {"!" + within(inner, kSign), kSign, true};
                if (!tensor(node)) return {"not " + within(inner, kCompare), kAnd, true};
                if (numpy()) return {np("logical_not(") + inner.text + ")", kAtom, true};  // ~True is −2
                return {"~(" + inner.text + ")", kSign, true};
            }
            case Op::both:
            case Op::either: return logical(node);
            case Op::choose: return choose(node);
            case Op::sum: return sum(node);
            case Op::power: return power(node);
            case Op::call: return call(node);
            default: break;
        }
        const Tightness own = tightness_of(node.op);
        const bool compares = own == kCompare;
        // Brackets keep the order of what was typed: (a + b) + c is not a + (b + c) in floating point.
        const std::string text = within(operand(node, 0), compares ? kSum : own) + " " +
                                 std::string(written_sign(node.op)) + " " +
                                 within(operand(node, 1), compares ? kSum : static_cast<Tightness>(own + 1));
        return {text, own, compares};
    }

    Piece logical(const Node& node) {
        const bool both = node.op == Op::both;
        const Piece left = condition(operand(node, 0)), right = condition(operand(node, 1));
        if (cpp() || !tensor(node))
            return {within(left, kSum) +
                        (cpp()  ? both ? " && " : " || "
                         : both ? " and "
                                : " or ") +
                        within(right, kSum),
                    both ? kAnd : kOr, true};
        return {"(" + left.text + ") " + (both ? "&" : "|") + " (" + right.text + ")", kCompare, true};
    }

    Piece choose(const Node& node) {
        const Piece asked = condition(operand(node, 0));
        const std::string yes = number(operand(node, 1)).text, no = number(operand(node, 2)).text;
        if (cpp())
            return {within(asked, kOr) + " ? " + within(operand(node, 1), kOr) + " : " +
                        within(operand(node, 2), kChoice),
                    kChoice};
        if (numpy()) return {np("where(") + asked.text + ", " + yes + ", " + no + ")"};
        if (tensor(operand(node, 0))) return {"torch.where(" + asked.text + ", " + yes + ", " + no + ")"};
        return {within(operand(node, 1), kOr) + " if " + asked.text + " else " +
                    within(operand(node, 2), kOr),
                kChoice};
    }

    Piece power(const Node& node) {
        const Node &base = operand(node, 0), &exponent = operand(node, 1);
        if (cpp()) return {"std::pow(" + number(base).text + ", " + number(exponent).text + ")"};
        if (numpy()) return {np("power(") + number(base).text + ", " + number(exponent).text + ")"};
        if (tensor(node)) return {within(base, kAtom) + " ** " + within(exponent, kAtom), kPower};
        return {"math.pow(" + number(base).text + ", " + number(exponent).text + ")"};
    }
    // Whole numbers divide differently in C++, and NumPy refuses them to negative powers.
    static std::string floating(std::string number) {
        return number.find_first_of(".en") == std::string::npos ? number + ".0" : number;
    }

    Piece element(const Node& node) {
        const std::string index = number(operand(node, 0)).text;
        if (cpp()) return {name(node) + "[static_cast<std::size_t>(std::floor(" + index + "))]"};
        if (numpy()) return {name(node) + "[" + np("floor(") + index + ").astype(int)]"};
        if (tensor(operand(node, 0))) return {name(node) + "[torch.floor(" + index + ").long()]"};
        return {name(node) + "[math.floor(" + index + ")]"};
    }

    Piece sum(const Node& node) {
        const std::string from = number(operand(node, 0)).text, to = number(operand(node, 1)).text,
                          term = number(operand(node, 2)).text, &m = name_of(node).text;
        if (cpp())
            return {fmt::format(
                "[&] {{ double total = 0.0; for (double {0} = std::ceil({1}); {0} <= std::floor({2}); "
                "++{0}) total += {3}; return total; }}()",
                m, from, to, term)};
        const std::string_view of = numpy() ? np_ : std::string_view("math.");
        return {
            fmt::format("sum(({3}) for {0} in map(float, range(int({4}ceil({1})), int({4}floor({2})) + 1)))",
                        m, from, to, term, of)};
    }

    // min(a, b) and max(a, b); torch.minimum wants two tensors.
    std::string extreme(const Node& at, bool least, const std::string& a, const std::string& b, bool a_tensor,
                        bool b_tensor) const {
        const std::string_view word = least ? "min" : "max";
        if (cpp()) return fmt::format("std::{}<double>({}, {})", word, a, b);
        if (numpy()) return fmt::format("{}{}imum({}, {})", np_, word, a, b);
        if (!tensor(at)) return fmt::format("{}({}, {})", word, a, b);
        if (a_tensor && b_tensor) return fmt::format("torch.{}imum({}, {})", word, a, b);
        return a_tensor ? fmt::format("torch.clamp({}, {}={})", a, least ? "max" : "min", b)
                        : fmt::format("torch.clamp({}, {}={})", b, least ? "max" : "min", a);
    }

    Piece call(const Node& node) {
        const Node& first = operand(node, 0);
        const std::string a = number(first).text;
        const std::string b = node.operands > 1 ? number(operand(node, 1)).text : "";
        const auto tensors = [&](std::size_t o) { return tensor(operand(node, o)); };
        const auto plain = [&](std::string_view python, std::string_view ours) {
            if (cpp()) return Piece{fmt::format("std::{}({})", ours, a)};
            return Piece{fmt::format("{}{}({})", module_of(node), python, a)};
        };
        const bool own = !cpp() && !tensor(node);  // Python's own functions
        switch (node.function) {
            case Function::min: return {extreme(node, true, a, b, tensors(0), tensors(1))};
            case Function::max: return {extreme(node, false, a, b, tensors(0), tensors(1))};
            case Function::clamp: {
                const std::string above = extreme(node, false, a, b, tensors(0), tensors(1));
                return {extreme(node, true, above, number(operand(node, 2)).text, tensors(0) || tensors(1),
                                tensors(2))};
            }
            case Function::abs: return own ? Piece{"abs(" + a + ")"} : plain("abs", "abs");
            case Function::sign:
                if (cpp())
                    return {
                        fmt::format("static_cast<double>(({0} > 0.0) - ({0} < 0.0))", within(first, kSum))};
                if (own) return {fmt::format("float(({0} > 0) - ({0} < 0))", within(first, kSum))};
                return plain("sign", "");
            case Function::round: return own ? Piece{"round(" + a + ")"} : plain("round", "nearbyint");
            case Function::mod:
                if (cpp())
                    return {fmt::format("({0} - {1} * std::floor({0} / {1}))", within(first, kProduct),
                                        within(operand(node, 1), kSign))};
                return {within(first, kProduct) + " % " + within(operand(node, 1), kSign), kProduct};
            default: {
                const std::string_view name = entry_of(node.function).name;
                return plain(name, name);
            }
        }
    }

    Notation notation_;
    std::string_view np_;  // the module of NumPy's functions; empty for other languages
    std::vector<bool> tensors_;
};

// --- As it is typed --------------------------------------------------------------------------------------

class Typed : public Writer {
public:
    using Writer::Writer;

private:
    Piece as_number(Piece made) override { return made; }  // a condition is 1 or 0

    std::string name(const Node& node) const {
        const std::string& text = name_of(node).text;
        return words_.name && !name_of(node).bound ? words_.name(text) : text;
    }
    std::string arguments(const Node& node, std::string text) {
        for (std::size_t o = 0; o < node.operands; ++o)
            text += (o == 0 ? "" : ", ") + number(operand(node, o)).text;
        return text + ")";
    }

    Piece piece(const Node& node) override {
        const auto two = [&](Tightness own, std::string_view sign) {
            return Piece{within(operand(node, 0), own) + std::string(sign) +
                             within(operand(node, 1), static_cast<Tightness>(own + 1)),
                         own};
        };
        switch (node.op) {
            case Op::number: return {shortest(node.number)};
            case Op::pi: return {"pi"};
            case Op::euler: return {"e"};
            case Op::name: return {name(node)};
            case Op::element: return {name(node) + "[" + number(operand(node, 0)).text + "]"};
            case Op::negate: return {"-" + within(operand(node, 0), kSign), kSign};
            case Op::opposite: return {"!" + within(operand(node, 0), kSign), kSign};
            case Op::add: return two(kSum, " + ");
            case Op::subtract: return two(kSum, " - ");
            case Op::multiply: return two(kProduct, "*");
            case Op::divide: return two(kProduct, "/");
            case Op::power:
                return {within(operand(node, 0), kAtom) + "^" + within(operand(node, 1), kSign), kPower};
            case Op::both: return two(kAnd, " && ");
            case Op::either: return two(kOr, " || ");
            case Op::choose:
                return {within(operand(node, 0), kOr) + " ? " + number(operand(node, 1)).text + " : " +
                            number(operand(node, 2)).text,
                        kChoice};
            case Op::sum: {
                const std::string text = "sum(" + name_of(node).text + ", ";
                return {arguments(node, text)};
            }
            case Op::call: return {arguments(node, std::string(entry_of(node.function).name) + "(")};
            default: return two(kCompare, " " + std::string(written_sign(node.op)) + " ");
        }
    }
};

// --- Mathematics -----------------------------------------------------------------------------------------

class Mathematics : public Writer {
public:
    Mathematics(const Formula& formula, Notation notation, const Words& words)
        : Writer(formula, words), full_(notation == Notation::latex) {}

private:
    std::string bracketed(const std::string& text) const override {
        return full_ ? "\\left(" + text + "\\right)" : "(" + text + ")";
    }
    // After another sign a minus needs brackets: a · (−b).
    std::string after_sign(const Node& node, Tightness least) {
        const Piece made = number(node);
        return made.text.starts_with('-') ? bracketed(made.text) : within(made, least);
    }

    // Iverson's bracket.
    Piece as_number(Piece made) override { return {"[" + made.text + "]"}; }

    std::string name(const Node& node) const {
        const std::string& text = name_of(node).text;
        if (words_.name && !name_of(node).bound) return words_.name(text);
        if (text == "D") return "\\Delta";
        if (text.size() == 1) return text;
        const std::size_t digits = text.find_first_of("0123456789_");
        if (digits == 1) return text.substr(0, 1) + "_{" + text.substr(text[1] == '_' ? 2 : 1) + "}";
        std::string shown;
        for (const char c : text) shown += c == '_' && full_ ? "\\_" : std::string(1, c);
        return "\\text{" + shown + "}";
    }

    // A number as people write it: 10^{-5} would be read as a product.
    static std::string digits(double value) {
        if (std::isinf(value)) return "\\infty";
        std::string text = shortest(value);
        if (text.ends_with(".0")) text.resize(text.size() - 2);
        const std::size_t power = text.find('e');
        if (power == std::string::npos) return text;
        const std::string mantissa = text.substr(0, power);
        const int exponent = std::stoi(text.substr(power + 1));
        return (mantissa == "1" || mantissa == "1.0" ? "" : mantissa + " \\cdot ") + "10^{" +
               std::to_string(exponent) + "}";
    }

    Piece piece(const Node& node) override {
        switch (node.op) {
            case Op::number: {
                const std::string text = digits(node.number);
                return {text, text.find('^') == std::string::npos ? kAtom : kProduct};
            }
            case Op::pi: return {"\\pi"};
            case Op::euler: return {"e"};
            case Op::name: return {name(node)};
            case Op::element: return {name(node) + "_{" + inside(operand(node, 0)) + "}"};
            case Op::negate: return {"-" + after_sign(operand(node, 0), kProduct), kProduct};
            case Op::opposite: return {"\\text{not } " + within(kept(operand(node, 0)), kAtom), kAnd, true};
            case Op::both: return logical(node, "\\text{ and }", kAnd);
            case Op::either: return logical(node, "\\text{ or }", kOr);
            case Op::multiply: return product(node);
            case Op::divide: return quotient(node);
            case Op::power:
                return {within(operand(node, 0), kAtom) + "^{" + inside(operand(node, 1)) + "}", kPower};
            case Op::choose: return choose(node);
            case Op::sum: return sum(node);
            case Op::call: return call(node);
            default: break;
        }
        const Tightness own = tightness_of(node.op);
        const bool compares = own == kCompare;
        std::string sign(written_sign(node.op));
        if (node.op == Op::at_most) sign = full_ ? "\\le" : "≤";
        if (node.op == Op::at_least) sign = full_ ? "\\ge" : "≥";
        if (node.op == Op::unequal) sign = full_ ? "\\ne" : "≠";
        if (node.op == Op::equal) sign = "=";
        return {within(operand(node, 0), compares ? kSum : own) + " " + sign + " " +
                    after_sign(operand(node, 1), static_cast<Tightness>(own + 1)),
                own, compares};
    }

    // In an index or an exponent a fraction has one line.
    std::string inside(const Node& node) {
        ++small_;
        std::string text = number(node).text;
        --small_;
        return text;
    }

    Piece logical(const Node& node, std::string_view word, Tightness own) {
        const auto part = [&](std::size_t which) {
            Piece made = kept(operand(node, which));
            if (!made.condition) made = {within(made, kSum) + " \\ne 0", kCompare, true};
            return within(made, static_cast<Tightness>(own + 1));
        };
        return {part(0) + std::string(word) + part(1), own, true};
    }

    Piece product(const Node& node) {
        const std::string a = within(operand(node, 0), kProduct), b = after_sign(operand(node, 1), kProduct);
        // Two numbers need a sign between them; so does what begins with a digit.
        const bool dot = (b.front() >= '0' && b.front() <= '9') || words_.numbers;
        const bool close = operand(node, 0).op == Op::number || operand(node, 0).op == Op::negate;
        return {a + (dot ? " \\cdot " : close ? " " : " \\, ") + b, kProduct};
    }

    Piece quotient(const Node& node) {
        if (small_ > 0)
            return {within(operand(node, 0), kProduct) + "/" + after_sign(operand(node, 1), kPower),
                    kProduct};
        return {"\\frac{" + number(operand(node, 0)).text + "}{" + number(operand(node, 1)).text + "}",
                kProduct};
    }

    Piece choose(const Node& node) {
        const Piece asked = kept(operand(node, 0));
        const std::string condition =
            asked.condition ? asked.text : asked.text + (full_ ? " \\ne 0" : " ≠ 0");
        const std::string yes = number(operand(node, 1)).text, no = number(operand(node, 2)).text;
        if (full_)
            return {"\\begin{cases} " + yes + " & " + condition + " \\\\ " + no +
                        " & \\text{otherwise} \\end{cases}",
                    kChoice};
        return {yes + "\\text{ if }" + condition + "\\text{, else }" + no, kChoice};
    }

    Piece sum(const Node& node) {
        const std::string& m = name_of(node).text;
        const std::string from = inside(operand(node, 0)), to = inside(operand(node, 1));
        return {"\\sum_{" + m + "=" + from + (full_ ? "}^{" + to + "} " : " … " + to + "} ") +
                    within(operand(node, 2), kProduct),
                kSum};
    }

    Piece call(const Node& node) {
        const Node& first = operand(node, 0);
        const std::string a = number(first).text;
        const auto between = [&](std::string_view open, std::string_view close) {
            return Piece{std::string(open) + " " + a + " " + std::string(close)};
        };
        switch (node.function) {
            case Function::abs: return full_ ? between("\\left|", "\\right|") : Piece{"|" + a + "|"};
            case Function::floor:
                return full_ ? between("\\left\\lfloor", "\\right\\rfloor") : Piece{"⌊" + a + "⌋"};
            case Function::ceil:
                return full_ ? between("\\left\\lceil", "\\right\\rceil") : Piece{"⌈" + a + "⌉"};
            case Function::sqrt:
                if (full_) return {"\\sqrt{" + a + "}"};
                return {"√" + bracketed(a)};
            case Function::exp: return {"e^{" + inside(first) + "}", kPower};
            case Function::mod:
                return {within(first, kSum) + (full_ ? " \\bmod " : "\\text{ mod }") +
                            within(operand(node, 1), kPower),
                        kSum};
            case Function::log: return named("\\ln", "\\text{ln}", node);
            case Function::log2: return named("\\log_2", "\\text{log}_2", node);
            case Function::log1p:
                return {(full_ ? "\\ln" : "\\text{ln}") + bracketed("1 + " + after_sign(first, kSum)),
                        kPower};
            case Function::sin: return named("\\sin", "\\sin", node);
            case Function::cos: return named("\\cos", "\\cos", node);
            case Function::tan: return named("\\tan", "\\text{tan}", node);
            case Function::tanh: return named("\\tanh", "\\text{tanh}", node);
            case Function::min: return named("\\min", "\\text{min}", node);
            case Function::max: return named("\\max", "\\text{max}", node);
            case Function::sign: return named("\\operatorname{sgn}", "\\text{sgn}", node);
            case Function::round: return named("\\operatorname{round}", "\\text{round}", node);
            case Function::clamp: return named("\\operatorname{clamp}", "\\text{clamp}", node);
        }
        return {};
    }

    // cos i, and cos(2 i) for an argument of more than one sign.
    Piece named(std::string_view latex, std::string_view screen, const Node& node) {
        std::string text(full_ ? latex : screen);
        if (node.operands == 1 && (operand(node, 0).op == Op::name || operand(node, 0).op == Op::pi))
            return {text + (text.starts_with("\\text") ? " \\, " : " ") + number(operand(node, 0)).text,
                    kPower};
        std::string arguments;
        for (std::size_t o = 0; o < node.operands; ++o)
            arguments += (o == 0 ? "" : ", ") + number(operand(node, o)).text;
        return {text + bracketed(arguments), kPower};
    }

    bool full_;
};

}  // namespace

std::string write(const Formula& formula, Notation notation, const Words& words) {
    if (notation == Notation::typed) return Typed(formula, words).whole();
    if (notation == Notation::latex || notation == Notation::screen)
        return Mathematics(formula, notation, words).whole();
    return CodeWriter(formula, notation, words).whole();
}

}  // namespace posiscope::formula
