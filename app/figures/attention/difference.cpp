// difference.cpp — A and B of attention. Right of a curtain, B's cells; and B − A, word by word: in A's order of the words,
// with B's values of the same words.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/curtain.hpp"

namespace posiscope::figures::attention {
namespace {

// One side's rows of both sentences, as a list of B's rows for A's.
struct Rows {
    std::span<const std::int64_t> of_b;
    std::size_t width;

    void subtract(std::vector<double>& a, const std::vector<double>& b) const {  // [n, width]
        for (std::size_t i = 0; i < of_b.size(); ++i)
            for (std::size_t c = 0; c < width; ++c)
                a[i * width + c] = b[static_cast<std::size_t>(of_b[i]) * width + c] - a[i * width + c];
    }
    void subtract_square(std::vector<double>& a, const std::vector<double>& b) const {  // [n, n]
        const std::size_t n = of_b.size();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                a[i * n + j] = b[static_cast<std::size_t>(of_b[i]) * n + static_cast<std::size_t>(of_b[j])] -
                               a[i * n + j];
    }
    void subtract(Attention& a, const Attention& b) const {
        subtract_square(a.logits, b.logits);
        subtract_square(a.weights, b.weights);
        subtract(a.output, b.output);
    }
    void subtract(Sides& a, const Sides& b) const {
        subtract(a.q, b.q);
        subtract(a.k, b.k);
        subtract(a.v, b.v);
    }
};

double largest(std::span<const double> values) {
    double most = 0.0;
    for (const double value : values)
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    return most;
}

Sentence subtracted(const Sentence& a, const Sentence& b) {
    Sentence made = a;
    made.problem = no_difference(a, b);
    if (made.problem || a.words.empty()) return made;
    if (a.alone) {
        const auto subtract = [](std::vector<double>& from, const std::vector<double>& of_b) {
            for (std::size_t i = 0; i < from.size(); ++i) from[i] = of_b[i] - from[i];
        };
        subtract(made.now.logits, b.now.logits);
        subtract(made.now.weights, b.now.weights);
        subtract(made.sides_now.q, b.sides_now.q);
        subtract(made.sides_now.k, b.sides_now.k);
        made.sides_typed = made.sides_now;
        made.largest_logit = largest(made.now.logits);
        made.largest_weight = largest(made.now.weights);
        return made;
    }
    std::vector<std::int64_t> rows;  // where A's words stand in B
    for (const std::int64_t word : a.order) rows.push_back(b.place[static_cast<std::size_t>(word)]);
    const auto width = static_cast<std::size_t>(a.width);
    const Rows typed{a.as_typed, width}, now{rows, width};
    typed.subtract(made.typed, b.typed);
    typed.subtract(made.sides_typed, b.sides_typed);
    now.subtract(made.now, b.now);
    now.subtract(made.sides_now, b.sides_now);
    const auto both = [&](auto member) {
        return std::max(largest(made.typed.*member), largest(made.now.*member));
    };
    made.largest_output = both(&Attention::output);
    made.largest_logit = both(&Attention::logits);
    made.largest_weight = both(&Attention::weights);
    return made;
}

struct DifferenceKey {
    Kept<Sentence> a, b;
    bool operator==(const DifferenceKey&) const = default;
};

}  // namespace

std::optional<Problem> no_difference(const Sentence& a, const Sentence& b) {
    if (a.problem) return a.problem;
    if (b.problem) return b.problem;
    if (a.text != b.text || a.queries != b.queries || a.keys != b.keys)
        return Problem{"attention.difference_words", {{"a", a.text}, {"b", b.text}}};
    if (a.width != b.width)
        return Problem{"attention.difference_width",
                       {{"a", std::to_string(a.width)}, {"b", std::to_string(b.width)}}};
    return std::nullopt;
}

cells::Colours colours_of(const View& v) {
    return v.frame.mode == "logits" || v.of_a != nullptr ? cells::Colours::signed_values
                                                         : cells::Colours::shares;
}

double range_of(const View& v) {
    const auto largest = [&](const Sentence& s) {
        return v.frame.mode == "logits" ? s.largest_logit : s.largest_weight;
    };
    return std::max(largest(v.sentence), v.of_b != nullptr ? largest(*v.of_b) : 0.0);
}

// B's cells right of the curtain; true where the mouse is over them.
bool draw_right(View& v, const cells::Cells& shown, const Attention& of_b, bool now) {
    Frame& f = v.frame;
    cells::Cells right = shown;
    right.values = f.mode == "logits" ? of_b.logits : of_b.weights;
    const float edge = curtain::edge_of(f, shown.plot, shown.columns);
    {
        const canvas::Clip clip(f.canvas, {edge, shown.plot.y0, shown.plot.x1, shown.plot.y1});
        f.canvas.fill(shown.plot, f.theme.tile);
        cells::draw(f, right);
    }
    curtain::draw_edge(f, shown.plot, false, shown.columns);
    curtain::drag(f, shown.plot, now ? "curtain" : "curtain_typed", shown.columns);
    return curtain::over_b(f, shown.plot, shown.columns);
}

const Sentence& difference(const Frame& f) {
    return *f.derived.part<Memo<DifferenceKey, Sentence>>().get(
        {sentence(f, f.scene, f.derived), sentence(f, f.other->scene, f.other->derived)},
        [](const DifferenceKey& of) { return subtracted(*of.a, *of.b); });
}

std::string_view difference_headline(Frame& f) {
    const Sentence& less = difference(f);
    if (less.words.empty() || less.problem) return {};
    const Sentence& a = *sentence(f, f.scene, f.derived);
    const bool logits = f.mode == "logits";
    const std::vector<double>& values = logits ? less.now.logits : less.now.weights;
    std::size_t most = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]) &&
            !(std::isfinite(values[most]) && std::abs(values[most]) >= std::abs(values[i])))
            most = i;
    ui::Scratch& s = f.scratch;
    if (!(std::abs(values[most]) > 1e-12)) return f.text("attention.headline_no_difference");
    const double of_a = (logits ? a.now.logits : a.now.weights)[most];
    const std::size_t columns = less.key_words.size();
    const auto word = [&](const std::string& of) {
        return cells::shortened(f, of, ui::Face::text, 14.5F, 90.0F);
    };
    const auto at = [&](std::size_t row) -> const std::string& {
        return less.at(static_cast<std::int64_t>(row));
    };
    return f.format(logits ? "attention.headline_difference_logits" : "attention.headline_difference",
                    fmt::arg("query", word(at(most / columns))),
                    fmt::arg("key", word(less.alone ? less.key_words[most % columns] : at(most % columns))),
                    fmt::arg("difference", ui::significant(s, values[most], 3)),
                    fmt::arg("a", ui::significant(s, of_a, 3)),
                    fmt::arg("b", ui::significant(s, of_a + values[most], 3)));
}

}  // namespace posiscope::figures::attention
