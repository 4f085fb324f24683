#include "app/figures/parts/sentence.hpp"

#include "app/figures/parts/cells.hpp"
#include "core/scene/content.hpp"
#include "core/scene/words.hpp"

#include <numeric>

namespace posiscope::figures {
namespace {

constexpr double kMostProducts = 0x1p27;  // of W with its inputs: about a quarter of a second

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

Result<Sides> projected_head(const Scene& scene, Added added, std::int64_t head) {
    const auto made = project(scene, added);
    if (!made) return tl::unexpected(made.error());
    const auto size = static_cast<std::size_t>(made->shape.keys * made->shape.head_dim);
    return Sides{head_of(made->q, head, size), head_of(made->k, head, size), head_of(made->v, head, size)};
}

Projections projections(const Scene& scene, std::int64_t head) {
    Projections made;
    made.width = head_dim(scene);
    const auto refused = [&](Problem problem) {
        made.problem = std::move(problem);
        return made;
    };
    if (auto problem = too_slow(scene)) return refused(std::move(*problem));
    const auto action = action_of(scene);
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
    const auto action = action_of(made.scene);
    if (!made.problem && !action) made.problem = action.error();
    if (made.problem) return;
    const auto n = static_cast<std::int64_t>(made.size());
    const auto width = static_cast<std::size_t>(made.width);

    const Action here = action_of_head(*action, made.head), nothing = plain_action(made.width);
    const AttentionShape shape{1, made.width, n, n, made.scene.causal}, open{1, made.width, n, n, false};
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
        for (std::size_t i = 0; i < one->weights.size(); ++i)
            if (!std::isfinite(one->logits[i])) one->weights[i] = std::nan("");
    }
}

// Kept in Derived: the Scene it was made for, and what was made.
struct Sentences {
    std::optional<Scene> for_scene, for_projections;
    std::string example;  // by value: with another language its table goes
    std::int64_t head = 0;
    Projections projections;
    Sentence sentence;
    std::uint64_t version = 0;
};

}  // namespace

bool Sentence::reordered() const {
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int64_t>(i)) return true;
    return false;
}

bool same_attention(const Scene& a, const Scene& b) {
    return a.encoding == b.encoding && a.base == b.base && a.layout == b.layout && a.d_model == b.d_model &&
           a.num_heads == b.num_heads && a.head_dim == b.head_dim && a.causal == b.causal &&
           a.trained == b.trained && a.content == b.content;
}

std::int64_t shown_head(const Scene& scene) {
    const Json* head = view_value(scene, "attention", "head");
    const std::int64_t wanted = head != nullptr && head->is_number_integer() ? head->get<std::int64_t>() : 0;
    return std::clamp<std::int64_t>(wanted, 0, scene.num_heads - 1);
}

Choice content_in_words(const Frame& f, const Scene& scene) {
    if (scene.content.kind == "tokens") return scene.content;
    Choice content{"tokens", *checked_all(content_parameters("tokens"), Json::object(), "content")};
    const auto words = split_words(f.text("attention.example"));
    content.parameters["text"] = words;
    content.parameters["order"] = Json::array();
    for (std::size_t i = words.size(); i > 0; --i) content.parameters["order"].push_back(i - 1);
    for (const auto& [key, value] : scene.content.parameters.items())
        if (content.parameters.contains(key)) content.parameters[key] = value;
    return content;
}

std::optional<Problem> too_slow(const Scene& scene) {
    if (!seeded_weights(scene.content)) return std::nullopt;
    const auto rows = static_cast<double>(content_length(scene)) + 4.0;
    const double inner = static_cast<double>(scene.num_heads) * static_cast<double>(head_dim(scene));
    if (static_cast<double>(scene.d_model) * inner * rows <= kMostProducts) return std::nullopt;
    const double most = scene.head_dim ? kMostProducts / (rows * inner) : std::sqrt(kMostProducts / rows);
    return Problem{"attention.slow",
                   {{"d_model", std::to_string(scene.d_model)},
                    {"maximum", std::to_string(std::max(2LL, 2 * std::llround(std::floor(0.5 * most))))}}};
}

const Sentence& sentence(const Frame& f, const Scene& scene, Derived& derived) {
    auto& kept = derived.part<Sentences>();
    const std::string_view example = f.text("attention.example");
    const std::int64_t head = shown_head(scene);
    if (kept.for_scene && kept.head == head && kept.example == example &&
        same_attention(*kept.for_scene, scene))
        return kept.sentence;
    kept.for_scene = scene;
    kept.example = example;

    Scene whole = scene;
    whole.content = content_in_words(f, scene);
    whole = attended(std::move(whole));
    Scene as_typed = whole;
    as_typed.content.parameters["order"] = Json::array();
    if (!kept.for_projections || kept.head != head || !same_attention(*kept.for_projections, as_typed)) {
        kept.projections = projections(as_typed, head);
        kept.for_projections = std::move(as_typed);
    }
    kept.head = head;

    Sentence made;
    made.words = words_of(whole.content.parameters);
    made.order = order_of(whole.content.parameters);
    made.text = joined_words(made.words);
    made.as_typed.resize(made.order.size());
    std::iota(made.as_typed.begin(), made.as_typed.end(), 0);
    made.place.resize(made.order.size());
    for (std::size_t i = 0; i < made.order.size(); ++i)
        made.place[static_cast<std::size_t>(made.order[i])] = static_cast<std::int64_t>(i);
    made.scene = std::move(whole);
    made.head = head;
    compute(made, kept.projections);
    made.version = ++kept.version;
    kept.sentence = std::move(made);
    return kept.sentence;
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
            set_view_value(f.edit(), "attention", "head",
                           (head + by + f.scene.num_heads) % f.scene.num_heads);
    };
    step("head_less", left.x, "−", -1);
    f.canvas.text({left.x + 24.0F + 0.5F * room, left.y + 17.0F}, said,
                  {f.theme.ink, 14.5F, ui::Face::text, canvas::Align::centre});
    step("head_more", left.x + 24.0F + room, "+", 1);
    return 48.0F + room;
}

}  // namespace posiscope::figures
