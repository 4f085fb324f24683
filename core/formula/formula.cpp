// formula.cpp — reads a formula: one descent for each precedence, children before parents.
#include "core/formula/formula.hpp"

#include "core/json.hpp"
#include "core/parameter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace posiscope::formula {
namespace {

constexpr FunctionEntry kFunctions[] = {
    {"min", 2, 16},  {"max", 2, 16}, {"abs", 1, 1}, {"sign", 1, 1}, {"floor", 1, 1}, {"ceil", 1, 1},
    {"round", 1, 1}, {"sqrt", 1, 1}, {"exp", 1, 1}, {"log", 1, 1},  {"log2", 1, 1},  {"log1p", 1, 1},
    {"sin", 1, 1},   {"cos", 1, 1},  {"tan", 1, 1}, {"tanh", 1, 1}, {"mod", 2, 2},   {"clamp", 3, 3},
};

// Replaces characters that people type, paste or get from an input method by those of the grammar.
struct Spelling {
    std::string_view written, means;
};
constexpr Spelling kSpellings[] = {
    {"**", "^"}, {"·", "*"},  {"×", "*"},        {"÷", "/"},  {"−", "-"},  {"–", "-"},
    {"≤", "<="}, {"≥", ">="}, {"≠", "!="},       {"（", "("}, {"）", ")"}, {"，", ","},
    {"＋", "+"}, {"－", "-"}, {"＊", "*"},       {"／", "/"}, {"＾", "^"}, {"＜", "<"},
    {"＞", ">"}, {"？", "?"}, {"：", ":"},       {"［", "["}, {"］", "]"}, {"｜", "|"},
    {"！", "!"}, {"　", " "}, {"\xC2\xA0", " "}, {"π", "pi"}, {"Δ", "D"},  {"∆", "D"},
};

struct Token {
    enum class Kind { end, number, word, sign };
    Kind kind = Kind::end;
    std::string text;
    double number = 0.0;
    std::uint16_t column = 1;
};

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The bytes of the character at the front of valid UTF-8.
std::size_t first_character(std::string_view text) {
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) ++bytes;
    return bytes;
}

}  // namespace

const FunctionEntry& entry_of(Function function) { return kFunctions[static_cast<std::size_t>(function)]; }
std::span<const FunctionEntry> functions() { return kFunctions; }

bool Formula::uses(std::string_view name) const {
    return std::any_of(names_.begin(), names_.end(),
                       [&](const Name& used) { return !used.bound && used.text == name; });
}

class Parser {
public:
    Parser(std::string_view text, std::string_view path) : path_(path) { formula_.text_ = text; }

    Result<Formula> formula() {
        if (formula_.text_.size() > kMostBytes)
            return refuse("formula.long", {{"path", path_},
                                           {"bytes", std::to_string(formula_.text_.size())},
                                           {"most", std::to_string(kMostBytes)}});
        if (!is_utf8(formula_.text_)) return refuse("formula.utf8", {{"path", path_}});
        rest_ = formula_.text_;
        advance();
        if (!problem_ && now_.kind == Token::Kind::end) return refuse("formula.empty", {{"path", path_}});
        choice();
        if (!problem_ && now_.kind != Token::Kind::end) fail("formula.operator", {{"found", now_.text}});
        if (problem_) return tl::unexpected(*problem_);
        return std::move(formula_);
    }

private:
    using Index = std::uint16_t;

    // --- Words and signs

    void fail(std::string key, ProblemValues values = {}, std::optional<std::uint16_t> column = {}) {
        if (problem_) return;  // the first is the cause of the others
        values.insert(values.begin(),
                      {{"path", path_}, {"column", std::to_string(column.value_or(now_.column))}});
        problem_ = Problem{std::move(key), std::move(values), Cause::input};
        rest_ = {};
        now_ = {};
    }

    void advance() {
        const auto skip = [&](std::size_t bytes, int columns) {
            rest_.remove_prefix(bytes);
            column_ = static_cast<std::uint16_t>(column_ + columns);
        };
        while (!rest_.empty() &&
               (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r'))
            skip(1, 1);
        now_ = {};
        now_.column = column_;
        if (rest_.empty()) return;
        if (is_digit(rest_[0]) || (rest_[0] == '.' && rest_.size() > 1 && is_digit(rest_[1])))
            return number(skip);
        if (starts_word(rest_[0])) {
            std::size_t size = 1;
            while (size < rest_.size() && (starts_word(rest_[size]) || is_digit(rest_[size]))) ++size;
            const std::string_view name = rest_.substr(0, size);
            skip(size, static_cast<int>(size));
            return word(name);
        }
        for (const Spelling& spelling : kSpellings) {
            if (!rest_.starts_with(spelling.written)) continue;
            const int columns = spelling.written == "**" ? 2 : 1;
            if (spelling.means == " ") {
                skip(spelling.written.size(), columns);
                return advance();
            }
            skip(spelling.written.size(), columns);
            if (starts_word(spelling.means[0])) return word(spelling.means);
            now_.kind = Token::Kind::sign;
            now_.text = spelling.means;
            return;
        }
        for (const std::string_view sign : {"<=", ">=", "==", "!=", "&&", "||"})
            if (rest_.starts_with(sign)) {
                // Before an operand, || is two bars: ||x| − 1|.
                if (sign == "||" && !after_operand_) break;
                now_.kind = Token::Kind::sign;
                now_.text = sign;
                return skip(2, 2);
            }
        if (std::string_view("+-*/^()[],<>?:|!").find(rest_[0]) == std::string_view::npos)
            return fail("formula.character",
                        {{"found", std::string(rest_.substr(0, first_character(rest_)))}});
        now_.kind = Token::Kind::sign;
        now_.text = rest_[0];
        skip(1, 1);
    }

    void word(std::string_view text) {
        now_.kind = Token::Kind::word;
        now_.text = text;
        if (now_.text.size() > kLongestName)
            fail("formula.name", {{"name", now_.text}, {"most", std::to_string(kLongestName)}});
    }

    template <class Skip>
    void number(Skip skip) {
        now_.kind = Token::Kind::number;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), now_.number);
        auto size = static_cast<std::size_t>(end - rest_.data());
        now_.text = rest_.substr(0, size);
        if (error != std::errc{} || !std::isfinite(now_.number))
            return fail("formula.number", {{"found", now_.text}});
        skip(size, static_cast<int>(size));
    }

    bool is(std::string_view sign) const { return now_.kind == Token::Kind::sign && now_.text == sign; }
    bool take(std::string_view sign) {
        if (!is(sign)) return false;
        after_operand_ = sign == ")" || sign == "]";
        advance();
        return true;
    }
    void close(std::string_view sign, std::string_view opened, std::uint16_t where) {
        if (!is(sign))
            return fail("formula.open", {{"sign", std::string(opened)}, {"close", std::string(sign)}}, where);
        after_operand_ = true;
        advance();
    }

    // --- Nodes

    Index keep(Node node) {
        if (problem_) return 0;
        if (formula_.nodes_.size() == kMostNodes)
            fail("formula.size", {{"most", std::to_string(kMostNodes)}}, node.column);
        // A long chain of signs is as deep as brackets are: whoever walks the tree goes down once for each.
        int height = 1;
        for (std::size_t o = 0; o < node.operands; ++o)
            height = std::max(height, heights_[node.operand[o]] + 1);
        if (height > kDeepest) fail("formula.chain", {{"most", std::to_string(kDeepest)}}, node.column);
        if (problem_) return 0;
        heights_.push_back(height);
        formula_.nodes_.push_back(node);
        return static_cast<Index>(formula_.nodes_.size() - 1);
    }
    Index keep(Op op, std::uint16_t column, std::initializer_list<Index> operands) {
        Node node{.op = op, .operands = static_cast<std::uint8_t>(operands.size()), .column = column};
        std::copy(operands.begin(), operands.end(), node.operand.begin());
        return keep(node);
    }

    Index name_index(const std::string& text, std::uint16_t column, bool list) {
        const auto visible = [&](const Name& name, std::size_t at) {
            if (name.text != text) return false;
            return !name.bound || std::find(open_sums_.begin(), open_sums_.end(), at) != open_sums_.end();
        };
        // The innermost sum's first.
        for (std::size_t at = formula_.names_.size(); at-- > 0;)
            if (formula_.names_[at].bound && visible(formula_.names_[at], at)) return static_cast<Index>(at);
        for (std::size_t at = 0; at < formula_.names_.size(); ++at)
            if (!formula_.names_[at].bound && visible(formula_.names_[at], at)) {
                if (formula_.names_[at].list != list) fail("formula.list", {{"name", text}}, column);
                return static_cast<Index>(at);
            }
        formula_.names_.push_back({.text = text, .list = list, .column = column});
        return static_cast<Index>(formula_.names_.size() - 1);
    }

    // --- The grammar, from the loosest binding to the tightest

    struct Deeper {
        Parser& parser;
        explicit Deeper(Parser& of) : parser(of) {
            if (++parser.depth_ > kDeepest) parser.fail("formula.deep", {{"most", std::to_string(kDeepest)}});
        }
        ~Deeper() { --parser.depth_; }
    };

    // A bracket goes down through one signed_factor, which counts it.
    Index branch() {
        const Deeper deeper(*this);
        return choice();
    }
    Index choice() {
        if (problem_) return 0;
        const Index condition = either();
        const std::uint16_t column = now_.column;
        if (!take("?")) return condition;
        const Index yes = branch();
        if (!take(":")) fail("formula.otherwise", {}, column);
        const Index no = branch();
        return keep(Op::choose, column, {condition, yes, no});
    }

    struct Binary {
        std::string_view sign;
        Op op;
    };
    template <class Next>
    Index chain(std::span<const Binary> signs, Next next) {
        Index left = next();
        for (;;) {
            const auto found =
                std::find_if(signs.begin(), signs.end(), [&](const Binary& sign) { return is(sign.sign); });
            if (problem_ || found == signs.end()) return left;
            const std::uint16_t column = now_.column;
            take(found->sign);
            const Index right = next();
            left = keep(found->op, column, {left, right});
        }
    }
    Index either() {
        static constexpr Binary kSigns[] = {{"||", Op::either}};
        return chain(kSigns, [this] { return both(); });
    }
    Index both() {
        static constexpr Binary kSigns[] = {{"&&", Op::both}};
        return chain(kSigns, [this] { return comparison(); });
    }
    Index comparison() {
        static constexpr Binary kSigns[] = {{"<=", Op::at_most}, {">=", Op::at_least}, {"==", Op::equal},
                                            {"!=", Op::unequal}, {"<", Op::less},      {">", Op::greater}};
        return chain(kSigns, [this] { return terms(); });
    }
    Index terms() {
        static constexpr Binary kSigns[] = {{"+", Op::add}, {"-", Op::subtract}};
        return chain(kSigns, [this] { return factors(); });
    }
    Index factors() {
        Index left = signed_factor();
        while (!problem_) {
            const std::uint16_t column = now_.column;
            if (take("*")) left = keep(Op::multiply, column, {left, signed_factor()});
            else if (take("/")) left = keep(Op::divide, column, {left, signed_factor()});
            else if (multiplies_without_sign()) left = keep(Op::multiply, column, {left, powers()});
            else return left;
        }
        return left;
    }
    // 2i, 2(x), (x)(y) and a cos(i), but not b(x), which looks like a function, and not 2 3.
    bool multiplies_without_sign() const {
        const bool word = now_.kind == Token::Kind::word;
        return (may_multiply_ && (word || is("("))) ||
               (after_word_ && word && function_called(now_.text) != nullptr);
    }
    Index signed_factor() {
        const Deeper deeper(*this);
        if (problem_) return 0;
        const std::uint16_t column = now_.column;
        if (take("-")) return keep(Op::negate, column, {signed_factor()});
        if (take("+")) return signed_factor();
        if (take("!")) return keep(Op::opposite, column, {signed_factor()});
        return powers();
    }
    Index powers() {
        const Index base = operand();
        const std::uint16_t column = now_.column;
        if (!take("^")) return base;
        const Index exponent = signed_factor();
        return keep(Op::power, column, {base, exponent});
    }

    Index operand() {
        may_multiply_ = after_word_ = false;
        const Token token = now_;
        if (problem_) return 0;
        if (token.kind == Token::Kind::number) {
            after_operand_ = may_multiply_ = true;
            advance();
            return keep({.op = Op::number, .column = token.column, .number = token.number});
        }
        if (token.kind == Token::Kind::word) {
            after_operand_ = true;
            advance();
            const Index made = is("(") ? call(token) : is("[") ? element(token) : named(token);
            after_word_ = true;
            return made;
        }
        if (take("(")) {
            const Index inner = choice();
            close(")", "(", token.column);
            may_multiply_ = true;
            return inner;
        }
        if (take("|")) {
            const Index inner = choice();
            close("|", "|", token.column);
            Node node{.op = Op::call, .function = Function::abs, .operands = 1, .column = token.column};
            node.operand[0] = inner;
            return keep(node);
        }
        fail(token.kind == Token::Kind::end ? "formula.ends" : "formula.operand", {{"found", token.text}});
        return 0;
    }

    static const FunctionEntry* function_called(std::string_view name) {
        const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                         [&](const FunctionEntry& entry) { return entry.name == name; });
        return found == std::end(kFunctions) ? nullptr : found;
    }

    Index named(const Token& token) {
        const FunctionEntry* function = function_called(token.text);
        if (function != nullptr && function->least == 1 && function->most == 1 &&
            now_.kind == Token::Kind::word && function_called(now_.text) == nullptr) {
            const Token argument = now_;  // cos i
            advance();
            if (is("(") || is("[") || is("^")) {
                fail("formula.call", {{"name", token.text}}, token.column);
                return 0;
            }
            Node node{.op = Op::call,
                      .function = static_cast<Function>(function - kFunctions),
                      .operands = 1,
                      .column = token.column};
            node.operand[0] = named(argument);
            return keep(node);
        }
        if (function_called(token.text) != nullptr || token.text == "sum" || token.text == "if") {
            fail("formula.call", {{"name", token.text}}, token.column);
            return 0;
        }
        if (token.text == "pi") return keep({.op = Op::pi, .column = token.column});
        if (token.text == "e") return keep({.op = Op::euler, .column = token.column});
        if (token.text == "inf" || token.text == "infinity")
            return keep({.op = Op::number,
                         .column = token.column,
                         .number = std::numeric_limits<double>::infinity()});
        if (token.text == "nan" || token.text == "NaN") {
            fail("formula.nan", {{"name", token.text}}, token.column);
            return 0;
        }
        return keep(
            {.op = Op::name, .name = name_index(token.text, token.column, false), .column = token.column});
    }

    Index element(const Token& token) {
        const std::uint16_t column = now_.column;
        take("[");
        const Index index = choice();
        close("]", "[", column);
        Node node{.op = Op::element,
                  .operands = 1,
                  .name = name_index(token.text, token.column, true),
                  .column = token.column};
        node.operand[0] = index;
        return keep(node);
    }

    Index call(const Token& token) {
        const std::uint16_t opened = now_.column;
        if (token.text == "sum") return sum(token);
        take("(");
        std::vector<Index> arguments;
        if (!is(")")) do
                arguments.push_back(choice());
            while (!problem_ && take(","));
        close(")", "(", opened);
        if (problem_) return 0;
        if (token.text == "pow" && arguments.size() == 2)
            return keep(Op::power, token.column, {arguments[0], arguments[1]});
        const bool condition = token.text == "if";
        const FunctionEntry* found = function_called(token.text);
        if (!condition && found == nullptr) {
            fail("formula.function", {{"name", token.text}}, token.column);
            return 0;
        }
        const int least = condition ? 3 : found->least, most = condition ? 3 : found->most;
        const auto given = static_cast<int>(arguments.size());
        if (given < least || given > most) {
            fail(least == most ? "formula.arguments" : "formula.arguments_least",
                 {{"name", token.text}, {"takes", std::to_string(least)}, {"given", std::to_string(given)}},
                 token.column);
            return 0;
        }
        if (condition) return keep(Op::choose, token.column, {arguments[0], arguments[1], arguments[2]});
        Node node{
            .op = Op::call, .function = static_cast<Function>(found - kFunctions), .column = token.column};
        if (least == 2 && most > 2) {  // min and max, two by two
            Index left = arguments[0];
            for (std::size_t a = 1; a < arguments.size(); ++a) {
                node.operands = 2;
                node.operand = {left, arguments[a], 0};
                left = keep(node);
            }
            return left;
        }
        node.operands = static_cast<std::uint8_t>(given);
        std::copy(arguments.begin(), arguments.end(), node.operand.begin());
        return keep(node);
    }

    // sum(m, from, to, term)
    Index sum(const Token& token) {
        const std::uint16_t opened = now_.column;
        take("(");
        const Token variable = now_;
        if (variable.kind != Token::Kind::word || variable.text == "pi" || variable.text == "e") {
            fail("formula.sum", {}, token.column);
            return 0;
        }
        after_operand_ = true;
        advance();
        const auto comma = [&] {
            if (!take(",")) fail("formula.sum", {}, token.column);
        };
        comma();
        const Index from = choice();
        comma();
        const Index to = choice();
        comma();
        if (problem_) return 0;
        formula_.names_.push_back({.text = variable.text, .bound = true, .column = variable.column});
        const std::size_t at = formula_.names_.size() - 1;
        open_sums_.push_back(at);
        const Index term = choice();
        open_sums_.pop_back();
        close(")", "(", opened);
        Node node{.op = Op::sum, .operands = 3, .name = static_cast<Index>(at), .column = token.column};
        node.operand = {from, to, term};
        return keep(node);
    }

    std::string path_;
    Formula formula_;
    std::string_view rest_;
    Token now_;
    std::uint16_t column_ = 1;
    int depth_ = 0;
    std::vector<int> heights_;    // of the nodes
    bool after_operand_ = false;  // before `now_`: a bar closes, and || is "or"
    bool may_multiply_ = false;   // the last operand ended with a number or a bracket
    bool after_word_ = false;     // with a name or a function's value
    std::vector<std::size_t> open_sums_;
    std::optional<Problem> problem_;
};

Result<Formula> parse(std::string_view text, std::string_view path) { return Parser(text, path).formula(); }

}  // namespace posiscope::formula
