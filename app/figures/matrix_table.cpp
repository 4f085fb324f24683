// matrix_table.cpp — the table that an encoding adds to the input, number by number: learned ones, and fairseq's with its
// row of padding. Each pixel is the mean of the cells under it; where the table ends, the picture does.
#include "app/figures/matrix.hpp"

#include "core/encodings/learned.hpp"
#include "core/encodings/sinusoidal.hpp"
#include "core/encodings/table_means.hpp"

namespace posiscope::figures::matrix {
namespace {

// How many numbers a frame may wait for: those of a file are there, others are made.
constexpr double kMostOfAFile = 0x1p24, kMostMade = 0x1p22;

struct MeansKey {
    std::uint64_t table;
    gl::Range rows, columns;
    int width, height;
    bool operator==(const MeansKey&) const = default;
};
struct Kept {
    Memo<std::uint64_t, Result<Action>> action;
    Memo<std::uint64_t, Result<LearnedNumbers>> numbers;
    Memo<MeansKey, TableMeans> means;
    std::vector<double> row;  // under the mouse
};

const Result<Action>& action(Frame& f) {
    return f.derived.part<Kept>().action.get(f.derived.spectrum_version(f.scene),
                                             [&] { return action_of(f.scene); });
}

const LearnedNumbers& numbers(Frame& f) {
    const auto& made = f.derived.part<Kept>().numbers.get(f.derived.spectrum_version(f.scene),
                                                          [&] { return learned_numbers(f.scene); });
    static const LearnedNumbers none;
    return made ? *made : none;
}

bool learned(const Frame& f) { return f.scene.encoding.kind == "learned"; }

PixelRange pixels(const gl::Range& range, int count) {
    return {range.origin, range.first, range.last, count};
}

const TableMeans& means(View& v) {
    Frame& f = v.frame;
    const gl::MatrixView& p = v.picture;
    return f.derived.part<Kept>().means.get(
        {f.derived.spectrum_version(f.scene), p.rows, p.columns, p.width, p.height}, [&] {
            const bool file = learned(f) && !numbers(f).path.empty();
            return table_means(*action(f), f.scene.d_model, pixels(p.rows, p.height),
                               pixels(p.columns, p.width), file ? kMostOfAFile : kMostMade);
        });
}

}  // namespace

bool shows_table(const Scene& scene) {
    return scene.encoding.kind == "learned" || padding_row(scene).has_value();
}

const Problem* table_problem(Frame& f) {
    const auto& made = action(f);
    return made ? nullptr : &made.error();
}

std::string_view table_headline(Frame& f) {
    if (!learned(f)) return f.text("matrix.headline_padding");
    if (table_problem(f) != nullptr) return {};
    look::Scratch& s = f.scratch;
    const LearnedNumbers& n = numbers(f);
    if (n.path.empty())
        return f.format("matrix.headline_seeded", fmt::arg("rows", look::integer(s, n.rows)),
                        fmt::arg("deviation", s.format("{:.3g}", n.deviation)));
    return f.format("matrix.headline_file", fmt::arg("name", n.path.substr(n.path.rfind('/') + 1)),
                    fmt::arg("rows", look::integer(s, n.rows)),
                    fmt::arg("least", look::significant(s, n.least, 3)),
                    fmt::arg("most", look::significant(s, n.most, 3)),
                    fmt::arg("deviation", look::significant(s, n.deviation, 3)));
}

void fill_table(View& v, int slot) {
    Frame& f = v.frame;
    if (learned(f)) {
        // A few numbers far out, as trained tables have them, must not grey the rest.
        const LearnedNumbers& n = numbers(f);
        const double largest = std::max(-n.least, n.most), range = std::min(largest, 3.0 * n.deviation);
        v.picture.range = range > 0.0 ? range : 1.0;
        v.beyond_high = n.most > v.picture.range;
        v.beyond_low = -n.least > v.picture.range;
    }
    if (gl::MatrixData* data = f.canvas.matrix_data())
        data->set_samples(static_cast<std::size_t>(slot), means(v).values, v.picture.width);
}

void end_of_table(View& v) {
    Frame& f = v.frame;
    const auto end = static_cast<double>(action(f)->positions);
    if (v.y.to <= end) return;
    const Rect past{v.plot.x0, std::max(v.plot.y0, v.y(end)), v.plot.x1, v.plot.y1};
    f.canvas.fill(past, f.theme.tile);
    if (v.y(end) >= v.plot.y0) f.canvas.line({past.x0, past.y0}, {past.x1, past.y0}, {f.theme.beyond, 1.5F});
    if (past.height() < 26.0F) return;
    f.canvas.text(
        {past.centre().x, std::min(past.y0 + 22.0F, past.y1 - 6.0F)},
        f.format("matrix.table_ends", fmt::arg("last", look::integer(f.scratch, action(f)->positions - 1))),
        {f.theme.ink_soft, look::kSmallSize, look::Face::text, canvas::Align::centre});
}

void hover_table(View& v, std::int64_t row) {
    Frame& f = v.frame;
    look::Scratch& s = f.scratch;
    const Action& added = *action(f);
    if (row >= added.positions) return;
    const auto column = std::clamp(static_cast<std::int64_t>(std::floor(v.x.inverse(f.pointer->at.x))),
                                   std::int64_t{0}, f.scene.d_model - 1);
    f.hovered.position = row;
    // One row is made for one number: rows are short beside what a frame costs.
    std::vector<double>& of_row = f.derived.part<Kept>().row;
    of_row.assign(static_cast<std::size_t>(f.scene.d_model), 0.0);
    added.add(row, of_row);
    f.tip.formula = s.format("PE({}, {})", look::integer(s, row), column);
    f.tip.value = s.format("= {}", look::significant(s, of_row[static_cast<std::size_t>(column)], 6));
    if (const auto padding = padding_row(f.scene); padding == row)
        f.tip.details[0] = f.text("matrix.padding_row");
    const double rows = (v.y.to - v.y.from) / v.picture.height,
                 columns = (v.x.to - v.x.from) / v.picture.width;
    if (rows * columns <= 1.5) return;
    const TableMeans& made = means(v);
    const auto place = [](float at, float from, float length, int count) {
        return std::clamp(static_cast<int>((at - from) / length * static_cast<float>(count)), 0, count - 1);
    };
    const int x = place(f.pointer->at.x, v.plot.x0, v.plot.width(), v.picture.width),
              y = place(f.pointer->at.y, v.plot.y0, v.plot.height(), v.picture.height);
    const float mean = made.values[static_cast<std::size_t>(y * v.picture.width + x)];
    f.tip.details[1] = f.format(made.sampled ? "tip.mean_sampled" : "tip.mean_cells",
                                fmt::arg("cells", look::significant(s, rows * columns, 2)),
                                fmt::arg("rows", look::integer(s, made.rows_a_pixel)),
                                fmt::arg("mean", look::significant(s, static_cast<double>(mean), 4)));
}

}  // namespace posiscope::figures::matrix
