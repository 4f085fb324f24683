// attention.cpp — attention from every query to every key, in one head: the diagonals are not constant, so the values are
// computed for the view (core/attention/means.hpp), and again when it moves.
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/text.hpp"

#include "core/attention/means.hpp"
#include "core/scene/content.hpp"

namespace posiscope::figures::matrix {
namespace {

struct AttentionKey {
    Kept<TokenInput> input;
    AttentionView view;
    double exact_work;
    bool operator==(const AttentionKey&) const = default;
};
struct AttentionTable {
    Result<AttentionMeans> made;
    std::uint64_t samples_key = 0;
};
struct Attended {
    Slow<AttentionKey, AttentionTable> means;
    Kept<AttentionTable> shown;  // what the frame shows, and of which view
    AttentionView view;
};

AttentionTable attention_of(const AttentionKey& key, double units) {
    if (auto problem = too_wide(*key.input)) return AttentionTable{tl::unexpected(std::move(*problem))};
    AttentionTable made{attention_means(*key.input, key.view, units)};
    if (made.made) made.samples_key = canvas::samples_key(made.made->values);
    return made;
}

AttentionView view_of(const View& v) {
    const canvas::HeatmapView p = sampled(v, kMostSamples);
    return {shown_head(v.frame.scene), p.rows, p.columns, p.width, p.height};
}

}  // namespace

std::int64_t attention_rows(const Scene& scene) { return content_length(scene); }

const Problem* fill_attention(View& v) {
    Frame& f = v.frame;
    Attended& kept = f.derived.part<Attended>();
    kept.view = view_of(v);
    kept.shown = kept.means.get(
        f.derived.background(), {token_input(f.scene, f.derived), kept.view, f.derived.exact_work()},
        [](const AttentionKey& key) { return attention_of(key, key.exact_work); },
        [](const AttentionKey& key) { return attention_of(key, 0.5 * kRoughWork); });
    if (kept.shown == nullptr) return &being_made();
    if (!kept.shown->made) return &kept.shown->made.error();
    const AttentionMeans& made = *kept.shown->made;
    // A few that take nearly all must not leave the rest white.
    v.picture.range = made.usual > 0.0 ? made.usual : 1.0;
    v.beyond_high = made.largest > v.picture.range;
    v.data.samples = made.values;
    v.samples_key = kept.shown->samples_key;
    return nullptr;
}

std::string_view attention_note(const View& v) {
    const Frame& f = v.frame;
    const Attended& kept = f.derived.part<Attended>();
    if (!kept.shown || !kept.shown->made || !(*kept.shown->made).sampled()) return {};
    const std::int64_t every = (*kept.shown->made).every, beyond = (*kept.shown->made).every_beyond;
    const std::string_view key = every == beyond ? "matrix.attention_thinned"
                                 : every > 1     ? "matrix.attention_sampled"
                                                 : "matrix.attention_estimated";
    return f.format(key, fmt::arg("every", ui::integer(f.scratch, every)),
                    fmt::arg("beyond", ui::integer(f.scratch, beyond)));
}

std::string_view attention_headline(Frame& f) {
    // Pads ask for nothing.
    const bool ids = !token_ids(f.scene.view).is_null();
    const std::int64_t length = content_length(f.scene);
    return f.format(ids              ? "matrix.headline_attention_ids"
                    : length == 1    ? "matrix.headline_attention_one"
                    : f.scene.causal ? "matrix.headline_attention_causal"
                                     : "matrix.headline_attention",
                    fmt::arg("head", shown_head(f.scene)),
                    fmt::arg("length", ui::integer(f.scratch, length)));
}

void hover_attention(View& v, std::int64_t row) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const Attended& kept = f.derived.part<Attended>();
    if (!kept.shown || !kept.shown->made) return;
    const AttentionView& view = kept.view;
    const auto column = static_cast<std::int64_t>(std::floor(v.x.inverse(f.pointer->at.x)));
    const auto place = [](float at, float from, float length, int count) {
        return std::clamp(static_cast<int>((at - from) / length * static_cast<float>(count)), 0, count - 1);
    };
    // In the middle of the cell: a sample at its edge has some of the next cell's weight.
    const auto middle = [](std::int64_t cell) { return static_cast<double>(cell) + 0.5; };
    const int x = place(v.x(middle(column)), v.plot.x0, v.plot.width(), view.width),
              y = place(v.y(middle(row)), v.plot.y0, v.plot.height(), view.height);
    const auto value =
        static_cast<double>((*kept.shown->made)
                                .values[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                                        static_cast<std::size_t>(x)]);
    f.hovered.position = row;
    f.hovered.distance = row - column;
    f.tip.formula = s.format("a_{{{}, {}}}", row, column);
    f.tip.value = s.format("= {}", ui::significant(s, value, 4));
    f.tip.details[0] = words_of_distance(f, row - column);
    const double cells = view.rows.length() / view.height * view.columns.length() / view.width;
    if (cells > 1.5)
        f.tip.details[1] = f.format("tip.mean_shares", fmt::arg("cells", ui::significant(s, cells, 2)));
    f.tip.details[2] = attention_note(v);
}

}  // namespace posiscope::figures::matrix
