// difference.cpp — B − A as a heatmap: of values and M_k the difference of their means at every pixel, of angles the angle
// between them, of scores and tables the difference of their values. If A and B have no cells in common, says why.
#include "app/figures/matrix/matrix.hpp"

#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/pair_difference.hpp"

#include "core/encodings/turning.hpp"
#include "core/phase/phase.hpp"
#include "core/scaling/trained.hpp"

#include <numbers>

namespace posiscope::figures::matrix {
namespace {

struct ScaleKey {
    Kept<Rates> a, b;
    std::int64_t length, offset;
    bool operator==(const ScaleKey&) const = default;
};
// The difference of both spectra: the steps of the angles between them, and the largest differences there can be.
struct Apart {
    std::vector<Step> steps;
    double values = 1.0;   // of values at any position of the length
    double entries = 1.0;  // of entries of M_k
    std::size_t pair = 0;  // where those are
    Deviation angles;
};
struct Differences {
    Memo<ScaleKey, Apart> apart;
    std::vector<float> diagonals;
};

Apart apart_of(const Spectrum& of_a, const Spectrum& of_b, std::int64_t length, std::int64_t offset) {
    Apart made;
    double values = 0.0, entries = 0.0;
    const auto last = static_cast<double>(length - 1);
    for (std::size_t i = 0; i < of_a.pairs(); ++i) {
        made.steps.push_back(difference(of_b.step[i], of_a.step[i]));
        const double angle = std::abs(radians_over(of_b, i, last) - radians_over(of_a, i, last));
        values = std::max(values, 2.0 * std::sin(0.5 * std::min(angle, std::numbers::pi)));
        const Turn at_a = phase(of_a.step[i], offset), at_b = phase(of_b.step[i], offset);
        const double entry = std::max(std::abs(cos(at_b) - cos(at_a)), std::abs(sin(at_b) - sin(at_a)));
        if (entry > entries) entries = entry, made.pair = i;
    }
    if (values > 0.0) made.values = values;
    if (entries > 0.0) made.entries = entries;
    made.angles = deviation(of_b, of_a, length);
    return made;
}

const Apart& apart(const Frame& f) {
    const ScaleKey wanted{f.derived.rates(f.scene), f.other->derived.rates(f.other->scene), f.scene.length,
                          f.scene.offset};
    return *f.derived.part<Differences>().apart.get(
        wanted, [](const ScaleKey& key) { return apart_of(**key.a, **key.b, key.length, key.offset); });
}

bool of_pairs(Mode mode) { return mode == Mode::value || mode == Mode::phase || mode == Mode::shift; }

}  // namespace

std::optional<Problem> no_difference(const Frame& f, Mode mode) {
    const Scene &a = f.scene, &b = f.other->scene;
    if (mode == Mode::residual) return Problem{"matrix.difference_residual", {}};
    if (mode == Mode::attention) return Problem{"matrix.difference_attention", {}};
    const auto offered = find_figure("matrix")->modes(b);
    if (std::find(offered.begin(), offered.end(), f.mode) == offered.end() ||
        (shows_table(a) != shows_table(b) && mode != Mode::table))
        return Problem{"matrix.difference_kind", {}};
    if (mode == Mode::shift && encoding_of(a).acts != encoding_of(b).acts)
        return Problem{"matrix.difference_kind", {}};
    if (mode == Mode::logits) {
        const Problem* problem = f.other->derived.logits_problem(b);
        return problem != nullptr ? std::optional(*problem) : std::nullopt;
    }
    if (mode == Mode::table) {
        if (!has_table(a) || !has_table(b)) return Problem{"matrix.difference_kind", {}};
        if (a.d_model != b.d_model)
            return Problem{"matrix.difference_width",
                           {{"a", std::to_string(a.d_model)}, {"b", std::to_string(b.d_model)}}};
        const Problem* problem = table_problem(b, f.other->derived);
        return problem != nullptr ? std::optional(*problem) : std::nullopt;
    }
    const Spectrum* of_b = circles(*f.other);
    if (of_b == nullptr) return *f.other->derived.problem(b);
    if (!of_pairs(mode)) return std::nullopt;
    if (const std::size_t pairs = f.derived.spectrum(a)->pairs(); pairs != of_b->pairs())
        return Problem{"compare.pairs", {{"a", std::to_string(pairs)}, {"b", std::to_string(of_b->pairs())}}};
    if (mode != Mode::phase && encoding_of(a).layout(a) != encoding_of(b).layout(b))
        return Problem{"matrix.difference_layout", {}};
    return std::nullopt;
}

void set_difference(View& v) {
    const Apart& between = apart(v.frame);
    if (v.mode == Mode::phase) {
        v.data.steps = between.steps;
        return;
    }
    v.picture.difference = true;
    v.picture.range = v.mode == Mode::shift ? between.entries : between.values;
    v.data.steps = circles(*v.other)->step;
    v.data.subtracted = v.spectrum.step;
}

std::span<const float> diagonals_difference(View& v, const Derived::Diagonals& wanted) {
    const Frame& f = v.frame;
    const auto of_a = f.derived.diagonals(f.scene, wanted),
               of_b = v.other->derived.diagonals(v.other->scene, wanted);
    if (of_a == nullptr || of_b == nullptr) return {};
    const Derived::DiagonalValues &a = *of_a, &b = *of_b;
    const double lift = b.middle - a.middle;
    // Some thousand subtractions: less than to find out whether anything has changed.
    std::vector<float>& less = f.derived.part<Differences>().diagonals;
    less.resize(a.values.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < less.size(); ++i) {
        const double value = static_cast<double>(b.values[i]) - static_cast<double>(a.values[i]) + lift;
        largest = std::max(largest, std::abs(value));
        less[i] = static_cast<float>(value);
    }
    v.picture.range = largest > 0.0 ? largest : 1.0;
    return less;
}

std::string_view difference_headline(Frame& f, Mode mode) {
    ui::Scratch& s = f.scratch;
    switch (mode) {
        case Mode::gram:
        case Mode::back:
        case Mode::logits: {
            const std::int64_t distance = mode == Mode::back ? 0 : f.scene.offset;
            const auto at = [&](const Scene& scene, Derived& derived) {
                return mode == Mode::logits ? derived.logit(scene, distance)
                                            : score_at(derived.score_form(scene, ScoreKind::dot),
                                                       *derived.spectrum(scene), distance);
            };
            const double a = at(f.scene, f.derived), b = at(f.other->scene, f.other->derived);
            return both_headline(f, f.scene.offset, a, b);
        }
        case Mode::table: return tables_headline(f);
        case Mode::shift:
            if (apart(f).entries == 0.0) return f.text("matrix.headline_no_difference");
            return f.format("matrix.headline_difference_shift",
                            fmt::arg("offset", ui::subscript(s, f.scene.offset)),
                            fmt::arg("largest", ui::significant(s, apart(f).entries, 3)),
                            fmt::arg("pair", apart(f).pair));
        default: break;
    }
    const Deviation& angles = apart(f).angles;
    return pair_difference::angles_headline(f, angles, apart(f).steps.size(), f.scene.length);
}

void say_difference(View& v, double a, double b) {
    Frame& f = v.frame;
    f.tip.value = f.scratch.format("= {}", ui::significant(f.scratch, b - a, 6));
    f.tip.details[1] = f.format("matrix.both", fmt::arg("a", ui::significant(f.scratch, a, 6)),
                                fmt::arg("b", ui::significant(f.scratch, b, 6)));
}

}  // namespace posiscope::figures::matrix
