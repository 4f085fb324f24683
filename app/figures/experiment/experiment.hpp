// experiment.hpp — what the experiment's figures share: the results they show, as curves by position and by step.
// Results are no part of the Scene: the window, or a command, puts them on ExperimentResults; without any, a preset has the ones
// that come with the program.
#pragma once

#include "app/plot/plot.hpp"
#include "core/experiment/bank.hpp"
#include "core/experiment/shown.hpp"

namespace posiscope::figures::learning {

namespace ex = posiscope::experiment;

// A part of Derived that the workbench fills. `old`: results of other settings, shown until there are new ones.
struct ExperimentResults {
    Kept<ex::Bank> bank;
    bool old = false;
};

// A score over positions, in bins; every list has one value a bin, or is empty.
struct Line {
    std::string encoding;
    ex::Scaling scaling = ex::Scaling::none;
    std::size_t seeds = 0;  // finished
    std::int64_t step = 0;  // of a model that is not finished, seed 1: after so many steps; else 0
    bool shipped = false;   // all of it came with the program
    std::vector<double> x, mean, least, most;
    std::vector<std::vector<double>> each;  // seed by seed
    std::optional<double> end;              // the first position without a row in its table
    ex::Spread trained,
        last;  // over the trained length (as tables tell it), and the last stretch of the test

    // Under three seeds there is no mean; a single curve is one seed, or a model that is not finished.
    bool has_mean() const { return seeds >= 3; }
};

// The loss over the steps; as Line, but for `step`, up to which there is any.
struct LossLine {
    std::string encoding;
    std::size_t seeds = 0;  // that have got so far
    std::vector<double> x, mean, least, most;
    std::vector<std::vector<double>> each;
    double last = 0.0;  // of the mean, or of seed 1 where there is none
    bool has_mean() const { return seeds >= 3; }
};

struct Curves {
    std::vector<Line> by_position, by_distance;
    std::vector<LossLine> losses;
    double most_nats = 1.0;           // the axis of a task that is scored in nats
    std::int64_t first = 0, end = 0;  // positions of the last stretch: first … end − 1
    std::size_t seeds = 0;            // that the settings ask for
    std::size_t least_seeds = 0;      // finished of the line that has fewest
    bool shipped = false;             // everything shown came with the program
    std::string instructions;
};

// True if a figure shows results instead of the Scene's encoding.
inline bool is_of_experiment(std::string_view figure) {
    return figure == "test" || figure == "loss" || figure == "heads";
}

struct View {
    Frame& frame;
    Kept<Result<ex::Shown>> shown_kept;
    Kept<ex::Bank> bank;
    Kept<Curves> curves;
    bool old = false;

    const ex::Shown& shown() const { return **shown_kept; }
    const ex::Settings& settings() const { return bank->settings; }  // of what is shown
    const ex::Task& task() const { return ex::task_of(settings()); }
};

// Nothing where there are no results; `explain` then says why, and what would make some.
std::optional<View> view_of(Frame& frame);
void explain(Frame& frame, Rect area);

// "RoPE + YaRN"; of two typed encodings "Own" and "Own 2".
std::string_view name(Frame& frame, std::string_view encoding, ex::Scaling scaling);
canvas::Stroke stroke_of(Frame& frame, std::string_view encoding, ex::Scaling scaling);
// "0.07", "0.07 ± 0.01" of three seeds and more, "0.05 to 0.09" of two.
std::string_view value_text(Frame& frame, const ex::Spread& spread, bool with_deviation);
// " · old: …", " · shipped", " · 3 of 5 seeds": what the reader must know of the results besides.
std::string_view remark(const View& view);

// Names beside the ends of curves, joined to them by thin lines and kept apart.
struct EndLabel {
    std::string_view name, value;
    float y = 0.0F;     // where its curve ends
    float from = 0.0F;  // the x where it ends
    canvas::Stroke stroke;
    bool kept = false;  // where not all have room
};
void draw_end_labels(Frame& frame, Rect column, std::span<EndLabel> labels, std::string_view head);
inline constexpr float kLabelColumn = 186.0F;
// The same names over a plot that has no room for the column.
void name_lines(Frame& frame, Rect& area, std::span<const Line> lines);
void name_lines(Frame& frame, Rect& area, std::span<const LossLine> lines);

// Curves of a view, over bins: a band from least to most, `edged` or not, and the mean; or each seed's line.
void draw_line(const plot::Plot& plot, std::span<const double> at, std::span<const double> mean,
               std::span<const double> least, std::span<const double> most,
               std::span<const std::vector<double>> each, bool has_mean, canvas::Stroke stroke,
               float band = 0.18F, bool edged = false);

// A bank of runs as the curves that are drawn: what is made once, when results or settings change.
struct CurvesKey {
    Kept<ex::Bank> bank;
    Kept<Result<ex::Shown>> shown;
    bool operator==(const CurvesKey&) const = default;
};
Curves curves_of(const CurvesKey& key);

}  // namespace posiscope::figures::learning
