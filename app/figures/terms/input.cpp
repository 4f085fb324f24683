
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/terms/input_values.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures::terms {
namespace {

using canvas::Align;
using definition::Handle;
using definition::Line;
using ui::Face;

// ---- Drawing ---------------------------------------------------------------------------------------------------

struct Row {
    Line label;
    const Strip* strip;
    const Strip* of_b;  // right of the curtain, or null
    ui::Colour mark;    // beside its label: p's or p + k's; 0: neither
    std::string_view said;
};

// The strips as they are drawn, by their place.
struct EnlargedKey {
    Kept<Input> input;  // that the strip belongs to
    const Strip* strip;
    int factor;
    bool operator==(const EnlargedKey&) const = default;
};
struct EnlargedStrips {
    std::array<Memo<EnlargedKey, Enlarged>, 7> strips;
};
constexpr int kOfB = 7;  // the first heatmap that is B's

void draw_strip(Frame& f, int place, Rect rect, const Kept<Input>& of, const Strip& strip, double range,
                bool halves, int first_heatmap = 0) {
    const int factor =
        enlargement(rect.width() * f.canvas.pixels_per_point() / static_cast<float>(strip.values.size()));
    const Enlarged& cells = *f.derived.part<EnlargedStrips>().strips[static_cast<std::size_t>(place)].get(
        {of, &strip, factor}, [](const EnlargedKey& key) {
            return enlarge(key.strip->values, static_cast<int>(key.strip->values.size()), key.factor, 1);
        });
    canvas::HeatmapView view = view_of_samples(f.theme, cells.width, 1, range);
    view.columns = {0, 0.0, static_cast<double>(strip.values.size())};
    view.borders = true;
    view.border = ui::faded(f.theme.ink, 0.16F);
    f.canvas.heatmap(first_heatmap + place, rect, {view, {.samples = cells.samples}, cells.key});
    if (halves)
        f.canvas.line({rect.centre().x, rect.y0 - 2.0F}, {rect.centre().x, rect.y1 + 2.0F},
                      {f.theme.ink, 1.5F});
    f.canvas.outline(rect, {f.theme.border, 1.0F});
    if (!f.over(rect)) return;
    const auto last = static_cast<float>(strip.values.size() - 1);
    const auto column = static_cast<std::size_t>(std::clamp(
        (f.pointer->at.x - rect.x0) / rect.width() * static_cast<float>(strip.values.size()), 0.0F, last));
    f.tip.formula = f.scratch.format("\\text{{{}}} {}", f.text("basis.column"), column * strip.each);
    f.tip.value =
        f.scratch.format("= {}", ui::significant(f.scratch, static_cast<double>(strip.values[column]), 5));
}

void draw_choices(Frame& f, Rect& area, const Made& made) {
    if (f.pointer == nullptr || area.height() < 170.0F) return;
    const Rect row = area.cut_top(cells::kButtonHeight + 10.0F);
    float x = row.x0;
    const auto choose = [&](std::span<const std::string_view> marks, std::span<const std::string_view> texts,
                            std::size_t now) {
        const float width = cells::choices_width(f, texts);
        if (x + width > row.x1) return std::optional<std::size_t>();
        const auto chosen = cells::choices(f, {x, row.y0}, marks, texts, now);
        x += width + 16.0F;
        return chosen;
    };
    static constexpr std::array<std::string_view, 2> join_marks = {"join_added", "join_concatenated"};
    const std::array<std::string_view, 2> joins = {f.text("figure.terms.mode.added"),
                                                   f.text("figure.terms.mode.concatenated")};
    if (const auto chosen = choose(join_marks, joins, concatenates(f.scene) ? 1 : 0))
        set_view_value(f.edit(), "terms", "join", *chosen == 1 ? Json("concatenated") : Json(nullptr));
    static constexpr std::array<std::string_view, 3> norm_marks = {"norm_none", "norm_layer", "norm_rms"};
    const std::array<std::string_view, 3> norms = {f.text("input.no_norm"), "LayerNorm", "RMSNorm"};
    if (const auto chosen = choose(norm_marks, norms, static_cast<std::size_t>(norm_of(f.scene))))
        set_view_value(f.edit(), "terms", "norm",
                       *chosen == 0 ? Json(nullptr) : Json(*chosen == 1 ? "layer" : "rms"));
    if (made.sentence == nullptr) return;
    // The words themselves, as many as there is room for.
    static constexpr std::array<std::string_view, 6> word_marks = {"word_0", "word_1", "word_2",
                                                                   "word_3", "word_4", "word_5"};
    std::array<std::string_view, 6> words{};
    const std::size_t count = std::min(words.size(), made.sentence->size());
    std::size_t now = words.size();
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = made.sentence->words[i];
        if (now == words.size() && made.sentence->words[i] == made.input->word) now = i;
    }
    if (const auto chosen = choose(std::span(word_marks).first(count), std::span(words).first(count), now))
        set_view_value(f.edit(), "terms", "word", *chosen);
}

Line labelled(Frame& f, std::string_view before, Handle handle, std::int64_t position,
              std::string_view after) {
    Line line;
    line.add(before).add(handle, ui::integer(f.scratch, position));
    return line.add(after);
}

// B's strips, which the curtain shows; none where they do not lie on A's, and that is said.
std::optional<Made> right_of_curtain(Frame& f, Rect& area, const Made& of_a) {
    if (f.other == nullptr || f.other->difference) return std::nullopt;
    const Scene& scene = f.other->scene;
    std::optional<Made> of_b;
    if (encoding_of(scene).acts == Acts::input && !is_stored(scene.content))
        of_b = input(f, scene, f.other->derived);
    if (!of_b || of_b->input->at[0].problem || of_b->input->at[1].problem) {
        explain_missing_b(f, area, "compare.curtain_kind");
        return std::nullopt;
    }
    const Input &a = *of_a.input, &b = *of_b->input;
    const bool same = b.word == a.word && b.embedding.dimensions == a.embedding.dimensions &&
                      b.at[0].joined.dimensions == a.at[0].joined.dimensions;
    if (same) return of_b;
    explain_missing_b(f, area, b.word == a.word ? "compare.curtain_size" : "compare.curtain_words");
    return std::nullopt;
}

struct Rows {
    std::array<Row, 7> list;
    std::size_t count = 0;
    std::span<const Row> shown() const { return std::span(list).first(count); }
};

// x, and for both positions PE, both joined, and that normed if the model does so.
Rows rows_of_input(Frame& f, const Input& of, const Input* of_b) {
    ui::Scratch& s = f.scratch;
    const bool concatenated = concatenates(f.scene), norm = norm_of(f.scene) != Norm::none;
    // One side's number, or both.
    const auto number = [&](std::string_view sign, double a, double b) {
        const std::string_view said = s.format("{} {}", sign, ui::significant(s, a, 3));
        return of_b == nullptr ? said : s.format("{} | {}", said, ui::significant(s, b, 3));
    };
    Rows made;
    const auto add = [&](const Line& label, const Strip& strip, const Strip* right, ui::Colour mark) {
        made.list[made.count++] = {label, &strip, right, mark,
                                   number("‖·‖", strip.length, right != nullptr ? right->length : 0.0)};
    };
    Line x;
    const std::string_view word =
        of.word.empty() ? std::string_view() : cells::shortened(f, of.word, Face::text, 15.0F, 70.0F);
    x.add("x");
    if (!word.empty()) x.add("\\,\\,\\text{").add(word).add("}");
    add(x, of.embedding, of_b != nullptr ? &of_b->embedding : nullptr, 0);
    const bool ids = !token_ids(f.scene.view).is_null();
    for (int i = 0; i < 2; ++i) {
        const Handle handle = i == 0 ? Handle::position : Handle::offset;
        const std::int64_t position = f.scene.position + (i == 0 ? 0 : f.scene.offset);
        const ui::Colour mark = i == 0 ? f.theme.ink : f.theme.offset;
        const Placed& at = of.at[i];
        const Placed* right = of_b != nullptr ? &of_b->at[i] : nullptr;
        // A row of tokens: "row → id".
        const std::string_view end = ids ? s.format(" \\to {})", ui::integer(s, at.row)) : ")",
                               bracket = concatenated ? s.format("{}]", end) : end;
        add(labelled(f, "PE(", handle, position, end), at.position,
            right != nullptr ? &right->position : nullptr, mark);
        add(labelled(f, concatenated ? "[x, PE(" : "x + PE(", handle, position, bracket), at.joined,
            right != nullptr ? &right->joined : nullptr, mark);
        if (!norm) continue;
        add(labelled(f, norm_of(f.scene) == Norm::layer ? "\\text{LayerNorm}(" : "\\text{RMSNorm}(", handle,
                     position, ")"),
            at.normed, right != nullptr ? &right->normed : nullptr, mark);
        made.list[made.count - 1].said = number("×", at.scale, right != nullptr ? right->scale : 0.0);
    }
    return made;
}

}  // namespace

std::string_view input_headline(Frame& f) {
    if (is_stored(f.scene.content)) return {};
    const auto made = input(f, f.scene, f.derived);
    if (!made || made->input->at[0].problem || made->input->at[1].problem) return {};
    ui::Scratch& s = f.scratch;
    const Input& of = *made->input;
    const bool ids = !token_ids(f.scene.view).is_null();
    return f.format(f.scene.offset == 0     ? "input.headline_same"
                    : concatenates(f.scene) ? "input.headline_concatenated"
                    : ids                   ? "input.headline_ids"
                                            : "input.headline",
                    fmt::arg("id_p", ui::integer(s, of.at[0].row)),
                    fmt::arg("id_q", ui::integer(s, of.at[1].row)),
                    fmt::arg("p", ui::integer(s, f.scene.position)),
                    fmt::arg("q", ui::integer(s, f.scene.position + f.scene.offset)),
                    fmt::arg("apart", ui::significant(s, of.apart, 3)),
                    fmt::arg("x", ui::significant(s, of.embedding.length, 3)),
                    fmt::arg("position", ui::significant(s, of.at[0].position.length, 3)),
                    fmt::arg("width", ui::integer(s, static_cast<std::int64_t>(of.at[0].joined.dimensions))));
}

void draw_input(Frame& f, Rect area) {
    if (is_stored(f.scene.content))
        return explain_absence(
            f, area, is_checkpoint(f.scene.content) ? "content.checkpoint_input" : "content.stored_input",
            "kind", f.scene.encoding.kind);
    const auto made = input(f, f.scene, f.derived);
    if (!made) return explain_absence(f, area, "content.no_words");
    draw_choices(f, area, *made);
    const Input& of = *made->input;
    for (const Placed& at : of.at)
        if (at.problem) return explain_absence(f, area, *at.problem);
    const std::optional<Made> made_b = right_of_curtain(f, area, *made);
    const Input* of_b = made_b ? made_b->input.get() : nullptr;
    const bool concatenated = concatenates(f.scene);
    const Rows made_rows = rows_of_input(f, of, of_b);
    const std::span<const Row> rows = made_rows.shown();
    Rect legend = area.cut_bottom(area.height() > 170.0F ? 24.0F : 0.0F);
    float label = 0.0F, said = 0.0F;
    const float zoom = zoom_in(area, {640.0F, 380.0F}), largest = 15.0F * zoom;
    for (const Row& row : rows) {
        label = std::max(label, ui::lay_out(row.label.text(), largest, f.canvas).width);
        said = std::max(said, small_width(f, row.said, zoom));
    }
    const bool lengths = area.width() > label + said + 140.0F;
    label = std::min(label + 20.0F * zoom, 0.5F * area.width());
    // A gap before each position's rows.
    const float gap = 12.0F * zoom;
    const float each = std::min(96.0F * zoom, (area.height() - 2.0F * gap) / static_cast<float>(rows.size()));
    const float strip = std::max(4.0F, 0.66F * each);
    if (each < 9.0F) return;
    float y = area.y0 + 4.0F;
    const double range = of_b != nullptr ? std::max(of.range, of_b->range) : of.range;
    Rect strips{0.0F, y, 0.0F, y};  // all of them
    std::optional<Frame> right;
    if (of_b != nullptr) right.emplace(curtain::frame_of_b(f, f.pointer != nullptr));
    const std::size_t per_position = (rows.size() - 1) / 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (i > 0 && (i - 1) % per_position == 0) y += gap;
        const Rect rect{area.x0 + label, y, area.x1 - (lengths ? said + 12.0F : 0.0F), y + strip};
        const float size = std::min(largest, 1.1F * strip);
        if (row.mark != 0) f.canvas.disc({area.x0 + 4.0F * zoom, rect.centre().y}, 3.0F * zoom, row.mark);
        if (size >= 9.0F)
            definition::draw(f, {area.x0 + 13.0F * zoom, rect.centre().y + 0.33F * size}, row.label, size);
        const bool halves = concatenated && row.strip->dimensions != of.embedding.dimensions;
        draw_strip(f, static_cast<int>(i), rect, made->input, *row.strip, range, halves);
        strips.x0 = rect.x0, strips.x1 = rect.x1, strips.y1 = rect.y1;
        if (right) {
            const canvas::Clip clip(f.canvas, {curtain::edge_of(f, rect), rect.y0, rect.x1, rect.y1});
            draw_strip(*right, static_cast<int>(i), rect, made_b->input, *row.of_b, range, halves, kOfB);
        }
        if (lengths)
            f.canvas.text({area.x1, rect.centre().y + 4.5F * zoom}, row.said, small(f, Align::right, zoom));
        y += each;
    }
    if (right) {
        if (curtain::over_b(f, strips)) f.tip = right->tip;
        curtain::draw_edge(f, strips, false);
        curtain::drag(f, strips);
    }
    ui::Scratch& s = f.scratch;
    const std::string_view apart = ui::significant(s, of.apart, 4);
    const std::string_view note = f.format(
        "input.apart",
        fmt::arg("apart",
                 of_b == nullptr ? apart : s.format("{} | {}", apart, ui::significant(s, of_b->apart, 4))));
    cells::draw_legend(f, legend, note, f.text("input.scale"), -range, range, cells::Colours::signed_values);
}

}  // namespace posiscope::figures::terms
