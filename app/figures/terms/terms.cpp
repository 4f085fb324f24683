// terms.cpp — the terms of position in a logit: (x + p)·(x′ + p′) as four matrices and their sum, query by key, on one
// scale. core/attention/expansion.hpp defines them for encodings that add nothing to the input.
// Added or concatenated, with or without W; input.cpp shows what is added to what. The words are those of Attention; seeded content has its own rows.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/terms/input.hpp"
#include "core/attention/expansion.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::int64_t kMostRows = 64;  // of a seeded content; beyond, the first ones, and the figure says so

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> all = {"added", "concatenated", "input"};
    return std::span(all).first(encoding_of(scene).acts == Acts::input ? 3 : 1);
}

// A term, and its fraction of the logits' variance: Cov(term, logit) / Var(logit). The fractions sum to 1; that of a term
// that works against the others is negative.
struct Term {
    std::string_view id;  // "terms.ID.formula", ".name" in the string tables
    std::vector<double> values;
    double share = 0.0;
    bool zero = true;
};

struct Terms {
    std::vector<Term> terms;  // the last one is the sum of the others
    std::size_t n = 0;
    std::int64_t all_rows = 0;  // more than n: only the first are shown
    std::int64_t width = 0;     // of the vectors, both parts together where they are concatenated
    double range = 0.0, variance = 0.0;
    std::optional<Problem> problem;

    const Term& sum() const { return terms.back(); }
    double position_share() const { return variance > 0.0 ? 1.0 - terms.front().share : 0.0; }
};

double mean(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

void weigh(Terms& made) {
    const Term& sum = made.sum();
    const double middle = mean(sum.values);
    double variance = 0.0, size = 0.0;
    for (const double value : sum.values) {
        variance += (value - middle) * (value - middle);
        size = std::max(size, std::abs(value));
    }
    // Logits that differ by rounding alone are equal.
    made.variance = variance > 1e-20 * size * size * static_cast<double>(sum.values.size()) ? variance : 0.0;
    for (Term& term : made.terms) {
        const double own = mean(term.values);
        double shared = 0.0;
        for (std::size_t i = 0; i < term.values.size(); ++i) {
            shared += (term.values[i] - own) * (sum.values[i] - middle);
            made.range = std::max(made.range, std::abs(term.values[i]));
            term.zero = term.zero && term.values[i] == 0.0;
        }
        term.share = made.variance > 0.0 ? shared / variance : 0.0;
    }
}

std::vector<double> one_head(const std::vector<double>& all, std::int64_t head, std::size_t n) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(head) * n * n);
    return {first, first + static_cast<std::ptrdiff_t>(n * n)};
}

Terms compute(const AttentionInput& scene, std::int64_t head, bool concatenate) {
    Terms made;
    made.n = static_cast<std::size_t>(scene.length);
    made.problem = too_slow(scene);
    if (made.problem) return made;
    const auto add = [&](std::string_view id, const std::vector<double>& all) {
        made.terms.push_back({id, one_head(all, head, made.n), 0.0, true});
    };
    if (concatenate) {
        const auto parts = concatenated(scene);
        if (!parts) {
            made.problem = parts.error();
            return made;
        }
        made.width = parts->width;
        add("content_content", parts->content);
        add("position_position", parts->position);
    } else {
        const auto parts = expansion(scene);
        if (!parts) {
            made.problem = parts.error();
            return made;
        }
        made.width = scene.d_model;
        add("content_content", parts->content_content);
        add("content_position", parts->content_position);
        add("position_content", parts->position_content);
        add("position_position", parts->position_position);
    }
    Term sum{"sum", std::vector<double>(made.n * made.n, 0.0), 0.0, true};
    for (const Term& term : made.terms)
        for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
    made.terms.push_back(std::move(sum));
    weigh(made);
    return made;
}

struct Shown {
    Terms terms;
    std::vector<std::string> words;  // by position; none for a seeded content
};
struct ShownKey {
    Kept<Sentence> sentence;     // or, of a seeded content, which has its own rows,
    Kept<AttentionInput> input;  // what those are
    std::int64_t head;
    bool concatenate;
    bool operator==(const ShownKey&) const = default;
};

Shown shown_from(const ShownKey& key) {
    Shown made;
    AttentionInput scene = key.sentence != nullptr ? key.sentence->scene : *key.input;
    if (key.sentence == nullptr) {
        scene.length = std::min(scene.length, kMostRows);
    } else {
        for (std::size_t i = 0; i < key.sentence->size(); ++i)
            made.words.push_back(key.sentence->at(static_cast<std::int64_t>(i)));
    }
    if (scene.length > 0) made.terms = compute(scene, key.head, key.concatenate);
    made.terms.all_rows = key.sentence == nullptr ? key.input->length : key.sentence->all_rows;
    return made;
}

struct TermsShown {
    Slow<ShownKey, Shown> terms;
    Kept<Shown> shown;
};

const Shown& shown_terms(const Frame& f, const Scene& of, Derived& derived) {
    const bool own_rows = of.content.kind == "seeded";
    // The length of a Scene that is about words is none of theirs.
    const Kept<Sentence> from = own_rows ? nullptr : sentence(f, of, derived);
    const ShownKey key{from, own_rows ? derived.input<AttentionInput>(of) : nullptr, shown_head(of),
                       f.mode == "concatenated"};
    auto& kept = derived.part<TermsShown>();
    kept.shown =
        kept.terms.get(derived.background(), key, [](const ShownKey& wanted) { return shown_from(wanted); });
    if (kept.shown != nullptr) return *kept.shown;
    static const Shown waiting = [] {
        Shown made;
        made.terms.problem = being_made();
        return made;
    }();
    return waiting;
}

struct Difference : Terms {};  // a part of Derived of its own

// B − A, where both have the same rows and terms, else why not; shares are of one logit and so have no difference.
const Terms* difference(const Frame& f, const Shown& of_a) {
    if (f.other == nullptr || !f.other->difference) return nullptr;
    const Shown& of_b = shown_terms(f, f.other->scene, f.other->derived);
    const Terms &a = of_a.terms, &b = of_b.terms;
    Terms& made = f.derived.part<Difference>();
    made.problem = a.problem ? a.problem : b.problem;
    if (!made.problem && (b.n != a.n || of_b.words != of_a.words))
        made.problem = Problem{"terms.difference_rows", {}};
    if (!made.problem && b.terms.size() != a.terms.size())
        made.problem = Problem{"terms.difference_terms", {}};
    if (made.problem) return &made;
    made.terms.resize(a.terms.size());
    made.n = a.n;
    made.all_rows = a.all_rows;
    made.range = 0.0;
    for (std::size_t t = 0; t < a.terms.size(); ++t) {
        Term& term = made.terms[t];
        term.id = a.terms[t].id;
        term.zero = true;
        term.values.resize(a.terms[t].values.size());
        for (std::size_t i = 0; i < term.values.size(); ++i) {
            term.values[i] = b.terms[t].values[i] - a.terms[t].values[i];
            term.zero = term.zero && term.values[i] == 0.0;
            made.range = std::max(made.range, std::abs(term.values[i]));
        }
    }
    return &made;
}

std::string_view percent(Frame& f, double share) {
    const double value = 100.0 * share;
    return f.scratch.format("{}%", ui::fixed(f.scratch, value, std::abs(value) < 9.95 ? 1 : 0));
}

std::string_view encoding_name(Frame& f) {
    return f.text(f.scratch.format("option.encoding.{}.name", f.scene.encoding.kind));
}

std::string_view headline(Frame& f) {
    if (f.mode == "input") return terms::input_headline(f);
    const Shown& kept = shown_terms(f, f.scene, f.derived);
    const Terms& t = kept.terms;
    if (t.problem || t.n == 0) return {};
    if (const Terms* between = difference(f, kept)) {
        if (between->problem) return {};
        double most = 0.0;
        for (const double value : between->sum().values) most = std::max(most, std::abs(value));
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
                   ? f.format("terms.headline_turned", fmt::arg("encoding", encoding_name(f)))
                   : f.text("terms.headline_none");
    if (!cross)
        return f.format("terms.headline_bias", fmt::arg("encoding", encoding_name(f)),
                        fmt::arg("share", share(3)));
    return f.format("terms.headline", fmt::arg("share", percent(f, t.position_share())),
                    fmt::arg("position", share(3)));
}

// ---- Drawing ---------------------------------------------------------------------------------------------------

constexpr float kFormula = 15.5F, kSmallest = 8.0F;  // of the formulas over the squares

struct View {
    Frame& frame;
    const Shown& kept;
    const Terms& terms;
    bool seeded_w;
    std::optional<cells::Cell> under;
    std::size_t under_term = 0;
};

void draw_tile(View& v, Rect area, std::size_t which, bool words_left) {
    static constexpr std::array<std::string_view, 5> handles = {"cell_1", "cell_2", "cell_3", "cell_4",
                                                                "cell_5"};
    Frame& f = v.frame;
    const Term& term = v.terms.terms[which];
    const Rect title = area.cut_top(22.0F);
    const std::string_view formula =
        f.text(f.scratch.format("terms.{}.formula{}", term.id, v.seeded_w && term.id != "sum" ? "_w" : ""));
    // In a small tile the formulas shrink with their squares rather than run into each other.
    const float wide = ui::lay_out(formula, kFormula, f.canvas).width;
    const float size = wide > title.width() ? kFormula * title.width() / wide : kFormula;
    const float used =
        size < kSmallest ? 0.0F : f.canvas.formula({title.x0, title.y0 + 15.0F}, formula, size, f.theme.ink);
    const bool sum = &term == &v.terms.sum();
    const std::string_view said = sum                       ? f.text("terms.sum.name")
                                  : term.zero               ? std::string_view("0")
                                  : v.terms.variance == 0.0 ? std::string_view()
                                                            : percent(f, term.share);
    if (used + f.canvas.text_width(said, Face::text, ui::kSmallSize) + 8.0F < title.width())
        f.canvas.text({title.x1, title.y0 + 15.0F}, said,
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    const cells::Cells cells{area, v.terms.n, term.values, v.terms.range, cells::Colours::signed_values};
    if (term.zero) f.canvas.outline(area, {f.theme.border, 1.0F});  // its title says 0 for all of them
    else cells::draw(f, cells);
    if (const auto under = cells::link(f, cells, handles[which])) {
        v.under = under;
        v.under_term = which;
    }
    if (!words_left || cells.side() < 14.0F) return;
    for (std::size_t i = 0; i < v.kept.words.size(); ++i)
        f.canvas.text({area.x0 - 6.0F, cells.cell(i, 0).centre().y + 4.5F},
                      cells::shortened(f, v.kept.words[i], Face::text, ui::kSmallSize, 54.0F),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
}

// "x_3 · p_7 = 0.37", and the sum with its numbers.
void tell(View& v) {
    if (!v.under) return;
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto [i, j] = *v.under;
    const std::size_t index = i * v.terms.n + j;
    const Term& term = v.terms.terms[v.under_term];
    f.tip.formula = f.format(s.format("terms.{}.cell{}", term.id, v.seeded_w && term.id != "sum" ? "_w" : ""),
                             fmt::arg("i", i), fmt::arg("j", j));
    f.tip.value = s.format("= {}", ui::significant(s, term.values[index], 5));
    std::string_view sum;
    for (std::size_t t = 0; t + 1 < v.terms.terms.size(); ++t) {
        const double value = v.terms.terms[t].values[index];
        sum = t == 0 ? ui::significant(s, value, 3)
                     : s.format("{} {} {}", sum, value < 0.0 ? "−" : "+",
                                ui::significant(s, std::abs(value), 3));
    }
    f.tip.details[0] = s.format("{} = {}", sum, ui::significant(s, v.terms.sum().values[index], 4));
    f.tip.details[1] = v.kept.words.empty()
                           ? f.format("tip.positions", fmt::arg("query", i), fmt::arg("key", j))
                           : f.format("attention.pair", fmt::arg("query", v.kept.words[i]),
                                      fmt::arg("key", v.kept.words[j]), fmt::arg("i", i), fmt::arg("j", j));
    f.tip.details[2] = f.text(s.format("terms.{}.name", term.id));
}

void draw_choices(Frame& f, Rect& area, bool seeded_w) {
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
    if (is_stored(f.scene.content)) {
        if (row.x1 - x > 180.0F) head_choice(f, {x, row.y0});
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
    if (row.x1 - x > 180.0F) head_choice(f, {x, row.y0});
}

void draw(Frame& f, Rect area) {
    if (area.width() < 120.0F || area.height() < 80.0F) return;
    if (area.height() > 220.0F) area.cut_top(4.0F);
    if (f.mode == "input") return terms::draw_input(f, area);
    const Shown& kept = shown_terms(f, f.scene, f.derived);
    const Terms* const between = difference(f, kept);
    const Terms& terms = between != nullptr ? *between : kept.terms;
    const bool seeded_w =
        f.scene.content.kind == "equal" || is_stored(f.scene.content) || seeded_weights(f.scene.content);
    draw_choices(f, area, seeded_w);
    if (terms.n == 0 && !terms.problem) return explain_absence(f, area, "content.no_words");
    if (terms.problem) return explain_absence(f, area, *terms.problem);

    Rect legend = area.cut_bottom(area.height() > 150.0F ? 24.0F : 0.0F);
    // The four in a square and the sum beside them; where it is narrow, below.
    const auto count = static_cast<int>(terms.terms.size());
    const bool pair = count == 3;
    const int columns =
        pair ? (area.width() > 1.6F * area.height() ? 3 : 2) : (area.width() > 0.95F * area.height() ? 3 : 2);
    const int rows = pair ? (columns == 3 ? 1 : 2) : (columns == 3 ? 2 : 3);
    constexpr float gap = 18.0F, title = 22.0F;
    float label = 0.0F;
    for (const std::string& word : kept.words)
        label = std::max(label, f.canvas.text_width(word, Face::text, ui::kSmallSize) + 6.0F);
    label = std::min(label, 60.0F);
    float side =
        std::min((area.width() - label - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                 (area.height() - (title + 8.0F) * static_cast<float>(rows)) / static_cast<float>(rows));
    side = std::min(side, 64.0F * static_cast<float>(terms.n));
    if (side < 24.0F) return;
    const float width = side * static_cast<float>(columns) + gap * static_cast<float>(columns - 1),
                height = (side + title + 8.0F) * static_cast<float>(rows);
    const Point corner{area.x0 + label + 0.5F * (area.width() - label - width),
                       area.y0 + 0.3F * std::max(0.0F, area.height() - height)};
    View v{f, kept, terms, seeded_w, std::nullopt, 0};
    for (int t = 0; t < count; ++t) {
        const bool sum = t == count - 1;
        int column = pair ? t % columns : t % 2, row = pair ? t / columns : t / 2;
        if (!pair && sum) column = columns == 3 ? 2 : 0, row = columns == 3 ? 0 : 2;
        Point at{corner.x + (side + gap) * static_cast<float>(column),
                 corner.y + (side + title + 8.0F) * static_cast<float>(row)};
        if (!pair && sum && columns == 3) at.y = corner.y + 0.5F * (height - side - title - 8.0F);
        draw_tile(v, {at.x, at.y, at.x + side, at.y + title + side}, static_cast<std::size_t>(t),
                  column == 0);
    }
    tell(v);

    if (legend.height() < 10.0F) return;
    const float used = cells::colour_bar(f, legend.x1, legend.y1 - 10.0F, f.text("terms.scale"), -terms.range,
                                         terms.range, cells::Colours::signed_values);
    const std::string_view note = terms.all_rows > static_cast<std::int64_t>(terms.n)
                                      ? f.format("terms.first_rows", fmt::arg("shown", terms.n),
                                                 fmt::arg("rows", ui::integer(f.scratch, terms.all_rows)))
                                      : f.text("terms.axes");
    if (f.canvas.text_width(note, Face::text, ui::kSmallSize) + used + 20.0F < legend.width())
        f.canvas.text({legend.x0, legend.y1 - 5.5F}, note, {f.theme.ink_soft, ui::kSmallSize, Face::text});
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 2> names = {"expansion", "table"};
    return std::span(names).subspan(mode == "input" ? 1 : 0, 1);
}

}  // namespace

extern const Figure kTerms;
const Figure kTerms{"terms", headline, draw, modes, false, true, numbers};

}  // namespace posiscope::figures
