#include "app/look/formula.hpp"

#include <array>
#include <utility>

namespace posiscope::look {
namespace {

constexpr float kAscent = 0.76F, kDescent = 0.22F;  // of DejaVu Serif's size, around digits and brackets
constexpr float kScript = 0.72F;
constexpr float kAxis = 0.30F;  // where a fraction's rule and a minus sign lie above the baseline

constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
    {"omega", "ω"}, {"phi", "φ"}, {"Delta", "Δ"}, {"pi", "π"}, {"lambda", "λ"}, {"theta", "θ"}, {"beta", "β"},
};
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"cdot", "·"}, {"sum", "Σ"}, {"sqrt", "√"}, {"approx", "≈"},
    {"le", "≤"},   {"to", "→"},  {"norm", "‖"}, {"times", "×"},
};

void append(FormulaBox& box, FormulaBox piece, Point at) {
    for (FormulaRun& run : piece.runs) {
        run.at = run.at + at;
        box.runs.push_back(std::move(run));
    }
    for (const Rect& r : piece.rules)
        box.rules.push_back({r.x0 + at.x, r.y0 + at.y, r.x1 + at.x, r.y1 + at.y});
    box.ascent = std::max(box.ascent, piece.ascent - at.y);
    box.descent = std::max(box.descent, piece.descent + at.y);
    box.width = std::max(box.width, at.x + piece.width);
}

class Setter {
public:
    Setter(std::string_view text, const Measure& measure) : rest_(text), measure_(measure) {}

    FormulaBox row(float size) {
        FormulaBox box;
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
        FormulaBox box;
        float space_before = 0.0F, space_after = 0.0F;
    };

    FormulaBox word(std::string_view text, Face face, float size) const {
        FormulaBox box;
        box.width = measure_.text_width(text, face, size);
        box.ascent = kAscent * size;
        box.descent = kDescent * size;
        box.runs.push_back({{0.0F, 0.0F}, face, size, std::string(text)});
        return box;
    }

    FormulaBox group(float size) {
        if (!rest_.starts_with('{')) return atom(size).box;
        rest_.remove_prefix(1);
        FormulaBox box = row(size);
        if (rest_.starts_with('}')) rest_.remove_prefix(1);
        return box;
    }

    std::string_view raw_group() {
        if (!rest_.starts_with('{')) return {};
        const auto end = std::min(rest_.find('}'), rest_.size() - 1);
        const std::string_view inside = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return inside;
    }

    void scripts(FormulaBox& box, float& pen, float size) {
        float widest = 0.0F;
        while (rest_.starts_with('_') || rest_.starts_with('^')) {
            const float shift = rest_.front() == '_' ? 0.22F * size : -0.38F * size;
            rest_.remove_prefix(1);
            const FormulaBox script = group(kScript * size);
            widest = std::max(widest, script.width);
            append(box, script, {pen + 0.03F * size, shift});
        }
        if (widest > 0.0F) pen += widest + 0.06F * size;
    }

    FormulaBox fraction(float size) {
        const FormulaBox above = group(0.85F * size);
        const FormulaBox below = group(0.85F * size);
        FormulaBox box;
        const float width = std::max(above.width, below.width) + 0.2F * size;
        const float axis = -kAxis * size;
        append(box, above, {0.5F * (width - above.width), axis - 0.12F * size - above.descent});
        append(box, below, {0.5F * (width - below.width), axis + 0.14F * size + below.ascent});
        box.rules.push_back({0.0F, axis - 0.03F * size, width, axis + 0.03F * size});
        box.width = width;
        return box;
    }

    FormulaBox matrix(float size) {
        std::vector<std::vector<FormulaBox>> rows(1);
        if (rest_.starts_with('{')) rest_.remove_prefix(1);
        while (!rest_.empty() && rest_.front() != '}') {
            while (rest_.starts_with(' ')) rest_.remove_prefix(1);
            rows.back().push_back(row(size));
            if (rest_.starts_with('&')) rest_.remove_prefix(1);
            else if (rest_.starts_with("\\\\")) {
                rest_.remove_prefix(2);
                rows.emplace_back();
            }
        }
        if (!rest_.empty()) rest_.remove_prefix(1);

        std::vector<float> widths;
        for (const auto& cells : rows)
            for (std::size_t c = 0; c < cells.size(); ++c) {
                if (c == widths.size()) widths.push_back(0.0F);
                widths[c] = std::max(widths[c], cells[c].width);
            }
        const float line = 1.5F * size, inset = 0.35F * size, gap = 0.8F * size;
        const float top = -kAxis * size - 0.5F * line * static_cast<float>(rows.size());
        FormulaBox box;
        float right = 0.0F;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            float x = inset;
            for (std::size_t c = 0; c < rows[r].size(); ++c) {
                const float baseline =
                    top + line * (static_cast<float>(r) + 0.5F) + 0.5F * (kAscent - kDescent) * size;
                append(box, rows[r][c], {x + widths[c] - rows[r][c].width, baseline});
                x += widths[c] + gap;
            }
            right = std::max(right, x - gap + inset);
        }
        const float bottom = top + line * static_cast<float>(rows.size());
        const float thick = std::max(1.0F, 0.075F * size), serif = 0.28F * size;
        for (const bool left : {true, false}) {
            const float x = left ? 0.0F : right - thick;
            const float s0 = left ? 0.0F : right - serif;
            box.rules.push_back({x, top, x + thick, bottom});
            box.rules.push_back({s0, top, s0 + serif, top + thick});
            box.rules.push_back({s0, bottom - thick, s0 + serif, bottom});
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
            FormulaBox space;
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
        // \sin, \cos and other words; a space sets them off from what they act on.
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
};

}  // namespace

FormulaBox lay_out(std::string_view formula, float size, const Measure& measure) {
    return Setter(formula, measure).row(size);
}

}  // namespace posiscope::look
