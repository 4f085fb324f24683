#include "app/figures/scores/biases.hpp"

#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/scores/curves.hpp"
#include "core/encodings/relative.hpp"

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr std::int64_t kMostHeads = 64, kMostSamples = 513, kFewest = 17;
constexpr double kBudget = 3e7;  // nanoseconds for all heads

struct Biases {
    Result<Action> action = Action{};
    std::vector<double> at;                  // distance, query − key
    std::vector<std::vector<double>> heads;  // the first kMostHeads
    std::int64_t query = 0;                  // where they are not a function of the distance
    double least = 0.0, most = 0.0;

    double value(std::int64_t head, std::int64_t distance) const {
        const std::int64_t from = action->by_distance ? std::max<std::int64_t>(distance, 0) : query;
        return from - distance < 0 ? std::nan("") : action->bias(head, from, from - distance);
    }
};

struct BiasesKey {
    Kept<AttentionInput> input;
    bool operator==(const BiasesKey&) const = default;
};
struct LessKey {
    Kept<Biases> a, b;
    bool operator==(const LessKey&) const = default;
};
struct RangeKey {
    Kept<Biases> of;
    std::int64_t distance;
    bool operator==(const RangeKey&) const = default;
};
struct Range {
    double least, most;
};
struct KeptBiases {
    Memo<BiasesKey, Biases> biases;
    Memo<LessKey, Biases> less;
    Memo<RangeKey, Range> at_offset;  // over the heads
};

void set_range(Biases& made) {
    for (const auto& head : made.heads)
        for (const double value : head)
            if (std::isfinite(value)) {
                made.least = std::min(made.least, value);
                made.most = std::max(made.most, value);
            }
}

Biases biases_of(const AttentionInput& scene) {
    Biases made;
    made.action = action_of(scene);
    if (!made.action || !made.action->bias) return made;
    made.query = scene.length - 1;
    const double affordable_heads = kBudget / (made.action->cost * static_cast<double>(kFewest));
    const std::int64_t heads =
        std::min(scene.num_heads,
                 std::clamp(static_cast<std::int64_t>(affordable_heads), std::int64_t{1}, kMostHeads));
    // Keys that come later are seen without the mask, and by distance alone.
    const std::int64_t last = scene.length - 1, first = scene.causal || !made.action->by_distance ? 0 : -last;
    const auto affordable =
        static_cast<std::int64_t>(kBudget / std::max(1.0, made.action->cost * static_cast<double>(heads)));
    const std::int64_t most = std::clamp(affordable, kFewest, kMostSamples);
    const std::int64_t stride = std::max<std::int64_t>(1, (last - first + most - 1) / most);
    for (std::int64_t distance = first / stride * stride; distance <= last; distance += stride)
        made.at.push_back(static_cast<double>(distance));
    for (std::int64_t head = 0; head < heads; ++head) {
        auto& values = made.heads.emplace_back();
        values.reserve(made.at.size());
        for (const double at : made.at) values.push_back(made.value(head, static_cast<std::int64_t>(at)));
    }
    set_range(made);
    return made;
}

Biases less(const Biases& a, const Biases& b) {
    Biases made;
    if (a.at != b.at) return made;
    made.at = a.at;
    made.heads.resize(std::min(a.heads.size(), b.heads.size()));
    for (std::size_t h = 0; h < made.heads.size(); ++h)
        for (std::size_t i = 0; i < made.at.size(); ++i)
            made.heads[h].push_back(b.heads[h][i] - a.heads[h][i]);
    set_range(made);
    return made;
}

const Kept<Biases>& biases(const Scene& scene, Derived& derived) {
    return derived.part<KeptBiases>().biases.get({derived.input<AttentionInput>(scene)},
                                                 [](const BiasesKey& key) { return biases_of(*key.input); });
}

// "1/2" of a half, else digits.
std::string_view fraction(ui::Scratch& s, double value) {
    const double inverse = 1.0 / value;
    if (inverse > 1.5 && inverse < 1e4 && inverse == std::round(inverse))
        return s.format("1/{}", ui::integer(s, std::llround(inverse)));
    return ui::significant(s, value, 3);
}

// What makes one head differ from the next; empty where that is a table or a network.
std::string_view slope(const Frame& f, const Biases& made, std::int64_t head) {
    ui::Scratch& s = f.scratch;
    const Scene& scene = f.scene;
    const std::string_view kind = scene.encoding.kind;
    if (!made.action->bias) return {};  // of a difference
    if (kind == "alibi") {
        const bool bloom = !made.action->by_distance;
        return s.format("m {}", fraction(s, std::abs(made.action->bias(head, bloom ? 0 : 1, bloom ? 1 : 0))));
    }
    if (kind == "sandwich")
        return s.format("× {}", fraction(s, static_cast<double>(scene.num_heads) /
                                                (8.0 * static_cast<double>(head + 1))));
    if (kind == "kerple") {
        const KerpleHead at = kerple_head(scene, head);
        return s.format("a {}, r {}", ui::significant(s, at.a, 2), ui::significant(s, at.p, 2));
    }
    return {};
}

struct Plot {
    Frame& frame;
    const Biases& shown;
    const Biases* b;  // drawn over it, head by head
    bool steps;
    canvas::Axis x, y;
    Rect area;

    ui::Colour colour(std::size_t head) const {
        const std::size_t last = shown.heads.size() - 1;
        return ui::pair_colour(frame.theme,
                               last > 0 ? static_cast<double>(head) / static_cast<double>(last) : 0.0);
    }
    void curve(const Biases& of, std::size_t head, Stroke stroke) const {
        std::vector<Point>& points = frame.derived.points();
        points.clear();
        const double half = of.at.size() > 1 ? 0.5 * (of.at[1] - of.at[0]) : 0.5;
        for (std::size_t i = 0; i < of.at.size(); ++i) {
            const double value = of.heads[head][i];
            if (!std::isfinite(value)) continue;
            if (steps) points.push_back({x(of.at[i] - half), y(value)});
            points.push_back({x(of.at[i] + (steps ? half : 0.0)), y(value)});
        }
        if (points.size() > 1) frame.canvas.polyline(points, stroke);
        else if (points.size() == 1) frame.canvas.disc(points.front(), 2.5F, stroke.colour);
    }
};

// Of all heads on one axis; the nearest to the mouse is told and can be chosen.
void draw_overlay(Frame& f, Rect area, Plot plot, std::int64_t chosen) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Biases& made = plot.shown;
    const bool named = made.heads.size() <= 16 && area.width() > 300.0F;
    const float names = !named ? 0.0F : f.scene.encoding.kind == "kerple" ? 128.0F : 72.0F;
    plot.area = {area.x0 + 54.0F, area.y0 + 24.0F, area.x1 - 10.0F - names, area.y1 - 42.0F};
    if (plot.area.width() < 50.0F || plot.area.height() < 40.0F) return;
    plot.x.at_from = plot.area.x0, plot.x.at_to = plot.area.x1;
    plot.y.at_from = plot.area.y1, plot.y.at_to = plot.area.y0;
    canvas::frame_plot(c, f.theme, s, plot.area, plot.x, plot.y, f.text("scores.distance"),
                       f.text("biases.axis"), plot.x.from < 0.0);
    const auto current = static_cast<std::size_t>(chosen);
    {
        const canvas::Clip clip(c, plot.area.grown(1.0F));
        for (std::size_t h = 0; h < made.heads.size(); ++h)
            plot.curve(made, h, {plot.colour(h), h == current ? 2.6F : 1.3F});
        if (plot.b != nullptr && current < plot.b->heads.size())
            plot.curve(*plot.b, current, {f.theme.ink_soft, 1.4F, 3.0F});
    }
    if (named) {  // at their right ends, kept apart
        std::array<std::pair<float, std::size_t>, 16> ends{};
        const std::size_t count = made.heads.size();
        for (std::size_t h = 0; h < count; ++h) {
            const double end = made.heads[h].back();
            ends[h] = {
                std::clamp(std::isfinite(end) ? plot.y(end) : plot.area.y1, plot.area.y0, plot.area.y1), h};
        }
        std::sort(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(count));
        const float apart = std::min(15.0F, (plot.area.height() + 12.0F) / static_cast<float>(count));
        float bottom = plot.area.y1 + 6.0F;
        for (std::size_t i = 1; i < count; ++i)
            ends[i].first = std::max(ends[i].first, ends[i - 1].first + apart);
        for (std::size_t i = count; i-- > 0;) {
            ends[i].first = std::min(ends[i].first, bottom);
            bottom = ends[i].first - apart;
        }
        if (apart > 11.0F)
            for (const auto& [y, h] : std::span(ends).first(count)) {
                const std::string_view of = plot.frame.other != nullptr && plot.frame.other->difference
                                                ? std::string_view()
                                                : slope(f, made, static_cast<std::int64_t>(h));
                c.disc({plot.area.x1 + 10.0F, y}, 3.5F, plot.colour(h));
                c.text({plot.area.x1 + 18.0F, y + 4.0F},
                       of.empty() ? f.format("biases.head", fmt::arg("head", h)) : of,
                       {h == current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                        h == current ? Face::strong : Face::text});
            }
    }
    // The offset: a rule that can be dragged.
    const float at = plot.x(static_cast<double>(f.scene.offset));
    const bool in_view = at >= plot.area.x0 - 0.5F && at <= plot.area.x1 + 0.5F;
    if (in_view) c.line({at, plot.area.y0}, {at, plot.area.y1}, {f.theme.offset, 1.2F, 3.0F});
    const Point knob{std::clamp(at, plot.area.x0, plot.area.x1), plot.area.y1};
    if (in_view) c.knob(knob, 5.5F, f.theme.offset, f.theme.tile);
    if (f.drag("offset", f.over(plot.area.grown(8.0F)) && std::abs(f.pointer->at.x - knob.x) < 9.0F, knob,
               Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(),
                   std::llround(plot.x.inverse(std::clamp(f.pointer->at.x, plot.area.x0, plot.area.x1))));
    if (f.link.distance) {
        const float lit = plot.x(static_cast<double>(*f.link.distance));
        if (lit >= plot.area.x0 && lit <= plot.area.x1)
            c.line({lit, plot.area.y0}, {lit, plot.area.y1}, {f.theme.ink_faint, 1.0F});
    }
    if (!f.over(plot.area) || made.at.empty()) return;
    const double wanted = plot.x.inverse(f.pointer->at.x);
    const auto i = static_cast<std::size_t>(
        std::min_element(made.at.begin(), made.at.end(),
                         [&](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); }) -
        made.at.begin());
    std::size_t nearest = 0;
    float gap = 1e9F;
    for (std::size_t h = 0; h < made.heads.size(); ++h)
        if (const float away = std::abs(plot.y(made.heads[h][i]) - f.pointer->at.y); away < gap)
            gap = away, nearest = h;
    f.hovered.distance = static_cast<std::int64_t>(made.at[i]);
    f.tip.formula = f.format("biases.head", fmt::arg("head", nearest));
    f.tip.value = s.format("= {}", ui::significant(s, made.heads[nearest][i], 6));
    f.tip.details[0] =
        f.format("tip.distance", fmt::arg("distance", ui::signed_integer(s, *f.hovered.distance)));
    if (f.clicked(plot.area)) set_head(f.edit(), static_cast<std::int64_t>(nearest));
}

// Each head on its own, all on the scale of the overlay.
void draw_multiples(Frame& f, Rect area, Plot plot, std::int64_t chosen) {
    static constexpr std::array<std::string_view, 4> marks = {"head_0", "head_1", "head_2", "head_3"};
    canvas::Canvas& c = f.canvas;
    const Biases& made = plot.shown;
    const std::size_t count = made.heads.size();
    // Cells about 4 : 3, as large as fit.
    std::size_t columns = 1;
    float best = 0.0F;
    for (std::size_t n = 1; n <= count; ++n) {
        const float width = area.width() / static_cast<float>(n),
                    height = area.height() / static_cast<float>((count + n - 1) / n);
        if (const float size = std::min(width, 1.35F * height); size > best) best = size, columns = n;
    }
    const std::size_t rows = (count + columns - 1) / columns;
    const float width = area.width() / static_cast<float>(columns),
                height = area.height() / static_cast<float>(rows);
    const float title = height > 44.0F && width > 40.0F ? 17.0F : 0.0F;
    if (width < 10.0F || height - title < 8.0F) return;
    for (std::size_t h = 0; h < count; ++h) {
        const Rect whole{area.x0 + width * static_cast<float>(h % columns),
                         area.y0 + height * static_cast<float>(h / columns),
                         area.x0 + width * static_cast<float>(h % columns + 1),
                         area.y0 + height * static_cast<float>(h / columns + 1)};
        const Rect cell{whole.x0, whole.y0 + title, whole.x1 - 8.0F, whole.y1 - 8.0F};
        if (cell.width() < 6.0F || cell.height() < 6.0F) continue;
        const bool current = static_cast<std::int64_t>(h) == chosen;
        if (title > 0.0F) {
            const std::string_view of = slope(f, made, static_cast<std::int64_t>(h));
            const std::string_view said = of.empty() || made.action->bias == nullptr
                                              ? f.format("biases.head", fmt::arg("head", h))
                                              : f.scratch.format("{} · {}", h, of);
            if (c.text_width(said, Face::text, ui::kSmallSize) <= cell.width())
                c.text({cell.x0, cell.y0 - 4.0F}, said,
                       {current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                        current ? Face::strong : Face::text});
            else
                c.text({cell.x0, cell.y0 - 4.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(h)),
                       {f.theme.ink_soft, ui::kSmallSize, Face::text});
        }
        plot.x.at_from = cell.x0, plot.x.at_to = cell.x1;
        plot.y.at_from = cell.y1, plot.y.at_to = cell.y0;
        c.outline(cell, {current ? f.theme.ink : f.theme.grid, current ? 1.5F : 1.0F});
        const canvas::Clip clip(c, cell);
        c.line({cell.x0, plot.y(0.0)}, {cell.x1, plot.y(0.0)}, {f.theme.grid, 1.0F});
        plot.curve(made, h, {plot.colour(h), 1.6F});
        if (plot.b != nullptr && h < plot.b->heads.size())
            plot.curve(*plot.b, h, {f.theme.ink_soft, 1.0F, 2.0F});
        if (f.marks != nullptr && h < marks.size()) f.marks->push_back({f.figure, marks[h], cell.centre()});
        if (!f.over(whole)) continue;
        f.cursor = Cursor::hand;
        f.tip.value = f.format("biases.head", fmt::arg("head", h));
        if (const std::string_view of = slope(f, made, static_cast<std::int64_t>(h)); !of.empty())
            f.tip.details[0] = of;
        if (f.clicked(whole)) set_head(f.edit(), static_cast<std::int64_t>(h));
    }
}

}  // namespace

bool has_biases(const Scene& scene) {
    static constexpr std::array<std::string_view, 5> kinds = {"alibi", "t5", "kerple", "fire", "sandwich"};
    return std::find(kinds.begin(), kinds.end(), scene.encoding.kind) != kinds.end();
}

std::string_view biases_headline(Frame& f) {
    const Kept<Biases> made = biases(f.scene, f.derived);
    if (!made->action || !made->action->bias) return {};
    ui::Scratch& s = f.scratch;
    const std::int64_t offset = f.scene.offset;
    const std::int64_t distance =
        made->action->by_distance ? offset : std::clamp<std::int64_t>(offset, 0, made->query);
    const auto heads = static_cast<std::int64_t>(made->heads.size());
    const auto [least, most] =
        *f.derived.part<KeptBiases>().at_offset.get({made, distance}, [](const RangeKey& key) {
            Range range{key.of->value(0, key.distance), key.of->value(0, key.distance)};
            for (std::size_t h = 1; h < key.of->heads.size(); ++h) {
                const double value = key.of->value(static_cast<std::int64_t>(h), key.distance);
                range = {std::min(range.least, value), std::max(range.most, value)};
            }
            return range;
        });
    return f.format(heads == 1 ? "biases.headline_one" : "biases.headline", fmt::arg("heads", heads),
                    fmt::arg("distance", ui::signed_integer(s, distance)),
                    fmt::arg("least", ui::significant(s, least, 4)),
                    fmt::arg("most", ui::significant(s, most, 4)));
}

void draw_biases(Frame& f, Rect area) {
    const Kept<Biases> made = biases(f.scene, f.derived);
    if (!made->action) return explain_absence(f, area, made->action.error());
    if (area.width() < 60.0F || area.height() < 50.0F || made->heads.empty()) return;
    Kept<Biases> of_b =
        f.other != nullptr && has_biases(f.other->scene) ? biases(f.other->scene, f.other->derived) : nullptr;
    if (of_b != nullptr && (!of_b->action || of_b->at != made->at)) of_b = nullptr;
    const bool difference = of_b != nullptr && f.other->difference;
    const Kept<Biases> shown =
        difference ? f.derived.part<KeptBiases>().less.get(
                         {made, of_b}, [](const LessKey& key) { return less(*key.a, *key.b); })
                   : made;
    if (difference) of_b = nullptr;
    double least = shown->least, most = shown->most;
    if (of_b != nullptr) least = std::min(least, of_b->least), most = std::max(most, of_b->most);
    const double margin = std::max({0.05 * (most - least), 1e-9, 1e-3 * std::abs(least)});
    const double last = shown->at.empty() ? 1.0 : shown->at.back(),
                 first = shown->at.empty() ? 0.0 : shown->at.front();
    const Plot plot{f,
                    *shown,
                    of_b.get(),
                    stepped(f.scene.encoding.kind),
                    {first, last > first ? last : first + 1.0},
                    {least - margin, most + margin},
                    {}};
    if (static_cast<std::int64_t>(shown->heads.size()) < f.scene.num_heads && area.height() > 120.0F)
        f.canvas.text({area.x0, area.cut_bottom(16.0F).y1 - 3.0F},
                      f.format("biases.first_heads", fmt::arg("shown", shown->heads.size()),
                               fmt::arg("heads", f.scene.num_heads)),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text});
    const std::int64_t chosen =
        std::min<std::int64_t>(shown_head(f.scene), static_cast<std::int64_t>(shown->heads.size()) - 1);
    if (f.other != nullptr && of_b == nullptr && !difference)
        f.canvas.text({area.x1, area.y0 + 12.0F}, f.text("scores.only_a"),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    if (shown->heads.size() == 1) return draw_overlay(f, area, plot, chosen);
    if (area.width() > 1.5F * area.height() && area.width() > 420.0F) {
        const Rect left = area.cut_left(0.56F * area.width());
        area.cut_left(14.0F);
        area.cut_top(6.0F);
        area.cut_bottom(18.0F);
        draw_overlay(f, left, plot, chosen);
        return draw_multiples(f, area, plot, chosen);
    }
    const Rect top = area.height() > 220.0F ? area.cut_top(0.6F * area.height()) : Rect{};
    if (!top.empty()) draw_overlay(f, top, plot, chosen);
    draw_multiples(f, area, plot, chosen);
}

}  // namespace posiscope::figures::scores
