// view.cpp — what the experiment's figures share: the results to show, names, colours, labels at the ends of curves.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"
#include "app/ui/known.hpp"
#include "core/encodings/encodings.hpp"

#include <array>

namespace posiscope::figures::learning {
namespace {

constexpr float kWideBand = 8.0F;  // points: a narrower one needs no edge

using canvas::Align;
using ui::Face;

struct ShownKey {
    Kept<Json> experiment;
    bool operator==(const ShownKey&) const = default;
};

struct Views {
    Same<Json> json;
    Memo<ShownKey, Result<ex::Shown>> shown;
    Memo<CurvesKey, Curves> curves;
};

const Kept<Result<ex::Shown>>& shown_of(Frame& frame) {
    static const Json none;
    Views& views = frame.derived.part<Views>();
    const auto found = frame.scene.view.find("experiment");
    return views.shown.get({views.json.of(found == frame.scene.view.end() ? none : *found)},
                           [](const ShownKey& key) {
                               return ex::shown_in({{"experiment", *key.experiment}});
                           });
}

Kept<ex::Bank> bank_of(Frame& frame, const ex::Shown& shown) {
    const ExperimentResults& results = frame.derived.part<ExperimentResults>();
    return results.bank ? results.bank : ui::shipped_results(shown.settings);
}

// The encodings of the experiment, in their order.
std::span<const std::string> listed(Frame& frame) {
    const Kept<Result<ex::Shown>>& shown = shown_of(frame);
    return *shown ? std::span<const std::string>((*shown)->settings.encodings)
                  : std::span<const std::string>();
}

constexpr float kRow = 18.0F;  // of a label
constexpr float kLeader = 70.0F;

}  // namespace

std::optional<View> view_of(Frame& frame) {
    const Kept<Result<ex::Shown>> shown = shown_of(frame);
    if (!*shown) return std::nullopt;
    const Kept<ex::Bank> bank = bank_of(frame, **shown);
    if (!bank) return std::nullopt;
    const Kept<Curves> curves = frame.derived.part<Views>().curves.get(
        {bank, shown}, [](const CurvesKey& key) { return curves_of(key); });
    if (curves->by_position.empty() && curves->losses.empty()) return std::nullopt;
    return View{frame, shown, bank, curves, frame.derived.part<ExperimentResults>().old};
}

void explain(Frame& frame, Rect area) {
    const Kept<Result<ex::Shown>>& shown = shown_of(frame);
    if (!*shown) return explain_absence(frame, area, shown->error());
    explain_absence(frame, area,
                    frame.pointer != nullptr ? "experiment.nothing_yet" : "experiment.no_results");
}

std::string_view name(Frame& frame, std::string_view encoding, ex::Scaling scaling) {
    ui::Scratch& s = frame.scratch;
    std::string_view of = ex::label_in(encoding);
    if (of.empty()) of = frame.text(s.format("experiment.encoding.{}", ex::kind_in(encoding)));
    if (const std::size_t before = ex::same_before(listed(frame), encoding); before > 0)
        of = s.format("{} {}", of, before + 1);
    if (scaling == ex::Scaling::none) return of;
    return frame.format(
        takes_scalings(encoding) ? "experiment.scaled" : "experiment.interpolated", fmt::arg("encoding", of),
        fmt::arg("scaling", frame.text(s.format("experiment.scaling.{}", ex::scaling_name(scaling)))));
}

// Typed encodings have no scalings: their dashes tell one from the next.
canvas::Stroke stroke_of(Frame& frame, std::string_view encoding, ex::Scaling scaling) {
    constexpr std::array<float, ex::kMostTyped> dashes = {0.0F, 2.0F, 4.5F, 8.0F};
    const std::span<const std::string> all = listed(frame);
    const std::size_t dash = static_cast<std::size_t>(scaling) + ex::typed_before(all, encoding),
                      place = static_cast<std::size_t>(std::ranges::find(all, encoding) - all.begin());
    const float usual = dashes[std::min(dash, dashes.size() - 1)];
    return {ui::curve_colour(frame.theme, place, ui::encoding_colour(frame.theme, ex::kind_in(encoding))),
            2.0F, scaling == ex::Scaling::none ? ui::curve_dash(frame.theme, place, usual) : usual};
}

std::string_view value_text(Frame& frame, const ex::Spread& spread, bool with_deviation) {
    ui::Scratch& s = frame.scratch;
    if (spread.seeds == 0) return "–";
    const auto two = [&](double value) { return ui::fixed(s, value, 2); };
    if (spread.seeds >= 3)
        return with_deviation ? s.format("{} ± {}", two(spread.mean), two(spread.deviation))
                              : two(spread.mean);
    const std::string_view least = two(spread.least), most = two(spread.most);
    return least == most ? least : s.format("{}…{}", least, most);
}

std::string_view remark(const View& view) {
    const Curves& curves = *view.curves;
    if (view.old) return view.frame.text("experiment.old");
    if (view.shown().step)
        return view.frame.format("experiment.as_then", fmt::arg("step", *view.shown().step));
    if (curves.least_seeds < curves.seeds)
        return view.frame.format("experiment.seeds_done", fmt::arg("done", curves.least_seeds),
                                 fmt::arg("seeds", curves.seeds));
    return curves.shipped ? view.frame.format("experiment.shipped", fmt::arg("seeds", curves.seeds))
                          : view.frame.format("experiment.own", fmt::arg("seeds", curves.seeds));
}

// Removes labels, from top to bottom, until they fit: the learner's stay, the others go where they are closest together.
std::span<EndLabel> thinned(std::span<EndLabel> labels, std::size_t fits) {
    while (labels.size() > fits) {
        const auto cost = [&](std::size_t i) {
            const float above = i > 0 ? labels[i].y - labels[i - 1].y : 1e6F;
            return above + (labels[i].kept ? 1e7F : 0.0F);
        };
        std::size_t least = labels.size() - 1;
        for (std::size_t i = labels.size(); i-- > 0;)
            if (cost(i) < cost(least)) least = i;
        std::move(labels.begin() + static_cast<std::ptrdiff_t>(least) + 1, labels.end(),
                  labels.begin() + static_cast<std::ptrdiff_t>(least));
        labels = labels.first(labels.size() - 1);
    }
    return labels;
}

void draw_end_labels(Frame& frame, Rect column, std::span<EndLabel> labels, std::string_view head) {
    if (labels.empty() || column.width() < 60.0F) return;
    canvas::Canvas& c = frame.canvas;
    const ui::Theme& theme = frame.theme;
    std::sort(labels.begin(), labels.end(), [](const EndLabel& a, const EndLabel& b) {
        return a.y != b.y ? a.y < b.y : a.name < b.name;  // a stable sort would allocate
    });
    const float room = column.height() - (head.empty() ? 0.0F : 20.0F);
    labels = thinned(labels, static_cast<std::size_t>(std::max(1.0F, std::floor(room / kRow))));
    std::array<plot::EndLabel, 64> places{};
    const auto y = std::span(places).first(std::min(labels.size(), places.size()));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = {labels[i].y, i};
    plot::keep_apart(y, column.y1 - room + 0.5F * kRow, column.y1 - 0.5F * kRow, kRow);
    if (!head.empty())
        c.text({column.x1, std::max(column.y0 + 11.0F, y[0].y - 0.5F * kRow - 4.0F)}, head,
               small(frame, Align::right));
    for (const auto& [at, i] : y) {
        const EndLabel& label = labels[i];
        const float left = column.x0 + 12.0F;
        if (left - label.from < kLeader)  // a curve that is not finished ends far from its name
            c.line({label.from, label.y}, {left - 2.0F, at}, {theme.ink_faint, 1.0F});
        c.line({left, at}, {left + 18.0F, at}, label.stroke);
        c.text({left + 24.0F, at + 4.5F}, label.name, small_ink(frame));
        c.text({column.x1, at + 4.5F}, label.value, {theme.ink, ui::kSmallSize, Face::strong, Align::right});
    }
}

namespace {

template <class Lines, class Scaling>
void name_all(Frame& frame, Rect& area, const Lines& lines, Scaling scaling) {
    std::array<plot::Key, 48> names;
    std::size_t count = 0;
    for (const auto& line : lines)
        if (count < names.size())
            names[count++] = {name(frame, line.encoding, scaling(line)),
                              stroke_of(frame, line.encoding, scaling(line))};
    plot::draw_legend_rows(frame, area, std::span(names).first(count));
}

}  // namespace

void name_lines(Frame& frame, Rect& area, std::span<const Line> lines) {
    name_all(frame, area, lines, [](const Line& line) { return line.scaling; });
}

void name_lines(Frame& frame, Rect& area, std::span<const LossLine> lines) {
    name_all(frame, area, lines, [](const LossLine&) { return ex::Scaling::none; });
}

void draw_line(const plot::Plot& p, std::span<const double> at, std::span<const double> mean,
               std::span<const double> least, std::span<const double> most,
               std::span<const std::vector<double>> each, bool has_mean, canvas::Stroke stroke, float opacity,
               bool edged) {
    Frame& frame = p.frame;
    std::vector<Point>& points = frame.derived.points();
    const canvas::Axis& x = p.x;
    const auto at_y = [&](double value) { return p.y(std::clamp(value, p.y.from, p.y.to)); };
    // Without the places that `shows` leaves out.
    const auto curve = [&](std::span<const double> values, canvas::Stroke drawn, auto shows) {
        points.clear();
        const auto flush = [&] {
            if (points.size() > 1) frame.canvas.polyline(points, drawn);
            if (points.size() == 1) frame.canvas.disc(points[0], drawn.width, drawn.colour);
            points.clear();
        };
        for (std::size_t i = 0; i < std::min(values.size(), at.size()); ++i) {
            if (std::isfinite(values[i]) && shows(i)) points.push_back({x(at[i]), at_y(values[i])});
            else flush();
        }
        flush();
    };
    const auto all = [](std::size_t) { return true; };
    if (!has_mean) {
        for (const std::vector<double>& one : each) curve(one, {stroke.colour, 1.3F, stroke.dash}, all);
        return;
    }
    for (std::size_t i = 0; i + 1 < std::min(least.size(), at.size()); ++i) {
        if (!std::isfinite(least[i]) || !std::isfinite(least[i + 1])) continue;
        const std::array<Point, 4> band = {
            Point{x(at[i]), at_y(most[i])}, Point{x(at[i + 1]), at_y(most[i + 1])},
            Point{x(at[i + 1]), at_y(least[i + 1])}, Point{x(at[i]), at_y(least[i])}};
        if (std::abs(band[0].y - band[3].y) + std::abs(band[1].y - band[2].y) > 0.5F)
            frame.canvas.polygon(band, ui::faded(stroke.colour, opacity));
    }
    // The bands of one encoding share a colour: an edge dashed as its mean tells whose a band is, where it is wide.
    const auto wide = [&](std::size_t i) { return std::abs(at_y(most[i]) - at_y(least[i])) > kWideBand; };
    if (edged)
        for (const std::span<const double> edge : {least, most})
            curve(edge, {ui::faded(stroke.colour, 0.45F), 1.0F, stroke.dash}, wide);
    curve(mean, stroke, all);
}

}  // namespace posiscope::figures::learning
