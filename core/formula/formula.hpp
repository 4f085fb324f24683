// formula.hpp — a typed formula as a tree: b^(-2*i/d) * (1 + a*cos(i)).
// Grammar  + - * / ^ with the usual precedence (^ binds to the right and before a sign: −x^2 is −(x^2)); < <= > >= == !=;
//          && || !; c ? x : y or if(c, x, y); |x|; functions (below), pow(x, y) for x^y; sum(m, from, to, term); c[index]; pi, e.
//          2i, 2(x), (x)(y) and a cos(x) multiply; cos i is cos(i), but what is longer needs its brackets. A condition is 1 or 0.
//          Also read: ** · × ÷ − ≤ ≥ ≠ π Δ and full-width signs.
// Bounds   kMostBytes of text, kDeepest levels, kMostNodes operations and operands. Nothing in a formula names a file.
// Names    any other word is a name; what it means is the caller's affair (evaluate.hpp).
// Our own parser: muParser gives no tree to differentiate and write, GiNaC is under the GPL. What arrives by mail needs
// bounds besides. A property test holds that the typed notation reads back as the same value.
#pragma once

#include "core/problem.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::formula {

inline constexpr std::size_t kMostBytes = 500;
inline constexpr int kDeepest = 64;
inline constexpr std::size_t kMostNodes = 256;
inline constexpr std::size_t kLongestName = 24;  // characters

enum class Op : std::uint8_t {
    number,
    pi,
    euler,
    name,
    element,  // name[a]
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    less,
    at_most,
    greater,
    at_least,
    equal,
    unequal,
    both,
    either,
    opposite,  // !a
    choose,    // a ? b : c
    call,
    sum,  // of c over name = a … b
};

// round is to even, as in NumPy; mod has the sign of its second operand; sign(0) is 0; log is natural.
enum class Function : std::uint8_t {
    min,
    max,
    abs,
    sign,
    floor,
    ceil,
    round,
    sqrt,
    exp,
    log,
    log2,
    log1p,  // log(1 + x)
    sin,
    cos,
    tan,
    tanh,
    mod,
    clamp,  // clamp(x, least, most)
};
struct FunctionEntry {
    std::string_view name;
    int least, most;  // arguments; more than two of min and max are pairs of pairs
};
const FunctionEntry& entry_of(Function function);
std::span<const FunctionEntry> functions();  // in the order of Function

struct Node {
    Op op = Op::number;
    Function function = Function::min;
    std::uint8_t operands = 0;
    std::uint16_t name = 0;    // of names(); of a sum its own index among the bound ones
    std::uint16_t column = 1;  // of its sign in the text, counted in characters
    std::array<std::uint16_t, 3> operand{};
    double number = 0.0;

    bool operator==(const Node&) const = default;
};

// A name as the formula uses it. The variable of a sum is one too, but bound: nobody else gives it a value.
struct Name {
    std::string text;
    bool bound = false;
    bool list = false;         // used as name[index]
    std::uint16_t column = 1;  // where it is first used

    bool operator==(const Name&) const = default;
};

class Formula {
public:
    const std::string& text() const { return text_; }
    std::span<const Node> nodes() const {
        return nodes_;
    }  // operands before operators; the last is the whole
    const Node& root() const { return nodes_.back(); }
    const Node& node(std::uint16_t index) const { return nodes_[index]; }
    std::span<const Name> names() const { return names_; }
    bool uses(std::string_view name) const;  // freely

    bool operator==(const Formula&) const = default;

private:
    friend class Parser;
    std::string text_;
    std::vector<Node> nodes_;
    std::vector<Name> names_;
};

// `path` is named in the Problem: "encoding.frequency"; it also has the column, counted in characters from 1.
Result<Formula> parse(std::string_view text, std::string_view path);

}  // namespace posiscope::formula
