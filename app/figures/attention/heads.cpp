// heads.cpp — every head's weights by distance, the most local head first.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "core/attention/locality.hpp"

namespace posiscope::figures::attention {
namespace {

using canvas::Align;
using ui::Face;

constexpr double kWork = 2e9;  // some two seconds, in the background

struct LocalKey {
    Kept<TokenInput> input;
    bool operator==(const LocalKey&) const = default;
};
struct Local {
    Slow<LocalKey, LocalHeads> heads;
};

LocalHeads made_of(const LocalKey& key) {
    auto heads = locality(*key.input, kWork);
    if (!heads) return {heads.error(), {}};
    return {std::nullopt, std::move(*heads)};
}

// "0", "2–3", "256–511".
std::string_view bin_name(ui::Scratch& s, const Locality& heads, std::size_t bin) {
    const std::int64_t first = heads.first[bin],
                       last = bin + 1 < heads.bins() ? heads.first[bin + 1] - 1 : first;
    if (bin + 1 == heads.bins() && bin > 1) return s.format("≥ {}", ui::integer(s, first));
    return last > first ? s.format("{}–{}", ui::integer(s, first), ui::integer(s, last))
                        : ui::integer(s, first);
}

std::string_view positions(ui::Scratch& s, double value) { return ui::significant(s, value, 3); }

}  // namespace

Kept<LocalHeads> local_heads(const Scene& scene, Derived& derived) {
    return derived.part<Local>().heads.get(derived.background(), {token_input(scene, derived)},
                                           [](const LocalKey& key) { return made_of(key); });
}

// How far back the head looks: Σ a_ij |i − j|, the mean over the queries shown that are no pads.
std::string_view stored_headline(Frame& f, const Sentence& s) {
    double distance = 0.0, queries = 0.0;
    for (std::size_t i = 0; i < s.distance.size(); ++i) {
        if (s.ids && s.ids->pad(s.queries.first + static_cast<std::int64_t>(i))) continue;
        distance += s.distance[i];
        queries += 1.0;
    }
    distance /= std::max(queries, 1.0);
    return f.format("attention.headline_stored", fmt::arg("head", s.head),
                    fmt::arg("heads", f.scene.num_heads),
                    fmt::arg("distance", ui::significant(f.scratch, distance, 3)),
                    fmt::arg("first", ui::integer(f.scratch, s.queries.first)),
                    fmt::arg("last", ui::integer(f.scratch, s.queries.end() - 1)));
}

std::string_view heads_headline(Frame& f) {
    const Kept<LocalHeads> made = local_heads(f.scene, f.derived);
    if (made == nullptr || made->problem || made->heads.ranked.empty()) return {};
    const Locality& heads = made->heads;
    const auto at = [&](std::int64_t head) {
        return positions(f.scratch, heads.distance[static_cast<std::size_t>(head)]);
    };
    if (heads.ranked.size() == 1) return f.format("attention.headline_one_head", fmt::arg("distance", at(0)));
    const std::string_view near = at(heads.ranked.front()), far = at(heads.ranked.back());
    return f.format(near == far ? "attention.headline_heads_same" : "attention.headline_heads",
                    fmt::arg("least", heads.ranked.front()), fmt::arg("near", near),
                    fmt::arg("most", heads.ranked.back()), fmt::arg("far", far));
}

void draw_heads(Frame& f, Rect area) {
    const Kept<LocalHeads> made = local_heads(f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    const Kept<LocalHeads> of_b =
        f.other != nullptr ? local_heads(f.other->scene, f.other->derived) : nullptr;
    const Locality& heads = made->heads;
    const Locality* b = of_b != nullptr && !of_b->problem ? &of_b->heads : nullptr;
    ui::Scratch& s = f.scratch;
    canvas::Canvas& c = f.canvas;

    Rect legend = area.cut_bottom(area.height() > 150.0F ? 24.0F : 0.0F);
    const Rect names = area.cut_top(area.height() > 100.0F ? 20.0F : 0.0F);
    const auto rows = static_cast<float>(heads.ranked.size()), bins = static_cast<float>(heads.bins());
    const float high = std::min(28.0F, area.height() / rows);
    const bool words = high >= 11.0F;
    const float size = std::min(ui::kSmallSize, high - 1.0F);
    const float label =
        words ? c.text_width(f.format("biases.head", fmt::arg("head", f.scene.num_heads)), Face::text, size) +
                    10.0F
              : 0.0F;
    const float said = words && area.width() > 260.0F ? (b != nullptr ? 116.0F : 62.0F) : 0.0F;
    const float wide = (area.width() - label - said) / bins;
    if (wide < 3.0F || high < 1.0F) return;

    for (std::size_t bin = 0; bin < heads.bins(); ++bin) {
        const float x = area.x0 + label + wide * (static_cast<float>(bin) + 0.5F);
        const std::string_view name = bin_name(s, heads, bin);
        if (names.height() > 0.0F && small_width(f, name) < wide - 4.0F)
            c.text({x, names.y1 - 6.0F}, name, small(f, Align::centre));
    }
    if (said > 0.0F && names.height() > 0.0F)
        c.text({area.x1, names.y1 - 6.0F}, b != nullptr ? "⟨Δ⟩  A · B" : "⟨Δ⟩", small(f, Align::right));
    const std::int64_t shown = shown_head(f.scene);
    for (std::size_t r = 0; r < heads.ranked.size(); ++r) {
        const std::int64_t head = heads.ranked[r];
        const auto at = static_cast<std::size_t>(head);
        const float y = area.y0 + high * static_cast<float>(r), gap = high > 6.0F ? 1.0F : 0.0F;
        const Rect row{area.x0, y, area.x1, y + high};
        if (words)
            c.text({area.x0 + label - 8.0F, row.centre().y + 0.35F * size},
                   f.format("biases.head", fmt::arg("head", head)),
                   {head == shown ? f.theme.ink : f.theme.ink_soft, size,
                    head == shown ? Face::strong : Face::text, Align::right});
        for (std::size_t bin = 0; bin < heads.bins(); ++bin) {
            const float x = area.x0 + label + wide * static_cast<float>(bin);
            const Rect cell{x, y, x + wide - gap, y + high - gap};
            const double weight = heads.weights[at * heads.bins() + bin];
            c.fill(cell, cells::colour_of(f.theme, weight, 1.0, cells::Colours::shares));
            if (!f.over({x, y, x + wide, y + high})) continue;
            f.tip.value = s.format("= {}", ui::significant(s, weight, 4));
            f.tip.details[0] = f.format("attention.head_bin", fmt::arg("head", head),
                                        fmt::arg("distances", bin_name(s, heads, bin)));
            f.tip.details[1] =
                f.format("attention.head_distance", fmt::arg("distance", positions(s, heads.distance[at])));
        }
        if (head == shown && high > 6.0F)
            c.outline({area.x0 + label, y, area.x1 - said, y + high - gap}, {f.theme.ink, 1.0F});
        if (said > 0.0F) {
            const std::string_view own = positions(s, heads.distance[at]);
            c.text({area.x1, row.centre().y + 0.35F * size},
                   b != nullptr && at < b->distance.size()
                       ? s.format("{} · {}", own, positions(s, b->distance[at]))
                       : own,
                   {f.theme.ink, size, Face::text, Align::right});
        }
        if (cells::pressed(f, s.format("head{}", head), row)) set_head(f.edit(), head);
    }
    const std::string_view note =
        heads.every > 1 ? f.format("attention.heads_sampled", fmt::arg("every", ui::integer(s, heads.every)))
                        : f.text("attention.heads_all");
    cells::draw_legend(f, legend, note, f.text("figure.attention.mode.weights"), 0.0, 1.0,
                       cells::Colours::shares);
}

}  // namespace posiscope::figures::attention
