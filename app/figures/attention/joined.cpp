// joined.cpp — the outputs of all heads side by side, and what W_o makes of them: one row a word, in their current order.
// At the right each row's standard deviation, which differs little between encodings. Of a comparison B − A word by word, or B
// right of a curtain.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "core/attention/joined.hpp"

namespace posiscope::figures::attention {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::int64_t kMostCells = 1024;  // across; of more features each shows the mean of several

struct Table {
    std::vector<float> values;  // [rows, width]
    int width = 1;
    std::int64_t each = 1;  // features
    double largest = 0.0;
};
struct Tables {
    std::optional<Problem> problem;
    Joined joined;
    double without = 0.0;  // the spread without positions
    Table concat, output;
};

struct TablesKey {
    Kept<Sentence> sentence;
    bool operator==(const TablesKey&) const = default;
};
struct LessKey {
    Kept<Sentence> a, b;
    Kept<Tables> of_a, of_b;
    bool operator==(const LessKey&) const = default;
};
struct CellsKey {
    Kept<Tables> tables;
    int concat = 1, output = 1, down = 1;
    bool operator==(const CellsKey&) const = default;
};
struct Heads {
    Slow<TablesKey, Tables> tables;
    Kept<Tables> shown;
    Memo<LessKey, Tables> less;
    Memo<CellsKey, std::array<Enlarged, 2>> cells;
};

Table table_of(const std::vector<double>& values, std::int64_t rows) {
    const auto features = static_cast<std::int64_t>(values.size()) / rows;
    Table made;
    made.each = (features + kMostCells - 1) / kMostCells;
    made.width = static_cast<int>((features + made.each - 1) / made.each);
    for (const double value : values) made.largest = std::max(made.largest, std::abs(value));
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t first = 0; first < features; first += made.each) {
            const std::int64_t end = std::min(first + made.each, features);
            double sum = 0.0;
            for (std::int64_t c = first; c < end; ++c)
                sum += values[static_cast<std::size_t>(row * features + c)];
            made.values.push_back(static_cast<float>(sum / static_cast<double>(end - first)));
        }
    return made;
}

Tables tables_of(const Sentence& sentence) {
    Tables made;
    made.problem = sentence.problem;  // B's as well as A's
    if (made.problem) return made;
    auto joined = joined_heads(sentence.scene);
    if (!joined) {
        made.problem = joined.error();
        return made;
    }
    made.joined = std::move(*joined);
    Scene plain;
    static_cast<AttentionInput&>(plain) = sentence.scene;
    if (const auto laid = overlay(plain, {{"encoding", "none"}}))
        if (const auto without = joined_heads(laid->scene)) made.without = without->all;
    made.concat = table_of(made.joined.concat, made.joined.rows);
    made.output = table_of(made.joined.output, made.joined.rows);
    return made;
}

const Kept<Tables>& tables(const Frame& f, const Scene& scene, Derived& derived) {
    Heads& kept = derived.part<Heads>();
    kept.shown = kept.tables.get(derived.background(), {sentence(f, scene, derived)},
                                 [](const TablesKey& key) { return tables_of(*key.sentence); });
    return kept.shown;
}

// Row i of the result is about the word that A has at i.
Tables less_of(const LessKey& key) {
    const Joined &a = key.of_a->joined, &b = key.of_b->joined;
    Tables made;
    made.problem = no_difference(*key.a, *key.b);
    if (!made.problem && (a.concat.size() != b.concat.size() || a.d_model != b.d_model))
        made.problem = Problem{
            "matrix.difference_width",
            {{"a", std::to_string(a.heads * a.head_dim)}, {"b", std::to_string(b.heads * b.head_dim)}}};
    if (made.problem) return made;
    made.joined = a;
    made.without = key.of_a->without;
    const auto subtract = [&](std::vector<double>& from, const std::vector<double>& of_b) {
        const std::size_t width = from.size() / static_cast<std::size_t>(a.rows);
        for (std::size_t i = 0; i < key.a->size(); ++i) {
            const auto word = static_cast<std::size_t>(key.a->order[i]);
            const auto row = static_cast<std::size_t>(key.b->place[word]);
            for (std::size_t c = 0; c < width; ++c)
                from[i * width + c] = of_b[row * width + c] - from[i * width + c];
        }
    };
    subtract(made.joined.concat, b.concat);
    subtract(made.joined.output, b.output);
    made.concat = table_of(made.joined.concat, a.rows);
    made.output = table_of(made.joined.output, a.rows);
    return made;
}

// B's tables, where they have A's words; null: none, or not yet.
Kept<Tables> tables_of_b(const Frame& f) {
    if (f.other == nullptr) return nullptr;
    Kept<Tables> made = tables(f, f.other->scene, f.other->derived);
    return made == nullptr || made->problem ? nullptr : made;
}

// The tables to draw: A's, or B − A; null while they are computed.
Kept<Tables> shown_tables(const Frame& f, const Kept<Tables>& of_a, const Kept<Tables>& of_b) {
    const bool less = f.other != nullptr && f.other->difference;
    if (!less || of_a == nullptr || of_a->problem) return of_a;
    if (of_b == nullptr) return tables(f, f.other->scene, f.other->derived);  // its problem
    return f.derived.part<Heads>().less.get(
        {sentence(f, f.scene, f.derived), sentence(f, f.other->scene, f.other->derived), of_a, of_b},
        [](const LessKey& key) { return less_of(key); });
}

struct Places {
    float label = 0.0F, said = 0.0F, row = 0.0F;
    Rect concat, output;
};

Places places_in(const Frame& f, const Sentence& s, Rect area) {
    constexpr float kArrow = 52.0F;
    Places made;
    made.row = std::min(std::max(40.0F, 0.16F * area.height()), area.height() / static_cast<float>(s.size()));
    const bool worded = made.row >= 13.0F;
    for (const std::string& word : s.words)
        if (worded) made.label = std::max(made.label, small_width(f, word) + 8.0F);
    made.label = std::min(made.label, 0.14F * area.width());
    made.said = worded && area.width() > 300.0F ? (f.other != nullptr ? 100.0F : 52.0F) : 0.0F;
    const float half = 0.5F * (area.width() - made.label - made.said - kArrow);
    const float bottom = area.y0 + made.row * static_cast<float>(s.size());
    made.concat = {area.x0 + made.label, area.y0, area.x0 + made.label + half, bottom};
    made.output = {made.concat.x1 + kArrow, area.y0, made.concat.x1 + kArrow + half, bottom};
    return made;
}

void name_heads(Frame& f, Rect plot, float baseline, std::int64_t heads) {
    const float width = plot.width() / static_cast<float>(heads);
    const std::int64_t shown = shown_head(f.scene);
    for (std::int64_t head = 0; head < heads; ++head) {
        const float x = plot.x0 + width * static_cast<float>(head);
        if (head > 0 && width >= 5.0F) f.canvas.line({x, plot.y0}, {x, plot.y1}, {f.theme.tile, 2.0F});
        if (width >= 18.0F)
            f.canvas.text({x + 0.5F * width, baseline}, ui::integer(f.scratch, head),
                          {head == shown ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                           head == shown ? Face::strong : Face::text, Align::centre});
    }
}

// `of_a`: of a difference, A's own.
void hover(Frame& f, const Sentence& s, const Table& table, const Table* of_a, Rect plot, float row,
           std::int64_t width) {
    if (!f.over(plot)) return;
    const auto last = static_cast<std::int64_t>(table.width) - 1;
    const auto column =
        std::clamp<std::int64_t>(static_cast<std::int64_t>((f.pointer->at.x - plot.x0) / plot.width() *
                                                           static_cast<float>(table.width)),
                                 0, last);
    const auto at = std::min(s.size() - 1, static_cast<std::size_t>((f.pointer->at.y - plot.y0) / row));
    f.hovered.position = static_cast<std::int64_t>(at);
    const std::size_t index = at * static_cast<std::size_t>(table.width) + static_cast<std::size_t>(column);
    const auto value = static_cast<double>(table.values[index]);
    f.tip.formula = f.scratch.format("\\text{{{}}} {}", f.text("basis.column"), column * table.each);
    f.tip.value = f.scratch.format("= {}", ui::significant(f.scratch, value, 5));
    f.tip.details[0] = f.format("attention.output", fmt::arg("word", s.at(static_cast<std::int64_t>(at))),
                                fmt::arg("component", column * table.each));
    if (of_a != nullptr) {
        const auto a = static_cast<double>(of_a->values[index]);
        f.tip.formula = f.scratch.format("B − A   {}", f.tip.formula);
        f.tip.details[1] = f.format("matrix.both", fmt::arg("a", ui::significant(f.scratch, a, 4)),
                                    fmt::arg("b", ui::significant(f.scratch, a + value, 4)));
    }
    f.tip.beside = plot;
    if (width > 0 && f.clicked(plot)) set_head(f.edit(), column * table.each / width);
}

}  // namespace

namespace {

std::string_view headline_of_less(Frame& f, const Sentence& s, const Tables& less, const Joined& of_b) {
    const std::vector<double>& output = less.joined.output;
    const auto most = static_cast<std::size_t>(
        std::ranges::max_element(output, {}, [](double value) { return std::abs(value); }) - output.begin());
    const double largest = output.empty() ? 0.0 : std::abs(output[most]);
    if (!(largest > 1e-12)) return f.text("attention.headline_joined_same");
    const auto row = static_cast<std::int64_t>(most) / less.joined.d_model;
    const std::string_view a = ui::significant(f.scratch, less.joined.all, 3),
                           b = ui::significant(f.scratch, of_b.all, 3);
    return f.format(a == b ? "attention.headline_joined_less_alike" : "attention.headline_joined_less",
                    fmt::arg("most", ui::significant(f.scratch, largest, 3)),
                    fmt::arg("word", cells::shortened(f, s.at(row), Face::text, 14.5F, 90.0F)),
                    fmt::arg("a", a), fmt::arg("b", b));
}

// From the heads' outputs side by side to what attention hands on.
void draw_arrow(Frame& f, const Places& at) {
    const Point from{at.concat.x1 + 8.0F, at.concat.centre().y}, to{at.output.x0 - 8.0F, from.y};
    f.canvas.line(from, to, {f.theme.ink_soft, 1.5F});
    f.canvas.line({to.x - 6.0F, to.y - 4.0F}, to, {f.theme.ink_soft, 1.5F});
    f.canvas.line({to.x - 6.0F, to.y + 4.0F}, to, {f.theme.ink_soft, 1.5F});
    f.canvas.formula({0.5F * (from.x + to.x), from.y - 9.0F}, "W_o", 15.0F, f.theme.ink, Align::centre);
}

void draw_titles(Frame& f, Rect names, const Places& at, const Joined& joined) {
    const canvas::TextStyle style{f.theme.ink, 14.5F, Face::strong};
    const auto title = [&](Rect plot, std::string_view words) {
        f.canvas.text({plot.x0, names.y0 + 14.0F},
                      cells::shortened(f, words, style.face, style.size, plot.width()), style);
    };
    title(at.concat,
          f.format("attention.joined", fmt::arg("heads", joined.heads), fmt::arg("width", joined.head_dim)));
    title(at.output, f.text("attention.handed_on"));
}

}  // namespace

std::string_view joined_headline(Frame& f) {
    const Sentence& s = *sentence(f, f.scene, f.derived);
    if (s.words.empty()) return f.text("attention.headline_empty");
    if (s.problem) return {};
    const Kept<Tables> of_a = tables(f, f.scene, f.derived), of_b = tables_of_b(f);
    const Kept<Tables> made = shown_tables(f, of_a, of_b);
    if (made == nullptr || made->problem) return {};
    if (f.other != nullptr && f.other->difference) return headline_of_less(f, s, *made, of_b->joined);
    const bool plain = encodes_nothing(f.scene), one = made->joined.heads == 1;
    return f.format(
        f.scratch.format("attention.headline_joined{}{}", plain ? "_plain" : "", one ? "_one" : ""),
        fmt::arg("heads", made->joined.heads),
        fmt::arg("spread", ui::significant(f.scratch, made->joined.all, 3)),
        fmt::arg("without", ui::significant(f.scratch, made->without, 3)));
}

void draw_joined(Frame& f, const Sentence& s, Rect area) {
    const Kept<Tables> of_a = tables(f, f.scene, f.derived), other = tables_of_b(f);
    const Kept<Tables> made = shown_tables(f, of_a, other);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    const bool less = made != of_a;
    const Tables* of_b = nullptr;  // beside A
    Kept<Sentence> words_of_b;
    if (f.other != nullptr) {
        words_of_b = sentence(f, f.other->scene, f.other->derived);
        const Sentence& words = *words_of_b;
        const bool alike = other != nullptr && words.text == s.text && words.order == s.order &&
                           other->joined.concat.size() == made->joined.concat.size() &&
                           other->joined.d_model == made->joined.d_model;
        if (alike || less) of_b = other.get();
        else explain_missing_b(f, area, "compare.curtain_words");
    }
    canvas::Canvas& c = f.canvas;
    ui::Scratch& scratch = f.scratch;
    const Joined& joined = made->joined;
    const Rect legend = area.cut_bottom(area.height() > 150.0F ? 24.0F : 0.0F);
    const Rect names = area.cut_top(area.height() > 110.0F ? 42.0F : 0.0F);
    const Places at = places_in(f, s, area);
    if (at.row < 2.0F || at.concat.width() < 24.0F) return;

    const float scale = c.pixels_per_point();
    const auto across = [&](const Table& table, Rect plot) {
        return enlargement(plot.width() * scale / static_cast<float>(table.width));
    };
    double range = std::max(made->concat.largest, made->output.largest);
    const bool curtained = of_b != nullptr && !less;
    if (curtained) range = std::max({range, of_b->concat.largest, of_b->output.largest});
    const auto heatmaps = [&](const Kept<Tables>& of, Derived& derived, int first) {
        const auto& drawn = *derived.part<Heads>().cells.get(
            {of, across(of->concat, at.concat), across(of->output, at.output), enlargement(at.row * scale)},
            [](const CellsKey& key) {
                const Tables& shown = *key.tables;
                return std::array{enlarge(shown.concat.values, shown.concat.width, key.concat, key.down),
                                  enlarge(shown.output.values, shown.output.width, key.output, key.down)};
            });
        const auto one = [&](int which, Rect plot) {
            const Enlarged& cells = drawn[static_cast<std::size_t>(which)];
            const canvas::Clip clip(
                c, {first > 0 ? curtain::edge_of(f, plot) : plot.x0, plot.y0, plot.x1, plot.y1});
            c.heatmap(first + which, plot,
                      {view_of_samples(f.theme, cells.width, cells.height, range > 0.0 ? range : 1.0),
                       {.samples = cells.samples},
                       cells.key});
        };
        one(0, at.concat);
        one(1, at.output);
    };
    heatmaps(made, f.derived, 0);
    if (curtained) heatmaps(other, f.other->derived, 2);
    name_heads(f, at.concat, at.concat.y0 - 5.0F, joined.heads);
    for (const Rect& plot : {at.concat, at.output}) {
        c.outline(plot, {f.theme.border, 1.0F});
        if (!curtained) continue;
        curtain::draw_edge(f, plot, false);
        curtain::drag(f, plot, plot.x0 == at.concat.x0 ? "curtain" : "curtain_output");
    }

    draw_arrow(f, at);
    if (names.height() > 0.0F) {
        draw_titles(f, names, at, joined);
        if (at.said > 0.0F)
            c.text({area.x1, at.output.y0 - 5.0F}, of_b != nullptr ? "σ  A | B" : "σ",
                   small(f, Align::right));
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
        const float y = at.concat.y0 + at.row * (static_cast<float>(i) + 0.5F) + 4.5F;
        if (at.label > 0.0F)
            c.text({at.concat.x0 - 6.0F, y},
                   cells::shortened(f, s.at(static_cast<std::int64_t>(i)), Face::text, ui::kSmallSize,
                                    at.label - 6.0F),
                   small(f, Align::right));
        if (at.said <= 0.0F) continue;
        const std::string_view own = ui::significant(scratch, joined.spread[i], 3);
        const auto of_word = [&] {  // B may have the word elsewhere
            return static_cast<std::size_t>(words_of_b->place[static_cast<std::size_t>(s.order[i])]);
        };
        c.text({area.x1, y},
               of_b == nullptr ? own
                               : scratch.format("{} | {}", own,
                                                ui::significant(scratch, of_b->joined.spread[of_word()], 3)),
               small_ink(f, Align::right));
    }
    // Right of the curtain B's numbers are told.
    const auto told = [&](Rect plot) -> const Tables& {
        return curtained && curtain::over_b(f, plot) ? *of_b : *made;
    };
    hover(f, s, told(at.concat).concat, less ? &of_a->concat : nullptr, at.concat, at.row, joined.head_dim);
    hover(f, s, told(at.output).output, less ? &of_a->output : nullptr, at.output, at.row, 0);
    cells::draw_legend(f, legend, f.text("attention.spread"), f.text("attention.outputs"), -range, range,
                       cells::Colours::signed_values);
}

}  // namespace posiscope::figures::attention
