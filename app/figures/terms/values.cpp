#include "app/figures/terms/values.hpp"

#include "app/figures/parts/sentence.hpp"
#include "core/attention/expansion.hpp"

namespace posiscope::figures::terms {
namespace {

constexpr std::int64_t kMostRows = 64;  // of a seeded content; beyond, the first ones, and the figure says so

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
            term.largest = std::max(term.largest, std::abs(term.values[i]));
            term.zero = term.zero && term.values[i] == 0.0;
        }
        term.share = made.variance > 0.0 ? shared / variance : 0.0;
        made.range = std::max(made.range, term.largest);
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
        made.terms.push_back({id, one_head(all, head, made.n), 0.0, true, 0.0});
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
    Term sum{"sum", std::vector<double>(made.n * made.n, 0.0), 0.0, true, 0.0};
    for (const Term& term : made.terms)
        for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
    made.terms.push_back(std::move(sum));
    weigh(made);
    return made;
}

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

struct Difference : Terms {};  // a part of Derived of its own

}  // namespace

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

}  // namespace posiscope::figures::terms
