// lists.cpp — lists of one number a pair: inverse frequencies, their reciprocals, and what angles are divided by.
#include "core/measure/measure.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::measuring {
namespace {

class List {
public:
    List(const StoredTensor& dump, const Wanted& wanted, const Precision& precision)
        : dump_(dump),
          wanted_(wanted),
          precision_(precision),
          size_(static_cast<std::int64_t>(dump.values.size())) {
        made_.precision = precision.name;
    }

    std::optional<Measured> measured() {
        if (!std::ranges::all_of(dump_.values, [](double v) { return std::isfinite(v) && v >= 0.0; }))
            return std::nullopt;
        std::vector<Reference> wanted;
        for (const Reference& r : wanted_.references)
            if (size_ == r.pairs() || size_ == r.head_width / 2 || size_ == r.model_width / 2)
                wanted.push_back(r);
        // The right ones first, in every way to write them.
        for (const bool strict : {true, false}) {
            if (is_list(wanted, false, strict)) return std::move(made_);
            for (const Reference& r : wanted)
                if (r.pairs() == size_ && r.scaled() && divisors(r, strict)) return std::move(made_);
            if (strict && is_list(wanted, true, true)) return std::move(made_);
        }
        if (!wanted_.references.empty() || size_ < 4) return std::nullopt;
        std::vector<Reference> known;
        for (const Reference& r : wanted_.known)
            if (r.pairs() == size_) known.push_back(r);
        const auto add = [&](double base) {
            if (base > 1.0) known.push_back(plain_reference(base, size_, static_cast<double>(size_), true));
        };
        for (const double base : usual_bases()) add(base);
        // A base that somebody chose: the roundest that the numbers allow.
        if (const auto fit = geometric(rates(false)))
            for (const double base : rounder_than(fit->base)) add(base);
        if (is_list(known, false, false) || is_list(known, true, false)) return std::move(made_);
        known.clear();
        for (const double base : usual_bases().first(kMistaken)) add(base);
        mistakes_ = true;
        if (is_list(known, false, false)) return std::move(made_);
        return std::nullopt;
    }

private:
    std::vector<Rate> rates(bool inverse) const {
        std::vector<Rate> made;
        for (const double v : dump_.values) {
            const double value = !inverse ? v : v > 0.0 ? 1.0 / v : 0.0;
            made.push_back({value, value * precision_.half_unit(v) / std::max(v, 1e-300)});
        }
        return made;
    }

    void say(const char* key, ProblemValues values = {}, bool wrong = true) {
        made_.findings.push_back({{key, std::move(values)}, wrong});
    }
    bool finished(const char* what, const Reference& reference) {
        made_.what = {what, {{"pairs", text(size_)}, {"table", reference.words}}};
        made_.given = !reference.known;
        made_.verdict = verdict_of(made_.findings);
        if (made_.verdict == Verdict::right) made_.arithmetic = Arithmetic::single;
        made_.explained = 1.0;
        return true;
    }

    // The frequencies of a reference, or 1 divided by each; `strict`: and no others that a parameter explains.
    bool is_list(std::span<const Reference> references, bool inverse, bool strict) {
        const std::vector<Rate> found = rates(inverse);
        for (const Reference& reference : references) {
            if (strict && (reference.pairs() != size_ || !agree(reference.frequency, found))) continue;
            for (Explanation& one : explanations(reference, found)) {
                if (reference.known && !one.why.empty() && !is_mistake(one)) continue;
                for (Problem& why : one.why) made_.findings.push_back({std::move(why), true});
                narrowed(found, one.frequency);
                if (inverse) say("measured.list_inverted", {}, false);
                if (auto other = other_kind(reference)) made_.findings.push_back(std::move(*other));
                for (std::size_t i = 0; i < found.size(); ++i) {
                    const double own = i < reference.frequency.size() ? reference.frequency[i] : 0.0;
                    made_.pairs.push_back(
                        {found[i].value, found[i].off, own > 0.0 ? found[i].value / own : 0.0, 0.0, 0.0});
                }
                return finished("measured.list", reference);
            }
        }
        return false;
    }
    // A mistake of a usual base, and no other row of powers: that may be right of a model that nobody told.
    bool is_mistake(const Explanation& one) const {
        static constexpr std::string_view mistakes[] = {"measured.pairs_reversed", "measured.pairs_repeated",
                                                        "measured.exponent_positive", "measured.wavelengths",
                                                        "measured.rates_narrowed"};
        return mistakes_ && std::ranges::find(mistakes, one.why[0].key) != std::end(mistakes);
    }
    // A file of a wider type that holds numbers of a narrower one: they were rounded on their way.
    void narrowed(std::span<const Rate> found, std::span<const double> wanted) {
        const bool narrow = precision_.name == "bfloat16" || precision_.name == "float16";
        if (!narrow || precision_.name == dump_.dtype || verdict_of(made_.findings) == Verdict::wrong) return;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!near(found[i].value, wanted[i], 1e-6))
                return say("measured.rates_narrowed", {{"type", std::string(precision_.name)}});
    }

    // llama.cpp's rope_freqs: what the angle of each pair is divided by.
    bool divisors(const Reference& reference, bool strict) {
        if (std::ranges::any_of(dump_.values, [](double v) { return v == 0.0; })) return false;
        for (const bool inverted : {false, true}) {
            if (strict && inverted) return false;
            std::vector<Rate> found;
            for (std::size_t i = 0; i < dump_.values.size(); ++i) {
                const double v = dump_.values[i],
                             value = inverted ? reference.unscaled[i] * v : reference.unscaled[i] / v;
                found.push_back({value, value * precision_.half_unit(v) / v});
            }
            for (Explanation& one : explanations(reference, found)) {
                if ((strict && !one.why.empty()) || one.frequency == reference.unscaled) continue;
                if (!one.why.empty() && !one.of_pairs) continue;  // a list says how pairs differ
                for (Problem& why : one.why) made_.findings.push_back({std::move(why), true});
                if (inverted) say("measured.divisors_inverted");
                exchanged(reference);
                return finished("measured.divisors", reference);
            }
        }
        return false;
    }
    void exchanged(const Reference& reference) {
        for (const std::string list : {"short", "long"})
            if (dump_.name.find("rope_factors_" + list) != std::string::npos && !reference.list.empty() &&
                reference.list != list + "_factor")
                say("measured.lists_exchanged", {{"name", dump_.name}, {"list", reference.list}});
    }

    const StoredTensor& dump_;
    const Wanted& wanted_;
    const Precision& precision_;
    std::int64_t size_;
    bool mistakes_ = false;
    Measured made_;
};

}  // namespace

std::optional<Measured> measure_list(const StoredTensor& dump, const Wanted& wanted,
                                     const Precision& precision) {
    if (squeezed(dump).size() != 1) return std::nullopt;
    return List(dump, wanted, precision).measured();
}

std::optional<Finding> other_kind(const Reference& reference) {
    if (reference.asked) return std::nullopt;
    return Finding{{"measured.other_kind", {{"kind", reference.kind}, {"table", reference.words}}}, true};
}

}  // namespace posiscope::measuring
