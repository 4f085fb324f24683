// loss.cpp — the loss of every encoding while it learns, against the step; the step that is shown can be dragged.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/pair_plot.hpp"

#include <array>
#include <cmath>

namespace posiscope::figures {
namespace loss_figure {
namespace {

using canvas::Align;
using learning::EndLabel;
using learning::LossLine;
using learning::View;
using ui::Face;
namespace ex = posiscope::experiment;

constexpr double kLeast = 1e-6, kMost = 1e4;  // of a loss that is drawn

double logarithm(double loss) { return std::log10(std::clamp(loss, kLeast, kMost)); }

std::string_view headline(Frame& f) {
    const auto v = learning::view_of(f);
    if (!v || v->curves->losses.empty()) return {};
    const LossLine *least = nullptr, *most = nullptr;
    for (const LossLine& line : v->curves->losses) {
        if (least == nullptr || line.last < least->last) least = &line;
        if (most == nullptr || line.last > most->last) most = &line;
    }
    ui::Scratch& s = f.scratch;
    const std::string_view low = ui::significant(s, least->last, 3), high = ui::significant(s, most->last, 3);
    if (least == most)
        return f.format("loss.headline_one",
                        fmt::arg("name", learning::name(f, least->encoding, ex::Scaling::none)),
                        fmt::arg("loss", low));
    return f.format("loss.headline", fmt::arg("least", learning::name(f, least->encoding, ex::Scaling::none)),
                    fmt::arg("low", low),
                    fmt::arg("most", learning::name(f, most->encoding, ex::Scaling::none)),
                    fmt::arg("high", high));
}

// Logarithms of the losses, made when the curves change.
struct Logs {
    struct One {
        std::vector<double> mean, least, most;
        std::vector<std::vector<double>> each;
    };
    std::vector<One> lines;
    double from = -3.0, to = 0.5;
};
struct LogsKey {
    Kept<learning::Curves> curves;
    bool operator==(const LogsKey&) const = default;
};
struct KeptLogs {
    Memo<LogsKey, Logs> logs;
};

std::vector<double> logarithms(std::span<const double> losses) {
    std::vector<double> made;
    for (const double loss : losses) made.push_back(std::isfinite(loss) ? logarithm(loss) : loss);
    return made;
}

Logs logs_of(const LogsKey& key) {
    Logs made;
    double least = 1e9, most = -1e9;
    for (const LossLine& line : key.curves->losses) {
        Logs::One one{logarithms(line.mean), logarithms(line.least), logarithms(line.most), {}};
        for (const auto& seed : line.each) one.each.push_back(logarithms(seed));
        for (const double value : one.least)
            if (std::isfinite(value)) least = std::min(least, value);
        for (const double value : one.most)
            if (std::isfinite(value)) most = std::max(most, value);
        made.lines.push_back(std::move(one));
    }
    if (most >= least) {
        made.from = std::floor(least * 4.0 - 0.2) / 4.0;
        made.to = std::max(std::ceil(most * 4.0) / 4.0, made.from + 0.5);
    }
    return made;
}

// The step that is shown: a rule with a handle, which snaps to nothing.
void drag_step(const View& v, Rect plot, const canvas::Axis& x) {
    Frame& f = v.frame;
    const std::int64_t steps = v.settings().steps;
    const float at = x(static_cast<double>(std::min(v.shown().step.value_or(steps), steps)));
    if (v.shown().step) f.canvas.line({at, plot.y0}, {at, plot.y1}, {f.theme.ink, 1.4F});
    if (f.pointer == nullptr) return;
    f.canvas.knob({at, plot.y0 - 5.0F}, 5.0F, f.theme.ink, f.theme.tile);
    const bool near = f.over({plot.x0 - 8.0F, plot.y0 - 14.0F, plot.x1 + 8.0F, plot.y1}) &&
                      std::abs(f.pointer->at.x - at) < 7.0F;
    if (!f.drag("step", near, {at, plot.y0 - 5.0F}, Cursor::horizontal) || !f.pointer->moved) return;
    const auto step =
        static_cast<std::int64_t>(std::llround(std::clamp(x.inverse(f.pointer->at.x), 0.0, x.to)));
    set_view_value(f.edit(), "experiment", "step", step >= steps ? Json() : Json(step));
}

void draw(Frame& f, Rect area) {
    const auto v = learning::view_of(f);
    if (!v || v->curves->losses.empty()) return learning::explain(f, area);
    const Kept<Logs>& logs =
        f.derived.part<KeptLogs>().logs.get({v->curves}, [](const LogsKey& key) { return logs_of(key); });
    const bool labels = area.width() > 330.0F;
    const Rect column = labels ? area.cut_right(164.0F) : Rect{};
    const bool low = area.height() < 110.0F;  // then the axes do without their names
    if (!labels && !low) learning::name_lines(f, area, v->curves->losses);
    const Rect plot{area.x0 + 50.0F, area.y0 + (low ? 10.0F : 26.0F), area.x1 - 10.0F,
                    area.y1 - (low ? 22.0F : 40.0F)};
    if (plot.width() < 60.0F || plot.height() < 20.0F) return;
    const canvas::Axis x{0.0, static_cast<double>(v->settings().steps), plot.x0, plot.x1};
    const canvas::Axis y{logs->from, logs->to, plot.y1, plot.y0};
    draw_decades(f, plot, y, low ? std::string_view() : f.text("loss.axis"));
    const canvas::Ticks along =
        canvas::ticks(0.0, x.to, std::clamp(static_cast<int>(plot.width() / 70.0F), 1, 8));
    for (const double value : along.values()) {
        f.canvas.line({x(value), plot.y1}, {x(value), plot.y1 + 4.0F}, {f.theme.ink_faint, 1.0F});
        f.canvas.text({x(value), plot.y1 + 18.0F}, ui::integer(f.scratch, std::llround(value)),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
    if (!low)
        f.canvas.text({plot.centre().x, plot.y1 + 35.0F}, f.text("loss.step"),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    const double guessing = std::log10(std::log(static_cast<double>(v->task().classes)));
    if (guessing > y.from && guessing < y.to)
        f.canvas.line({plot.x0, y(guessing)}, {plot.x1, y(guessing)}, {f.theme.ink_faint, 1.2F, 4.0F});
    std::array<EndLabel, 32> ends;
    std::size_t count = 0;
    for (std::size_t n = 0; n < v->curves->losses.size(); ++n) {
        const LossLine& line = v->curves->losses[n];
        const Logs::One& one = logs->lines[n];
        const canvas::Stroke stroke = learning::stroke_of(f, line.encoding, ex::Scaling::none);
        learning::draw_line(f, x, y, line.x, one.mean, one.least, one.most, one.each, line.has_mean(),
                            stroke);
        const auto& longest = line.has_mean() ? one.mean : one.each.front();
        if (count < ends.size())
            ends[count++] = {learning::name(f, line.encoding, ex::Scaling::none),
                             ui::significant(f.scratch, line.last, 3),
                             y(std::clamp(logarithm(line.last), y.from, y.to)),
                             x(line.x[std::min(longest.size(), line.x.size()) - 1]),
                             stroke,
                             line.encoding == v->shown().learner};
    }
    if (labels)
        learning::draw_end_labels(
            f, {column.x0 - 4.0F, plot.y0 - 8.0F, column.x1, low ? area.y1 : plot.y1 + 14.0F},
            std::span(ends).first(count), {});
    drag_step(*v, plot, x);
}

}  // namespace
}  // namespace loss_figure

extern const Figure kLoss;
const Figure kLoss{"loss", loss_figure::headline, loss_figure::draw, nullptr};

}  // namespace posiscope::figures
