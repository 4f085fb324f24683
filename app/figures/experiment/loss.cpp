// loss.cpp — the loss of every encoding while it learns, against the step; the step that is shown can be dragged.
#include "app/figures/experiment/experiment.hpp"
#include "app/plot/plot.hpp"

#include <array>
#include <cmath>

namespace posiscope::figures {
namespace loss_figure {
namespace {

using learning::EndLabel;
using learning::LossLine;
using learning::View;
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

// The step that is shown, which snaps to nothing.
void drag_step(const View& v, const plot::Plot& p) {
    Frame& f = v.frame;
    const std::int64_t steps = v.settings().steps;
    const auto to = p.drag_x({.name = "step",
                              .at = static_cast<double>(std::min(v.shown().step.value_or(steps), steps)),
                              .rule = {f.theme.ink, v.shown().step ? 1.4F : 0.0F}});
    if (!to) return;
    const std::int64_t step = std::llround(*to);
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
    const plot::Plot p(
        f, area, {plot::Kind::whole, 0.0, static_cast<double>(v->settings().steps), f.text("loss.step")},
        {plot::Kind::log, logs->from, logs->to, f.text("loss.axis")});
    if (!p.has_room()) return;
    p.level(std::log10(std::log(static_cast<double>(v->task().classes))), {f.theme.ink_faint, 1.2F, 4.0F});
    std::array<EndLabel, 32> ends;
    std::size_t count = 0;
    for (std::size_t n = 0; n < v->curves->losses.size(); ++n) {
        const LossLine& line = v->curves->losses[n];
        const Logs::One& one = logs->lines[n];
        const canvas::Stroke stroke = learning::stroke_of(f, line.encoding, ex::Scaling::none);
        learning::draw_line(p, line.x, one.mean, one.least, one.most, one.each, line.has_mean(), stroke);
        const auto& longest = line.has_mean() ? one.mean : one.each.front();
        if (count < ends.size())
            ends[count++] = {learning::name(f, line.encoding, ex::Scaling::none),
                             ui::significant(f.scratch, line.last, 3),
                             p.y(std::clamp(logarithm(line.last), p.y.from, p.y.to)),
                             p.x(line.x[std::min(longest.size(), line.x.size()) - 1]),
                             stroke,
                             line.encoding == v->shown().learner};
    }
    if (labels)
        learning::draw_end_labels(
            f, {column.x0 - 4.0F, p.area.y0 - 8.0F, column.x1, low ? area.y1 : p.area.y1 + 14.0F},
            std::span(ends).first(count), {});
    drag_step(*v, p);
}

}  // namespace
}  // namespace loss_figure

extern const Figure kLoss{"loss", loss_figure::headline, loss_figure::draw, nullptr};

}  // namespace posiscope::figures
