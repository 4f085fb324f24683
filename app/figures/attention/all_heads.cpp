// all_heads.cpp — every head's attention over all rows, small, the most local head first; a click opens one.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "core/attention/means.hpp"
#include "core/attention/placed.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::attention {
namespace {

using ui::Face;

constexpr double kWorkOfAll = 1e9;      // some second, in the background
constexpr std::size_t kMostHeads = 64;  // side by side; of more the most local ones
constexpr std::int64_t kMostPixels = 64;

struct ThumbnailsKey {
    Kept<TokenInput> input;
    Kept<LocalHeads> heads;
    bool operator==(const ThumbnailsKey&) const = default;
};
struct Thumbnail {
    std::vector<float> values;
    double range = 1.0;
    std::uint64_t key = 0;
};
struct Thumbnails {
    std::optional<Problem> problem;
    std::vector<Thumbnail> heads;  // in the order of the ranking
    int side = 1;                  // pixels
    std::int64_t every = 1;        // rows that are sampled
};
struct KeptThumbnails {
    Slow<ThumbnailsKey, Thumbnails> made;
    Kept<Thumbnails> shown;
    Kept<Thumbnails> enlarged_of;  // of these and so many pixels
    int pixels = 0;
    std::vector<Thumbnail> enlarged;
};

Thumbnails thumbnails_of(const ThumbnailsKey& of) {
    Thumbnails made;
    const Locality& heads = of.heads->heads;
    const std::int64_t n = attended_tokens(*of.input).length;
    made.side = static_cast<int>(std::min(n, kMostPixels));
    const Range all{0, 0.0, static_cast<double>(n)};
    const std::size_t count = std::min(heads.ranked.size(), kMostHeads);
    for (std::size_t r = 0; r < count; ++r) {
        auto means = attention_means(*of.input, {heads.ranked[r], all, all, made.side, made.side},
                                     kWorkOfAll / static_cast<double>(count));
        if (!means) {
            made.problem = means.error();
            return made;
        }
        made.every = std::max(made.every, means->every);
        const std::uint64_t key = canvas::samples_key(means->values);
        made.heads.push_back({std::move(means->values), means->usual > 0.0 ? means->usual : 1.0, key});
    }
    return made;
}

// A window copies images pixel by pixel, so each has the pixels that it is drawn with: means of those under them.
void enlarge_thumbnails(KeptThumbnails& kept, int pixels) {
    if (kept.enlarged_of == kept.shown && kept.pixels == pixels) return;
    kept.enlarged_of = kept.shown;
    kept.pixels = pixels;
    const int side = kept.shown->side;
    const auto from = [&](int at) { return at * side / pixels; };
    kept.enlarged.resize(kept.shown->heads.size());
    for (std::size_t head = 0; head < kept.enlarged.size(); ++head) {
        const Thumbnail& small = kept.shown->heads[head];
        Thumbnail& large = kept.enlarged[head];
        large.range = small.range;
        large.values.clear();
        for (int y = 0; y < pixels; ++y)
            for (int x = 0; x < pixels; ++x) {
                float sum = 0.0F;
                int count = 0;
                for (int row = from(y); row < std::max(from(y + 1), from(y) + 1); ++row)
                    for (int column = from(x); column < std::max(from(x + 1), from(x) + 1); ++column, ++count)
                        sum += small.values[static_cast<std::size_t>(row * side + column)];
                large.values.push_back(sum / static_cast<float>(count));
            }
        large.key = canvas::samples_key(large.values);
    }
}

void draw_head(Frame& f, Rect rect, int place, const Thumbnail& head, int side) {
    f.canvas.heatmap(place, rect,
                     {view_of_samples(f.theme, side, side, head.range), {.samples = head.values}, head.key});
}

// The side of squares, so many to a row, that fit under a line of text each.
float side_of(Rect area, int columns, int count, float line) {
    const auto rows = static_cast<float>((count + columns - 1) / columns);
    return std::min((area.width() - 10.0F * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                    (area.height() - line * rows) / rows);
}

}  // namespace

void draw_all_heads(Frame& f, Rect area) {
    if (f.other != nullptr) explain_missing_b(f, area, "compare.all_heads");
    const Kept<LocalHeads> ranked = local_heads(f.scene, f.derived);
    if (ranked == nullptr) return explain_absence(f, area, being_made());
    if (ranked->problem) return explain_absence(f, area, *ranked->problem);
    KeptThumbnails& kept = f.derived.part<KeptThumbnails>();
    kept.shown = kept.made.get(f.derived.background(), {token_input(f.scene, f.derived), ranked},
                               [](const ThumbnailsKey& key) { return thumbnails_of(key); });
    if (kept.shown == nullptr) return explain_absence(f, area, being_made());
    const Thumbnails& made = *kept.shown;
    if (made.problem) return explain_absence(f, area, *made.problem);
    ui::Scratch& s = f.scratch;
    Rect legend = area.cut_bottom(area.height() > 150.0F ? 24.0F : 0.0F);
    const auto count = static_cast<int>(made.heads.size());
    constexpr float kLine = 18.0F;
    int columns = 1;
    for (int more = 2; more <= count; ++more)
        if (side_of(area, more, count, kLine) > side_of(area, columns, count, kLine)) columns = more;
    const float side = std::floor(std::min(side_of(area, columns, count, kLine), 320.0F));
    if (side < 8.0F) return;
    const float scale = f.canvas.pixels_per_point();
    const int pixels = static_cast<int>(std::lround(side * scale));
    enlarge_thumbnails(kept, pixels);
    const auto whole = [&](float at) { return std::round(at * scale) / scale; };
    const float left = area.x0 + 0.5F * (area.width() - (side + 10.0F) * static_cast<float>(columns) + 10.0F);
    const std::int64_t open = shown_head(f.scene);
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t head = ranked->heads.ranked[at];
        const float x = left + (side + 10.0F) * static_cast<float>(i % columns),
                    y = area.y0 + (side + kLine) * static_cast<float>(i / columns) + kLine;
        const float drawn = static_cast<float>(pixels) / scale;
        const Rect rect{whole(x), whole(y), whole(x) + drawn, whole(y) + drawn};
        draw_head(f, rect, i, kept.enlarged[at], pixels);
        const bool lit = head == open && marked(f);
        f.canvas.outline(rect, {lit ? f.theme.ink : f.theme.border, lit ? 1.5F : 1.0F});
        const std::string_view long_name = f.format("biases.head", fmt::arg("head", head)),
                               name = small_width(f, long_name) <= side ? long_name : ui::integer(s, head);
        f.canvas.text(
            {x, y - 5.0F}, name,
            {lit ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize, lit ? Face::strong : Face::text});
        if (f.marks != nullptr && i == 0) f.marks->push_back({f.figure, "head", rect.centre()});
        if (cells::pressed(f, s.format("head{}", head), rect)) {
            set_head(f.edit(), head);
            set_view_value(f.edit(), "attention", "mode", "weights");
        }
        if (!f.over(rect)) continue;
        f.cursor = Cursor::hand;
        f.tip.beside = rect;
        f.tip.value = long_name;
        f.tip.details[0] =
            f.format("attention.head_distance",
                     fmt::arg("distance",
                              ui::significant(s, ranked->heads.distance[static_cast<std::size_t>(head)], 3)));
    }
    if (legend.height() < 10.0F) return;
    for (const std::string_view key :
         {"attention.thumbnails_sampled", "attention.thumbnails", "attention.thumbnails_short"}) {
        if (key == (made.every == 1 ? "attention.thumbnails_sampled" : "attention.thumbnails")) continue;
        const std::string_view note = f.format(
            key, fmt::arg("shown", ui::integer(s, count)),
            fmt::arg("heads", ui::integer(s, static_cast<std::int64_t>(ranked->heads.ranked.size()))),
            fmt::arg("every", ui::integer(s, made.every)));
        if (small_width(f, note) > legend.width()) continue;
        f.canvas.text({legend.x0, legend.y1 - 5.5F}, note, small(f));
        return;
    }
}

}  // namespace posiscope::figures::attention
