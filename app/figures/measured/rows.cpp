// rows.cpp — the position that each row of a dump was read to have, beside the one that it should have; of several heads how far each
// is off, row by row.
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures {
namespace rows_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace measured;

std::string_view place(Frame& f, double position) {
    return std::isnan(position)               ? f.text("rows.unread")
           : position == std::round(position) ? ui::integer(f.scratch, std::llround(position))
                                              : ui::significant(f.scratch, position, 7);
}

std::string_view headline(Frame& f) {
    const Seen* found = seen(f);
    if (found == nullptr || found->problem) return {};
    const Places& read = found->places;
    if (read.found.empty()) return {};
    ui::Scratch& s = f.scratch;
    const std::int64_t all = read.slices * read.rows;
    if (read.wrong > 0)
        return f.format(read.slices > 1 ? "rows.headline_wrong_heads" : "rows.headline_wrong",
                        fmt::arg("wrong", ui::integer(s, read.wrong)), fmt::arg("all", ui::integer(s, all)),
                        fmt::arg("head", read.first_wrong / read.rows),
                        fmt::arg("row", ui::integer(s, read.first_wrong % read.rows)),
                        fmt::arg("found", place(f, read.first_found)),
                        fmt::arg("wanted", place(f, read.first_wanted)));
    if (read.unread > 0)
        return f.format("rows.headline_unread", fmt::arg("unread", ui::integer(s, read.unread)),
                        fmt::arg("all", ui::integer(s, all)));
    return f.format(
        read.slices > 1 ? "rows.headline_right_heads" : "rows.headline_right",
        fmt::arg("heads", ui::integer(s, read.slices)), fmt::arg("first", place(f, read.found.front())),
        fmt::arg("last",
                 place(f, found->measured().positions.at(static_cast<std::size_t>(read.rows - 1), 0))));
}

// One curve over the runs of rows of a slice; what is not read leaves a gap.
void draw_curve(const plot::Plot& p, const Places& read, const std::vector<double>& all,
                canvas::Stroke stroke) {
    const auto values = std::span(all).first(static_cast<std::size_t>(read.steps));
    const double run = static_cast<double>(read.rows) / static_cast<double>(read.steps);
    std::size_t from = 0;
    while (from < values.size()) {
        while (from < values.size() && std::isnan(values[from])) ++from;
        std::size_t to = from;
        while (to < values.size() && !std::isnan(values[to])) ++to;
        p.curve(values.subspan(from, to - from), stroke, run * static_cast<double>(from), run);
        from = to;
    }
}

void draw_line(Frame& f, const Places& read, Rect area) {
    const double last = std::max(1.0, static_cast<double>(read.rows - 1)),
                 margin = std::max(0.5, 0.03 * (read.most - read.least));
    const plot::Plot p(f, area, {plot::Kind::whole, 0.0, last, f.text("rows.axis")},
                       {plot::Kind::whole, read.least - margin, read.most + margin, f.text("rows.position")},
                       {}, {.below = area.height() > 210.0F ? 0.22F * area.height() : 0.0F});
    const ui::Colour own = mark_of(f, read.wrong == 0);
    if (!p.below.empty()) {
        const double reach = std::max(read.largest * 1.1, 1.0);
        const plot::Plot off = p.second({.from = -reach, .to = reach, .name = f.text("rows.off")});
        const auto number = [&](double value) {
            off.numbered(value, ui::signed_integer(f.scratch, std::llround(value)), {f.theme.grid, 1.0F});
        };
        number(0.0);
        if (const double most = std::round(read.largest); most > 0.0) number(most), number(-most);
        draw_curve(off, read, read.off, {own, 1.6F});
    }
    draw_curve(p, read, read.wanted, {f.theme.ink_faint, 1.4F, 4.0F});
    draw_curve(p, read, read.found, {own, 1.8F});
    const std::int64_t row = row_of(f.scene, seen(f)->measured());
    const double found = read.found[read.step_of(0, row)];
    if (marked(f) && !std::isnan(found))
        f.canvas.circle(p.at(static_cast<double>(row), found), 5.0F, {f.theme.ink, 1.6F});
    const Rect whole = p.whole();
    if (!f.over(whole)) return;
    const auto at = std::clamp<std::int64_t>(std::llround(p.pointed_x()), 0, read.rows - 1);
    if (f.clicked(whole)) set_view_value(f.edit(), "rows", "selected", at);
    const std::size_t n = read.step_of(0, at);
    f.tip.value =
        f.format("rows.tip", fmt::arg("row", ui::integer(f.scratch, read.row[n])),
                 fmt::arg("found", place(f, read.found[n])), fmt::arg("wanted", place(f, read.wanted[n])));
}

// Each head a strip of rows, coloured by how far their positions are off; at its right the head's own number.
void draw_heads(Frame& f, const Places& read, Rect area) {
    // Heads around the selected one, while there is room.
    constexpr float kAround = 66.0F, kHighest = 64.0F;
    const std::int64_t chosen = slice_of(f.scene, seen(f)->measured());
    const std::int64_t count = std::clamp<std::int64_t>(
                           static_cast<std::int64_t>((area.height() - kAround) / 4.0F), 1, read.slices),
                       first = std::clamp<std::int64_t>(chosen - count / 2, 0, read.slices - count);
    area.y1 = std::min(area.y1, area.y0 + kAround + kHighest * static_cast<float>(count));
    const double above = static_cast<double>(first) - 0.5;
    const plot::Plot p(
        f, area, {plot::Kind::whole, -0.5, static_cast<double>(read.rows) - 0.5, f.text("rows.axis")},
        {plot::Kind::whole, above, above + static_cast<double>(count), f.text("rows.head"), 0.0, true}, {},
        {.right = 44.0F});
    if (!p.has_room()) return;
    p.note(f.text("rows.each"));
    const Rect& plot = p.area;
    const float height = plot.height() / static_cast<float>(count);
    const double reach = std::max(read.largest, 1.0);
    const int columns =
        std::clamp(static_cast<int>(std::min<double>(plot.width() * f.canvas.pixels_per_point(),
                                                     static_cast<double>(read.steps))),
                   1, static_cast<int>(std::max<std::int64_t>(16, 32768 / count)));
    spend(20.0 * columns * static_cast<double>(count));
    const std::int64_t stride =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(16.0F / height)));
    for (std::int64_t h = first; h < first + count; ++h) {
        const float top = plot.y0 + height * static_cast<float>(h - first), gap = height > 6.0F ? 1.0F : 0.0F;
        Rect run{};  // cells of one colour side by side are one rectangle
        ui::Colour colour{};
        for (int c = 0; c <= columns; ++c) {
            ui::Colour own{};
            if (c < columns) {
                const double off =
                    read.off[static_cast<std::size_t>(h * read.steps + c * read.steps / columns)];
                own = std::isnan(off) ? f.theme.grid
                                      : ui::mixed(f.theme.control, f.theme.beyond,
                                                  static_cast<float>(std::min(1.0, std::abs(off) / reach)));
            }
            if (c > 0 && (c == columns || own != colour)) f.canvas.fill(run, colour), run = {};
            if (c == columns) break;
            const float from = plot.x0 + plot.width() * static_cast<float>(c) / static_cast<float>(columns),
                        to = plot.x0 + plot.width() * static_cast<float>(c + 1) / static_cast<float>(columns);
            if (run.empty()) run = {from, top + gap, to, top + height - gap}, colour = own;
            else run.x1 = to;
        }
        if (h == chosen && height > 3.0F && marked(f))
            f.canvas.outline({plot.x0 - 1.0F, top, plot.x1 + 1.0F, top + height}, {f.theme.ink, 1.4F});
        if ((h - first) % stride != 0) continue;
        const float baseline = top + 0.5F * height + 4.0F;
        const double by = read.head_off[static_cast<std::size_t>(h)];
        f.canvas.text({area.x1, baseline},
                      std::isnan(by) ? std::string_view("…")
                                     : ui::signed_integer(f.scratch, std::llround(by)),
                      {by == 0.0 ? f.theme.ink_soft : f.theme.ink, ui::kSmallSize,
                       by == 0.0 ? Face::text : Face::strong, Align::right});
    }
    if (!p.over()) return;
    const auto head = std::clamp<std::int64_t>(std::llround(p.pointed_y()), first, first + count - 1);
    const auto row = std::clamp<std::int64_t>(std::llround(p.pointed_x()), 0, read.rows - 1);
    if (f.clicked(plot)) {
        set_view_value(f.edit(), "rows", "selected", row);
        set_view_value(f.edit(), "rows", "head", head == 0 ? Json(nullptr) : Json(head));
    }
    const std::size_t n = read.step_of(head, row);
    f.tip.value = f.format(
        "rows.tip_head", fmt::arg("head", head), fmt::arg("row", ui::integer(f.scratch, read.row[n])),
        fmt::arg("found", place(f, read.found[n])), fmt::arg("wanted", place(f, read.wanted[n])));
}

void draw(Frame& f, Rect area) {
    if (absent(f, area)) return;
    const Places& read = seen(f)->places;
    if (read.found.empty()) return explain_absence(f, area, "measured.no_rows");
    if (area.width() < 140.0F || area.height() < 80.0F) return;
    if (read.slices > 1) draw_heads(f, read, area);
    else draw_line(f, read, area);
}

}  // namespace
}  // namespace rows_figure

namespace measured {
namespace {

// Rows that most slices have; where there are no columns, they count.
std::vector<double> usual_rows(const measuring::Measured& m) {
    const auto rows = static_cast<std::size_t>(m.rows), slices = static_cast<std::size_t>(m.slices);
    std::vector<double> made, own(slices);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t s = 0; s < slices; ++s) own[s] = m.positions.at(s * rows + r, 0);
        spend(50.0 * static_cast<double>(slices));
        std::ranges::sort(own, {}, [](double p) { return std::isnan(p) ? HUGE_VAL : p; });
        double best = static_cast<double>(r);
        std::size_t most = 0;
        for (std::size_t from = 0, to = 0; from < slices; from = to) {
            while (to < slices && (own[to] == own[from] || (std::isnan(own[to]) && std::isnan(own[from]))))
                ++to;
            if (to - from > most && !std::isnan(own[from])) most = to - from, best = own[from];
        }
        made.push_back(best);
    }
    return made;
}

}  // namespace

Places places_of(const Seen& seen) {
    const measuring::Measured& m = seen.measured();
    Places made;
    made.slices = m.slices, made.rows = m.rows;
    const auto all = static_cast<std::size_t>(m.slices * m.rows);
    if (all == 0 || m.positions.values.size() != all * static_cast<std::size_t>(m.positions.axes))
        return made;
    made.steps = std::min(made.rows, kMostSteps);
    const auto steps = static_cast<std::size_t>(made.slices * made.steps);
    for (auto* list : {&made.found, &made.wanted, &made.off}) list->assign(steps, 0.0);
    made.row.assign(steps, -1);
    made.head_off.assign(static_cast<std::size_t>(made.slices), 0.0);
    const measuring::Beside* beside = seen.beside();
    const std::vector<double> usual = beside == nullptr ? usual_rows(m) : std::vector<double>();
    for (std::size_t n = 0; n < all; ++n) {
        const auto row = static_cast<std::int64_t>(n) % made.rows,
                   slice = static_cast<std::int64_t>(n) / made.rows;
        const double found = m.positions.at(n, 0);
        const double wanted =
            beside != nullptr ? beside->positions.at(n, 0) : usual[static_cast<std::size_t>(row)];
        const double off = found - wanted;
        made.unread += std::isnan(found) ? 1 : 0;
        if (!std::isnan(off) && off != 0.0) {
            if (made.wrong++ == 0)
                made.first_wrong = static_cast<std::int64_t>(n), made.first_found = found,
                made.first_wanted = wanted;
            made.largest = std::max(made.largest, std::abs(off));
        }
        for (const double p : {found, wanted})
            if (!std::isnan(p))
                made.least = n == 0 ? p : std::min(made.least, p), made.most = std::max(made.most, p);
        const std::size_t at = made.step_of(slice, row);
        if (made.row[at] < 0 || std::isnan(off) || std::abs(off) > std::abs(made.off[at]))
            made.found[at] = found, made.wanted[at] = wanted, made.off[at] = off, made.row[at] = row;
        double& head = made.head_off[static_cast<std::size_t>(slice)];
        if (row == 0) head = off;
        else if (head != off) head = NAN;
    }
    return made;
}

}  // namespace measured

extern const Figure kRows;
const Figure kRows = measured::figure_of_dump("rows", rows_figure::headline, rows_figure::draw);

}  // namespace posiscope::figures
