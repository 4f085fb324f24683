#include "app/figures/parts/stored.hpp"

#include "core/scene/tensors.hpp"

#include <fmt/format.h>

namespace posiscope::figures {
namespace {

struct StoredKey {
    Kept<ScoreInput> input;
    bool operator==(const StoredKey&) const = default;
};
struct Ready {
    std::optional<Problem> problem;
};
struct Stored {
    Slow<StoredKey, Ready> ready;
    Kept<Ready> shown;
};

Ready ready(const StoredKey& key) {
    Ready made{stored_problem(*key.input)};
    for (const Tensor side : {Tensor::query, Tensor::key})
        if (!made.problem)
            if (const auto vector = stored_vector(key.input->content, side); !vector)
                made.problem = vector.error();
    return made;
}

}  // namespace

const Problem* stored_absence(const Frame&, const Scene& scene, Derived& derived) {
    if (!is_stored(scene.content)) return nullptr;
    Stored& kept = derived.part<Stored>();
    kept.shown = kept.ready.get(derived.background(), {derived.input<ScoreInput>(scene)},
                                [](const StoredKey& key) { return ready(key); });
    if (kept.shown == nullptr) return &being_made();
    return kept.shown->problem ? &*kept.shown->problem : nullptr;
}

void set_head(Scene& scene, std::int64_t head) {
    if (is_stored(scene.content)) scene.content.parameters["head"] = head;
    else set_view_value(scene, "attention", "head", head);
}

std::vector<std::string> stored_words(const Choice& content, std::int64_t first, std::int64_t count) {
    static const Json none = Json::array();
    const auto found = content.parameters.find("text");
    const Json& text = found != content.parameters.end() ? *found : none;
    std::vector<std::string> words;
    for (std::int64_t i = first; i < first + count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool given = at < text.size() && !text[at].get_ref<const std::string&>().empty();
        words.push_back(given ? text[at].get<std::string>() : std::to_string(i));
    }
    return words;
}

std::string_view stored_note(Frame& f) {
    const Choice& content = f.scene.content;
    const auto side = [&](Tensor which) {
        const auto row = stored_row(content, which);
        return row ? f.format("scores.stored_row", fmt::arg("row", ui::integer(f.scratch, *row)))
                   : f.text("scores.stored_mean");
    };
    const auto note = f.format("scores.stored", fmt::arg("head", stored_head(content)),
                               fmt::arg("q", side(Tensor::query)), fmt::arg("k", side(Tensor::key)));
    if (!is_checkpoint(content)) return note;
    const auto heads = stored_heads(content);
    const std::string_view bias = heads && heads->bias ? f.text("scores.projected_bias") : "",
                           norm = heads && heads->norm ? f.text("scores.projected_norm") : "";
    const auto named = content.parameters.find("query_name");
    if (named != content.parameters.end() && named->is_string() &&
        !named->get_ref<const std::string&>().empty())
        return f.format("scores.projected_named",
                        fmt::arg("name", std::string_view(named->get_ref<const std::string&>())),
                        fmt::arg("note", note), fmt::arg("bias", bias), fmt::arg("norm", norm));
    return f.format("scores.projected", fmt::arg("layer", content.parameters.at("layer").get<std::int64_t>()),
                    fmt::arg("note", note), fmt::arg("bias", bias), fmt::arg("norm", norm));
}

}  // namespace posiscope::figures
