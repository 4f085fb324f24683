// precision.cpp — how far the angle p·ω is off in a smaller number format, over pairs and positions on a log scale.
// A cell is the largest |φ̃ − pω| of a few successive positions, or one stage of it, as a program in that format computes
// it. The line is the position from which rounding may cost a pair more than 0.01 rad (core/precision); there the colours
// change. A mark at the left is the position at which the score of p + k and p is off by more than 0.01.
#include "app/figures/precision/precision.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/chain.hpp"
#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/stored.hpp"

namespace posiscope::figures {
namespace precision_figure {
namespace {

using namespace precision;

constexpr std::size_t kRows = 96;        // positions from 1 to 2^31, evenly on the log scale
constexpr std::int64_t kNeighbours = 4;  // of one cell: a single rounding can be right by chance
constexpr double kDecades = 4.0;         // from kOff down to no colour; up to full colour half as many

// The part of the error that is shown.
enum class Stage { total, frequency, position, product, value };
constexpr std::array<std::string_view, 5> kStages = {"total", "frequency", "position", "product", "value"};

Stage stage_of(const Frame& f) {
    const Json* chosen = view_value(f.scene, f.figure, "stage");
    if (chosen == nullptr || !chosen->is_string()) return Stage::total;
    const auto found = std::find(kStages.begin(), kStages.end(), chosen->get_ref<const std::string&>());
    return found != kStages.end() ? static_cast<Stage>(found - kStages.begin()) : Stage::total;
}

double part_of_error(const PhaseError& error, Stage stage) {
    switch (stage) {
        case Stage::frequency: return error.inverse_frequency;
        case Stage::position: return error.position;
        case Stage::product: return error.product;
        case Stage::value: return error.value;
        default: return error.total();
    }
}

// log₁₀ of the error by kOff, for every row and every column: a column is a pair, or the first of several.
struct Map {
    std::vector<float> samples;
    std::size_t columns = 0;
    std::uint64_t key = 0;
};
struct MapKey {
    Kept<Rates> rates;
    Precision format;
    Stage stage;
    std::size_t first, last, columns;
    bool operator==(const MapKey&) const = default;
};
// The position where a pair goes off and the one where the score does; null if none does.
struct FirstKey {
    Kept<Rates> rates;
    Kept<Scoring> scoring;  // null: the encoding has no score of pairs
    Precision format;
    std::int64_t offset;
    bool operator==(const FirstKey&) const = default;
};
struct First {
    std::optional<PairOff> pair;
    std::optional<ScoreOff> score;  // none where the encoding has no score of pairs
};
struct Errors {
    Slow<MapKey, Map> map;
    Slow<FirstKey, First> first;
};

Map make_map(const MapKey& of) {
    Map map;
    map.columns = of.columns;
    const std::vector<double>& frequencies = (**of.rates).frequency;
    map.samples.reserve(kRows * of.columns);
    for (std::size_t row = 0; row < kRows; ++row) {
        const double height = 1.0 - (static_cast<double>(row) + 0.5) / static_cast<double>(kRows);
        const std::int64_t position = std::llround(std::pow(10.0, height * kMostPosition));
        for (std::size_t column = 0; column < of.columns; ++column) {
            const std::size_t pair = of.first + column * (of.last - of.first) / of.columns;
            const double omega = frequencies[pair];
            double most = 0.0;
            for (std::int64_t p = position; p < position + kNeighbours; ++p) {
                const PhaseError error = phase_error(omega, std::min(p, kLastPosition), of.format);
                most = std::max(most, std::abs(part_of_error(error, of.stage)));
            }
            const double decades = most > 0.0 ? std::log10(most / kOff) : -kDecades;
            map.samples.push_back(
                static_cast<float>(std::clamp(decades > 0.0 ? 2.0 * decades : decades, -kDecades, kDecades)));
        }
    }
    map.key = canvas::samples_key(map.samples);
    return map;
}

// Null while it is computed.
Kept<First> first_off(Frame& f) {
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    return f.derived.part<Errors>().first.get(
        f.derived.background(),
        {f.derived.rates(f.scene),
         summed(f.scene, f.derived) == nullptr
             ? nullptr
             : f.derived.scoring(f.scene, rotary ? ScoreKind::logit : ScoreKind::dot),
         format_of(f), f.scene.offset},
        [](const FirstKey& of) {
            First made{first_pair_off(**of.rates, of.format, kOff), {}};
            if (of.scoring != nullptr)
                made.score = first_score_off(of.scoring->form, of.scoring->spectrum(), of.offset, of.format,
                                             kOff, kSearchedAtOnce);
            return made;
        });
}

double reach(const Spectrum& spectrum, std::size_t pair, Precision format) {
    const double omega = spectrum.frequency[pair];
    return omega > 0.0 ? std::ceil(first_position_beyond(omega, format, kOff)) : HUGE_VAL;
}

ui::Colour zero_colour(const ui::Theme& theme) { return ui::mixed(theme.tile, theme.ink_faint, 0.7F); }

void draw_map(Frame& f, const Spectrum& spectrum, Rect plot, const canvas::Axis& x, int place) {
    const auto last = static_cast<double>(spectrum.pairs()) - 1.0;
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(x.from + 0.5), 0.0, last)),
               end = static_cast<std::size_t>(std::clamp(std::ceil(x.to + 0.5), 1.0, last + 1.0));
    const float pixels = plot.width() * f.canvas.pixels_per_point();
    const auto room = static_cast<std::size_t>(
        std::clamp(pixels, 1.0F, static_cast<float>(std::min(f.canvas.most_samples(), 2048))));
    const Kept<Map> map = f.derived.part<Errors>().map.get(
        f.derived.background(),
        {f.derived.rates(f.scene), format_of(f), stage_of(f), first, end, std::min(end - first, room)},
        [](const MapKey& of) { return make_map(of); });
    if (map == nullptr) return explain_absence(f, plot.grown(-12.0F), being_made());
    canvas::HeatmapView view =
        view_of_samples(f.theme, static_cast<int>(map->columns), static_cast<int>(kRows), kDecades);
    view.negative = f.theme.tile, view.zero = zero_colour(f.theme), view.positive = f.theme.beyond;
    const canvas::Clip clip(f.canvas, plot);
    f.canvas.heatmap(
        place, {x(static_cast<double>(first) - 0.5), plot.y0, x(static_cast<double>(end) - 0.5), plot.y1},
        {view, {.samples = map->samples}, map->key});
}

void draw_reach(const plot::Plot& p, const Spectrum& spectrum, canvas::Stroke stroke) {
    Frame& f = p.frame;
    auto& points = f.derived.points();
    points.clear();
    float last = p.area.x0 - 2000.0F;
    spend(2.0 * static_cast<double>(spectrum.pairs()));
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
        const float at = p.x(static_cast<double>(i));
        if (at < p.area.x0 - 40.0F || at > p.area.x1 + 40.0F ||
            at - last < 1.0F / f.canvas.pixels_per_point())
            continue;
        const double from = reach(spectrum, i, format_of(f));
        const double height = std::isfinite(from) ? std::log10(std::max(from, 1.0)) : 2.0 * kMostPosition;
        points.push_back({at, p.y(std::min(height, 2.0 * kMostPosition))});
        last = at;
    }
    if (points.size() < 2) return;
    const canvas::Clip clip(f.canvas, p.area);
    f.canvas.polyline(points, {f.theme.tile, stroke.width + 2.4F});
    f.canvas.polyline(points, stroke);
}

// The colours of the error, at the top right.
void draw_key(const plot::Plot& p) {
    const ui::Theme& theme = p.frame.theme;
    const std::array stops = {theme.tile, zero_colour(theme), theme.beyond};
    const auto stage = kStages[static_cast<std::size_t>(stage_of(p.frame))];
    p.colour_bar(stops, "10⁻⁶", "1", p.frame.text(p.frame.scratch.format("precision.key.{}", stage)));
}

// B's colours right of the curtain; its line is dashed over all of the plot.
void draw_right(Frame& f, const Spectrum& of_b, Rect plot, const canvas::Axis& x) {
    Frame alone = curtain::frame_of_b(f, false);
    const canvas::Clip clip(f.canvas, {curtain::edge_of(f, plot), plot.y0, plot.x1, plot.y1});
    f.canvas.fill(plot, f.theme.tile);
    draw_map(alone, of_b, plot, x, 1);
}

// Chips that choose a stage; not in an image.
void choose_stage(Frame& f, Rect& area) {
    if (f.pointer == nullptr || area.height() < 230.0F) return;
    constexpr std::array<std::string_view, 5> kMarks = {"all", "of_frequency", "of_position", "of_product",
                                                        "of_value"};
    std::array<std::string_view, kStages.size()> texts;
    for (std::size_t i = 0; i < kStages.size(); ++i)
        texts[i] = f.text(f.scratch.format("precision.stage.{}", kStages[i]));
    if (cells::choices_width(f, texts) > area.width()) return;
    const Rect row = area.cut_top(cells::kButtonHeight + 4.0F);
    if (const auto chosen =
            cells::choices(f, row.min(), kMarks, texts, static_cast<std::size_t>(stage_of(f))))
        set_view_value(f.edit(), f.figure, "stage",
                       *chosen == 0 ? Json(nullptr) : Json(std::string(kStages[*chosen])));
}

void tip(Frame& f, const Spectrum& spectrum, std::size_t pair, double level) {
    const auto position = std::clamp<std::int64_t>(std::llround(std::pow(10.0, level)), 1, kLastPosition);
    const PhaseError error = phase_error(spectrum.frequency[pair], position, format_of(f));
    ui::Scratch& s = f.scratch;
    const auto number = [&](double value) { return ui::significant(s, value, 2); };
    f.hovered.position = position;
    f.tip.formula = s.format("\\Delta ({}\\,\\omega_{{{}}})", ui::integer(s, position), pair);
    f.tip.value = f.format("precision.tip_value", fmt::arg("error", number(error.total())));
    f.tip.details[0] =
        f.format("precision.tip_inputs", fmt::arg("frequency", number(error.inverse_frequency)),
                 fmt::arg("position", number(error.position)));
    f.tip.details[1] = f.format("precision.tip_product", fmt::arg("product", number(error.product)),
                                fmt::arg("value", number(error.value)));
    const double from = reach(spectrum, pair, format_of(f));
    f.tip.details[2] = from > static_cast<double>(kLastPosition)
                           ? f.text("precision.tip_never")
                           : f.format("precision.tip_reach",
                                      fmt::arg("position", ui::integer(s, static_cast<std::int64_t>(from))));
}

// Marks on the axis where the score goes off.
void mark_score(Frame& f, Rect plot, const canvas::Axis& y) {
    const auto first = first_off(f);
    if (first == nullptr || !first->score || !first->score->first) return;
    const std::int64_t off = *first->score->first;
    const float at = y(level_of(off));
    const std::array<Point, 3> arrow = {
        Point{plot.x0, at}, {plot.x0 - 5.5F, at - 4.5F}, {plot.x0 - 5.5F, at + 4.5F}};
    f.canvas.polygon(arrow, f.theme.beyond);
    if (!f.over({plot.x0 - 12.0F, at - 7.0F, plot.x0 + 2.0F, at + 7.0F})) return;
    f.tip.formula = f.scratch.format("k = {}", ui::integer(f.scratch, f.scene.offset));
    f.tip.value = f.format("precision.tip_score", fmt::arg("position", ui::integer(f.scratch, off)));
}

std::string_view headline(Frame& f) {
    if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
    const Spectrum* spectrum = f.derived.spectrum(f.scene);
    if (spectrum == nullptr || spectrum->pairs() == 0) return positions_headline(f);
    const auto first = first_off(f);
    if (first == nullptr) return f.text("precision.headline_soon");
    if (!first->pair) return f.text("precision.headline_never");
    const std::string_view position = ui::integer(f.scratch, first->pair->position);
    const auto& score = first->score;
    if (!score || (!score->first && score->searched == kLastPosition))
        return f.format("precision.headline", fmt::arg("pair", first->pair->pair),
                        fmt::arg("position", position));
    return f.format(score->first ? "precision.headline_score" : "precision.headline_searched",
                    fmt::arg("pair", first->pair->pair), fmt::arg("position", position),
                    fmt::arg("score", ui::integer(f.scratch, score->first.value_or(score->searched))));
}

void draw(Frame& f, Rect area) {
    if (const Problem* problem = stored_absence(f, f.scene, f.derived))
        return explain_absence(f, area, *problem);
    const Spectrum* spectrum = f.derived.spectrum(f.scene);
    if (area.width() < 140.0F || area.height() < 90.0F) return;
    if (spectrum == nullptr || spectrum->pairs() == 0) return draw_positions(f, area);
    choose_stage(f, area);
    const plot::Plot p(f, area, plot::pairs(f, spectrum->pairs()),
                       {plot::Kind::log, 0.0, kMostPosition, f.text("precision.axis")});
    if (!p.has_room()) return;
    const Rect plot = p.area;
    draw_map(f, *spectrum, plot, p.x, 0);
    draw_key(p);
    const Spectrum* of_b = f.other != nullptr ? f.other->derived.spectrum(f.other->scene) : nullptr;
    if (of_b != nullptr && of_b->pairs() == 0) of_b = nullptr;
    const bool split = of_b != nullptr && of_b->pairs() == spectrum->pairs();
    if (split) draw_right(f, *of_b, plot, p.x);
    if (of_b != nullptr) draw_reach(p, *of_b, {f.theme.ink_soft, 1.4F, 4.0F});
    else if (f.other != nullptr) explain_missing_b(f, area, "compare.no_circles");
    draw_reach(p, *spectrum, {f.theme.ink, 1.6F});
    if (split) curtain::draw_edge(f, plot, false);
    const LinkedPair chosen = choose_pair(f, plot, p.x, *spectrum);
    mark_score(f, plot, p.y);
    if (split) curtain::drag(f, plot);
    drag_position(p, false);
    zoom_and_pan_pairs(f, plot, p.x, spectrum->pairs());
    if (p.over()) tip(f, split && curtain::over_b(f, plot) ? *of_b : *spectrum, chosen.pair, p.pointed_y());
}

}  // namespace
}  // namespace precision_figure

namespace precision {

Precision format_of(const Frame& f) {
    for (const Precision format : precisions())
        if (f.mode == precision_name(format)) return format;
    return Precision::float32;
}

double level_of(std::int64_t position) {
    return std::log10(static_cast<double>(std::max<std::int64_t>(position, 1)));
}

void drag_position(const plot::Plot& p, bool across) {
    Frame& f = p.frame;
    plot::Handle handle{.name = "position",
                        .at = level_of(f.scene.position),
                        .rule = {f.theme.ink, 1.3F, 4.0F},
                        .outlined = true};
    if (const Scene* before = f.ghost()) handle.before = level_of(before->position);
    const auto to = across ? p.drag_x(handle) : p.drag_y(handle);
    if (to) plot::move_position(f, std::llround(std::pow(10.0, std::clamp(*to, 0.0, kMostPosition))));
}

}  // namespace precision

extern const Figure kPrecision{.id = "precision",
                               .headline = precision_figure::headline,
                               .draw = precision_figure::draw,
                               .modes = fixed_modes<"float32", "tf32", "bfloat16", "float16">,
                               .overlays = true,
                               .numbers = fixed_numbers<"precision">};

}  // namespace posiscope::figures
