// values.hpp — the terms of the logits as numbers, [queries, keys] each, for the words of Attention, or for a page of the rows
// of a seeded content and of files.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/sentence.hpp"

namespace posiscope::figures::terms {

// A term, and its fraction of the logits' variance: Cov(term, logit) / Var(logit). The fractions sum to 1; that of a term
// that works against the others is negative.
struct Term {
    std::string_view id;  // "terms.ID.formula", ".name" in the string tables
    std::vector<double> values;
    double share = 0.0;
    bool zero = true;
    double largest = 0.0;  // magnitude
};

struct Terms {
    std::vector<Term> terms;  // the last one is the sum of the others
    Page queries, keys;
    std::int64_t width = 0;  // of the vectors, both parts together where they are concatenated
    double range = 0.0, variance = 0.0;
    std::optional<Problem> problem;

    const Term& sum() const { return terms.back(); }
    bool empty() const { return queries.count == 0; }
    std::size_t rows() const { return static_cast<std::size_t>(queries.count); }
    std::size_t columns() const { return static_cast<std::size_t>(keys.count); }
    bool same_rows(const Terms& other) const { return queries == other.queries && keys == other.keys; }
    double position_share() const { return variance > 0.0 ? 1.0 - terms.front().share : 0.0; }
};

struct Shown {
    Terms terms;
    std::vector<std::string> words, key_words;  // by position; none for rows that have only numbers
};
// The terms of A, or of B with its Derived.
const Shown& shown_terms(const Frame& f, const Scene& of, Derived& derived);

// B − A, where both have the same rows and terms, else why not; shares are of one logit and so have no difference.
const Terms* difference(const Frame& f, const Shown& of_a);

}  // namespace posiscope::figures::terms
