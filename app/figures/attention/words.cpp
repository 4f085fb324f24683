// words.cpp — the words of the Attention figure: a text field, examples, chips to drag, the choice of head and mask, and
// the vectors of one word.
#include "app/figures/attention/attention.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/text.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

namespace posiscope::figures::attention {
namespace {

using canvas::Align;
using ui::Face;

constexpr float kChipGap = 6.0F;

// ---- The text ------------------------------------------------------------------------------------------------

void set_words(View& v, const std::vector<std::string>& words, const std::vector<std::int64_t>& order) {
    Choice content = content_in_words(v.frame, v.frame.edit());
    content.parameters["text"] = words;
    content.parameters["order"] = order;
    if (!check_words(content.parameters)) v.frame.edit().content = std::move(content);
}

// Typed text replaces the words at once; a text that cannot be words is refused below, and the words stay.
std::optional<Problem> take_text(View& v, std::string_view text) {
    const auto words = split_words(text);
    if (words == v.sentence.words && v.scene().content.kind == "tokens") return std::nullopt;
    Json parameters{{"text", words}, {"order", Json::array()}};
    if (auto problem = check_words(parameters)) return problem;
    set_words(v, words, {});
    return std::nullopt;
}

// A sentence as it is, or turned round.
struct Example {
    std::vector<std::string> words;
    std::vector<std::int64_t> order;
    std::string text;
};
struct ExamplesKey {
    Kept<std::string> first, second;
    bool operator==(const ExamplesKey&) const = default;
};
struct Examples {
    Same<std::string> first, second;
    Memo<ExamplesKey, std::vector<Example>> all;
};

std::vector<Example> examples_from(const ExamplesKey& key) {
    std::vector<Example> all;
    for (const std::string& text : {*key.first, *key.second}) {
        const auto words = split_words(text);
        Example turned{words, {}, {}};
        for (std::size_t w = words.size(); w > 0; --w)
            turned.order.push_back(static_cast<std::int64_t>(w - 1));
        for (const std::int64_t word : turned.order)
            turned.text += (turned.text.empty() ? "" : " ") + words[static_cast<std::size_t>(word)];
        all.push_back({words, {}, text});
        all.push_back(std::move(turned));
    }
    return all;
}

const std::vector<Example>& examples(const Frame& f) {
    Examples& kept = f.derived.part<Examples>();
    return *kept.all.get(
        {kept.first.of(f.text("attention.example")), kept.second.of(f.text("attention.other_example"))},
        [](const ExamplesKey& key) { return examples_from(key); });
}

void draw_examples(View& v, Rect row) {
    Frame& f = v.frame;
    static constexpr std::array<std::string_view, 4> marks = {"example_1", "example_2", "example_3",
                                                              "example_4"};
    const auto& all = examples(f);
    float x = row.x0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Example& one = all[i];
        const float width = f.canvas.text_width(one.text, Face::text, 14.5F) + cells::kButtonPad;
        if (x + width > row.x1) break;
        const bool on = one.words == v.sentence.words &&
                        (one.order.empty() ? !v.sentence.reordered() : v.sentence.order == one.order);
        if (cells::button(f, marks[i], {x, row.y0 + 1.0F, x + width, row.y0 + 25.0F}, one.text, on) && !on)
            set_words(v, one.words, one.order);
        x += width + 6.0F;
    }
}

void draw_text(View& v, Rect& area) {
    Frame& f = v.frame;
    if (f.field == nullptr || area.height() < 250.0F) return;
    Rect row = area.cut_top(38.0F);
    const Rect field{row.x0, row.y0, row.x0 + std::clamp(0.42F * row.width(), 150.0F, 360.0F),
                     row.y0 + 26.0F};
    if (f.marks != nullptr) f.marks->push_back({f.figure, "text", field.centre()});
    std::optional<Problem> problem;
    if (const auto typed =
            f.field->edit(field, v.sentence.text, f.text("attention.hint"), f.text("attention.help")))
        problem = take_text(v, *typed);

    draw_examples(v, {field.x1 + 12.0F, row.y0, row.x1, row.y1});
    if (!problem) return;
    const std::string sentence = f.strings.sentence(*problem);
    f.canvas.fill({area.x0, area.y0 + 1.0F, area.x0 + 3.0F, area.y0 + 17.0F}, f.theme.beyond, 1.5F);
    area.cut_top(
        6.0F + f.canvas.paragraph({area.x0 + 10.0F, area.y0}, sentence, small_ink(f), area.width() - 10.0F));
}

// ---- The chips -----------------------------------------------------------------------------------------------

struct Chips {
    float size = 16.0F, height = 34.0F, widest = 1e9F, pad = 22.0F;
    std::vector<Rect> at;  // by position
    int lines = 0;
};

void lay(const Frame& f, Rect area, const std::vector<std::string>& words,
         std::span<const std::int64_t> order, Chips& chips) {
    chips.at.clear();
    chips.lines = 1;
    float x = area.x0, y = area.y0;
    for (const std::int64_t word : order) {
        const float text = f.canvas.text_width(words[static_cast<std::size_t>(word)], Face::text, chips.size);
        const float width = std::clamp(text + chips.pad, chips.height, chips.widest);
        if (x + width > area.x1 && x > area.x0) {
            x = area.x0;
            y += chips.height + kChipGap;
            ++chips.lines;
        }
        chips.at.push_back({x, y, x + width, y + chips.height});
        x += width + kChipGap;
    }
}

// The chips leave most of the figure to the matrices.
Chips& arrange(const Frame& f, Rect area, const std::vector<std::string>& words,
               std::span<const std::int64_t> order) {
    auto& chips = f.derived.part<Chips>();  // for its memory
    for (const auto& [size, height, widest, pad] :
         {std::array{16.0F, 34.0F, 1e9F, 22.0F}, std::array{14.5F, 28.0F, 110.0F, 16.0F},
          std::array{13.5F, 24.0F, 70.0F, 12.0F}, std::array{12.0F, 20.0F, 44.0F, 8.0F}}) {
        chips.size = size, chips.height = height, chips.widest = widest, chips.pad = pad;
        lay(f, area, words, order, chips);
        if (static_cast<float>(chips.lines) * (height + kChipGap) <= std::max(40.0F, 0.22F * area.height()))
            break;
    }
    return chips;
}

void draw_chip(View& v, const Chips& chips, Rect at, std::int64_t word, bool held) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const bool lit = v.lit == word;
    c.fill(at, held || lit ? f.theme.ink_soft : f.theme.border, 6.0F);
    c.fill(at.grown(-1.0F), held ? f.theme.pressed : f.theme.control, 5.0F);
    c.fill({at.x0 + 5.0F, at.y1 - 4.0F, at.x1 - 5.0F, at.y1 - 1.5F}, v.colour(word), 1.0F);
    const std::string_view text = cells::shortened(f, v.sentence.words[static_cast<std::size_t>(word)],
                                                   Face::text, chips.size, at.width() - chips.pad + 8.0F);
    c.text({at.centre().x, at.centre().y + 0.28F * chips.size}, text,
           {f.theme.ink, chips.size, Face::text, Align::centre});
}

// The place of the dragged word. It swaps with a chip when the mouse is halfway between its places before and after
// that chip.
std::vector<std::int64_t> moved_order(const Frame& f, Rect area, const Sentence& sentence, Chips& chips,
                                      std::int64_t word, float width) {
    std::vector<std::int64_t> others = sentence.order;
    std::erase(others, word);
    lay(f, area, sentence.words, others, chips);
    const Point mouse = f.pointer->at;
    std::size_t before = 0;
    for (const Rect& chip : chips.at) {
        const bool above = mouse.y > chip.y1 + 0.5F * kChipGap;
        const bool below = mouse.y < chip.y0 - 0.5F * kChipGap;
        const bool first_line = chip.y0 <= area.y0, last_line = chip.y0 >= chips.at.back().y0;
        const bool same = (!above || last_line) && (!below || first_line);
        const float halfway = chip.x0 + 0.5F * (width + chip.width() + kChipGap);
        if (same ? mouse.x > halfway : above) ++before;
    }
    others.insert(others.begin() + static_cast<std::ptrdiff_t>(before), word);
    return others;
}

void click_word(View& v, std::int64_t word) {
    const Json* pinned = view_value(v.scene(), "attention", "word");
    const bool again = pinned != nullptr && pinned->is_number_integer() && *pinned == word;
    set_view_value(v.frame.edit(), "attention", "word", again ? Json(nullptr) : Json(word));
}

void draw_chips(View& v, Rect& area) {
    Frame& f = v.frame;
    const Sentence& sentence = v.sentence;
    if (sentence.words.empty() || !marked(f)) return;  // to be dragged; the rows name the words too
    Chips& chips = arrange(f, area, sentence.words, sentence.order);
    const Rect room = area.cut_top(static_cast<float>(chips.lines) * (chips.height + kChipGap) + 6.0F);

    std::optional<std::int64_t> held;
    for (std::size_t i = 0; i < chips.at.size(); ++i) {
        const Rect chip = chips.at[i];
        const bool near = f.pointer != nullptr && chip.contains(f.pointer->at);
        if (near && f.over(chip)) {
            v.lit = sentence.order[i];
            f.hovered.position = static_cast<std::int64_t>(i);
        }
        const KeyStop keys = cells::pressed_or_moved(f, f.scratch.format("word{}", i), chip);
        if (keys == KeyStop::pressed) click_word(v, sentence.order[i]);
        const std::size_t to = keys == KeyStop::later ? i + 1 : keys == KeyStop::earlier ? i - 1 : i;
        if (to != i && to < sentence.order.size()) {  // nothing is before the first
            std::vector<std::int64_t> order = sentence.order;
            std::swap(order[i], order[to]);
            set_words(v, sentence.words, order);
        }
        if (!f.drag("word", near, chip.centre(), Cursor::hand)) continue;
        if (f.began() && near) f.drag_state->value = static_cast<double>(sentence.order[i]);
        held = static_cast<std::int64_t>(f.drag_state->value);
    }
    if (held && f.pointer->released && !f.pointer->moved) click_word(v, *held);
    const bool dragged = held && f.pointer->moved && *held < static_cast<std::int64_t>(sentence.size());

    if (const Scene* before = f.ghost(); dragged && before != nullptr) {  // as they stood
        Chips old = chips;
        lay(f, room, sentence.words, order_of(content_in_words(f, *before).parameters), old);
        for (const Rect& chip : old.at) f.canvas.outline(chip, {ui::faded(f.theme.ink_soft, 0.5F), 1.0F});
    }
    for (std::size_t i = 0; i < chips.at.size(); ++i)
        if (!dragged || sentence.order[i] != *held)
            draw_chip(v, chips, chips.at[i], sentence.order[i], false);
    if (!dragged) return;
    const auto slot = static_cast<std::size_t>(sentence.place[static_cast<std::size_t>(*held)]);
    const float width = chips.at[slot].width();
    f.canvas.outline(chips.at[slot], {f.theme.ink_faint, 1.0F, 3.0F});
    const Point mouse = f.pointer->at;
    draw_chip(v, chips,
              {mouse.x - 0.5F * width, mouse.y - 0.5F * chips.height, mouse.x + 0.5F * width,
               mouse.y + 0.5F * chips.height},
              *held, true);
    const auto order = moved_order(f, room, sentence, chips, *held, width);
    if (order != sentence.order) set_words(v, sentence.words, order);
    v.lit = held;
}

// An order that is no reversal, which would leave every distance |i − j| as it was.
void draw_swap(View& v, Point right_top, float room) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    const std::string_view text = f.text("attention.swap");
    const float width = f.canvas.text_width(text, Face::text, 14.5F) + cells::kButtonPad;
    if (s.size() < 3 || width + 280.0F > room) return;
    const Rect place{right_top.x - width, right_top.y, right_top.x, right_top.y + cells::kButtonHeight};
    if (!cells::button(f, "swap", place, text, false)) return;
    std::vector<std::int64_t> order = s.as_typed;
    if (s.order == s.as_typed || s.reversed()) std::swap(order[0], order[1]);
    set_words(v, s.words, order);
}

void draw_choices(View& v, Rect& area) {
    Frame& f = v.frame;
    if (f.pointer == nullptr || area.height() < 150.0F) return;
    const Rect row = area.cut_top(cells::kButtonHeight + 10.0F);
    float x = row.x0;
    if (const float width = head_choice(f, row.min()); width > 0.0F) x += width + 16.0F;
    static constexpr std::array<std::string_view, 2> marks = {"both_ways", "causal"};
    const std::array<std::string_view, 2> masks = {f.text("attention.both_ways"), f.text("attention.causal")};
    if (const auto chosen = cells::choices(f, {x, row.y0}, marks, masks, v.scene().causal ? 1 : 0))
        f.edit().causal = *chosen == 1;
    x += cells::choices_width(f, masks) + 16.0F;
    page_choice(f, {x, row.y0}, row.x1 - x, v.sentence.queries);
    if (!v.sentence.alone) draw_swap(v, {row.x1, row.y0}, row.width());
}

}  // namespace

void draw_words(View& v, Rect& area) {
    if (!v.sentence.alone) {
        draw_text(v, area);
        draw_chips(v, area);
    }
    draw_choices(v, area);
}

// ---- One word's vectors --------------------------------------------------------------------------------------

namespace {

// Bars around a line: what a vector is now, and as an outline what it was as typed.
void draw_vector(View& v, Rect area, std::span<const double> now, std::span<const double> typed,
                 double range) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const float middle = area.centre().y, half = 0.5F * area.height();
    c.line({area.x0, middle}, {area.x1, middle}, {f.theme.grid, 1.0F});
    const float step = area.width() / static_cast<float>(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        const float x = area.x0 + step * static_cast<float>(i);
        const auto to = [&](double value) {
            return middle - half * static_cast<float>(range > 0.0 ? value / range : 0.0);
        };
        const float y = to(now[i]), old = to(typed[i]);
        c.fill({x, std::min(y, middle), x + step - 1.0F, std::max(y, middle)},
               now[i] >= 0.0 ? f.theme.plus : f.theme.minus);
        if (std::abs(old - y) > 0.75F) c.line({x, old}, {x + step - 1.0F, old}, {f.theme.ink, 1.0F});
    }
}

// The pair that rotates a feature of q and k; empty for unrotated ones.
std::optional<std::size_t> pair_of(const Frame& f, std::size_t feature, const Spectrum& spectrum) {
    if (feature >= 2 * spectrum.pairs()) return std::nullopt;
    const auto at =
        pair_component(encoding_of(f.scene).layout(f.scene), static_cast<std::int64_t>(spectrum.pairs()),
                       static_cast<std::int64_t>(feature));
    return static_cast<std::size_t>(at.pair);
}

// Behind the features of the pair that is under the mouse in any figure.
void mark_pair(Frame& f, Rect area, std::size_t shown, const Spectrum& spectrum) {
    const auto lit = linked(f, spectrum);
    const float step = area.width() / static_cast<float>(shown);
    for (std::size_t i = 0; lit && i < shown; ++i)
        if (pair_of(f, i, spectrum) == lit->pair) {
            const float x = area.x0 + step * static_cast<float>(i);
            f.canvas.fill({x - 0.5F, area.y0, x + step - 0.5F, area.y1}, f.theme.pressed, 1.0F);
        }
}

}  // namespace

void draw_details(View& v, Rect& area) {
    Frame& f = v.frame;
    const Sentence& s = v.sentence;
    if (s.problem || s.words.empty() || area.height() < 330.0F || area.width() < 300.0F) return;
    const Json* pinned = view_value(v.scene(), "attention", "word");
    const auto marked = s.row_of(v.scene().position + v.scene().offset);
    std::int64_t word =
        v.lit.value_or(s.alone ? static_cast<std::int64_t>(marked.value_or(0))
                       : pinned != nullptr && pinned->is_number_integer() ? pinned->get<std::int64_t>()
                                                                          : s.order.front());
    if (word < 0 || word >= static_cast<std::int64_t>(s.size())) word = s.order.front();
    const auto typed_at = static_cast<std::size_t>(word);
    const auto now_at = static_cast<std::size_t>(s.place[typed_at]);
    const std::int64_t row = s.queries.first + static_cast<std::int64_t>(now_at),
                       position = row + (is_stored(s.scene.content) ? stored_start(s.scene.content) : 0);

    // By ids that differ from query to query a key is rotated where it meets one.
    const bool rotated = encoding_of(v.scene()).acts == Acts::query_key &&
                         (!s.ids || (s.ids->row().policy().fixed_keys && !s.ids->row().rotation_only()));
    Rect strip = area.cut_bottom(86.0F);
    f.canvas.fill({strip.x0, strip.y0, strip.x1, strip.y0 + 1.0F}, f.theme.border);
    strip.y0 += 8.0F;
    const auto width = static_cast<std::size_t>(s.width);
    constexpr float gap = 22.0F;
    const float each = s.alone ? (strip.width() - gap) / 2.0F : (strip.width() - 3.0F * gap) / 4.0F;
    const std::size_t shown = std::min(width, static_cast<std::size_t>(std::max(each / 5.0F, 1.0F)));
    const Rect title = strip.cut_top(18.0F);
    f.canvas.fill({title.x0, title.y0 + 2.0F, title.x0 + 3.0F, title.y0 + 15.0F}, v.colour(word), 1.0F);
    const std::string_view said =
        f.format(v.of_a != nullptr ? "attention.word_difference"
                 : s.alone         ? rotated ? "attention.word_stored" : "attention.word_row"
                                   : "attention.word",
                 fmt::arg("word", cells::shortened(f, s.words[typed_at], Face::text, ui::kSmallSize, 120.0F)),
                 fmt::arg("typed", typed_at), fmt::arg("now", row));
    f.canvas.text({title.x0 + 9.0F, title.y0 + 13.0F}, said, small_ink(f));
    const auto first = f.format("attention.first", fmt::arg("shown", shown), fmt::arg("width", width));
    const auto wide = [&](auto text) { return small_width(f, text); };
    if (shown < width && wide(said) + wide(first) + 20.0F < title.width())
        f.canvas.text({title.x1, title.y0 + 13.0F}, first, small(f, Align::right));

    struct Named {
        std::string_view symbol;
        const std::vector<double>&now, &typed;
        bool turned;  // its features stand in pairs
    };
    const Spectrum* const spectrum =
        encoding_of(v.scene()).acts == Acts::query_key ? f.derived.frequencies(v.scene()) : nullptr;
    const bool turns = rotated && !s.ids && spectrum != nullptr && spectrum->pairs() > 0;
    const Named vectors[] = {{"q", s.sides_now.q, s.sides_typed.q, turns},
                             {"k", s.sides_now.k, s.sides_typed.k, turns},
                             {"v", s.sides_now.v, s.sides_typed.v, false},
                             {"y", s.now.output, s.typed.output, false}};
    float x = strip.x0;
    for (const Named& one : std::span(vectors).first(s.alone ? 2 : 4)) {
        const auto now = std::span(one.now).subspan(now_at * width, shown),
                   typed = std::span(one.typed).subspan(typed_at * width, shown);
        double range = 0.0;
        for (std::size_t i = 0; i < shown; ++i)
            range = std::max({range, std::abs(now[i]), std::abs(typed[i])});
        f.canvas.text({x, strip.centre().y + 5.0F}, one.symbol, {f.theme.ink, 16.0F, Face::formula});
        const Rect bars{x + 16.0F, strip.y0 + 2.0F, x + each, strip.y1 - 2.0F};
        if (f.marks != nullptr) f.marks->push_back({f.figure, one.symbol, bars.centre()});
        if (one.turned) mark_pair(f, bars, shown, *spectrum);
        draw_vector(v, bars, now, typed, range);
        if (f.over(bars)) {
            const auto i =
                std::min(shown - 1, static_cast<std::size_t>((f.pointer->at.x - bars.x0) / bars.width() *
                                                             static_cast<float>(shown)));
            f.tip.formula = f.scratch.format("{}_{{{}}}", one.symbol, i);
            f.tip.value = f.scratch.format("= {}", ui::significant(f.scratch, now[i], 6));
            std::size_t line = 0;
            if (!s.alone)
                f.tip.details[line++] = f.format("attention.as_typed_value",
                                                 fmt::arg("value", ui::significant(f.scratch, typed[i], 6)));
            if (const auto pair = one.turned ? pair_of(f, i, *spectrum) : std::nullopt) {
                f.hovered.frequency = spectrum->frequency[*pair];
                f.tip.details[line] = f.format(
                    "attention.turned", fmt::arg("pair", *pair), fmt::arg("position", position),
                    fmt::arg(
                        "angle",
                        ui::significant(f.scratch, static_cast<double>(position) * *f.hovered.frequency, 4)));
            }
        }
        x += each + gap;
    }
}

}  // namespace posiscope::figures::attention
