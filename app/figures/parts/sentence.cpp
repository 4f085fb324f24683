#include "app/figures/parts/sentence.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/stored.hpp"
#include "core/attention/placed.hpp"
#include "core/attention/rows.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <numeric>

namespace posiscope::figures {
namespace {

constexpr double kMostProducts = 0x1p27;  // of W with its inputs: about a quarter of a second

// W, or W_R of the distances.
bool projects(const AttentionInput& scene) {
    return seeded_weights(scene.content) || encoding_of(scene).learns.projects;
}

// One head of [heads, n, width].
std::vector<double> head_of(const std::vector<double>& all, std::int64_t head, std::size_t size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(head) * size);
    return {first, first + static_cast<std::ptrdiff_t>(size)};
}

// The projections of one head, words as typed: of the content alone, and of what is added at each position. W is
// applied once; another order only moves rows.
struct Projections {
    Sides content, position;
    std::int64_t width = 0;
    std::optional<Problem> problem;
};

Result<Sides> projected_head(const AttentionInput& scene, const Action& action, Added added,
                             std::int64_t head) {
    const auto made = project_by(scene, action, added);
    if (!made) return tl::unexpected(made.error());
    const auto size = static_cast<std::size_t>(made->shape.keys * made->shape.head_dim);
    return Sides{head_of(made->q, head, size), head_of(made->k, head, size), head_of(made->v, head, size)};
}

Projections projections(const TokenInput& scene, std::int64_t head) {
    Projections made;
    made.width = head_dim(scene);
    const auto refused = [&](Problem problem) {
        made.problem = std::move(problem);
        return made;
    };
    if (auto problem = too_slow(scene)) return refused(std::move(*problem));
    const auto action = attention_action(scene);
    if (!action) return refused(action.error());
    auto content = projected_head(scene, *action, Added::content_only, head);
    if (!content) return refused(content.error());
    made.content = std::move(*content);
    if (!action->add) return made;
    auto position = projected_head(scene, *action, Added::position_only, head);
    if (!position) return refused(position.error());
    made.position = std::move(*position);
    return made;
}

// Row i holds the content of word order[i] and the position i.
std::vector<double> placed(const std::vector<double>& content, const std::vector<double>& position,
                           std::span<const std::int64_t> order, std::size_t width) {
    std::vector<double> rows(content.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t f = 0; f < width; ++f) {
            const std::size_t at = i * width + f;
            rows[at] = content[static_cast<std::size_t>(order[i]) * width + f];
            if (!position.empty()) rows[at] += position[at];
        }
    return rows;
}

Sides placed(const Sides& content, const Sides& position, std::span<const std::int64_t> order,
             std::size_t width) {
    return {placed(content.q, position.q, order, width), placed(content.k, position.k, order, width),
            placed(content.v, position.v, order, width)};
}

double largest(std::span<const double> values) {
    double most = 0.0;
    for (const double value : values)
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    return most;
}

// The range of colours if a few keys take nearly all: the rest of a trained head would be white.
double usual_weight(const Attention& made) {
    std::vector<double> seen;
    for (const double weight : made.weights)
        if (weight > 0.0) seen.push_back(weight);
    if (seen.empty()) return 1.0;
    const auto most = seen.begin() + static_cast<std::ptrdiff_t>(95 * (seen.size() - 1) / 100);
    std::nth_element(seen.begin(), most, seen.end());
    return *most;
}

// Hides the keys that the Scene's own mask lets pass and ids do not.
void hide_by_ids(const Sentence& sentence, Attention& made) {
    if (!sentence.ids) return;
    const auto columns = static_cast<std::int64_t>(sentence.key_words.size());
    for (std::int64_t i = 0; i < std::ssize(sentence.words); ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            const std::int64_t query = sentence.queries.first + i, key = sentence.keys.first + j;
            if (made.shape.sight.unseen(query, key) != Sight::Cause::none ||
                sentence.ids->hides(query, key) == TokenRow::Cause::none)
                continue;
            const auto at = static_cast<std::size_t>(i * columns + j);
            made.logits[at] = made.weights[at] = std::nan("");
        }
}

void hide_unseen(Attention& made) {
    for (std::size_t i = 0; i < made.weights.size(); ++i)
        if (!std::isfinite(made.logits[i])) made.weights[i] = made.logits[i];
}

// By word: how far its output is from what it was as typed.
std::vector<double> output_changes(const Attention& typed, const Attention& now,
                                   std::span<const std::int64_t> order, std::size_t width) {
    std::vector<double> changes(order.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto word = static_cast<std::size_t>(order[i]);
        for (std::size_t f = 0; f < width; ++f)
            changes[word] =
                std::max(changes[word], std::abs(now.output[i * width + f] - typed.output[word * width + f]));
    }
    return changes;
}

void compute(Sentence& made, const Projections& from) {
    made.width = from.width;
    made.problem = from.problem;
    const auto action = attention_action(made.scene);
    if (!made.problem && !action) made.problem = action.error();
    if (made.problem) return;
    const auto n = static_cast<std::int64_t>(made.size());
    const auto width = static_cast<std::size_t>(made.width);

    const Action here = action_of_head(*action, made.head), nothing = plain_action(made.width);
    const AttentionShape shape{1, made.width, n, n, sight_of(made.scene)}, open{1, made.width, n, n, {false}};
    const auto attended_to = [&](const Action& by, const AttentionShape& form, const Sides& sides) {
        return attend(by, form, sides.q, sides.k, sides.v);
    };
    made.sides_typed = placed(from.content, from.position, made.as_typed, width);
    made.sides_now = placed(from.content, from.position, made.order, width);
    made.typed = attended_to(here, shape, made.sides_typed);
    made.now = attended_to(here, shape, made.sides_now);
    made.plain_typed = attended_to(nothing, open, placed(from.content, {}, made.as_typed, width));
    made.plain_now = attended_to(nothing, open, placed(from.content, {}, made.order, width));
    if (here.turn)
        for (Sides* sides : {&made.sides_typed, &made.sides_now})
            for (std::int64_t i = 0; i < n; ++i) {
                const auto row = [&](std::vector<double>& x) {
                    return std::span(x).subspan(static_cast<std::size_t>(i) * width, width);
                };
                here.turn(Side::query, i, row(sides->q));
                here.turn(Side::key, i, row(sides->k));
            }

    made.changes = output_changes(made.typed, made.now, made.order, width);
    const auto most = std::max_element(made.changes.begin(), made.changes.end());
    made.most_changed = static_cast<std::size_t>(most - made.changes.begin());
    made.plain_residual = largest(output_changes(made.plain_typed, made.plain_now, made.order, width));
    for (Attention* one : {&made.typed, &made.now, &made.plain_typed, &made.plain_now}) {
        made.largest_output = std::max(made.largest_output, largest(one->output));
        made.largest_logit = std::max(made.largest_logit, largest(one->logits));
        hide_unseen(*one);
    }
    for (Attention* one : {&made.typed, &made.now}) hide_by_ids(made, *one);
}

void compute_rows(Sentence& made) {
    made.width = head_dim(made.scene);
    made.problem = too_slow(made.scene);
    if (made.problem) return;
    auto rows = attention_rows(
        made.scene,
        {made.head, {made.queries.first, made.queries.end()}, {made.keys.first, made.keys.end()}});
    if (!rows) {
        made.problem = rows.error();
        return;
    }
    made.now.shape = {1, made.width, made.queries.count, made.keys.count, sight_of(made.scene)};
    made.now.logits = std::move(rows->logits);
    made.now.weights = std::move(rows->weights);
    made.before = std::move(rows->before);
    made.behind = std::move(rows->behind);
    made.distance = std::move(rows->distance);
    made.sides_now.q = std::move(rows->q);
    made.sides_now.k = std::move(rows->k);
    made.sides_typed = made.sides_now;
    made.largest_weight = usual_weight(made.now);
    made.largest_logit = largest(made.now.logits);
    made.changes.assign(made.size(), 0.0);
    hide_unseen(made.now);
    hide_by_ids(made, made.now);
}

// The content in words: its own, or the example, turned round.
Choice in_words(const Choice& content, std::string_view example) {
    if (content.kind == "tokens" || is_stored(content)) return content;
    Choice made{"tokens", *checked_all(content_parameters("tokens"), Json::object(), "content")};
    const auto words = split_words(example);
    made.parameters["text"] = words;
    made.parameters["order"] = Json::array();
    for (std::size_t i = words.size(); i > 0; --i) made.parameters["order"].push_back(i - 1);
    for (const auto& [key, value] : content.parameters.items())
        if (made.parameters.contains(key)) made.parameters[key] = value;
    return made;
}

struct WordsKey {
    Kept<TokenInput> input;
    Kept<std::string> example;
    bool operator==(const WordsKey&) const = default;
};
// The words as attention sees them, and the same in the order as typed.
struct InWords {
    TokenInput now, typed;
};
struct ProjectionsKey {
    Kept<TokenInput> typed;
    std::int64_t head;
    bool operator==(const ProjectionsKey&) const = default;
};
struct SentenceKey {
    Kept<TokenInput> now;
    Kept<Projections> projections;
    std::int64_t head;
    bool operator==(const SentenceKey&) const = default;
};
struct RowsKey {
    Kept<TokenInput> input;
    std::int64_t head;
    Page queries, keys;
    bool operator==(const RowsKey&) const = default;
};

struct TokenInputKey {
    Kept<TokenInput> input;
    bool operator==(const TokenInputKey&) const = default;
};

struct Tokens {
    Kept<TokenInput> kept;
};

// Cached step by step, so that a new length or a new order of the words recomputes only what depends on it.
struct Sentences {
    Same<std::string> example;  // by value: with another language its table goes
    Memo<WordsKey, InWords> words;
    Same<TokenInput> now, typed;
    Slow<ProjectionsKey, Projections> projections;
    Slow<SentenceKey, Sentence> sentence;
    Memo<SentenceKey, Sentence> waiting;  // the words alone
    Memo<TokenInputKey, std::int64_t> all_rows;
    Slow<RowsKey, Sentence> rows;
    Memo<RowsKey, Sentence> rows_waiting;
    Kept<Sentence> shown;
};

InWords words_from(const WordsKey& key) {
    InWords made;
    made.now = *key.input;
    made.now.content = in_words(key.input->content, *key.example);
    made.now = attended_tokens(std::move(made.now));
    made.typed = made.now;
    made.typed.content.parameters["order"] = Json::array();
    return made;
}

Sentence words_alone(const SentenceKey& key) {
    Sentence made;
    made.scene = *key.now;
    made.head = key.head;
    made.ids = TokenRow::of(made.scene);
    made.words = words_of(made.scene.content.parameters);
    made.order = order_of(made.scene.content.parameters);
    made.key_words = made.words;
    made.queries = made.keys = Page::of(0, std::ssize(made.words), std::ssize(made.words));
    made.text = joined_words(made.words);
    made.as_typed.resize(made.order.size());
    std::iota(made.as_typed.begin(), made.as_typed.end(), 0);
    made.place.resize(made.order.size());
    for (std::size_t i = 0; i < made.order.size(); ++i)
        made.place[static_cast<std::size_t>(made.order[i])] = static_cast<std::int64_t>(i);
    made.problem = being_made();
    return made;
}

Sentence sentence_from(const SentenceKey& key) {
    Sentence made = words_alone(key);
    compute(made, *key.projections);
    return made;
}

Sentence rows_alone(const RowsKey& key) {
    Sentence made;
    made.scene = *key.input;
    made.head = key.head;
    made.alone = true;
    made.queries = key.queries;
    made.keys = key.keys;
    made.ids = TokenRow::of(made.scene);
    made.words = stored_words(made.scene.content, key.queries.first, key.queries.count);
    made.key_words = stored_words(made.scene.content, key.keys.first, key.keys.count);
    const auto text = made.scene.content.parameters.find("text");
    made.has_text = text != made.scene.content.parameters.end() && !text->empty();
    made.text = joined_words(made.words);
    made.order.resize(made.words.size());
    std::iota(made.order.begin(), made.order.end(), 0);
    made.as_typed = made.place = made.order;
    made.problem = being_made();
    return made;
}

Sentence rows_from(const RowsKey& key) {
    Sentence made = rows_alone(key);
    made.problem.reset();
    compute_rows(made);
    return made;
}

const Kept<Sentence>& alone_sentence(const Scene& scene, Derived& derived, Sentences& kept) {
    const auto& input = token_input(scene, derived);
    // Reads the headers of files, once.
    const std::int64_t all =
        *kept.all_rows.get({input}, [](const TokenInputKey& key) { return content_length(*key.input); });
    const RowsKey key{input, shown_head(scene), Page::of(scene.position + scene.offset, all),
                      Page::of(scene.position, all)};
    kept.shown = kept.rows.get(derived.background(), key, [](const RowsKey& of) { return rows_from(of); });
    if (kept.shown == nullptr)
        kept.shown = kept.rows_waiting.get(key, [](const RowsKey& of) { return rows_alone(of); });
    return kept.shown;
}

}  // namespace

const Kept<TokenInput>& token_input(const Scene& scene, Derived& derived) {
    Kept<TokenInput>& kept = derived.part<Tokens>().kept;
    if (kept == nullptr || !kept->is_of(scene)) kept = std::make_shared<const TokenInput>(scene);
    return kept;
}

bool rows_alone(const Scene& scene) {
    return is_stored(scene.content) || scene.content.kind == "vectors" ||
           (scene.content.kind != "tokens" && !token_ids(scene.view).is_null());
}

Page Page::of(std::int64_t position, std::int64_t all, std::int64_t most) {
    if (all <= 0) return {};
    const std::int64_t pages = (all + most - 1) / most, size = (all + pages - 1) / pages;
    const std::int64_t first = std::clamp<std::int64_t>(position, 0, all - 1) / size * size;
    return {first, std::min(size, all - first), size, all};
}

bool Sentence::reordered() const {
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int64_t>(i)) return true;
    return false;
}

bool Sentence::reversed() const {
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int64_t>(order.size() - 1 - i)) return false;
    return true;
}

std::int64_t shown_head(const Scene& scene) {
    if (is_stored(scene.content))
        return std::clamp<std::int64_t>(stored_head(scene.content), 0, scene.num_heads - 1);
    const Json* head = view_value(scene, "attention", "head");
    const std::int64_t wanted = head != nullptr && head->is_number_integer() ? head->get<std::int64_t>() : 0;
    return std::clamp<std::int64_t>(wanted, 0, scene.num_heads - 1);
}

Choice content_in_words(const Frame& f, const Scene& scene) {
    return in_words(scene.content, f.text("attention.example"));
}

std::optional<Problem> too_slow(const AttentionInput& scene) {
    if (!projects(scene)) return std::nullopt;
    const auto rows = static_cast<double>(content_length(scene)) + 4.0;
    const double inner = static_cast<double>(scene.num_heads) * static_cast<double>(head_dim(scene));
    if (static_cast<double>(scene.d_model) * inner * rows <= kMostProducts) return std::nullopt;
    const double most = scene.head_dim ? kMostProducts / (rows * inner) : std::sqrt(kMostProducts / rows);
    return Problem{"attention.slow",
                   {{"d_model", std::to_string(scene.d_model)},
                    {"maximum", std::to_string(std::max(2LL, 2 * std::llround(std::floor(0.5 * most))))}}};
}

std::optional<Problem> too_wide(const AttentionInput& scene) {
    const auto d = static_cast<double>(scene.d_model), width = static_cast<double>(head_dim(scene));
    if (!projects(scene) || d * width <= kMostProducts) return std::nullopt;
    const double most = scene.head_dim ? kMostProducts / width
                                       : std::sqrt(kMostProducts * static_cast<double>(scene.num_heads));
    return Problem{"attention.slow",
                   {{"d_model", std::to_string(scene.d_model)},
                    {"maximum", std::to_string(std::max(2LL, 2 * std::llround(std::floor(0.5 * most))))}}};
}

const Kept<Sentence>& sentence(const Frame& f, const Scene& scene, Derived& derived) {
    auto& kept = derived.part<Sentences>();
    if (rows_alone(scene)) return alone_sentence(scene, derived, kept);
    const std::int64_t head = shown_head(scene);
    const InWords& words =
        *kept.words.get({token_input(scene, derived), kept.example.of(f.text("attention.example"))},
                        [](const WordsKey& key) { return words_from(key); });
    const auto projected =
        kept.projections.get(derived.background(), {kept.typed.of(words.typed), head},
                             [](const ProjectionsKey& key) { return projections(*key.typed, key.head); });
    const SentenceKey key{kept.now.of(words.now), projected, head};
    kept.shown = projected == nullptr
                     ? nullptr
                     : kept.sentence.get(derived.background(), key,
                                         [](const SentenceKey& of) { return sentence_from(of); });
    if (kept.shown == nullptr)
        kept.shown = kept.waiting.get(key, [](const SentenceKey& of) { return words_alone(of); });
    return kept.shown;
}

float head_choice(Frame& f, Point left) {
    if (f.scene.num_heads < 2 || f.pointer == nullptr) return 0.0F;
    const std::int64_t head = shown_head(f.scene);
    const std::string_view said =
        f.format("attention.head", fmt::arg("head", head), fmt::arg("heads", f.scene.num_heads));
    // Room for the widest, so that the buttons stay under the mouse.
    const float room = f.canvas.text_width(f.format("attention.head", fmt::arg("head", f.scene.num_heads - 1),
                                                    fmt::arg("heads", f.scene.num_heads)),
                                           ui::Face::text, 14.5F) +
                       12.0F;
    const auto step = [&](std::string_view mark, float x, std::string_view text, std::int64_t by) {
        if (cells::button(f, mark, {x, left.y, x + 24.0F, left.y + cells::kButtonHeight}, text, false))
            set_head(f.edit(), (head + by + f.scene.num_heads) % f.scene.num_heads);
    };
    step("head_less", left.x, "−", -1);
    f.canvas.text({left.x + 24.0F + 0.5F * room, left.y + 17.0F}, said,
                  {f.theme.ink, 14.5F, ui::Face::text, canvas::Align::centre});
    step("head_more", left.x + 24.0F + room, "+", 1);
    return 48.0F + room;
}

float page_choice(Frame& f, Point left, float room, const Page& queries) {
    if (queries.whole() || f.pointer == nullptr) return 0.0F;
    ui::Scratch& s = f.scratch;
    const auto said = [&](std::int64_t first, std::int64_t last) {
        return f.format("attention.page", fmt::arg("first", ui::integer(s, first)),
                        fmt::arg("last", ui::integer(s, last)), fmt::arg("all", ui::integer(s, queries.all)));
    };
    const float wide =
        f.canvas.text_width(said(queries.all - 1, queries.all - 1), ui::Face::text, 14.5F) + 12.0F;
    if (48.0F + wide > room) return 0.0F;
    const auto step = [&](std::string_view mark, float x, std::string_view text, std::int64_t by) {
        if (!cells::button(f, mark, {x, left.y, x + 24.0F, left.y + cells::kButtonHeight}, text, false))
            return;
        // To the same place of the next page; behind the last one comes the first.
        const std::int64_t pages = (queries.all + queries.size - 1) / queries.size,
                           page = (queries.first / queries.size + by + pages) % pages,
                           query = f.scene.position + f.scene.offset,
                           to = std::min(page * queries.size + std::clamp<std::int64_t>(query - queries.first,
                                                                                        0, queries.size - 1),
                                         queries.all - 1),
                           key = std::max<std::int64_t>(0, f.scene.position + to - query);
        set_position(f.edit(), key);
        set_offset(f.edit(), to - key);
    };
    step("page_less", left.x, "‹", -1);
    f.canvas.text({left.x + 24.0F + 0.5F * wide, left.y + 17.0F}, said(queries.first, queries.end() - 1),
                  {f.theme.ink, 14.5F, ui::Face::text, canvas::Align::centre});
    step("page_more", left.x + 24.0F + wide, "›", 1);
    return 48.0F + wide;
}

}  // namespace posiscope::figures
