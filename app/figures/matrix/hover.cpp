// hover.cpp — the tooltip of a cell of the heatmap: its value, its formula with numbers, its angle.
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/text.hpp"

#include "core/encodings/turning.hpp"

#include <numbers>

namespace posiscope::figures::matrix {
namespace {

void say_angle(Frame& f, double angle) { f.tip.details[0] = words_of_angle(f, angle); }

void hover_gram(View& v, std::int64_t row) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto column = static_cast<std::int64_t>(std::floor(v.x.inverse(f.pointer->at.x)));
    f.hovered.position = row;
    f.hovered.distance = row - column;
    if (v.mode == Mode::logits) {
        f.tip.formula = s.format("\\text{{logit}}({}, {})", row, column);
        const double value = f.derived.logit(f.scene, row - column);
        f.tip.value = s.format("= {}", ui::significant(s, value, 8));
        if (v.other != nullptr)
            say_difference(v, value, v.other->derived.logit(v.other->scene, row - column));
    } else {
        const std::int64_t moved = v.moved(), distance = row - moved - column;
        f.tip.formula =
            v.rotary()   ? s.format("q_{{{}}} \\cdot k_{{{}}}", row, column)
            : moved == 0 ? s.format("PE({}) \\cdot PE({})", row, column)
                         : s.format("M_{{{}}}\\,PE({}) \\cdot PE({})", ui::integer(s, -moved), row, column);
        const double value = score_at(f.derived.score_form(f.scene, ScoreKind::dot), v.spectrum, distance);
        f.tip.value = s.format("= {}", ui::significant(s, value, 8));
        if (v.other != nullptr)
            say_difference(v, value,
                           score_at(v.other->derived.score_form(v.other->scene, ScoreKind::dot),
                                    *circles(*v.other), distance));
    }
    f.tip.details[0] = words_of_distance(f, row - column);
}

double entry_of(const View& v, const Encoding& encoding, const Spectrum& spectrum, std::int64_t row,
                PairComponent column) {
    const PairComponent down = pair_component(v.picture.layout, v.pairs, row);
    if (down.pair != column.pair) return 0.0;
    const Block block = shift_block(
        encoding, phase(spectrum.step[static_cast<std::size_t>(column.pair)], v.frame.scene.offset));
    return down.component == 0 ? (column.component == 0 ? block.a : block.b)
                               : (column.component == 0 ? block.c : block.d);
}

void hover_shift(View& v, std::int64_t row) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto at =
        component_at(v.picture, v.pairs, static_cast<double>(v.device(f.pointer->at.x - v.plot.x0)));
    if (!at) return;
    const PairComponent down = pair_component(v.picture.layout, v.pairs, row);
    f.hovered.frequency = v.spectrum.frequency[static_cast<std::size_t>(at->pair)];
    const double value = shift_entry(v, row, *at);
    f.tip.formula = s.format("M_{{{}}}[{}, {}]", ui::integer(s, f.scene.offset), row,
                             dimension(v.picture.layout, v.pairs, *at));
    f.tip.value = s.format("= {}", ui::fixed(s, value, 6));
    if (v.other != nullptr)
        say_difference(v, value, entry_of(v, encoding_of(v.other->scene), *circles(*v.other), row, *at));
    if (down.pair != at->pair) f.tip.details[0] = f.text("matrix.off_block");
    else
        say_angle(f, radians_over(v.spectrum, static_cast<std::size_t>(at->pair),
                                  static_cast<double>(f.scene.offset)));
}

// After A's own tip, which names the cell.
void hover_cell_difference(View& v, std::int64_t row, std::int64_t pair, bool sine) {
    Frame& f = v.frame;
    const auto i = static_cast<std::size_t>(pair);
    const Spectrum& of_b = *circles(*v.other);
    const Turn a = phase(v.spectrum.step[i], row), b = phase(of_b.step[i], row);
    if (v.mode == Mode::phase) {
        const double p = static_cast<double>(row);
        const double turned_a = radians_over(v.spectrum, i, p), turned_b = radians_over(of_b, i, p);
        f.tip.formula = f.scratch.format("{} (\\omega_B - \\omega_A)", ui::integer(f.scratch, row));
        say_difference(v, turned_a, turned_b);
        say_angle(f, turned_b - turned_a);
    } else {
        say_difference(v, sine ? sin(a) : cos(a), sine ? sin(b) : cos(b));
    }
    f.tip.details[2] = f.format("matrix.both_frequencies", fmt::arg("pair", pair),
                                fmt::arg("a", ui::significant(f.scratch, v.spectrum.frequency[i], 5)),
                                fmt::arg("b", ui::significant(f.scratch, of_b.frequency[i], 5)));
    if (f.clicked(v.plot)) f.edit().pair = pair;
}

void hover_cell(View& v, std::int64_t row) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto at =
        component_at(v.picture, v.pairs, static_cast<double>(v.device(f.pointer->at.x - v.plot.x0)));
    if (!at) return;
    const Step step = v.spectrum.step[static_cast<std::size_t>(at->pair)];
    const double omega = v.spectrum.frequency[static_cast<std::size_t>(at->pair)];
    f.hovered.frequency = omega;
    f.hovered.position = row;
    const std::string_view p = ui::integer(s, row);
    const bool sine = (at->component == 0) != v.rotary();
    const Turn turn = phase(step, row);
    switch (v.mode) {
        case Mode::phase:
            f.tip.formula = s.format("{}\\,\\omega_{{{}}}", p, at->pair);
            f.tip.value =
                f.format("tip.mod_turn",
                         fmt::arg("angle", ui::significant(s, turn.turns() * 2.0 * std::numbers::pi, 6)));
            break;
        case Mode::residual: {
            const ShiftCheck check = check_shift(v.encoding, step, row, f.scene.offset);
            f.tip.formula = s.format("PE({}) - M_{{{}}}\\,PE({})", ui::integer(s, row + f.scene.offset),
                                     ui::integer(s, f.scene.offset), p);
            f.tip.value = s.format("≤ {}", ui::residual(s, check.max_abs_error()));
            break;
        }
        default:
            f.tip.formula = v.rotary() ? s.format("{}\\{} ({} \\omega_{{{}}})", times(s, v.factor()),
                                                  sine ? "sin" : "cos", p, at->pair)
                                       : s.format("PE({}, {}) = \\{} ({}\\,\\omega_{{{}}})", p,
                                                  dimension(v.encoding.layout(f.scene), v.pairs, *at),
                                                  sine ? "sin" : "cos", p, at->pair);
            f.tip.value = s.format("= {}", ui::fixed(s, v.factor() * (sine ? sin(turn) : cos(turn)), 6));
            break;
    }
    if (v.mode == Mode::value) f.hovered.sine = sine;
    say_angle(f, static_cast<double>(row) * omega);
    if (v.other != nullptr) return hover_cell_difference(v, row, at->pair, sine);
    // A pixel that covers many cells shows their mean: then that is what the colour says.
    const double rows_a_pixel = (v.y.to - v.y.from) / v.picture.height;
    if (v.mode == Mode::value && rows_a_pixel > 1.5) {
        const auto count = static_cast<std::int64_t>(std::lround(rows_a_pixel));
        const auto first = std::max<std::int64_t>(0, row - count / 2);
        const Turn middle = middle_phase(step, first, count);
        f.tip.details[1] = f.format(
            "tip.mean", fmt::arg("rows", ui::integer(s, count)),
            fmt::arg("mean",
                     ui::significant(
                         s, v.factor() * mean_factor(step, count) * (sine ? sin(middle) : cos(middle)), 4)));
    }
    f.tip.details[2] = words_of_pair(f, static_cast<std::size_t>(at->pair), omega, 5);
    if (f.clicked(v.plot)) f.edit().pair = at->pair;
}

}  // namespace

double shift_entry(const View& v, std::int64_t row, PairComponent column) {
    return entry_of(v, v.encoding, v.spectrum, row, column);
}

void hover(View& v) {
    Frame& f = v.frame;
    if (!f.over(v.plot) || (f.dragging() && f.drag_state->handle != "pan")) return;
    const auto row = static_cast<std::int64_t>(
        std::floor(std::clamp(v.y.inverse(f.pointer->at.y), v.y.from, std::nextafter(v.y.to, 0.0))));
    if (v.mode == Mode::table) hover_table(v, row);
    else if (v.mode == Mode::attention) hover_attention(v, row);
    else if (v.positions_across()) hover_gram(v, row);
    else if (v.mode == Mode::shift) hover_shift(v, row);
    else hover_cell(v, row);
}

}  // namespace posiscope::figures::matrix
