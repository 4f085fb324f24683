// terms.cpp — the terms of position in a logit: (x + p)·(x′ + p′) as four matrices and their sum, query by key, on one
// scale. core/attention/expansion.hpp defines them for encodings that add nothing to the input.
// Added or concatenated, with or without W; input.cpp shows what is added to what. The words are those of Attention; seeded
// content has its own rows. Right of a curtain B's cells.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/terms/input_values.hpp"
#include "app/figures/terms/values.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures {
namespace {

using canvas::Align;
using ui::Face;
using namespace terms;

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> all = {"added", "concatenated", "input"};
    if (encoding_of(scene).acts != Acts::input) return std::span(all).first(1);
    return std::span(all).first(encodes_nothing(scene) ? 2 : 3);  // nothing is added: no strips
}

bool is_little(double share) { return std::abs(share) < 0.0005; }  // 0.0%

std::string_view percent(Frame& f, double share) {
    const double value = is_little(share) ? 0.0 : 100.0 * share;  // without a sign
    return f.scratch.format("{}%", ui::fixed(f.scratch, value, std::abs(value) < 9.95 ? 1 : 0));
}

std::string_view headline(Frame& f) {
    if (f.mode == "input") return terms::input_headline(f);
    const Shown& kept = shown_terms(f, f.scene, f.derived);
    const Terms& t = kept.terms;
    if (t.problem || t.empty()) return {};
    if (const Terms* between = difference(f, kept)) {
        if (between->problem) return {};
        double most = 0.0;
        for (const double value : between->sum().values) most = std::max(most, std::abs(value));
        if (most == 0.0) return f.text("terms.headline_difference_none");
        return f.format("terms.headline_difference", fmt::arg("value", ui::significant(f.scratch, most, 3)));
    }
    if (t.variance == 0.0) return f.text("terms.headline_flat");
    const auto share = [&](std::size_t term) { return percent(f, t.terms[term].share); };
    if (f.mode == "concatenated")
        return f.format("terms.headline_concatenated", fmt::arg("width", ui::integer(f.scratch, t.width)),
                        fmt::arg("share", share(1)));
    const bool cross = !t.terms[1].zero || !t.terms[2].zero, bias = !t.terms[3].zero;
    if (!cross && !bias)
        return encoding_of(f.scene).acts == Acts::query_key
                   ? f.format("terms.headline_turned",
                              fmt::arg("encoding", encoding_name(f, f.scene.encoding.kind)))
                   : f.text("terms.headline_none");
    if (is_little(t.position_share())) return f.text("terms.headline_little");
    if (!cross)
        return f.format(t.terms[3].share < 0.0 ? "terms.headline_bias_against" : "terms.headline_bias",
                        fmt::arg("encoding", encoding_name(f, f.scene.encoding.kind)),
                        fmt::arg("share", share(3)));
    if (t.position_share() < 0.0 || t.terms[0].share < 0.0)
        return f.format("terms.headline_against", fmt::arg("share", percent(f, t.position_share())),
                        fmt::arg("content", share(0)));
    return f.format("terms.headline", fmt::arg("share", percent(f, t.position_share())),
                    fmt::arg("position", share(3)));
}

// ---- Drawing ---------------------------------------------------------------------------------------------------

constexpr float kFormula = 15.5F, kSmallest = 8.0F;  // of the formulas over the squares
constexpr double kFaint = 0.2;                       // of the scale

struct View {
    Frame& frame;
    const Shown& kept;
    const Terms& terms;
    const Terms* b;  // right of the curtain
    bool seeded_w;
    double range;
    std::optional<cells::Cell> under = {};
    std::size_t under_term = 0;
    bool under_b = false;
};

// Only what is added to the words' vectors is projected with them; other encodings have their own terms.
std::string_view written_as(const View& v, const Term& term) {
    if (term.id == "sum") return "";
    if (term.id != "content_content" && encoding_of(v.frame.scene).acts != Acts::input) return "_own";
    return v.seeded_w ? "_w" : "";
}

void draw_tile(View& v, Rect area, std::size_t which, bool words_left) {
    static constexpr std::array<std::string_view, 5> handles = {"cell_1", "cell_2", "cell_3", "cell_4",
                                                                "cell_5"},
                                                     curtains = {"curtain_1", "curtain_2", "curtain_3",
                                                                 "curtain_4", "curtain_5"};
    Frame& f = v.frame;
    const Term& term = v.terms.terms[which];
    const Rect title = area.cut_top(22.0F);
    const std::string_view formula =
        f.text(f.scratch.format("terms.{}.formula{}", term.id, written_as(v, term)));
    // In a small tile the formulas shrink with their squares rather than run into each other.
    const float wide = ui::lay_out(formula, kFormula, f.canvas).width;
    const float size = wide > title.width() ? kFormula * title.width() / wide : kFormula;
    const float used =
        size < kSmallest ? 0.0F : f.canvas.formula({title.x0, title.y0 + 15.0F}, formula, size, f.theme.ink);
    const bool sum = &term == &v.terms.sum();
    const Term* of_b = v.b != nullptr ? &v.b->terms[which] : nullptr;
    const auto share_of = [&](const Terms& of) {
        const Term& one = of.terms[which];
        return one.zero             ? std::string_view("0")
               : of.variance == 0.0 ? std::string_view("–")
                                    : percent(f, one.share);
    };
    // A term that its colours hardly show says how large it is.
    const bool faint = !term.zero && term.largest < kFaint * v.range;
    const std::string_view said =
        sum ? f.text("terms.sum.name")
        : of_b == nullptr && faint
            ? f.scratch.format("{} · ≤ {}", share_of(v.terms), ui::significant(f.scratch, term.largest, 2))
        : of_b == nullptr ? share_of(v.terms)
                          : f.scratch.format("{} | {}", share_of(v.terms), share_of(*v.b));
    if (used + small_width(f, said) + 8.0F < title.width())
        f.canvas.text({title.x1, title.y0 + 15.0F}, said, small(f, Align::right));
    const auto matrix = [&](const Terms& of, const Term& one) {
        return cells::Cells{area,
                            of.rows(),
                            of.columns(),
                            one.values,
                            v.range,
                            cells::Colours::signed_values,
                            of.queries.first,
                            of.keys.first};
    };
    const cells::Cells cells = matrix(v.terms, term);
    if (term.zero && (of_b == nullptr || of_b->zero))
        f.canvas.outline(area, {f.theme.border, 1.0F});  // its title says 0 for all of them
    else cells::draw(f, cells);
    if (of_b != nullptr) {
        const Rect right{curtain::edge_of(f, area, cells.columns), area.y0, area.x1, area.y1};
        if (!term.zero || !of_b->zero) {
            const canvas::Clip clip(f.canvas, right);
            f.canvas.fill(area, f.theme.tile);
            cells::draw(f, matrix(*v.b, *of_b));
        }
        curtain::draw_edge(f, area, false, cells.columns);
        curtain::drag(f, area, curtains[which], cells.columns);
    }
    if (const auto under = cells::link(f, cells, handles[which])) {
        v.under = under;
        v.under_term = which;
        v.under_b = of_b != nullptr && curtain::over_b(f, area, cells.columns);
    }
    if (v.kept.words.empty()) return cells::number(f, cells, words_left, true);
    if (!words_left || cells.side() < 14.0F) return;
    for (std::size_t i = 0; i < v.kept.words.size(); ++i)
        f.canvas.text({area.x0 - 6.0F, cells.cell(i, 0).centre().y + 4.5F},
                      cells::shortened(f, v.kept.words[i], Face::text, ui::kSmallSize, 54.0F),
                      small(f, Align::right));
}

// "x_3 · p_7 = 0.37", and the sum with its numbers.
void tell(View& v) {
    if (!v.under) return;
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const Terms& terms = v.under_b ? *v.b : v.terms;
    const std::size_t index = v.under->query * terms.columns() + v.under->key;
    const std::int64_t i = terms.queries.first + static_cast<std::int64_t>(v.under->query),
                       j = terms.keys.first + static_cast<std::int64_t>(v.under->key);
    const Term& term = terms.terms[v.under_term];
    f.tip.formula = f.format(s.format("terms.{}.cell{}", term.id, written_as(v, term)), fmt::arg("i", i),
                             fmt::arg("j", j));
    f.tip.value = s.format("= {}", ui::significant(s, term.values[index], 5));
    std::string_view sum;
    for (std::size_t t = 0; t + 1 < terms.terms.size(); ++t) {
        const double value = terms.terms[t].values[index];
        sum = t == 0 ? ui::significant(s, value, 3)
                     : s.format("{} {} {}", sum, value < 0.0 ? "−" : "+",
                                ui::significant(s, std::abs(value), 3));
    }
    f.tip.details[0] = s.format("{} = {}", sum, ui::significant(s, terms.sum().values[index], 4));
    f.tip.details[1] =
        v.kept.words.empty()
            ? f.format("tip.positions", fmt::arg("query", i), fmt::arg("key", j))
            : f.format("attention.pair", fmt::arg("query", v.kept.words[v.under->query]),
                       fmt::arg("key", v.kept.key_words[v.under->key]), fmt::arg("i", i), fmt::arg("j", j));
    f.tip.details[2] = f.text(s.format("terms.{}.name", term.id));
}

// q and k themselves: there is no W to leave out.
bool is_given(const Scene& scene) { return is_stored(scene.content) || scene.content.kind == "vectors"; }

void draw_choices(Frame& f, Rect& area, bool seeded_w, const Page& queries) {
    if (f.pointer == nullptr || area.height() < 210.0F) return;
    const Rect row = area.cut_top(cells::kButtonHeight + 10.0F);
    float x = row.x0;
    if (modes(f.scene).size() > 1) {
        static constexpr std::array<std::string_view, 2> marks = {"added", "concatenated"};
        const std::array<std::string_view, 2> texts = {f.text("figure.terms.mode.added"),
                                                       f.text("figure.terms.mode.concatenated")};
        if (const auto chosen =
                cells::choices(f, {x, row.y0}, marks, texts, f.mode == "concatenated" ? 1 : 0))
            set_view_value(f.edit(), "terms", "mode", std::string(marks[*chosen]));
        x += cells::choices_width(f, texts) + 16.0F;
    }
    const auto choose_rows = [&] {
        if (row.x1 - x <= 180.0F) return;
        if (const float width = head_choice(f, {x, row.y0}); width > 0.0F) x += width + 16.0F;
        page_choice(f, {x, row.y0}, row.x1 - x, queries);
    };
    if (is_given(f.scene)) {
        choose_rows();
        return;
    }
    static constexpr std::array<std::string_view, 2> marks = {"with_w", "without_w"};
    const std::array<std::string_view, 2> texts = {f.text("terms.with_w"), f.text("terms.without_w")};
    const float width = cells::choices_width(f, texts);
    if (x + width > row.x1) return;
    if (const auto chosen = cells::choices(f, {x, row.y0}, marks, texts, seeded_w ? 0 : 1)) {
        Scene& next = f.edit();
        if (next.content.kind != "seeded") next.content = content_in_words(f, next);
        next.content.parameters["weights"] = *chosen == 0 ? "seeded" : "identity";
    }
    x += width + 16.0F;
    choose_rows();
}

// B's terms, which the curtain shows, or null; where both sides do not lie on each other, that is said.
const Terms* right_of_curtain(Frame& f, Rect& area, const Shown& of_a) {
    if (f.other == nullptr || f.other->difference) return nullptr;
    const auto offered = modes(f.other->scene);
    const bool has_mode = std::ranges::find(offered, f.mode) != offered.end();
    const Shown& of_b = has_mode ? shown_terms(f, f.other->scene, f.other->derived) : of_a;
    const Terms &a = of_a.terms, &b = of_b.terms;
    if (has_mode && !b.problem && b.same_rows(a) && of_b.words == of_a.words &&
        b.terms.size() == a.terms.size())
        return &b;
    const bool kind = !has_mode || b.problem || b.terms.size() != a.terms.size();
    explain_missing_b(f, area, kind ? "compare.curtain_kind" : "compare.curtain_words");
    return nullptr;
}

void draw(Frame& f, Rect area) {
    if (area.width() < 120.0F || area.height() < 80.0F) return;
    if (area.height() > 220.0F) area.cut_top(4.0F);
    if (f.mode == "input") return terms::draw_input(f, area);
    const Shown& kept = shown_terms(f, f.scene, f.derived);
    const Terms* const between = difference(f, kept);
    const Terms& terms = between != nullptr ? *between : kept.terms;
    const bool seeded_w =
        f.scene.content.kind == "equal" || is_given(f.scene) || seeded_weights(f.scene.content);
    draw_choices(f, area, seeded_w, terms.queries);
    if (terms.empty() && !terms.problem) return explain_absence(f, area, "content.no_words");
    if (terms.problem) return explain_absence(f, area, *terms.problem);

    const Terms* const of_b = right_of_curtain(f, area, kept);
    Rect legend = area.cut_bottom(area.height() > 150.0F ? 24.0F : 0.0F);
    // All in a row; or the four in a square and the sum beside them or below: whichever makes them largest.
    const auto count = static_cast<int>(terms.terms.size());
    const bool pair = count == 3;
    constexpr float gap = 22.0F, title = 22.0F;
    const float below = kept.words.empty() ? 20.0F : 8.0F;
    float label = 0.0F;
    for (const std::string& word : kept.words) label = std::max(label, small_width(f, word) + 6.0F);
    label = std::min(label, 60.0F);
    if (kept.words.empty())
        label = std::max(22.0F, small_width(f, ui::integer(f.scratch, terms.queries.end())) + 7.0F);
    int columns = 0, rows = 0;
    float side = 0.0F;
    const auto try_with = [&](int across, int down) {
        const auto wide = static_cast<float>(across), high = static_cast<float>(down);
        const float one = std::min((area.width() - label - gap * (wide - 1.0F)) / wide,
                                   area.height() / high - title - below);
        if (one > side) side = one, columns = across, rows = down;
    };
    try_with(count, 1);
    if (!pair) try_with(3, 2);
    try_with(2, pair ? 2 : 3);
    // The last page of rows or keys may be a smaller one.
    const auto page = static_cast<float>(std::max(terms.queries.size, terms.keys.size));
    side = std::min(side, cells::largest_cell(area) * page);
    if (side < 24.0F) return;
    const float width = side * static_cast<float>(columns) + gap * static_cast<float>(columns - 1),
                height = (side + title + below) * static_cast<float>(rows);
    const Point corner{area.x0 + label + 0.5F * (area.width() - label - width),
                       area.y0 + 0.3F * std::max(0.0F, area.height() - height)};
    View v{f,    kept,     terms,
           of_b, seeded_w, of_b != nullptr ? std::max(terms.range, of_b->range) : terms.range};
    const int together = pair || columns == count ? columns : 2;  // in a row, but for the sum
    for (int t = 0; t < count; ++t) {
        const bool sum = t == count - 1, apart = sum && !pair && columns != count;
        int column = t % together, row = t / together;
        if (apart) column = columns == 3 ? 2 : 0, row = columns == 3 ? 0 : 2;
        Point at{corner.x + (side + gap) * static_cast<float>(column),
                 corner.y + (side + title + below) * static_cast<float>(row)};
        if (apart && columns == 3) at.y = corner.y + 0.5F * (height - side - title - below);
        // The sign that joins it to what is before it; of a row's first one in the middle above it.
        if (t > 0)
            f.canvas.formula(column > 0 ? Point{at.x - 0.5F * gap, at.y + title + 0.5F * side + 5.0F}
                                        : Point{at.x + side + 0.5F * gap, at.y + 14.0F},
                             sum ? "=" : "+", kFormula, f.theme.ink_soft, Align::centre);
        draw_tile(v,
                  {at.x, at.y, at.x + side / page * static_cast<float>(terms.columns()),
                   at.y + title + side / page * static_cast<float>(terms.rows())},
                  static_cast<std::size_t>(t), column == 0);
    }
    tell(v);

    const auto number = [&](std::int64_t value) { return ui::integer(f.scratch, value); };
    const std::string_view note = terms.queries.whole()
                                      ? f.text("terms.axes")
                                      : f.format("terms.page", fmt::arg("first", number(terms.queries.first)),
                                                 fmt::arg("last", number(terms.queries.end() - 1)),
                                                 fmt::arg("all", number(terms.queries.all)),
                                                 fmt::arg("first_key", number(terms.keys.first)),
                                                 fmt::arg("last_key", number(terms.keys.end() - 1)));
    cells::draw_legend(f, legend, note, f.text("terms.scale"), -v.range, v.range,
                       cells::Colours::signed_values);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 2> names = {"expansion", "table"};
    return std::span(names).subspan(mode == "input" ? 1 : 0, 1);
}

}  // namespace

extern const Figure kTerms{
    .id = "terms",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = numbers,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures
