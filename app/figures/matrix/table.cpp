// table.cpp — the table that an encoding adds to the input, number by number: learned ones, and fairseq's with its padding
// row. Each pixel is the mean of the cells under it; the heatmap ends with the table.
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/text.hpp"

#include "core/encodings/learned.hpp"
#include "core/encodings/sinusoidal.hpp"
#include "core/encodings/table_means.hpp"

namespace posiscope::figures::matrix {
namespace {

// The vectors that the encoding adds, and the statistics of a learned table's numbers.
struct Table {
    Result<Action> action;
    LearnedNumbers numbers;
    std::int64_t width = 0;
};
struct MeansKey {
    Kept<Table> table;
    PixelRange rows, columns;
    double exact_work;
    bool operator==(const MeansKey&) const = default;
};
struct Means {
    TableMeans table;
    std::uint64_t samples_key = 0;
};
struct LessKey {
    Kept<Means> a, b;
    bool operator==(const LessKey&) const = default;
};
struct Less {  // B's means less A's
    std::vector<float> samples;
    std::uint64_t key = 0;
};
// The largest difference between two tables in one row.
struct RowKey {
    Kept<Table> a, b;
    std::int64_t row;
    bool operator==(const RowKey&) const = default;
};
struct RowApart {
    double most = 0.0;
    std::size_t column = 0;
};
struct NumbersKey {
    Kept<Table> table;
    std::int64_t first, end, left, right;
    bool operator==(const NumbersKey&) const = default;
};
struct Tables {
    Memo<ActionInput, Table> table;
    Slow<MeansKey, Means> means;
    Kept<Means> shown;        // what the frame shows
    std::vector<double> row;  // under the mouse
    Refilled<NumbersKey, std::vector<double>> numbers;
    Memo<LessKey, Less> less;
    Memo<RowKey, RowApart> apart;
};

const Kept<Table>& table(const Scene& scene, Derived& derived) {
    return derived.part<Tables>().table.get(scene, [](const ActionInput& input) {
        Table made{action_of(input), {}, input.d_model};
        if (encoding_of(input).rows) made.numbers = learned_numbers(input).value_or(LearnedNumbers{});
        return made;
    });
}
const Result<Action>& action(const Scene& scene, Derived& derived) { return table(scene, derived)->action; }
const LearnedNumbers& numbers(const Scene& scene, Derived& derived) { return table(scene, derived)->numbers; }

bool learned(const Scene& scene) { return encoding_of(scene).rows; }

// Positions that the table, or both tables, have.
std::int64_t end_of(const View& v) {
    const std::int64_t of_a = action(v.frame.scene, v.frame.derived)->positions;
    return v.other == nullptr ? of_a : std::min(of_a, action(v.other->scene, v.other->derived)->positions);
}

PixelRange pixels(const Range& range, int count) { return {range.origin, range.first, range.last, count}; }

Means means_of(const MeansKey& key, double units) {
    const Action& action = *key.table->action;
    const double cell = 2.0 + action.cost / static_cast<double>(key.table->width);
    Means made{table_means(action, key.table->width, key.rows, key.columns, units / cell)};
    made.samples_key = canvas::samples_key(made.table.values);
    return made;
}

// Null while they are computed.
const Kept<Means>& means(const View& v, const Scene& scene, Derived& derived) {
    const canvas::HeatmapView p = sampled(v);
    const MeansKey key{table(scene, derived), pixels(p.rows, p.height), pixels(p.columns, p.width),
                       derived.exact_work()};
    Tables& kept = derived.part<Tables>();
    kept.shown = kept.means.get(
        derived.background(), key, [](const MeansKey& of) { return means_of(of, of.exact_work); },
        [](const MeansKey& of) { return means_of(of, 0.5 * kRoughWork); });
    return kept.shown;
}

// Null while either is computed.
const Less* means_difference(View& v) {
    const Frame& f = v.frame;
    const Other& other = *v.other;
    const LessKey key{means(v, f.scene, f.derived), means(v, other.scene, other.derived)};
    if (key.a == nullptr || key.b == nullptr) return nullptr;
    return f.derived.part<Tables>()
        .less
        .get(key,
             [](const LessKey& of) {
                 Less less{of.b->table.values};
                 for (std::size_t i = 0; i < less.samples.size(); ++i)
                     less.samples[i] -= of.a->table.values[i];
                 less.key = canvas::samples_key(less.samples);
                 return less;
             })
        .get();
}

}  // namespace

canvas::HeatmapView sampled(const View& v, int most) {
    canvas::HeatmapView view = v.picture;
    most = std::min(most, v.frame.canvas.most_samples());
    view.width = std::min(view.width, most);
    view.height = std::min(view.height, most);
    return view;
}

bool has_table(const Scene& scene) {
    return shows_table(scene) || (encoding_of(scene).acts == Acts::input && on_unit_circles(scene));
}

// Two tables with one number per position and feature can be subtracted, however each of them is made.
bool as_tables(const Frame& f) {
    if (f.other == nullptr || !f.other->difference) return false;
    const Scene &a = f.scene, &b = f.other->scene;
    if (!has_table(a) || !has_table(b) || a.d_model != b.d_model) return false;
    return shows_table(a) || shows_table(b) || encoding_of(a).layout(a) != encoding_of(b).layout(b);
}

// Whatever adds rows that are no circles.
bool shows_table(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    return encoding.rows || padding_row(scene) ||
           (encoding.acts == Acts::input && encoding.family != Family::none && !on_unit_circles(scene));
}

const Problem* table_problem(const Scene& scene, Derived& derived) {
    const auto& made = action(scene, derived);
    return made ? nullptr : &made.error();
}

std::string_view table_headline(Frame& f) {
    if (padding_row(f.scene)) return f.text("matrix.headline_padding");
    if (!learned(f.scene)) return f.text("matrix.headline_typed");
    if (table_problem(f.scene, f.derived) != nullptr) return {};
    ui::Scratch& s = f.scratch;
    const LearnedNumbers& n = numbers(f.scene, f.derived);
    if (n.path.empty())
        return f.format("matrix.headline_seeded", fmt::arg("rows", ui::integer(s, n.rows)),
                        fmt::arg("deviation", s.format("{:.3g}", n.deviation)));
    return f.format(
        "matrix.headline_file", fmt::arg("name", std::string_view(n.path).substr(n.path.rfind('/') + 1)),
        fmt::arg("rows", ui::integer(s, n.rows)), fmt::arg("least", ui::significant(s, n.least, 3)),
        fmt::arg("most", ui::significant(s, n.most, 3)),
        fmt::arg("deviation", ui::significant(s, n.deviation, 3)));
}

std::string_view tables_headline(Frame& f) {
    const Kept<Table>&a = table(f.scene, f.derived), &b = table(f.other->scene, f.other->derived);
    const std::int64_t end = std::min(a->action->positions, b->action->positions);
    const RowKey key{a, b, std::min(f.scene.position, end - 1)};
    const RowApart& apart = *f.derived.part<Tables>().apart.get(key, [](const RowKey& of) {
        const auto width = static_cast<std::size_t>(of.a->width);
        std::vector<double> of_a(width), of_b(width);
        of.a->action->add(of.row, of_a);
        of.b->action->add(of.row, of_b);
        RowApart made;
        for (std::size_t i = 0; i < width; ++i)
            if (const double by = std::abs(of_b[i] - of_a[i]); by > made.most) made = {by, i};
        return made;
    });
    return f.format(
        apart.most > 0.0 ? "matrix.headline_difference_table" : "matrix.headline_difference_table_same",
        fmt::arg("row", ui::integer(f.scratch, key.row)),
        fmt::arg("largest", ui::significant(f.scratch, apart.most, 3)), fmt::arg("dimension", apart.column));
}

const Problem* fill_table(View& v) {
    Frame& f = v.frame;
    if (v.other != nullptr) {
        const Less* less = means_difference(v);
        if (less == nullptr) return &being_made();
        double largest = 0.0;
        for (const float value : less->samples)
            largest = std::max(largest, std::abs(static_cast<double>(value)));
        v.picture.range = largest > 0.0 ? largest : 1.0;
        v.data.samples = less->samples;
        v.samples_key = less->key;
        return nullptr;
    }
    if (learned(f.scene)) {
        // A few numbers far out, as trained tables have them, must not grey the rest.
        const LearnedNumbers& n = numbers(f.scene, f.derived);
        const double largest = std::max(-n.least, n.most), range = std::min(largest, 3.0 * n.deviation);
        v.picture.range = range > 0.0 ? range : 1.0;
        v.beyond_high = n.most > v.picture.range;
        v.beyond_low = -n.least > v.picture.range;
    }
    const Kept<Means>& made = means(v, f.scene, f.derived);
    if (made == nullptr) return &being_made();
    v.data.samples = made->table.values;
    v.samples_key = made->samples_key;
    return nullptr;
}

void end_of_table(View& v) {
    Frame& f = v.frame;
    const auto end = static_cast<double>(end_of(v));
    if (v.y.to <= end) return;
    const Rect past{v.plot.x0, std::max(v.plot.y0, v.y(end)), v.plot.x1, v.plot.y1};
    f.canvas.fill(past, f.theme.tile);
    if (v.y(end) >= v.plot.y0) f.canvas.line({past.x0, past.y0}, {past.x1, past.y0}, {f.theme.beyond, 1.5F});
    if (past.height() < 26.0F) return;
    f.canvas.text({past.centre().x, std::min(past.y0 + 22.0F, past.y1 - 6.0F)},
                  f.format("matrix.table_ends", fmt::arg("last", ui::integer(f.scratch, end_of(v) - 1))),
                  small(f, canvas::Align::centre));
}

void hover_table(View& v, std::int64_t row) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    if (row >= end_of(v)) return;
    const auto column = std::clamp(static_cast<std::int64_t>(std::floor(v.x.inverse(f.pointer->at.x))),
                                   std::int64_t{0}, f.scene.d_model - 1);
    f.hovered.position = row;
    // One row is made for one number: rows are short beside what a frame costs.
    const auto value = [&](const Scene& scene, Derived& derived) {
        std::vector<double>& of_row = derived.part<Tables>().row;
        of_row.assign(static_cast<std::size_t>(scene.d_model), 0.0);
        action(scene, derived)->add(row, of_row);
        return of_row[static_cast<std::size_t>(column)];
    };
    f.tip.formula = s.format("PE({}, {})", ui::integer(s, row), column);
    const double of_a = value(f.scene, f.derived);
    f.tip.value = s.format("= {}", ui::significant(s, of_a, 6));
    if (v.other != nullptr) return say_difference(v, of_a, value(v.other->scene, v.other->derived));
    if (const auto padding = padding_row(f.scene); padding == row)
        f.tip.details[0] = f.text("matrix.padding_row");
    const canvas::HeatmapView p = sampled(v);
    const double rows = (v.y.to - v.y.from) / p.height, columns = (v.x.to - v.x.from) / p.width;
    if (rows * columns <= 1.5) return;
    const Kept<Means>& shown = means(v, f.scene, f.derived);
    if (shown == nullptr) return;
    const TableMeans& made = shown->table;
    const auto place = [](float at, float from, float length, int count) {
        return std::clamp(static_cast<int>((at - from) / length * static_cast<float>(count)), 0, count - 1);
    };
    const int x = place(f.pointer->at.x, v.plot.x0, v.plot.width(), p.width),
              y = place(f.pointer->at.y, v.plot.y0, v.plot.height(), p.height);
    const float mean = made.values[static_cast<std::size_t>(y * p.width + x)];
    f.tip.details[1] = f.format(made.sampled ? "tip.mean_sampled" : "tip.mean_cells",
                                fmt::arg("cells", ui::significant(s, rows * columns, 2)),
                                fmt::arg("rows", ui::integer(s, made.rows_a_pixel)),
                                fmt::arg("mean", ui::significant(s, static_cast<double>(mean), 4)));
}

std::int64_t table_end(const View& v) { return end_of(v); }

std::span<const double> table_numbers(View& v, std::int64_t first, std::int64_t end, std::int64_t left,
                                      std::int64_t right) {
    Frame& f = v.frame;
    return f.derived.part<Tables>().numbers.get(
        {table(f.scene, f.derived), first, end, left, right},
        [](std::vector<double>& numbers, const NumbersKey& of) {
            numbers.clear();
            std::vector<double> row(static_cast<std::size_t>(of.table->width));
            for (std::int64_t p = of.first; p < of.end; ++p) {
                std::ranges::fill(row, 0.0);
                (*of.table->action).add(p, row);
                for (std::int64_t c = of.left; c < of.right; ++c)
                    numbers.push_back(c < of.table->width ? row[static_cast<std::size_t>(c)] : 0.0);
            }
        });
}

}  // namespace posiscope::figures::matrix
