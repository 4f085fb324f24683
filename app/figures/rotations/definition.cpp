// definition.cpp — the definition in full: with letters, with the current numbers, and step by step to p + k.
#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/rotations/rotations.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::TextStyle;
using definition::Handle;
using definition::Line;
using definition::Terms;

struct Row {
    std::string_view caption;  // a key of the string tables; empty: belongs to the row above
    Line line;
};

// The rows, the most important first: as many are drawn as there is room for.
struct Rows {
    std::array<Row, 10> rows;
    std::size_t count = 0;

    void add(std::string_view caption, const Line& line) {
        if (count < rows.size()) rows[count++] = {caption, line};
    }
};

Line angles(const Terms& t) {
    ui::Scratch& s = t.frame.scratch;
    const auto four = [&](double value) { return ui::significant(s, value, 4); };
    Line line;
    line.add("α = p \\omega = ").add(Handle::position, ui::integer(s, t.position)).add(" \\cdot ");
    line.add(four(t.omega())).add(" = ").add(four(static_cast<double>(t.position) * t.omega()));
    line.add(", \\,\\,β = k \\omega = ").add(Handle::offset, ui::integer(s, t.offset)).add(" \\cdot ");
    return line.add(four(t.omega())).add(" = ").add(four(static_cast<double>(t.offset) * t.omega()));
}

// sin(α + β) or cos(α + β), from the block of M_k and the components at p.
Line addition(const Terms& t, bool sine) {
    ui::Scratch& s = t.frame.scratch;
    const Step step = t.spectrum->step[static_cast<std::size_t>(t.pair)];
    const Turn a = phase(step, t.position), b = phase(step, t.offset);
    const auto three = [&](double value) {
        return value < 0.0 ? s.format("({})", ui::fixed(s, value, 3)) : ui::fixed(s, value, 3);
    };
    const double first = sine ? sin(a) : cos(a), second = sine ? cos(a) : sin(a);
    Line line;
    line.add(sine ? "\\sin (α + β) = \\sin α \\cos β + \\cos α \\sin β = "
                  : "\\cos (α + β) = \\cos α \\cos β \\,−\\, \\sin α \\sin β = ");
    line.add(three(first)).add(" \\cdot ").add(three(cos(b))).add(sine ? " + " : " \\,−\\, ");
    line.add(three(second)).add(" \\cdot ").add(three(sin(b))).add(" = ");
    const Turn end = phase(step, t.position + t.offset);
    return line.add(ui::fixed(s, sine ? sin(end) : cos(end), 4));
}

Line determinant(const Terms& t) {
    ui::Scratch& s = t.frame.scratch;
    const Turn turned = phase(t.spectrum->step[static_cast<std::size_t>(t.pair)], t.offset);
    const Block block = shift_block(encoding_of(t.frame.scene), turned);
    Line line;
    line.add("\\text{det}\\,").add(encoding_of(t.frame.scene).acts == Acts::query_key ? "R_{" : "M_{");
    line.add(Handle::offset, ui::integer(s, t.offset)).add("} = \\cos^2 β + \\sin^2 β = ");
    line.add(ui::fixed(s, block.a * block.d, 4)).add(" + ").add(ui::fixed(s, -block.b * block.c, 4));
    return line.add(" = ").add(ui::fixed(s, block.a * block.d - block.b * block.c, 4));
}

// A feature pair before and after its rotation.
Line rotated() {
    Line line;
    line.add(
        "(x_1, x_2) \\to (x_1 \\cos \\phi \\,−\\, x_2 \\sin \\phi, \\,x_1 \\sin \\phi + x_2 \\cos \\phi)");
    return line;
}

// xPos: a pair's contribution grows or shrinks with the distance as well.
Line growth(const Terms& t) {
    ui::Scratch& s = t.frame.scratch;
    const double rate = t.spectrum->growth[static_cast<std::size_t>(t.pair)];
    Line line;
    line.add("e^{g_i k} = e^{").add(ui::significant(s, rate, 3)).add(" \\cdot ");
    line.add(Handle::offset, ui::integer(s, t.offset)).add("} = ");
    return line.add(ui::significant(s, std::exp(rate * static_cast<double>(t.offset)), 4));
}

Rows rows_of(Frame& f, bool circle) {
    Rows made;
    Terms numbers = definition::terms(f);
    numbers.stacked = true;
    Terms letters = numbers;
    letters.letters = true;
    const bool sinusoidal = encoding_of(f.scene).acts == Acts::input && numbers.spectrum != nullptr;
    Line general = definition::define(letters);
    if (sinusoidal) general.add(", \\,\\,").add(definition::define(letters, 1).text());
    made.add("definition.letters", general);
    made.add("definition.numbers", definition::define(numbers));
    if (sinusoidal) made.add({}, definition::define(numbers, 1));
    for (int n = 2; encoding_of(f.scene).slots.typed != nullptr; ++n) {  // each place where it acts
        const Line more = definition::define(numbers, n);
        if (more.text().empty()) break;
        made.add({}, more);
    }
    if (f.other != nullptr) {
        Frame of_b = curtain::frame_of_b(f, false);
        Terms theirs = definition::terms(of_b);
        theirs.stacked = true;
        Line line;
        line.add(definition::define(theirs).text());  // its numbers are not A's handles
        made.add("definition.b", line);
    }
    if (numbers.spectrum == nullptr) return made;
    if (encoding_of(f.scene).acts == Acts::query_key) made.add("definition.rotated", rotated());
    if (!numbers.spectrum->growth.empty()) made.add("definition.growth", growth(numbers));
    made.add("definition.frequency", definition::frequency(numbers));
    if (!circle) return made;
    made.add("definition.angles", angles(numbers));
    made.add("definition.addition", addition(numbers, true));
    made.add({}, addition(numbers, false));
    made.add(encoding_of(f.scene).acts == Acts::query_key ? "definition.counterclockwise"
                                                          : "definition.clockwise",
             determinant(numbers));
    return made;
}

}  // namespace

float draw_definition(Frame& f, Rect area, bool circle) {
    const Rows made = rows_of(f, circle);
    canvas::Canvas& c = f.canvas;
    constexpr float kLargest = 24.0F, kSmallest = 10.0F, kCaption = 20.0F, kGap = 7.0F;
    const auto rows = std::span(made.rows).first(made.count);
    const auto widest = [&](std::size_t count) {
        float width = 1.0F;
        for (const Row& row : rows.first(count))
            width = std::max(width, ui::lay_out(row.line.text(), kLargest, c).width);
        return width;
    };
    const auto height = [&](float size, std::size_t count) {
        float sum = 0.0F;
        for (const Row& row : rows.first(count)) {
            const ui::FormulaBox box = ui::lay_out(row.line.text(), size, c);
            sum += box.ascent + box.descent + kGap + (row.caption.empty() ? 0.0F : kCaption);
        }
        return sum;
    };
    // The most rows that are readable; then as large as they fit.
    std::size_t count = rows.size();
    while (count > 2 && height(13.0F, count) > area.height()) --count;
    float size = kLargest * std::min(1.0F, area.width() / widest(count));
    while (size > kSmallest && height(size, count) > area.height()) size -= 0.5F;
    size = std::max(size, std::min(kSmallest, kLargest * area.width() / widest(count)));
    if (size < 5.0F) return 0.0F;

    float y = area.y0;
    for (const Row& row : rows.first(count)) {
        const ui::FormulaBox box = ui::lay_out(row.line.text(), size, c);
        const float tall = box.ascent + box.descent, above = row.caption.empty() ? 0.0F : kCaption;
        if (y + above + tall > area.y1 + 2.0F) break;
        if (!row.caption.empty()) {
            const std::string_view caption = f.text(row.caption);
            if (small_width(f, caption) <= area.width()) c.text({area.x0, y + 14.0F}, caption, small(f));
        }
        y += above;
        const float ascent = box.ascent;
        definition::draw(f, {area.x0, y + ascent}, row.line, size);
        y += tall + kGap;
    }
    return y - area.y0;
}

std::string_view definition_headline(Frame& f) {
    const Terms t = definition::terms(f);
    ui::Scratch& s = f.scratch;
    const std::string_view name = encoding_name(f, f.scene.encoding.kind);
    if (t.spectrum == nullptr) return f.format("definition.headline", fmt::arg("encoding", name));
    return f.format("definition.headline_frequency", fmt::arg("encoding", name), fmt::arg("pair", t.pair),
                    fmt::arg("frequency", ui::significant(s, t.omega(), 4)));
}

}  // namespace posiscope::figures::rotations
