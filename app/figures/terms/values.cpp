#include "app/figures/terms/values.hpp"

#include "app/figures/parts/stored.hpp"
#include "core/attention/expansion.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures::terms {
namespace {

// The range over the values that ids do not hide.
template <class Value>
double mean(std::span<const double> of, const Value& value) {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < of.size(); ++i)
        if (std::isfinite(of[i])) sum += value(i), count += 1.0;
    return sum / std::max(count, 1.0);
}

void weigh(Terms& made) {
    const Term& sum = made.sum();
    const auto mean_of = [](const Term& term) {
        return mean(term.values, [&](std::size_t i) { return term.values[i]; });
    };
    const double middle = mean_of(sum);
    double size = 0.0;
    for (const double value : sum.values)
        if (std::isfinite(value)) size = std::max(size, std::abs(value));
    const double variance =
        mean(sum.values, [&](std::size_t i) { return (sum.values[i] - middle) * (sum.values[i] - middle); });
    // Logits that differ by rounding alone are equal.
    made.variance = variance > 1e-20 * size * size ? variance : 0.0;
    for (Term& term : made.terms) {
        const double own = mean_of(term);
        for (const double value : term.values) {
            if (!std::isfinite(value)) continue;
            term.largest = std::max(term.largest, std::abs(value));
            term.zero = term.zero && value == 0.0;
        }
        const double shared = mean(
            term.values, [&](std::size_t i) { return (term.values[i] - own) * (sum.values[i] - middle); });
        term.share = made.variance > 0.0 ? shared / variance : 0.0;
        made.range = std::max(made.range, term.largest);
    }
}

Terms compute(const TokenInput& scene, std::int64_t head, const Page& queries, const Page& keys,
              bool concatenate) {
    Terms made;
    made.queries = queries;
    made.keys = keys;
    AttentionInput projected = scene;  // only these rows are
    projected.length = std::min(scene.length, queries.count + keys.count);
    made.problem = too_slow(projected);
    if (made.problem || made.empty()) return made;
    const RowsAsked asked{head, {queries.first, queries.end()}, {keys.first, keys.end()}};
    const auto add = [&](std::string_view id, std::vector<double>& values) {
        made.terms.push_back({id, std::move(values), 0.0, true, 0.0});
    };
    if (concatenate) {
        auto parts = concatenated(scene, asked);
        if (!parts) {
            made.problem = parts.error();
            return made;
        }
        made.width = parts->width;
        add("content_content", parts->content);
        add("position_position", parts->position);
    } else {
        auto parts = expansion(scene, asked);
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
    Term sum{"sum", std::vector<double>(made.rows() * made.columns(), 0.0), 0.0, true, 0.0};
    for (const Term& term : made.terms)
        for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
    made.terms.push_back(std::move(sum));
    weigh(made);
    return made;
}

struct ShownKey {
    Kept<Sentence> sentence;  // or, of rows that are no words,
    Kept<TokenInput> input;   // what those are, and which of them are shown
    Page queries, keys;
    std::int64_t head;
    bool concatenate;
    bool operator==(const ShownKey&) const = default;
};

Shown shown_from(const ShownKey& key) {
    Shown made;
    const bool words = key.sentence != nullptr;
    const TokenInput& scene = words ? key.sentence->scene : *key.input;
    if (words) {
        for (std::size_t i = 0; i < key.sentence->size(); ++i)
            made.words.push_back(key.sentence->at(static_cast<std::int64_t>(i)));
        made.key_words = made.words;
    } else if (is_stored(scene.content) && !scene.content.parameters.at("text").empty()) {
        made.words = stored_words(scene.content, key.queries.first, key.queries.count);
        made.key_words = stored_words(scene.content, key.keys.first, key.keys.count);
    }
    made.terms = compute(scene, key.head, words ? key.sentence->queries : key.queries,
                         words ? key.sentence->keys : key.keys, key.concatenate);
    return made;
}

struct TermsShown {
    Slow<ShownKey, Shown> terms;
    Kept<Shown> shown;
};

struct Difference : Terms {};  // a separate part of Derived

}  // namespace

const Shown& shown_terms(const Frame& f, const Scene& of, Derived& derived) {
    const bool own_rows = of.content.kind == "seeded" || rows_alone(of);
    ShownKey key{nullptr, nullptr, {}, {}, shown_head(of), f.mode == "concatenated"};
    if (own_rows) {
        key.input = token_input(of, derived);
        const std::int64_t all = content_length(of);
        key.queries = Page::of(of.position + of.offset, all);
        key.keys = Page::of(of.position, all);
    } else {  // the length of a Scene that is about words is none of theirs
        key.sentence = sentence(f, of, derived);
    }
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

const Terms* difference(const Frame& f, const Shown& of_a) {
    if (f.other == nullptr || !f.other->difference) return nullptr;
    const Shown& of_b = shown_terms(f, f.other->scene, f.other->derived);
    const Terms &a = of_a.terms, &b = of_b.terms;
    Terms& made = f.derived.part<Difference>();
    made.problem = a.problem ? a.problem : b.problem;
    if (!made.problem && (!b.same_rows(a) || of_b.words != of_a.words))
        made.problem = Problem{"terms.difference_rows", {}};
    if (!made.problem && b.terms.size() != a.terms.size())
        made.problem = Problem{"terms.difference_terms", {}};
    if (made.problem) return &made;
    made.terms.resize(a.terms.size());
    made.queries = a.queries;
    made.keys = a.keys;
    made.range = 0.0;
    for (std::size_t t = 0; t < a.terms.size(); ++t) {
        Term& term = made.terms[t];
        term.id = a.terms[t].id;
        term.zero = true;
        term.values.resize(a.terms[t].values.size());
        for (std::size_t i = 0; i < term.values.size(); ++i) {
            term.values[i] = b.terms[t].values[i] - a.terms[t].values[i];
            if (!std::isfinite(term.values[i])) continue;
            term.zero = term.zero && term.values[i] == 0.0;
            made.range = std::max(made.range, std::abs(term.values[i]));
        }
    }
    return &made;
}

}  // namespace posiscope::figures::terms
