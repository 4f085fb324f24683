#include "app/ui/formula.hpp"

#include <array>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr float kAscent = 0.76F, kDescent = 0.22F;  // of DejaVu Serif's size, around digits and brackets
constexpr float kScript = 0.72F;
constexpr std::size_t kMostCells = 64;  // per matrix
constexpr float kAxis = 0.30F;          // height of a fraction's rule and of a minus sign above the baseline

constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
    {"omega", "ω"}, {"phi", "φ"}, {"Delta", "Δ"}, {"pi", "π"}, {"lambda", "λ"}, {"theta", "θ"}, {"beta", "β"},
};
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"cdot", "·"}, {"sum", "Σ"}, {"sqrt", "√"}, {"approx", "≈"},
    {"le", "≤"},   {"to", "→"},  {"norm", "‖"}, {"times", "×"},
};

// A part of a formula, with the range of its runs and rules.
struct Box {
    float width = 0.0F, ascent = 0.0F, descent = 0.0F;
    std::size_t first_run = 0, end_run = 0, first_rule = 0, end_rule = 0;
};

class Setter {
public:
    Setter(std::string_view text, const Measure& measure)
        : rest_(text), measure_(measure), memory_(measure.formula_memory()) {
        memory_.runs.clear();
        memory_.rules.clear();
        memory_.widths.clear();
    }

    Box row(float size) {
        Box box = begin();
        float pen = 0.0F;
        for (;;) {
            while (rest_.starts_with(' ')) rest_.remove_prefix(1);
            if (rest_.empty() || rest_.front() == '}' || rest_.front() == '&' || rest_.starts_with("\\\\"))
                break;
            const Piece piece = atom(size);
            const float before = pen > 0.0F ? piece.space_before : 0.0F;
            append(box, piece.box, {pen + before, 0.0F});
            pen += before + piece.box.width + piece.space_after;
            scripts(box, pen, size);
        }
        box.width = pen;
        return box;
    }

private:
    struct Piece {
        Box box;
        float space_before = 0.0F, space_after = 0.0F;
    };

    Box begin() const {
        Box box;
        box.first_run = box.end_run = memory_.runs.size();
        box.first_rule = box.end_rule = memory_.rules.size();
        return box;
    }

    // Moves a part, which was laid out after the content of the box, to its place in it.
    void append(Box& box, const Box& piece, Point at) {
        for (std::size_t i = piece.first_run; i < piece.end_run; ++i)
            memory_.runs[i].at = memory_.runs[i].at + at;
        for (std::size_t i = piece.first_rule; i < piece.end_rule; ++i) {
            Rect& r = memory_.rules[i];
            r = {r.x0 + at.x, r.y0 + at.y, r.x1 + at.x, r.y1 + at.y};
        }
        box.end_run = std::max(box.end_run, piece.end_run);
        box.end_rule = std::max(box.end_rule, piece.end_rule);
        box.ascent = std::max(box.ascent, piece.ascent - at.y);
        box.descent = std::max(box.descent, piece.descent + at.y);
        box.width = std::max(box.width, at.x + piece.width);
    }
    void rule(Box& box, Rect rect) {
        memory_.rules.push_back(rect);
        box.end_rule = memory_.rules.size();
    }

    Box word(std::string_view text, Face face, float size) {
        Box box = begin();
        box.width = measure_.text_width(text, face, size);
        box.ascent = kAscent * size;
        box.descent = kDescent * size;
        memory_.runs.push_back({{0.0F, 0.0F}, face, size, text});
        box.end_run = memory_.runs.size();
        return box;
    }

    Box group(float size) {
        if (!rest_.starts_with('{')) return atom(size).box;
        rest_.remove_prefix(1);
        const Box box = row(size);
        if (rest_.starts_with('}')) rest_.remove_prefix(1);
        return box;
    }

    // Without braces an index of digits ends with them: what closes the bracket in (x_1, x_2) is none of it.
    Box script_of(float size) {
        std::size_t digits = 0;
        while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') ++digits;
        return digits > 0 ? word(take(digits), Face::upright, size) : group(size);
    }

    std::string_view raw_group() {
        if (!rest_.starts_with('{')) return {};
        const auto end = std::min(rest_.find('}'), rest_.size() - 1);
        const std::string_view inside = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return inside;
    }

    void scripts(Box& box, float& pen, float size) {
        float widest = 0.0F;
        while (rest_.starts_with('_') || rest_.starts_with('^')) {
            const float shift = rest_.front() == '_' ? 0.22F * size : -0.38F * size;
            rest_.remove_prefix(1);
            const Box script = script_of(kScript * size);
            widest = std::max(widest, script.width);
            append(box, script, {pen + 0.03F * size, shift});
        }
        if (widest > 0.0F) pen += widest + 0.06F * size;
    }

    Box fraction(float size) {
        Box box = begin();
        const Box above = group(0.85F * size);
        const Box below = group(0.85F * size);
        const float width = std::max(above.width, below.width) + 0.2F * size;
        const float axis = -kAxis * size;
        append(box, above, {0.5F * (width - above.width), axis - 0.12F * size - above.descent});
        append(box, below, {0.5F * (width - below.width), axis + 0.14F * size + below.ascent});
        rule(box, {0.0F, axis - 0.03F * size, width, axis + 0.03F * size});
        box.width = width;
        return box;
    }

    // First the cells in order, with the widths of columns after those of an enclosing matrix; then the placement of each.
    Box matrix(float size) {
        Box box = begin();
        struct Cell {
            Box box;
            std::size_t row, column;
        };
        std::array<Cell, kMostCells> cells;
        std::size_t count = 0, row_at = 0, column = 0;
        const std::size_t widths = memory_.widths.size();
        if (rest_.starts_with('{')) rest_.remove_prefix(1);
        while (!rest_.empty() && rest_.front() != '}') {
            while (rest_.starts_with(' ')) rest_.remove_prefix(1);
            const Box cell = row(size);
            if (count < cells.size()) cells[count++] = {cell, row_at, column};
            if (memory_.widths.size() == widths + column) memory_.widths.push_back(0.0F);
            memory_.widths[widths + column] = std::max(memory_.widths[widths + column], cell.width);
            if (rest_.starts_with('&')) {
                rest_.remove_prefix(1);
                ++column;
            } else if (rest_.starts_with("\\\\")) {
                rest_.remove_prefix(2);
                ++row_at;
                column = 0;
            }
        }
        if (!rest_.empty()) rest_.remove_prefix(1);

        const float line = 1.5F * size, inset = 0.35F * size, gap = 0.8F * size;
        const auto rows = static_cast<float>(row_at + 1);
        const float top = -kAxis * size - 0.5F * line * rows;
        const auto right_of = [&](std::size_t c) {
            float x = inset - gap;
            for (std::size_t i = 0; i <= c; ++i) x += gap + memory_.widths[widths + i];
            return x;
        };
        float right = 0.0F;
        for (const Cell& cell : std::span(cells).first(count)) {
            const float baseline =
                top + line * (static_cast<float>(cell.row) + 0.5F) + 0.5F * (kAscent - kDescent) * size;
            append(box, cell.box, {right_of(cell.column) - cell.box.width, baseline});
            right = std::max(right, right_of(cell.column) + inset);
        }
        memory_.widths.resize(widths);
        const float bottom = top + line * rows;
        const float thick = std::max(1.0F, 0.075F * size), serif = 0.28F * size;
        for (const bool left : {true, false}) {
            const float x = left ? 0.0F : right - thick;
            const float s0 = left ? 0.0F : right - serif;
            rule(box, {x, top, x + thick, bottom});
            rule(box, {s0, top, s0 + serif, top + thick});
            rule(box, {s0, bottom - thick, s0 + serif, bottom});
        }
        box.width = right;
        box.ascent = -top;
        box.descent = bottom;
        return box;
    }

    Piece command(float size) {
        std::size_t end = 1;
        while (end < rest_.size() && ((rest_[end] | 32) >= 'a' && (rest_[end] | 32) <= 'z')) ++end;
        const std::string_view name = rest_.substr(1, end - 1);
        if (rest_.starts_with("\\,")) {
            rest_.remove_prefix(2);
            Box space = begin();
            space.width = 0.17F * size;
            return {space};
        }
        rest_.remove_prefix(end);
        if (name == "frac") return {fraction(size), 0.05F * size, 0.05F * size};
        if (name == "matrix") return {matrix(size), 0.2F * size, 0.2F * size};
        if (name == "text") return {word(raw_group(), Face::text, 0.88F * size)};
        for (const auto& [key, symbol] : kSymbols)
            if (key == name) return {word(symbol, Face::formula, size)};
        for (const auto& [key, symbol] : kOperators)
            if (key == name) {
                const bool spaced = key != "sqrt" && key != "norm";
                return {word(symbol, Face::upright, size), spaced ? 0.18F * size : 0.0F,
                        spaced ? 0.18F * size : 0.0F};
            }
        // \sin, \cos and other words, separated from their argument by a space.
        const bool bracket = rest_.starts_with('(');
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        return {word(name, Face::upright, size), 0.12F * size, bracket ? 0.0F : 0.15F * size};
    }

    Piece atom(float size) {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        if (rest_.empty()) return {};
        if (rest_.front() == '\\') return command(size);
        if (rest_.front() == '{') return {group(size)};
        const auto letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
        const auto plain = [&](char c) {
            return !letter(c) && std::string_view("\\{}_^&= +<>,|").find(c) == std::string_view::npos;
        };
        std::size_t end = 0;
        if (letter(rest_.front())) {
            while (end < rest_.size() && letter(rest_[end])) ++end;
            return {word(take(end), Face::formula, size), 0.04F * size, 0.04F * size};
        }
        if (plain(rest_.front())) {
            while (end < rest_.size() && plain(rest_[end])) ++end;
            return {word(take(end), Face::upright, size)};
        }
        const char sign = rest_.front();
        const bool relation = sign == '=' || sign == '<' || sign == '>' || sign == '+';
        const float space = relation ? 0.28F * size : 0.0F;
        return {word(take(1), Face::upright, size), space, sign == ',' ? 0.25F * size : space};
    }

    std::string_view take(std::size_t count) {
        const std::string_view piece = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return piece;
    }

    std::string_view rest_;
    const Measure& measure_;
    FormulaMemory& memory_;
};

}  // namespace

FormulaBox lay_out(std::string_view formula, float size, const Measure& measure) {
    const Box box = Setter(formula, measure).row(size);
    const FormulaMemory& memory = measure.formula_memory();
    return {box.width, box.ascent, box.descent, memory.runs, memory.rules};
}

}  // namespace posiscope::ui
