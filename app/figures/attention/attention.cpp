// attention.cpp — attention of one head over words that can be reordered. On the left the words as typed, on the right
// in their current order; lines join the outputs of the same word. Above without positions and mask, where reordering
// only reorders the outputs; below with the Scene's encoding and mask. A dashed line: the output changed.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures {
namespace {

using attention::View;
using canvas::Align;
using ui::Face;

std::span<const std::string_view> modes(const Scene& scene) {
    // Files have no values that heads could hand on.
    static constexpr std::array<std::string_view, 4> stored = {"weights", "logits", "heads", "all_heads"};
    static constexpr std::array<std::string_view, 3> words = {"weights", "logits", "joined"};
    if (rows_alone(scene)) return stored;
    return words;
}

// ---- One block: as typed, lines, as they stand ----------------------------------------------------------------

struct Block {
    std::string_view title;
    const Attention &typed, &now;
    bool plain;
    const Attention *typed_of_b = nullptr, *now_of_b = nullptr;  // right of the curtain
};

struct Measures {
    float label = 0.0F, cell = 0.0F, strip = 0.0F, gap = 0.0F;
    std::size_t components = 0;  // of an output that have room
    bool heads = false;          // words above the columns, most of them whole
};

constexpr float kTitle = 22.0F, kHeader = 20.0F, kNote = 22.0F, kBetween = 10.0F;

Measures measure(const View& v, Rect area) {
    const Sentence& s = v.sentence;
    const auto n = static_cast<float>(s.size());
    Measures m;
    m.gap = std::clamp(0.1F * area.width(), 36.0F, 90.0F);
    float longest = 0.0F;
    for (const std::string& word : s.words) longest = std::max(longest, small_width(v.frame, word));
    m.label = std::min(longest + 8.0F, 0.12F * area.width());
    const float height = area.height() - kTitle - kHeader - kNote;
    const auto wide = [&] { return (area.width() - m.gap - 2.0F * (m.label + kBetween)) / 2.0F; };
    m.cell = std::floor(std::min({cells::largest_cell(area), height / n, 0.68F * wide() / n}));
    if (m.cell < 11.0F) {  // too small for words beside the rows
        m.label = 0.0F;
        m.cell = std::min(height / n, 0.68F * wide() / n);
    }
    m.heads = m.cell >= std::min(longest + 2.0F, 36.0F);
    m.strip = std::min(wide() - m.cell * n, std::max(220.0F, m.cell * n));
    m.components =
        std::min(static_cast<std::size_t>(s.width), static_cast<std::size_t>(std::max(1.0F, m.strip / 6.0F)));
    return m;
}

float block_height(const View& v, const Measures& m) {
    return kTitle + kHeader + kNote + m.cell * static_cast<float>(v.sentence.size());
}

struct Half {
    const Attention& made;
    std::span<const std::int64_t> order;  // row → word
    Rect matrix, strip;
};

// The words next to the rows and above the columns, if they fit.
void draw_labels(const View& v, const Half& half, const Measures& m) {
    Frame& f = v.frame;
    for (std::size_t i = 0; i < half.order.size(); ++i) {
        const auto word = half.order[i];
        const std::string& text = v.sentence.words[static_cast<std::size_t>(word)];
        const ui::Colour ink = v.lit == word ? f.theme.ink : f.theme.ink_soft;
        const float at = m.cell * (static_cast<float>(i) + 0.5F);
        if (m.label > 0.0F)
            f.canvas.text({half.matrix.x0 - 6.0F, half.matrix.y0 + at + 4.5F},
                          cells::shortened(f, text, Face::text, ui::kSmallSize, m.label - 6.0F),
                          {ink, ui::kSmallSize, Face::text, Align::right});
        if (m.heads)
            f.canvas.text({half.matrix.x0 + at, half.matrix.y0 - 6.0F},
                          cells::shortened(f, text, Face::text, ui::kSmallSize, m.cell - 2.0F),
                          {ink, ui::kSmallSize, Face::text, Align::centre});
    }
}

void draw_outputs(View& v, const Half& half, const Measures& m) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    const auto width = static_cast<std::size_t>(s.width);
    const float step = (half.strip.width() - 7.0F) / static_cast<float>(m.components);
    const float gap = m.cell >= 9.0F ? std::min(8.0F, 0.25F * m.cell) : 0.0F;
    for (std::size_t i = 0; i < half.order.size(); ++i) {
        const float top = half.strip.y0 + m.cell * static_cast<float>(i);
        const float y0 = top + 0.5F * gap, y1 = top + m.cell - 0.5F * gap;
        f.canvas.fill({half.strip.x0, y0, half.strip.x0 + 3.0F, y1}, v.colour(half.order[i]), 1.0F);
        for (std::size_t c = 0; c < m.components; ++c) {
            const float x = half.strip.x0 + 7.0F + step * static_cast<float>(c);
            const double value = half.made.output[i * width + c];
            f.canvas.fill({x, y0, x + std::max(step - 1.0F, 1.0F), y1},
                          cells::colour_of(f.theme, value, s.largest_output, cells::Colours::signed_values));
        }
    }
    if (!f.over(half.strip)) return;
    const auto i =
        std::min(half.order.size() - 1, static_cast<std::size_t>((f.pointer->at.y - half.strip.y0) / m.cell));
    const float along = (f.pointer->at.x - half.strip.x0 - 7.0F) / step;
    if (along < 0.0F || along >= static_cast<float>(m.components)) return;
    const auto c = static_cast<std::size_t>(along);
    const auto word = static_cast<std::size_t>(half.order[i]);
    v.lit = half.order[i];
    f.hovered.position = static_cast<std::int64_t>(i);
    f.tip.formula = f.scratch.format("y_{{{}, {}}} = \\sum_j a_{{{} j}} v_{{j, {}}}", i, c, i, c);
    f.tip.value = f.scratch.format("= {}", ui::significant(f.scratch, half.made.output[i * width + c], 6));
    f.tip.details[0] =
        f.format("attention.output", fmt::arg("word", s.words[word]), fmt::arg("component", c));
}

// From the row as typed to the word's current row.
void draw_lines(const View& v, const Half& left, const Half& right, const Measures& m, bool plain) {
    Frame& f = v.frame;
    const float from = left.strip.x1 + 4.0F, to = right.matrix.x0 - m.label - 4.0F;
    if (to - from < 12.0F) return;
    const auto curve = [&](float y0, float y1, canvas::Stroke stroke) {
        std::array<Point, 25> points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(points.size() - 1);
            points[i] = {from + (to - from) * t, y0 + (y1 - y0) * t * t * (3.0F - 2.0F * t)};
        }
        f.canvas.polyline(points, stroke);
    };
    const auto row = [&](const Half& half, std::int64_t at) {
        return half.matrix.y0 + m.cell * (static_cast<float>(at) + 0.5F);
    };
    for (std::size_t word = 0; word < v.sentence.size(); ++word) {
        const auto w = static_cast<std::int64_t>(word);
        const bool faded = v.lit && *v.lit != w;
        const ui::Colour colour = v.colour(w);
        curve(row(left, w), row(right, v.sentence.place[word]),
              {faded ? ui::faded(colour, 0.3F) : colour, v.lit == w ? 2.4F : 1.5F,
               !plain && v.sentence.changed(word) ? 4.0F : 0.0F});
    }
}

void tell_difference(View& v, const Half& half, std::size_t index) {
    ui::Scratch& s = v.frame.scratch;
    const Attention& of_a = &half.made == &v.sentence.typed ? v.of_a->typed : v.of_a->now;
    const auto both = [&](double a, double difference) {
        return v.frame.format("matrix.both", fmt::arg("a", ui::significant(s, a, 4)),
                              fmt::arg("b", ui::significant(s, a + difference, 4)));
    };
    const std::size_t columns = v.sentence.key_words.size();
    v.frame.tip.formula = s.format("a_B - a_A   ({}, {})",
                                   v.sentence.queries.first + static_cast<std::int64_t>(index / columns),
                                   v.sentence.keys.first + static_cast<std::int64_t>(index % columns));
    v.frame.tip.details[1] = both(of_a.weights[index], half.made.weights[index]);
    v.frame.tip.details[2] = s.format("logit   {}", both(of_a.logits[index], half.made.logits[index]));
}

std::string_view unseen_because(const Sentence& s, const Sight& sight, std::int64_t query, std::int64_t key) {
    switch (sight.unseen(query, key)) {
        case Sight::Cause::later: return "attention.unseen_later";
        case Sight::Cause::window: return "attention.unseen_window";
        case Sight::Cause::chunk: return "attention.unseen_chunk";
        case Sight::Cause::none: break;
    }
    switch (s.ids ? s.ids->hides(query, key) : TokenRow::Cause::policy) {
        case TokenRow::Cause::pad: return "attention.unseen_pad";
        case TokenRow::Cause::document: return "attention.unseen_document";
        case TokenRow::Cause::evicted: return "attention.unseen_evicted";
        default: return "attention.unseen_ids";
    }
}

void tell_cell(View& v, const Half& half, cells::Cell at) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const Sentence& of = v.sentence;
    const std::size_t index = at.query * of.key_words.size() + at.key;
    const std::int64_t query = of.queries.first + static_cast<std::int64_t>(at.query),
                       key = of.keys.first + static_cast<std::int64_t>(at.key);
    const auto word = [&](std::size_t i) -> const std::string& {
        return of.words[static_cast<std::size_t>(half.order[i])];
    };
    const double logit = half.made.logits[index], share = half.made.weights[index];
    f.tip.beside = half.matrix;
    if (std::isfinite(logit)) {
        f.tip.formula = s.format("a_{{{} {}}} = \\frac{{e^{{{}}}}}{{\\sum_j e^{{\\text{{logit}}_{{{} j}}}}}}",
                                 query, key, ui::significant(s, logit, 3), query);
        f.tip.value = s.format("= {}", ui::significant(s, share, 4));
        f.tip.details[1] = f.format("attention.logit", fmt::arg("value", ui::significant(s, logit, 6)));
        if (v.of_a != nullptr) tell_difference(v, half, index);
    } else {
        f.tip.value = f.text(unseen_because(of, half.made.shape.sight, query, key));
    }
    f.tip.details[0] = f.format("attention.pair", fmt::arg("query", word(at.query)),
                                fmt::arg("key", of.alone ? of.key_words[at.key] : word(at.key)),
                                fmt::arg("i", query), fmt::arg("j", key));
    v.lit = half.order[at.query];
}

// Over the width that there is; empty where nothing fits.
std::string_view note(const View& v, const Block& block, float width) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    if (!s.reordered() || v.of_a != nullptr) return {};  // nothing could change
    if (block.plain)
        return f.format("attention.note_same",
                        fmt::arg("residual", ui::residual(f.scratch, s.plain_residual, s.largest_output)));
    const auto change = [&](std::size_t word) {
        return s.changed(word)
                   ? ui::significant(f.scratch, s.changes[word], 2)
                   : f.scratch.format("≤ {}", ui::residual(f.scratch, s.changes[word], s.largest_output));
    };
    const auto most = [&] {
        return f.format("attention.note_most", fmt::arg("change", change(s.most_changed)),
                        fmt::arg("word", cells::shortened(f, s.words[s.most_changed], Face::text,
                                                          ui::kSmallSize, 90.0F)));
    };
    const auto fits = [&](std::string_view text) { return small_width(f, text) <= width; };
    if (s.size() <= 5) {
        std::string_view list;
        for (const std::int64_t word : s.order)
            list = f.scratch.format("{}{}{} {}", list, list.empty() ? "" : " · ",
                                    s.words[static_cast<std::size_t>(word)],
                                    change(static_cast<std::size_t>(word)));
        if (const auto all = f.format("attention.note_changes", fmt::arg("changes", list)); fits(all))
            return all;
    }
    return fits(most()) ? most() : std::string_view();
}

void draw_block(View& v, Rect area, const Block& block, const Measures& m) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const Sentence& s = v.sentence;
    const auto n = s.size();
    const bool logits = f.mode == "logits";
    const float side = m.cell * static_cast<float>(n);
    const float half_width = m.label + side + kBetween + m.strip;
    area.x0 = area.centre().x - half_width - 0.5F * m.gap;  // in the middle of its room
    c.text({area.x0, area.y0 + 13.0F}, block.title, {f.theme.ink, 15.0F, Face::strong});

    const float top = area.y0 + kTitle + kHeader;
    const auto half = [&](float x, const Attention& made, std::span<const std::int64_t> order) {
        const float matrix = x + m.label, strip = matrix + side + kBetween;
        return Half{
            made, order, {matrix, top, matrix + side, top + side}, {strip, top, strip + m.strip, top + side}};
    };
    const Half left = half(area.x0, block.typed, s.as_typed),
               right = half(area.x0 + half_width + m.gap, block.now, s.order);
    for (const Half* one : {&left, &right}) {
        const bool now = one == &right;
        draw_labels(v, *one, m);
        const cells::Cells shown{one->matrix,
                                 n,
                                 n,
                                 logits ? one->made.logits : one->made.weights,
                                 attention::range_of(v),
                                 attention::colours_of(v)};
        cells::draw(f, shown);
        const Attention* of_b = now ? block.now_of_b : block.typed_of_b;
        const bool right_of = of_b != nullptr && attention::draw_right(v, shown, *of_b, now);
        const Half told{right_of ? *of_b : one->made, one->order, one->matrix, one->strip};
        if (now && !block.plain) {
            if (const auto under = cells::link(f, shown, "cell")) tell_cell(v, told, *under);
        } else if (const auto over = cells::under_mouse(f, shown)) {
            tell_cell(v, told, *over);
        }
        const std::string_view title = f.text(now ? "attention.output_now" : "attention.output_typed");
        c.text({one->strip.x0, top - 6.0F},  // a strip may be narrower than its title
               cells::shortened(f, title, Face::text, ui::kSmallSize, m.strip + (now ? 11.0F : m.gap - 8.0F)),
               small(f));
        draw_outputs(v, *one, m);
    }
    draw_lines(v, left, right, m, block.plain || v.of_a != nullptr);
    c.text({left.matrix.x0 - m.label, top + side + 17.0F}, note(v, block, area.x1 - area.x0), small(f));
}

// The names of both sides of a comparison, or of the encoding and its mask.
std::string_view title_of(const View& v) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    const std::string_view name = encoding_name(f, s.scene.encoding.kind);
    const auto name_of_b = [&] { return encoding_name(f, f.other->scene.encoding.kind); };
    if (v.of_a != nullptr) return f.scratch.format("{} − {}", name_of_b(), name);
    if (v.of_b != nullptr) return f.scratch.format("A  {}   |   B  {}", name, name_of_b());
    const bool causal = s.scene.causal;
    const auto with_ids = [&](std::string_view title) {
        if (!s.ids) return title;
        const Row& row = s.ids->row();
        const std::string_view policy =
            f.text(f.scratch.format("option.view.ids.{}.name", row.policy().kind));
        if (!row.slips())
            return f.format("attention.by_ids", fmt::arg("title", title), fmt::arg("policy", policy));
        return f.format(
            "attention.by_slipped_ids", fmt::arg("title", title), fmt::arg("policy", policy),
            fmt::arg("slip", f.text(f.scratch.format("option.view.ids.slip.{}.name", row.slip()))));
    };
    if (encodes_nothing(s.scene))
        return with_ids(f.text(causal ? "attention.without_mask" : "attention.without"));
    const auto size = [&](std::string_view key, std::int64_t of) {
        return of > kLastPosition ? std::string_view()
                                  : f.format(key, fmt::arg("size", ui::integer(f.scratch, of)));
    };
    const Sight& sight = s.now.shape.sight;
    return with_ids(f.scratch.format(
        "{}{}{}", f.format(causal ? "attention.with_mask" : "attention.with", fmt::arg("encoding", name)),
        size("attention.in_window", sight.window), size("attention.in_chunks", sight.chunk)));
}

// The colour bar of weights or logits, which ends at `right`.
void draw_bar(const View& v, float right, float y) {
    Frame& f = v.frame;
    const double range = attention::range_of(v);
    const cells::Colours colours = attention::colours_of(v);
    cells::colour_bar(
        f, right, y,
        f.text(f.mode == "logits" ? "figure.attention.mode.logits" : "figure.attention.mode.weights"),
        colours == cells::Colours::signed_values ? -range : 0.0, range, colours);
}

// The rows and keys that are shown, in the longest form that fits.
std::string_view page_note(const View& v, float width) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    if (!s.paged()) return {};
    const bool bars = f.mode != "logits" && v.of_a == nullptr && v.of_b == nullptr;
    const auto number = [&](std::int64_t value) { return ui::integer(f.scratch, value); };
    for (const std::string_view key : {"attention.page_bars", "attention.page_keys", "attention.page"}) {
        if (key == "attention.page_bars" && !bars) continue;
        const std::string_view said = f.format(
            key, fmt::arg("first", number(s.queries.first)), fmt::arg("last", number(s.queries.end() - 1)),
            fmt::arg("all", number(s.queries.all)), fmt::arg("first_key", number(s.keys.first)),
            fmt::arg("last_key", number(s.keys.end() - 1)));
        if (small_width(f, said) <= width) return said;
    }
    return {};
}

// ---- Rows alone: one page of one matrix, and no outputs ---------------------------------------------------

constexpr float kLeastWord = 11.0F,
                kLeastKey = 18.0F;  // a cell's side from which on words fit beside and above

// Draws the share of the keys before and behind the page, as bars beside its rows.
void draw_rest(View& v, Rect column, float side, bool behind) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const Sentence& of = v.sentence;
    const std::int64_t first = behind ? of.keys.end() : 0, last = (behind ? of.keys.all : of.keys.first) - 1;
    const std::vector<double>& shares = behind ? of.behind : of.before;
    if (last < first || std::ranges::all_of(shares, [](double share) { return share == 0.0; })) return;
    const std::string_view name =
        behind ? s.format("{} …", ui::integer(s, first)) : s.format("… {}", ui::integer(s, last));
    f.canvas.text({column.centre().x, column.y0 - 6.0F}, name, small(f, Align::centre));
    const float gap = side >= 7.0F ? 1.0F : 0.0F;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const float y = column.y0 + side * static_cast<float>(i);
        const Rect row{column.x0, y, column.x1, y + side - gap};
        f.canvas.fill(row, cells::colour_of(f.theme, 0.0, 1.0, cells::Colours::shares));
        const float length = static_cast<float>(std::clamp(shares[i], 0.0, 1.0)) * row.width();
        f.canvas.fill(behind ? Rect{row.x0, row.y0, row.x0 + length, row.y1}
                             : Rect{row.x1 - length, row.y0, row.x1, row.y1},
                      ui::mixed(f.theme.tile, f.theme.ink, 0.4F));
        if (!f.over({column.x0, y, column.x1, y + side})) continue;
        const std::int64_t query = of.queries.first + static_cast<std::int64_t>(i);
        f.tip.beside = column;
        f.tip.value = s.format("= {}", ui::significant(s, shares[i], 4));
        f.tip.details[0] =
            f.format("attention.rest", fmt::arg("query", ui::integer(s, query)),
                     fmt::arg("first", ui::integer(s, first)), fmt::arg("last", ui::integer(s, last)));
        f.hovered.position = query;
    }
}

void draw_rows(View& v, Rect area) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    const bool logits = f.mode == "logits";
    Rect legend = area.cut_bottom(area.height() > 180.0F ? 24.0F : 0.0F);
    const auto down = static_cast<float>(s.queries.size), across = static_cast<float>(s.keys.size);
    const bool rest = s.paged() && !logits && v.of_a == nullptr && v.of_b == nullptr;
    const float beside = rest ? std::clamp(0.08F * area.width(), 26.0F, 60.0F) : 0.0F;
    const auto side = [&](float label) {
        return std::min({cells::largest_cell(area), (area.height() - kTitle - kHeader - kNote - 16.0F) / down,
                         (area.width() - label - 2.0F * (beside + (rest ? 6.0F : 0.0F))) / across});
    };
    float label = small_width(f, ui::integer(f.scratch, s.queries.all)) + 10.0F;
    float cell = side(label);
    float words = label;
    for (const std::string& word : s.words) words = std::max(words, small_width(f, word) + 8.0F);
    words = std::min(words, 0.12F * area.width());
    const bool named = side(words) >= kLeastWord && s.has_text;
    if (named) label = words, cell = side(words);
    if (cell >= kLeastWord) cell = std::floor(cell);
    if (cell < 2.0F) return;
    const float left = beside + (rest ? 6.0F : 0.0F);
    area.x0 = area.centre().x - 0.5F * (label + 2.0F * left + cell * across);
    f.canvas.text({area.x0, area.y0 + 13.0F},
                  cells::shortened(f, title_of(v), Face::strong, 15.0F, area.x1 - area.x0),
                  {f.theme.ink, 15.0F, Face::strong});
    const float top = area.y0 + kTitle + kHeader;
    const Rect plot{area.x0 + label + left, top,
                    area.x0 + label + left + cell * static_cast<float>(s.keys.count),
                    top + cell * static_cast<float>(s.queries.count)};
    const Half half{s.now, s.order, plot, {}};
    const cells::Cells shown{plot,
                             s.size(),
                             s.key_words.size(),
                             logits ? s.now.logits : s.now.weights,
                             attention::range_of(v),
                             attention::colours_of(v),
                             s.queries.first,
                             s.keys.first};
    cells::draw(f, shown);
    const bool right = v.of_b != nullptr && attention::draw_right(v, shown, v.of_b->now, true);
    const Half told{right ? v.of_b->now : half.made, half.order, half.matrix, half.strip};
    if (const auto under = cells::link(f, shown, "cell")) tell_cell(v, told, *under);
    if (rest) {
        draw_rest(v, {plot.x0 - left, plot.y0, plot.x0 - 6.0F, plot.y1}, cell, false);
        draw_rest(v, {plot.x1 + 6.0F, plot.y0, plot.x1 + left, plot.y1}, cell, true);
    }
    const auto name = [&](Point at, std::string_view word, bool lit, Align align, float room) {
        f.canvas.text(at, cells::shortened(f, word, Face::text, ui::kSmallSize, room),
                      {lit ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize, Face::text, align});
    };
    for (std::size_t i = 0; named && i < s.words.size(); ++i)
        name({plot.x0 - left - 6.0F, shown.cell(i, 0).centre().y + 4.5F}, s.words[i],
             v.lit == static_cast<std::int64_t>(i), Align::right, label - 6.0F);
    const bool above = cell >= kLeastKey;
    for (std::size_t j = 0; above && j < s.key_words.size(); ++j)
        name({shown.cell(0, j).centre().x, plot.y0 - 6.0F}, s.key_words[j], false, Align::centre,
             cell - 2.0F);
    cells::Cells numbered = shown;
    numbered.plot.x0 -= left;
    numbered.plot.x1 -= left;
    cells::number(f, numbered, !named, false);
    cells::number(f, shown, false, !above);
    if (const std::string_view said = page_note(v, legend.x1 - area.x0); !said.empty())
        f.canvas.text({area.x0, top + cell * down + 33.0F}, said, small(f));
    if (legend.height() >= 10.0F && legend.width() >= 190.0F) draw_bar(v, legend.x1, legend.y1 - 10.0F);
}

void draw_blocks(View& v, Rect area) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    Rect legend = area.cut_bottom(area.height() > 180.0F ? 24.0F : 0.0F);
    Measures m = measure(v, {area.x0, area.y0, area.x1, area.y0 + 0.5F * area.height()});
    bool two =
        !s.plain() && v.of_a == nullptr && m.cell >= std::min(18.0F, 180.0F / static_cast<float>(s.size()));
    if (!two) m = measure(v, area);
    if (m.cell < 2.0F || m.strip < 8.0F) return;
    Block with{title_of(v), s.typed, s.now, v.of_a == nullptr && s.plain()};
    if (v.of_b != nullptr) with.typed_of_b = &v.of_b->typed, with.now_of_b = &v.of_b->now;
    const float each = block_height(v, m);
    float top = area.y0 + std::max(0.0F, 0.5F * (area.height() - (two ? 2.0F : 1.0F) * each)) * 0.5F;
    if (two) {
        draw_block(v, {area.x0, top, area.x1, top + each},
                   {f.text("attention.without"), s.plain_typed, s.plain_now, true}, m);
        top += each + std::max(0.0F, std::min(24.0F, area.height() - 2.0F * each));
    }
    draw_block(v, {area.x0, top, area.x1, top + each}, with, m);

    if (legend.height() < 10.0F) return;
    const float y = legend.y1 - 10.0F;
    const float used = cells::colour_bar(f, legend.x1, y, f.text("attention.outputs"), -s.largest_output,
                                         s.largest_output, cells::Colours::signed_values);
    if (legend.width() - used < 190.0F) return;
    draw_bar(v, legend.x1 - used - 24.0F, y);
    if (m.components < static_cast<std::size_t>(s.width) && legend.width() > 560.0F)
        f.canvas.text(
            {legend.x0, y + 4.5F},
            f.format("attention.first", fmt::arg("shown", m.components), fmt::arg("width", s.width)),
            small(f));
}

// ---- The figure ------------------------------------------------------------------------------------------------

void draw(Frame& f, Rect area) {
    if (area.width() < 120.0F || area.height() < 60.0F) return;
    if (f.mode == "heads") return attention::draw_heads(f, area);
    if (f.mode == "all_heads") return attention::draw_all_heads(f, area);
    const Sentence& of_a = *sentence(f, f.scene, f.derived);
    if (f.mode == "joined") {
        View words{f, of_a, std::nullopt};
        attention::draw_words(words, area);
        if (of_a.words.empty()) return explain_absence(f, area, "content.no_words");
        if (of_a.problem) return explain_absence(f, area, *of_a.problem);
        return attention::draw_joined(f, of_a, area);
    }
    const bool less = f.other != nullptr && f.other->difference;
    View v{f, less ? attention::difference(f) : of_a, std::nullopt, less ? &of_a : nullptr};
    if (f.other != nullptr && !less) {
        const Sentence& of_b = *sentence(f, f.other->scene, f.other->derived);
        if (!of_b.problem && of_b.text == of_a.text && of_b.order == of_a.order && of_b.alone == of_a.alone &&
            of_b.queries == of_a.queries && of_b.keys == of_a.keys)
            v.of_b = &of_b;
        else explain_missing_b(f, area, "compare.curtain_words");
    }
    if (f.link.position)
        if (const auto row = v.sentence.row_of(*f.link.position)) v.lit = v.sentence.order[*row];
    if (area.height() > 220.0F) area.cut_top(4.0F);
    attention::draw_words(v, area);
    if (v.sentence.words.empty()) return explain_absence(f, area, "content.no_words");
    if (v.sentence.problem) return explain_absence(f, area, *v.sentence.problem);
    attention::draw_details(v, area);
    if (v.sentence.alone) draw_rows(v, area);
    else draw_blocks(v, area);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 4> names = {"attention", "logits", "locality", "outputs"};
    return std::span(names).subspan(mode == "logits" ? 1 : mode == "heads" ? 2 : mode == "joined" ? 3 : 0, 1);
}

}  // namespace

extern const Figure kAttention{
    .id = "attention",
    .headline = attention::headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = numbers,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures

namespace posiscope::figures::attention {

using ui::Face;

std::string_view headline(Frame& f) {
    if (f.mode == "heads" || f.mode == "all_heads") return heads_headline(f);
    if (f.mode == "joined") return joined_headline(f);
    if (f.other != nullptr && f.other->difference) return difference_headline(f);
    const Sentence& s = *sentence(f, f.scene, f.derived);
    if (s.words.empty()) return f.text("attention.headline_empty");
    if (s.problem) return {};
    if (s.alone) return stored_headline(f, s);
    if (s.size() == 1) return f.text("attention.headline_one");
    if (!s.reordered()) return f.text("attention.headline_typed");
    const auto residual = ui::residual(f.scratch, s.plain_residual, s.largest_output);
    const std::string_view encoding = encoding_name(f, s.scene.encoding.kind);
    const std::string& word = s.words[s.most_changed];
    if (s.plain()) return f.format("attention.headline_plain", fmt::arg("residual", residual));
    if (!s.changed(s.most_changed))
        return f.format(
            s.reversed() && s.size() > 2 ? "attention.headline_reversal" : "attention.headline_same",
            fmt::arg("encoding", encoding),
            fmt::arg("residual", ui::residual(f.scratch, s.changes[s.most_changed], s.largest_output)));
    return f.format(encodes_nothing(s.scene) ? "attention.headline_mask"
                    : s.scene.causal         ? "attention.headline_both"
                                             : "attention.headline_encoding",
                    fmt::arg("encoding", encoding),
                    fmt::arg("word", cells::shortened(f, word, Face::text, 14.5F, 120.0F)),
                    fmt::arg("change", ui::significant(f.scratch, s.changes[s.most_changed], 2)));
}

}  // namespace posiscope::figures::attention
