#include "app/figures/parts/sentence.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/stored.hpp"
#include "core/attention/placed.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <numeric>

namespace posiscope::figures {
namespace {

constexpr std::int64_t kMostStored =
    48;  // rows of stored q and k; beyond, the first ones, and the figure says so
constexpr double kMostProducts = 0x1p27;  // of W with its inputs: about a quarter of a second

// W, or W_R of the distances.
bool projects(const AttentionInput& scene) {
    return seeded_weights(scene.content) || encoding_of(scene).projects;
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

Result<Sides> projected_head(const AttentionInput& scene, Added added, std::int64_t head) {
    if (is_stored(scene.content)) {
        if (auto shape = attention_shape(scene); !shape) return tl::unexpected(shape.error());
        const std::int64_t rows = content_length(scene);
        const auto q = stored_rows(scene, Tensor::query, head, rows),
                   k = stored_rows(scene, Tensor::key, head, rows);
        if (!q) return tl::unexpected(q.error());
        if (!k) return tl::unexpected(k.error());
        return Sides{**q, **k, std::vector<double>((*q)->size(), 0.0)};
    }
    const auto made = project(scene, added);
    if (!made) return tl::unexpected(made.error());
    const auto size = static_cast<std::size_t>(made->shape.keys * made->shape.head_dim);
    return Sides{head_of(made->q, head, size), head_of(made->k, head, size), head_of(made->v, head, size)};
}

Projections projections(const AttentionInput& scene, std::int64_t head) {
    Projections made;
    made.width = head_dim(scene);
    const auto refused = [&](Problem problem) {
        made.problem = std::move(problem);
        return made;
    };
    if (auto problem = too_slow(scene)) return refused(std::move(*problem));
    const auto action = attention_action(scene);
    if (!action) return refused(action.error());
    auto content = projected_head(scene, Added::content_only, head);
    if (!content) return refused(content.error());
    made.content = std::move(*content);
    if (!action->add) return made;
    auto position = projected_head(scene, Added::position_only, head);
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

// What colours run over where a few keys take nearly all: the rest of a trained head would be white.
double usual_weight(const Attention& made) {
    std::vector<double> seen;
    for (const double weight : made.weights)
        if (weight > 0.0) seen.push_back(weight);
    if (seen.empty()) return 1.0;
    const auto most = seen.begin() + static_cast<std::ptrdiff_t>(95 * (seen.size() - 1) / 100);
    std::nth_element(seen.begin(), most, seen.end());
    return *most;
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

    if (made.stored) made.largest_weight = usual_weight(made.now);
    made.changes = output_changes(made.typed, made.now, made.order, width);
    const auto most = std::max_element(made.changes.begin(), made.changes.end());
    made.most_changed = static_cast<std::size_t>(most - made.changes.begin());
    made.plain_residual = largest(output_changes(made.plain_typed, made.plain_now, made.order, width));
    for (Attention* one : {&made.typed, &made.now, &made.plain_typed, &made.plain_now}) {
        made.largest_output = std::max(made.largest_output, largest(one->output));
        made.largest_logit = std::max(made.largest_logit, largest(one->logits));
        for (std::size_t i = 0; i < one->weights.size(); ++i)
            if (!std::isfinite(one->logits[i])) one->weights[i] = std::nan("");
    }
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
    Kept<AttentionInput> input;
    Kept<std::string> example;
    bool operator==(const WordsKey&) const = default;
};
// As attention sees it, and the same in the order as typed.
struct InWords {
    AttentionInput now, typed;
    std::int64_t all_rows = 0;
};
struct ProjectionsKey {
    Kept<AttentionInput> typed;
    std::int64_t head;
    bool operator==(const ProjectionsKey&) const = default;
};
struct SentenceKey {
    Kept<AttentionInput> now;
    Kept<Projections> projections;
    std::int64_t head;
    std::int64_t all_rows;
    bool operator==(const SentenceKey&) const = default;
};

// Cached step by step, so that a new length or a new order of the words recomputes only what depends on it.
struct Sentences {
    Same<std::string> example;  // by value: with another language its table goes
    Memo<WordsKey, InWords> words;
    Same<AttentionInput> now, typed;
    Slow<ProjectionsKey, Projections> projections;
    Slow<SentenceKey, Sentence> sentence;
    Memo<SentenceKey, Sentence> waiting;  // the words alone
    Kept<Sentence> shown;
};

InWords words_from(const WordsKey& key) {
    InWords made;
    made.now = *key.input;
    made.now.content = in_words(key.input->content, *key.example);
    made.now = attended(std::move(made.now));
    if (is_stored(made.now.content)) {
        made.all_rows = made.now.length;
        made.now.length = std::min(made.now.length, kMostStored);
        made.typed = made.now;
        return made;
    }
    made.all_rows = made.now.length;
    made.typed = made.now;
    made.typed.content.parameters["order"] = Json::array();
    return made;
}

Sentence words_alone(const SentenceKey& key) {
    Sentence made;
    made.scene = *key.now;
    made.head = key.head;
    made.all_rows = key.all_rows;
    if (is_stored(made.scene.content)) {
        made.stored = true;
        made.words = stored_words(made.scene.content, made.scene.length);
        made.order.resize(made.words.size());
        std::iota(made.order.begin(), made.order.end(), 0);
    } else {
        made.words = words_of(made.scene.content.parameters);
        made.order = order_of(made.scene.content.parameters);
    }
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

}  // namespace

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
    const std::int64_t head = shown_head(scene);
    const InWords& words =
        *kept.words.get({derived.input<AttentionInput>(scene), kept.example.of(f.text("attention.example"))},
                        [](const WordsKey& key) { return words_from(key); });
    const auto projected =
        kept.projections.get(derived.background(), {kept.typed.of(words.typed), head},
                             [](const ProjectionsKey& key) { return projections(*key.typed, key.head); });
    const SentenceKey key{kept.now.of(words.now), projected, head, words.all_rows};
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

}  // namespace posiscope::figures
