// heads.cpp — where a head of the model looks: its mean weights from every query to every key, or by distance, after the
// step that is shown. Of seed 1, the one that is looked at while it learns.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include <array>
#include <cmath>
#include <tuple>

namespace posiscope::figures {
namespace heads_figure {
namespace {

using canvas::Align;
using learning::View;
namespace ex = posiscope::experiment;

constexpr int kPicture = 8;        // where the canvas keeps it
constexpr int kMostPixels = 1024;  // of a side
constexpr float kLow = 118.0F;     // less has no room for numbers at the matrix
constexpr float kBeside = 60.0F;   // from the matrix to the plot beside it
constexpr std::array<std::string_view, 2> kModes = {"matrix", "distance"};
std::span<const std::string_view> modes(const Scene&) { return kModes; }

struct HeadKey {
    Kept<ex::Bank> bank;
    Kept<Result<ex::Shown>> shown;
    bool operator==(const HeadKey&) const = default;
};

// One moment of the learner's seed 1: the roots of the chosen head's weights, and by distance those of every head.
struct Looked {
    std::string encoding;
    std::int64_t step = 0;
    std::size_t length = 0, layer = 0, head = 0;
    std::vector<float> roots;  // [length, length]
    std::vector<std::vector<double>>
        by_distance;         // [layers × heads][length], the mean over the queries that reach it
    std::size_t chosen = 0;  // of those
    std::size_t peak = 0;    // the distance with most of the chosen head's weight
};

std::vector<double> by_distance(const ex::Heads& heads, std::size_t layer, std::size_t head) {
    std::vector<double> means(heads.length, 0.0);
    for (std::size_t distance = 0; distance < heads.length; ++distance) {
        for (std::size_t query = distance; query < heads.length; ++query)
            means[distance] += heads.weight(layer, head, query, query - distance);
        means[distance] /= static_cast<double>(heads.length - distance);
    }
    return means;
}

// The last keys are reached by few queries, so their means are of few weights: the peak is looked for in the nearer three quarters.
std::size_t peak_of(std::span<const double> means) {
    const auto end =
        means.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, means.size() * 3 / 4));
    return static_cast<std::size_t>(std::max_element(means.begin(), end) - means.begin());
}

// The head that ends up looking most steadily at one distance, of those that are not chosen by number.
std::pair<std::size_t, std::size_t> head_of(const ex::Shown& shown, const ex::Heads& last) {
    std::pair<std::size_t, std::size_t> made{0, 0};
    double most = -1.0;
    for (std::size_t layer = 0; layer < last.layers; ++layer)
        for (std::size_t head = 0; head < last.heads; ++head) {
            if (shown.layer && static_cast<std::size_t>(*shown.layer) != layer) continue;
            if (shown.head && static_cast<std::size_t>(*shown.head) != head) continue;
            const auto means = by_distance(last, layer, head);
            if (const double peak = means[peak_of(means)]; peak > most) {
                most = peak;
                made = {layer, head};
            }
        }
    return made;
}

Looked look(const HeadKey& key) {
    Looked made;
    const ex::Shown& shown = **key.shown;
    const ex::Known* known = key.bank->find(shown.learner, 1);
    if (known == nullptr ||
        known->run->moments.empty())  // while its turn has not come, one that is looked at
        for (const ex::Known& other : key.bank->runs)
            if (!other.run->moments.empty()) known = &other;
    if (known == nullptr || known->run->moments.empty()) return made;
    made.encoding = known->run->encoding;
    const ex::Moment* now = nullptr;
    for (const ex::Moment& moment : known->run->moments)
        if (!shown.step || moment.step <= *shown.step) now = &moment;
    if (now == nullptr) return made;
    const ex::Heads& heads = now->heads;
    made.step = now->step;
    made.length = heads.length;
    std::tie(made.layer, made.head) = head_of(shown, known->run->moments.back().heads);
    made.chosen = made.layer * heads.heads + made.head;
    for (std::size_t query = 0; query < heads.length; ++query)
        for (std::size_t k = 0; k < heads.length; ++k)
            made.roots.push_back(
                static_cast<float>(std::sqrt(heads.weight(made.layer, made.head, query, k))));
    for (std::size_t l = 0; l < heads.layers; ++l)
        for (std::size_t h = 0; h < heads.heads; ++h) made.by_distance.push_back(by_distance(heads, l, h));
    made.peak = peak_of(made.by_distance[made.chosen]);
    return made;
}

// The matrix with one value a pixel: a picture of the size that it covers is copied to the screen, not drawn.
struct Pixels {
    std::vector<float> samples;
    std::uint64_t key = 0;
    int side = 0;
};
struct PixelsKey {
    Kept<Looked> looked;
    int side;
    bool operator==(const PixelsKey&) const = default;
};
Pixels pixels_of(const PixelsKey& key) {
    Pixels made{{}, 0, key.side};
    const std::size_t n = key.looked->length, side = static_cast<std::size_t>(key.side);
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x)
            made.samples.push_back(key.looked->roots[y * n / side * n + x * n / side]);
    made.key = canvas::samples_key(made.samples);
    return made;
}

struct KeptLook {
    Memo<HeadKey, Looked> looked;
    Memo<PixelsKey, Pixels> pixels;
};
const Kept<Looked>& looked_at(const View& v) {
    return v.frame.derived.part<KeptLook>().looked.get({v.bank, v.shown_kept},
                                                       [](const HeadKey& key) { return look(key); });
}

std::string_view headline(Frame& f) {
    const auto v = learning::view_of(f);
    if (!v) return {};
    const Looked& looked = *looked_at(*v);
    if (looked.length == 0) return {};
    return f.format(
        "heads.headline", fmt::arg("name", learning::name(f, looked.encoding, ex::Scaling::none)),
        fmt::arg("layer", looked.layer), fmt::arg("head", looked.head), fmt::arg("step", looked.step),
        fmt::arg("distance", looked.peak),
        fmt::arg("weight", ui::fixed(f.scratch, looked.by_distance[looked.chosen][looked.peak], 2)));
}

// Two rows of choices, layer and head, in a window.
void choose_head(const View& v, Rect row, const Looked& looked) {
    Frame& f = v.frame;
    if (f.pointer == nullptr) return;
    static constexpr std::array<std::string_view, 8> kNumbers = {"0", "1", "2", "3", "4", "5", "6", "7"};
    static constexpr std::array<std::string_view, 8> kLayers = {"layer_0", "layer_1", "layer_2", "layer_3",
                                                                "",        "",        "",        ""};
    static constexpr std::array<std::string_view, 8> kHeads = {"head_0", "head_1", "head_2", "head_3",
                                                               "head_4", "head_5", "head_6", "head_7"};
    float x = row.x0;
    const auto part = [&](std::string_view key, std::span<const std::string_view> marks, std::int64_t count,
                          std::size_t chosen, const char* name) {
        const std::string_view words = f.text(key);
        const auto of = static_cast<std::size_t>(count);
        const auto texts = std::span<const std::string_view>(kNumbers).first(of);
        const float wide = small_width(f, words) + 8.0F + cells::choices_width(f, texts);
        if (x + wide > row.x1) return;
        f.canvas.text({x, row.y0 + 16.0F}, words, small(f));
        const float left = x + wide - cells::choices_width(f, texts);
        if (const auto taken = cells::choices(f, {left, row.y0}, marks.first(of), texts, chosen))
            f.edit().view["experiment"][name] = *taken;
        x += wide + 18.0F;
    };
    part("heads.layer", kLayers, v.settings().layers, looked.layer, "layer");
    part("heads.head", kHeads, v.settings().heads, looked.head, "head");
}

void draw_axes(Frame& f, Rect plot, double n) {
    canvas::Canvas& c = f.canvas;
    const canvas::Axis across{0.0, n, plot.x0, plot.x1};
    const canvas::Ticks ticks =
        canvas::ticks(0.0, n - 1.0, std::clamp(static_cast<int>(plot.width() / 44.0F), 1, 8));
    for (const double value : ticks.values()) {
        const std::string_view number = ui::integer(f.scratch, std::llround(value));
        c.text({across(value + 0.5), plot.y1 + 16.0F}, number, small(f, Align::centre));
        c.text({plot.x0 - 6.0F, plot.y0 + across(value + 0.5) - plot.x0 + 4.0F}, number,
               small(f, Align::right));
    }
    c.text({plot.x0 - 30.0F, plot.y0 - 7.0F}, f.text("heads.query"), small(f));
    c.text({plot.centre().x, plot.y1 + 33.0F}, f.text("heads.key"), small(f, Align::centre));
}

// Returns what of the width is taken: the words may reach under the numbers of the plot beside them.
float name_axes_low(Frame& f, Rect area, Rect plot) {
    const std::string_view words = f.text("terms.axes");
    const float wide = small_width(f, words);
    if (wide > area.width()) return plot.x1;
    f.canvas.text({plot.x0, area.y1 + 17.0F}, words, small(f));
    return std::max(plot.x1, plot.x0 + wide - kBeside);
}

// Returns where it ends on the right; where it began if there is no room. In a low tile one line names both axes.
float draw_matrix(const View& v, Rect area, const Kept<Looked>& kept) {
    const Looked& looked = *kept;
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const float left = area.x0;
    const bool low = area.height() < kLow;
    area.cut_left(low ? 0.0F : 34.0F);
    area.cut_top(low ? 6.0F : 20.0F);
    area.cut_bottom(low ? 22.0F : 38.0F);
    // Cells of whole points, so that a vector file and a screen have the same edges.
    const auto cells = static_cast<float>(looked.length);
    float side = std::min(area.width() - 8.0F, area.height());
    if (side < 32.0F) return left;
    if (side >= cells) side = std::floor(side / cells) * cells;
    const Point corner{std::round(area.x0), std::round(area.y0)};
    const Rect plot{corner.x, corner.y, corner.x + side, corner.y + side};
    const auto n = static_cast<double>(looked.length);
    canvas::HeatmapView view;
    view.field = Field::samples;
    view.rows = view.columns = {0, 0.0, n};
    const int most = std::min(c.most_samples(), kMostPixels);
    const int pixels = std::clamp(static_cast<int>(std::lround(side * c.pixels_per_point())), 1, most);
    const Kept<Pixels>& shown = f.derived.part<KeptLook>().pixels.get(
        {kept, pixels}, [](const PixelsKey& key) { return pixels_of(key); });
    view.width = view.height = shown->side;
    view.range = 1.0;
    view.zero = f.theme.neutral;
    view.positive = view.negative = f.theme.ink;
    view.borders = false;
    FieldData data;
    data.samples = shown->samples;
    c.heatmap(kPicture, plot, {view, data, shown->key});
    c.outline(plot, {f.theme.border, 1.0F});
    const float end = low ? name_axes_low(f, area, plot) : plot.x1;
    if (!low) draw_axes(f, plot, n);
    if (!f.over(plot)) return end;
    const auto cell = [&](float at, float from) {
        return std::min(looked.length - 1,
                        static_cast<std::size_t>((at - from) / side * static_cast<float>(n)));
    };
    const std::size_t query = cell(f.pointer->at.y, plot.y0), key = cell(f.pointer->at.x, plot.x0);
    const double root = static_cast<double>(looked.roots[query * looked.length + key]);
    f.tip.value = f.format("heads.tip", fmt::arg("query", query), fmt::arg("key", key),
                           fmt::arg("weight", ui::fixed(f.scratch, root * root, 2)));
    f.hovered.distance = static_cast<std::int64_t>(query) - static_cast<std::int64_t>(key);
    return end;
}

void draw_distances(const View& v, Rect area, const Looked& looked) {
    Frame& f = v.frame;
    const auto last = static_cast<double>(looked.length - 1);
    const plot::Plot p(f, area, {plot::Kind::whole, 0.0, std::max(1.0, last), f.text("heads.distance")},
                       {plot::Kind::linear, 0.0, 1.0, f.text("heads.weight")});
    if (!p.has_room()) return;
    for (std::size_t head = 0; head < looked.by_distance.size(); ++head)
        if (head != looked.chosen) p.curve(looked.by_distance[head], {f.theme.ink_faint, 1.0F});
    p.curve(looked.by_distance[looked.chosen], learning::stroke_of(f, looked.encoding, ex::Scaling::none));
    if (!p.over()) return;
    const auto distance = std::min(looked.length - 1, static_cast<std::size_t>(std::lround(p.pointed_x())));
    f.hovered.distance = static_cast<std::int64_t>(distance);
    f.tip.value =
        f.format("heads.tip_distance", fmt::arg("distance", distance),
                 fmt::arg("weight", ui::fixed(f.scratch, looked.by_distance[looked.chosen][distance], 2)));
}

void draw(Frame& f, Rect area) {
    const auto v = learning::view_of(f);
    if (!v) return learning::explain(f, area);
    const Kept<Looked> kept = looked_at(*v);
    const Looked& looked = *kept;
    if (looked.length == 0) return explain_absence(f, area, "heads.not_looked");
    if (area.height() > 150.0F) {
        Rect row = area.cut_top(28.0F);
        if (row.width() > 330.0F)
            row.x1 -= 24.0F + cells::colour_bar(f, row.x1, row.y0 + 12.0F, f.text("heads.weight"), 0.0, 1.0,
                                                cells::Colours::shares);
        choose_head(*v, row, looked);
    }
    if (f.mode == "distance") return draw_distances(*v, area, looked);
    const float end = draw_matrix(*v, area, kept);
    if (end > area.x0) area.x0 = end + 26.0F;
    if (end == area.x0 || area.width() > 190.0F) draw_distances(*v, area, looked);
}

}  // namespace
}  // namespace heads_figure

extern const Figure kHeads{"heads", heads_figure::headline, heads_figure::draw, heads_figure::modes};

}  // namespace posiscope::figures
