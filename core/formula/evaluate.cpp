// evaluate.cpp — walks the tree with blocks of values: a node costs one call for each 32 elements.
#include "core/formula/evaluate.hpp"

#include "core/cost.hpp"
#include "core/parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace posiscope::formula {
namespace {

constexpr std::size_t kBlock = 32;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A value and its derivative.
struct Dual {
    double value = 0.0, slope = 0.0;
};
double value_in(double x) { return x; }
double value_in(const Dual& x) { return x.value; }

double modulo(double a, double b) {
    const double rest = std::fmod(a, b);
    return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}
double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }

// f(a) and f(a, b) on numbers.
double apply(Function function, double a, double b) {
    switch (function) {
        case Function::min: return a != a || b != b ? kNaN : std::min(a, b);
        case Function::max: return a != a || b != b ? kNaN : std::max(a, b);
        case Function::abs: return std::abs(a);
        case Function::sign: return sign_of(a);
        case Function::floor: return std::floor(a);
        case Function::ceil: return std::ceil(a);
        case Function::round: return std::nearbyint(a);
        case Function::sqrt: return std::sqrt(a);
        case Function::exp: return std::exp(a);
        case Function::log: return std::log(a);
        case Function::log2: return std::log2(a);
        case Function::log1p: return std::log1p(a);
        case Function::sin: return std::sin(a);
        case Function::cos: return std::cos(a);
        case Function::tan: return std::tan(a);
        case Function::tanh: return std::tanh(a);
        case Function::mod: return modulo(a, b);
        case Function::clamp: return kNaN;  // three operands: below
    }
    return kNaN;
}

double apply(Op op, double a, double b) {
    switch (op) {
        case Op::add: return a + b;
        case Op::subtract: return a - b;
        case Op::multiply: return a * b;
        case Op::divide: return a / b;
        case Op::power: return std::pow(a, b);
        case Op::less: return a < b ? 1.0 : 0.0;
        case Op::at_most: return a <= b ? 1.0 : 0.0;
        case Op::greater: return a > b ? 1.0 : 0.0;
        case Op::at_least: return a >= b ? 1.0 : 0.0;
        case Op::equal: return a == b ? 1.0 : 0.0;
        case Op::unequal: return a != b ? 1.0 : 0.0;
        case Op::both: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
        case Op::either: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
        default: return kNaN;
    }
}

// The derivatives by the operands.
double slope(Function function, const Dual& a, const Dual& b) {
    const double x = a.value;
    switch (function) {
        case Function::min: return x <= b.value ? a.slope : b.slope;
        case Function::max: return x >= b.value ? a.slope : b.slope;
        case Function::abs: return x == 0.0 ? 0.0 : sign_of(x) * a.slope;
        case Function::sign:
        case Function::floor:
        case Function::ceil:
        case Function::round: return 0.0;
        case Function::sqrt: return a.slope / (2.0 * std::sqrt(x));
        case Function::exp: return a.slope * std::exp(x);
        case Function::log: return a.slope / x;
        case Function::log2: return a.slope / (x * std::numbers::ln2);
        case Function::log1p: return a.slope / (1.0 + x);
        case Function::sin: return a.slope * std::cos(x);
        case Function::cos: return -a.slope * std::sin(x);
        case Function::tan: return a.slope * (1.0 + std::tan(x) * std::tan(x));
        case Function::tanh: return a.slope * (1.0 - std::tanh(x) * std::tanh(x));
        case Function::mod: return a.slope - b.slope * std::floor(x / b.value);
        case Function::clamp: return 0.0;
    }
    return 0.0;
}

double slope(Op op, const Dual& a, const Dual& b) {
    switch (op) {
        case Op::add: return a.slope + b.slope;
        case Op::subtract: return a.slope - b.slope;
        case Op::multiply: return a.slope * b.value + a.value * b.slope;
        case Op::divide: return (a.slope - b.slope * a.value / b.value) / b.value;
        // Each part only where it moves: x^2 has a slope at x < 0, where log(x) has no value.
        case Op::power:
            return (a.slope == 0.0 ? 0.0 : a.slope * b.value * std::pow(a.value, b.value - 1.0)) +
                   (b.slope == 0.0 ? 0.0 : b.slope * std::pow(a.value, b.value) * std::log(a.value));
        default: return 0.0;
    }
}

template <class Kind>
double applied(Kind kind, double a, double b) {
    return apply(kind, a, b);
}
template <class Kind>
Dual applied(Kind kind, const Dual& a, const Dual& b) {
    return {apply(kind, a.value, b.value), slope(kind, a, b)};
}
double negated(double x) { return -x; }
Dual negated(const Dual& x) { return {-x.value, -x.slope}; }
double added(double a, double b) { return a + b; }
Dual added(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }

double units_of(const Node& node) {
    const bool easy = node.op == Op::call
                          ? node.function <= Function::round || node.function == Function::clamp
                          : node.op != Op::power;
    return easy ? 1.0 : 12.0;
}

// Units of a node and its operands; of a sum only its bounds, since its terms are counted as they are added up.
double units_below(const Formula& formula, const Node& node) {
    double total = units_of(node);
    const std::size_t counted = node.op == Op::sum ? 2 : node.operands;
    for (std::size_t o = 0; o < counted; ++o) total += units_below(formula, formula.node(node.operand[o]));
    return total;
}

// Takes a sum's terms from those that one value may have, sums within sums included; false also where a bound is NaN.
bool enough(double& terms, double from, double to) {
    terms += std::max(to - from + 1.0, 0.0);
    return from == from && to == to && terms <= kMostTerms;
}

template <class Number>
class Walk {
public:
    Walk(const Formula& formula, std::span<const Binding> names, std::size_t by)
        : formula_(formula), names_(names), by_(by) {
        for (std::size_t n = 0; n < formula.nodes().size(); ++n) {
            const Node& node = formula.nodes()[n];
            bool varies = (node.op == Op::name || node.op == Op::element) &&
                          !formula.names()[node.name].bound && !names[node.name].each.empty();
            for (std::size_t o = 0; o < node.operands; ++o) varies = varies || varies_[node.operand[o]];
            varies_[n] = varies;
        }
    }

    void block(std::size_t first, std::span<Number> out) {
        terms_ = 0.0;
        node(static_cast<std::uint16_t>(formula_.nodes().size() - 1), first, out);
    }

private:
    static Number constant(double value, [[maybe_unused]] bool moves = false) {
        if constexpr (std::is_same_v<Number, Dual>) return {value, moves ? 1.0 : 0.0};
        else return value;
    }

    // The values of elements first … first + out.size() − 1.
    void node(std::uint16_t index, std::size_t first, std::span<Number> out) {
        const Node& at = formula_.node(index);
        if (out.size() > 1 && !varies_[index]) {
            node(index, first, out.first(1));
            std::fill(out.begin() + 1, out.end(), out[0]);
            return;
        }
        switch (at.op) {
            case Op::number: return fill(out, at.number);
            case Op::pi: return fill(out, std::numbers::pi);
            case Op::euler: return fill(out, std::numbers::e);
            case Op::name: return name(at, first, out);
            case Op::element: return element(at, first, out);
            case Op::negate:
                node(at.operand[0], first, out);
                for (Number& x : out) x = negated(x);
                return;
            case Op::opposite:
                node(at.operand[0], first, out);
                for (Number& x : out) x = constant(value_in(x) == 0.0 ? 1.0 : 0.0);
                return;
            case Op::choose: return choose(at, first, out);
            case Op::sum: return sum(at, first, out);
            case Op::call:
                if (at.function == Function::clamp) return clamp(at, first, out);
                return both(at, at.function, first, out);
            default: return both(at, at.op, first, out);
        }
    }

    void fill(std::span<Number> out, double value) const {
        std::fill(out.begin(), out.end(), constant(value));
    }

    void name(const Node& at, std::size_t first, std::span<Number> out) const {
        if (formula_.names()[at.name].bound) return fill(out, variables_[at.name]);
        const Binding& binding = names_[at.name];
        const bool moves = at.name == by_;
        for (std::size_t e = 0; e < out.size(); ++e)
            out[e] = constant(binding.each.empty() ? binding.one : binding.each[first + e], moves);
    }

    void element(const Node& at, std::size_t first, std::span<Number> out) {
        node(at.operand[0], first, out);
        const std::span<const double> list = names_[at.name].list;
        for (Number& x : out) {
            const double place = std::floor(value_in(x));
            const bool there = place >= 0.0 && place < static_cast<double>(list.size());
            const std::size_t element = there ? static_cast<std::size_t>(place) : 0;
            x = constant(there ? list[element] : kNaN, at.name == by_ && element == names_[at.name].element);
        }
    }

    template <class Kind>
    void both(const Node& at, Kind kind, std::size_t first, std::span<Number> out) {
        std::array<Number, kBlock> memory;
        const std::span<Number> right = std::span(memory).first(out.size());
        node(at.operand[0], first, out);
        if (at.operands == 2) node(at.operand[1], first, right);
        else std::fill(right.begin(), right.end(), Number{});
        for (std::size_t e = 0; e < out.size(); ++e) out[e] = applied(kind, out[e], right[e]);
    }

    void clamp(const Node& at, std::size_t first, std::span<Number> out) {
        std::array<Number, kBlock> memory;
        const std::span<Number> end = std::span(memory).first(out.size());
        node(at.operand[0], first, out);
        node(at.operand[1], first, end);
        for (std::size_t e = 0; e < out.size(); ++e) out[e] = applied(Function::max, out[e], end[e]);
        node(at.operand[2], first, end);
        for (std::size_t e = 0; e < out.size(); ++e) out[e] = applied(Function::min, out[e], end[e]);
    }

    void choose(const Node& at, std::size_t first, std::span<Number> out) {
        std::array<Number, kBlock> memory;
        const std::span<Number> condition = std::span(memory).first(out.size());
        node(at.operand[0], first, condition);
        const auto chosen = [](const Number& x) { return value_in(x) != 0.0; };
        const bool any = std::any_of(condition.begin(), condition.end(), chosen);
        const bool all = std::all_of(condition.begin(), condition.end(), chosen);
        if (any) node(at.operand[1], first, out);
        if (all) return;
        if (!any) return node(at.operand[2], first, out);
        std::array<Number, kBlock> other;
        const std::span<Number> no = std::span(other).first(out.size());
        node(at.operand[2], first, no);
        for (std::size_t e = 0; e < out.size(); ++e)
            if (!chosen(condition[e])) out[e] = no[e];
    }

    void sum(const Node& at, std::size_t first, std::span<Number> out) {
        // Each element has its own bounds, with all the terms that one may have.
        if (out.size() > 1 && (varies_[at.operand[0]] || varies_[at.operand[1]])) {
            const double before = terms_;
            double most = before;
            for (std::size_t e = 0; e < out.size(); ++e) {
                terms_ = before;
                sum(at, first + e, out.subspan(e, 1));
                most = std::max(most, terms_);
            }
            terms_ = most;
            return;
        }
        std::array<Number, 1> bound;
        node(at.operand[0], first, bound);
        const double from = std::ceil(value_in(bound[0]));
        node(at.operand[1], first, bound);
        const double to = std::floor(value_in(bound[0]));
        if (!enough(terms_, from, to)) return fill(out, kNaN);
        fill(out, 0.0);
        std::array<Number, kBlock> memory;
        const std::span<Number> term = std::span(memory).first(out.size());
        const double each =
            units_below(formula_, formula_.node(at.operand[2])) * static_cast<double>(out.size());
        for (double t = 0.0; t <= to - from; ++t) {  // past 2^53 a number plus 1 may be itself
            spend(each);
            variables_[at.name] = from + t;
            node(at.operand[2], first, term);
            for (std::size_t e = 0; e < out.size(); ++e) out[e] = added(out[e], term[e]);
        }
    }

    const Formula& formula_;
    std::span<const Binding> names_;
    std::size_t by_;
    std::array<bool, kMostNodes> varies_{};
    std::array<double, kMostNodes> variables_{};  // of sums, by name
    double terms_ = 0.0;                          // of all sums of this element
};

template <class Number, class Keep>
void in_blocks(const Formula& formula, std::span<const Binding> names, std::size_t by, std::size_t count,
               Keep keep) {
    Walk<Number> walk(formula, names, by);
    const double each = units(formula);
    std::array<Number, kBlock> values;
    for (std::size_t first = 0; first < count; first += kBlock) {
        const std::span<Number> block = std::span(values).first(std::min(kBlock, count - first));
        spend(each * static_cast<double>(block.size()));
        walk.block(first, block);
        for (std::size_t e = 0; e < block.size(); ++e) keep(first + e, block[e]);
    }
}

// One element, operand by operand, until one is not finite.
class Search {
public:
    Search(const Formula& formula, std::span<const Binding> names, std::size_t element)
        : formula_(formula), names_(names), element_(element) {}

    double value(std::uint16_t index) {
        const Node& at = formula_.node(index);
        double x = 0.0;
        switch (at.op) {
            case Op::number: return at.number;
            case Op::pi: return std::numbers::pi;
            case Op::euler: return std::numbers::e;
            case Op::name: {
                const Binding& binding = names_[at.name];
                x = formula_.names()[at.name].bound ? variables_[at.name]
                    : binding.each.empty()          ? binding.one
                                                    : binding.each[element_];
                return said(at, x, [&] { return formula_.names()[at.name].text; });
            }
            case Op::element: {
                const double place = std::floor(value(at.operand[0]));
                const std::span<const double> list = names_[at.name].list;
                x = place >= 0.0 && place < static_cast<double>(list.size())
                        ? list[static_cast<std::size_t>(place)]
                        : kNaN;
                return said(at, x, [&] {
                    return fmt::format("{}[{}]", formula_.names()[at.name].text, to_text(place));
                });
            }
            case Op::choose: return value(at.operand[value(at.operand[0]) != 0.0 ? 1 : 2]);
            case Op::negate: return -value(at.operand[0]);
            case Op::opposite: return value(at.operand[0]) == 0.0 ? 1.0 : 0.0;
            case Op::sum: return sum(at);
            case Op::call: return call(at);
            default: break;
        }
        const double a = value(at.operand[0]), b = value(at.operand[1]);
        return said(at, apply(at.op, a, b), [&] {
            const char* sign = at.op == Op::add        ? " + "
                               : at.op == Op::subtract ? " - "
                               : at.op == Op::multiply ? " * "
                               : at.op == Op::divide   ? " / "
                                                       : "^";
            const auto bracketed = [](double number) {
                return number < 0.0 ? fmt::format("({})", to_text(number)) : to_text(number);
            };
            return fmt::format("{}{}{}", bracketed(a), sign, bracketed(b));
        });
    }

    std::optional<NotFinite> found;

private:
    template <class Say>
    double said(const Node& at, double x, Say say) {
        if (!std::isfinite(x) && !found) found = {say(), x, at.column};
        return x;
    }

    double call(const Node& at) {
        std::array<double, 3> x{};
        for (std::size_t o = 0; o < at.operands; ++o) x[o] = value(at.operand[o]);
        const double result = at.function == Function::clamp
                                  ? apply(Function::min, apply(Function::max, x[0], x[1]), x[2])
                                  : apply(at.function, x[0], x[1]);
        return said(at, result, [&] {
            std::string text(entry_of(at.function).name);
            for (std::size_t o = 0; o < at.operands; ++o) text += (o == 0 ? "(" : ", ") + to_text(x[o]);
            return text + ")";
        });
    }

    double sum(const Node& at) {
        const double from = std::ceil(value(at.operand[0])), to = std::floor(value(at.operand[1]));
        if (!enough(terms_, from, to))
            return said(at, kNaN, [&] { return fmt::format("sum({} ... {})", to_text(from), to_text(to)); });
        double total = 0.0;
        for (double t = 0.0; t <= to - from && !found; ++t) {
            spend(units_below(formula_, formula_.node(at.operand[2])));
            variables_[at.name] = from + t;
            total += value(at.operand[2]);
        }
        return said(at, total, [] { return std::string("sum"); });
    }

    const Formula& formula_;
    std::span<const Binding> names_;
    std::size_t element_;
    std::array<double, kMostNodes> variables_{};
    double terms_ = 0.0;
};

}  // namespace

void evaluate(const Formula& formula, std::span<const Binding> names, std::span<double> out) {
    in_blocks<double>(formula, names, kMostNodes, out.size(), [&](std::size_t at, double x) { out[at] = x; });
}

double value_of(const Formula& formula, std::span<const Binding> names) {
    double value = 0.0;
    evaluate(formula, names, std::span(&value, 1));
    return value;
}

void evaluate(const Formula& formula, std::span<const Binding> names, std::size_t by, std::span<double> out,
              std::span<double> slope) {
    in_blocks<Dual>(formula, names, by, out.size(), [&](std::size_t at, const Dual& x) {
        out[at] = x.value;
        slope[at] = x.slope;
    });
}

std::optional<NotFinite> why_not_finite(const Formula& formula, std::span<const Binding> names,
                                        std::size_t element) {
    Search search(formula, names, element);
    search.value(static_cast<std::uint16_t>(formula.nodes().size() - 1));
    return search.found;
}

double units(const Formula& formula) { return units_below(formula, formula.root()); }

}  // namespace posiscope::formula
