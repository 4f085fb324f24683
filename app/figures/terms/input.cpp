#include "app/figures/terms/input.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "app/figures/parts/sentence.hpp"
#include "core/attention/attention.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures::terms {
namespace {

using canvas::Align;
using definition::Handle;
using definition::Line;
using ui::Face;

enum class Norm { none, layer, rms };

constexpr std::size_t kMostCells = 4096;  // of a strip: more than a screen has pixels

struct Strip {
    std::vector<float> values;  // of `each` dimensions their mean
    std::size_t dimensions = 0, each = 1;
    double length = 0.0;  // ‖·‖ of all dimensions
};

Strip strip_of(const std::vector<double>& values) {
    Strip made;
    double squares = 0.0;
    for (const double value : values) squares += value * value;
    made.length = std::sqrt(squares);
    made.dimensions = values.size();
    made.each = (values.size() + kMostCells - 1) / kMostCells;
    for (std::size_t first = 0; first < values.size(); first += made.each) {
        const std::size_t end = std::min(first + made.each, values.size());
        double sum = 0.0;
        for (std::size_t c = first; c < end; ++c) sum += values[c];
        made.values.push_back(static_cast<float>(sum / static_cast<double>(end - first)));
    }
    return made;
}

// A word at one position.
struct Placed {
    Strip position, joined, normed;
    double scale = 1.0;  // what the norm multiplies by, after the mean is taken away
    std::optional<Problem> problem;
};
struct Input {
    std::string word;
    Strip embedding;
    Placed at[2];        // p, p + k
    double apart = 0.0;  // ‖·‖ of the difference of both inputs, as they enter
    double range = 1.0;
};

struct InputKey {
    Kept<ActionInput> encoding;
    Kept<Sentence> sentence;  // or, of a seeded content, that:
    Kept<AttentionInput> seeded;
    std::int64_t word, position, other;
    bool concatenate;
    Norm norm;
    bool operator==(const InputKey&) const = default;
};

std::vector<double> normed(std::vector<double> values, Norm norm, double& scale) {
    const auto n = static_cast<double>(values.size());
    double mean = 0.0, squares = 0.0;
    for (const double value : values) mean += value / n;
    if (norm == Norm::layer)
        for (double& value : values) value -= mean;
    for (const double value : values) squares += value * value / n;
    scale = 1.0 / std::sqrt(squares + 1e-5);
    for (double& value : values) value *= scale;
    return values;
}

Placed placed_at(const InputKey& key, const std::vector<double>& x, std::int64_t position,
                 std::vector<double>& end) {
    Placed made;
    const auto row = input_table(*key.encoding, position, 1);
    if (!row) {
        made.problem = row.error();
        return made;
    }
    made.position = strip_of(*row);
    std::vector<double> joined = x;
    if (key.concatenate) joined.insert(joined.end(), row->begin(), row->end());
    else
        for (std::size_t c = 0; c < joined.size(); ++c) joined[c] += (*row)[c];
    made.joined = strip_of(joined);
    end = key.norm == Norm::none ? std::move(joined) : normed(std::move(joined), key.norm, made.scale);
    made.normed = strip_of(end);
    return made;
}

Input input_of(const InputKey& key) {
    Input made;
    const Choice& content = key.sentence != nullptr ? key.sentence->scene.content : key.seeded->content;
    if (key.sentence != nullptr) made.word = key.sentence->words[static_cast<std::size_t>(key.word)];
    // Words as typed: the row of a position is that of the word that stands there.
    const std::int64_t place =
        key.sentence != nullptr ? key.sentence->place[static_cast<std::size_t>(key.word)] : key.word;
    std::vector<double> x(static_cast<std::size_t>(key.encoding->d_model));
    content_values(content, Tensor::input, input_row(content, place), x);
    made.embedding = strip_of(x);
    std::vector<double> ends[2];
    made.at[0] = placed_at(key, x, key.position, ends[0]);
    made.at[1] = placed_at(key, x, key.other, ends[1]);
    double squares = 0.0;
    for (std::size_t c = 0; c < std::min(ends[0].size(), ends[1].size()); ++c)
        squares += (ends[1][c] - ends[0][c]) * (ends[1][c] - ends[0][c]);
    made.apart = std::sqrt(squares);
    for (const Strip* strip : {&made.embedding, &made.at[0].joined, &made.at[1].joined})
        for (const float value : strip->values)
            made.range = std::max(made.range, std::abs(static_cast<double>(value)));
    return made;
}

Norm norm_of(const Scene& scene) {
    const Json* norm = view_value(scene, "terms", "norm");
    return norm == nullptr || !norm->is_string() ? Norm::none
           : *norm == "layer"                    ? Norm::layer
           : *norm == "rms"                      ? Norm::rms
                                                 : Norm::none;
}
bool concatenates(const Scene& scene) {
    const Json* join = view_value(scene, "terms", "join");
    return join != nullptr && join->is_string() && *join == "concatenated";
}

// Why there is none, or null.
struct Made {
    Kept<Input> input;
    Kept<Sentence> sentence;
};
std::optional<Made> input(const Frame& f, const Scene& scene, Derived& derived) {
    const bool own_rows = scene.content.kind == "seeded";
    Made made{nullptr, own_rows ? nullptr : sentence(f, scene, derived)};
    if (made.sentence != nullptr && made.sentence->size() == 0) return std::nullopt;
    const std::int64_t words = own_rows ? scene.length : static_cast<std::int64_t>(made.sentence->size());
    const Json* chosen = view_value(scene, "terms", "word");
    const std::int64_t word = std::clamp<std::int64_t>(
        chosen != nullptr && chosen->is_number_integer() ? chosen->get<std::int64_t>() : 0, 0, words - 1);
    const InputKey key{derived.input<ActionInput>(scene),
                       made.sentence,
                       own_rows ? derived.input<AttentionInput>(scene) : nullptr,
                       word,
                       scene.position,
                       scene.position + scene.offset,
                       concatenates(scene),
                       norm_of(scene)};
    made.input =
        derived.part<Memo<InputKey, Input>>().get(key, [](const InputKey& of) { return input_of(of); });
    return made;
}

// ---- Drawing ---------------------------------------------------------------------------------------------------

struct Row {
    Line label;
    const Strip* strip;
    ui::Colour mark;  // beside its label: p's or p + k's; 0: neither
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

void draw_strip(Frame& f, int place, Rect rect, const Kept<Input>& of, const Strip& strip, double range,
                bool halves) {
    const int factor =
        enlargement(rect.width() * f.canvas.pixels_per_point() / static_cast<float>(strip.values.size()));
    const Enlarged& cells = *f.derived.part<EnlargedStrips>().strips[static_cast<std::size_t>(place)].get(
        {of, &strip, factor}, [](const EnlargedKey& key) {
            return enlarge(key.strip->values, static_cast<int>(key.strip->values.size()), key.factor, 1);
        });
    canvas::HeatmapView view;
    view.field = Field::samples;
    view.rows = {0, 0.0, 1.0};
    view.columns = {0, 0.0, static_cast<double>(strip.values.size())};
    view.width = cells.width;
    view.height = 1;
    view.negative = f.theme.minus;
    view.zero = f.theme.neutral;
    view.positive = f.theme.plus;
    view.border = ui::faded(f.theme.ink, 0.16F);
    view.range = range;
    f.canvas.heatmap(place, rect, {view, {.samples = cells.samples}, cells.key});
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

}  // namespace

std::string_view input_headline(Frame& f) {
    if (is_stored(f.scene.content)) return {};
    const auto made = input(f, f.scene, f.derived);
    if (!made || made->input->at[0].problem || made->input->at[1].problem) return {};
    ui::Scratch& s = f.scratch;
    const Input& of = *made->input;
    return f.format(concatenates(f.scene) ? "input.headline_concatenated" : "input.headline",
                    fmt::arg("p", ui::integer(s, f.scene.position)),
                    fmt::arg("q", ui::integer(s, f.scene.position + f.scene.offset)),
                    fmt::arg("apart", ui::significant(s, of.apart, 3)),
                    fmt::arg("x", ui::significant(s, of.embedding.length, 3)),
                    fmt::arg("position", ui::significant(s, of.at[0].position.length, 3)),
                    fmt::arg("width", ui::integer(s, static_cast<std::int64_t>(of.at[0].joined.dimensions))));
}

void draw_input(Frame& f, Rect area) {
    if (is_stored(f.scene.content))
        return explain_absence(f, area, "content.stored_input", "kind", f.scene.encoding.kind);
    const auto made = input(f, f.scene, f.derived);
    if (!made) return explain_absence(f, area, "content.no_words");
    draw_choices(f, area, *made);
    const Input& of = *made->input;
    for (const Placed& at : of.at)
        if (at.problem) return explain_absence(f, area, *at.problem);
    ui::Scratch& s = f.scratch;
    const bool concatenated = concatenates(f.scene), norm = norm_of(f.scene) != Norm::none;
    const auto length = [&](const Strip& strip) {
        return s.format("‖·‖ {}", ui::significant(s, strip.length, 3));
    };
    std::array<Row, 7> rows;
    std::size_t count = 0;
    Line x;
    const std::string_view word =
        of.word.empty() ? std::string_view() : cells::shortened(f, of.word, Face::text, 15.0F, 70.0F);
    x.add("x");
    if (!word.empty()) x.add("\\,\\,\\text{").add(word).add("}");
    rows[count++] = {x, &of.embedding, 0, length(of.embedding)};
    for (int i = 0; i < 2; ++i) {
        const Handle handle = i == 0 ? Handle::position : Handle::offset;
        const std::int64_t position = f.scene.position + (i == 0 ? 0 : f.scene.offset);
        const ui::Colour mark = i == 0 ? f.theme.ink : f.theme.offset;
        const Placed& at = of.at[i];
        rows[count++] = {labelled(f, "PE(", handle, position, ")"), &at.position, mark, length(at.position)};
        rows[count++] = {
            labelled(f, concatenated ? "[x, PE(" : "x + PE(", handle, position, concatenated ? ")]" : ")"),
            &at.joined, mark, length(at.joined)};
        if (norm)
            rows[count++] = {
                labelled(f, norm_of(f.scene) == Norm::layer ? "\\text{LayerNorm}(" : "\\text{RMSNorm}(",
                         handle, position, ")"),
                &at.normed, mark, s.format("× {}", ui::significant(s, at.scale, 3))};
    }
    Rect legend = area.cut_bottom(area.height() > 170.0F ? 24.0F : 0.0F);
    float label = 0.0F, said = 0.0F;
    constexpr float kSize = 15.0F;
    for (const Row& row : std::span(rows).first(count)) {
        label = std::max(label, ui::lay_out(row.label.text(), kSize, f.canvas).width);
        said = std::max(said, f.canvas.text_width(row.said, Face::text, ui::kSmallSize));
    }
    const bool lengths = area.width() > label + said + 140.0F;
    label = std::min(label + 20.0F, 0.5F * area.width());
    // A gap before each position's rows.
    constexpr float kGap = 12.0F;
    const float each = std::min(64.0F, (area.height() - 2.0F * kGap) / static_cast<float>(count));
    const float strip = std::max(4.0F, 0.66F * each);
    if (each < 9.0F) return;
    float y = area.y0 + 4.0F;
    const std::size_t per_position = norm ? 3 : 2;
    for (std::size_t i = 0; i < count; ++i) {
        const Row& row = rows[i];
        if (i > 0 && (i - 1) % per_position == 0) y += kGap;
        const Rect rect{area.x0 + label, y, area.x1 - (lengths ? said + 12.0F : 0.0F), y + strip};
        const float size = std::min(kSize, 1.1F * strip);
        if (row.mark != 0) f.canvas.disc({area.x0 + 4.0F, rect.centre().y}, 3.0F, row.mark);
        if (size >= 9.0F)
            definition::draw(f, {area.x0 + 13.0F, rect.centre().y + 0.33F * size}, row.label, size);
        draw_strip(f, static_cast<int>(i), rect, made->input, *row.strip, of.range,
                   concatenated && row.strip->dimensions != of.embedding.dimensions);
        if (lengths)
            f.canvas.text({area.x1, rect.centre().y + 4.5F}, row.said,
                          {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
        y += each;
    }
    if (legend.height() < 10.0F) return;
    const float used = cells::colour_bar(f, legend.x1, legend.y1 - 10.0F, f.text("input.scale"), -of.range,
                                         of.range, cells::Colours::signed_values);
    const std::string_view note = f.format("input.apart", fmt::arg("apart", ui::significant(s, of.apart, 4)));
    if (f.canvas.text_width(note, Face::text, ui::kSmallSize) + used + 20.0F < legend.width())
        f.canvas.text({legend.x0, legend.y1 - 5.5F}, note, {f.theme.ink_soft, ui::kSmallSize, Face::text});
}

}  // namespace posiscope::figures::terms
