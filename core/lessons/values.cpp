#include "core/lessons/values.hpp"

#include "core/attention/expansion.hpp"
#include "core/attention/identities.hpp"
#include "core/phase/shift.hpp"
#include "core/scaling/trained.hpp"
#include "core/scene/content.hpp"
#include "core/scene/words.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope::lessons {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr std::int64_t kFarthest = 1 << 16;  // distances that a search looks through

Result<double> no_value(std::string_view name) {
    return refuse("lesson.no_value", {{"name", std::string(name)}});
}

// --- Keys of the Scene -------------------------------------------------------------------------------------

template <auto Member>
Result<double> key(const Scene& scene) {
    return static_cast<double>(scene.*Member);
}

Result<double> trained_length(const Scene& scene) {
    if (!scene.trained.length) return no_value("trained.length");
    return static_cast<double>(*scene.trained.length);
}

Result<double> other_position(const Scene& scene) {
    return static_cast<double>(scene.position + scene.offset);
}

// --- One pair ------------------------------------------------------------------------------------------------

template <class Of>
Result<double> of_spectrum(const Scene& scene, Of of) {
    const auto spectrum = spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    return of(*spectrum);
}

// ω of the chosen pair.
template <class Of>
Result<double> of_pair(const Scene& scene, Of of) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto pair = static_cast<std::size_t>(scene.pair);
        if (pair >= s.pairs()) return no_value("pair");
        return of(s.frequency[pair]);
    });
}

Result<double> frequency(const Scene& scene) {
    return of_pair(scene, [](double omega) { return omega; });
}
Result<double> wavelength(const Scene& scene) {
    return of_pair(scene, [](double omega) { return kTurn / omega; });
}
Result<double> angle(const Scene& scene) {
    return of_pair(scene, [&](double omega) { return omega * static_cast<double>(scene.position); });
}
Result<double> turns(const Scene& scene) {
    return of_pair(scene, [&](double omega) { return omega * static_cast<double>(scene.position) / kTurn; });
}
Result<double> reach(const Scene& scene) {
    return of_pair(scene, [&](double omega) { return omega * static_cast<double>(scene.length); });
}
Result<double> trained_reach(const Scene& scene) {
    if (!scene.trained.length) return no_value("pair.trained_reach");
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto arcs = trained_arcs(scene, s);
        const auto pair = static_cast<std::size_t>(scene.pair);
        if (!arcs) return tl::unexpected(arcs.error());
        if (pair >= arcs->size()) return no_value("pair.trained_reach");
        return (*arcs)[pair];
    });
}
Result<double> pair_dimension(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    const std::int64_t pairs = encoding.pairs(scene);
    if (scene.pair >= pairs) return no_value("pair.dimension");
    return static_cast<double>(dimension(encoding.layout(scene), pairs, {scene.pair, 0}));
}

// PE(p, dimension) of a pair's sine or cosine.
template <int Component>
Result<double> table_entry(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        if (encoding_of(scene).acts != Acts::input || static_cast<std::size_t>(scene.pair) >= s.pairs())
            return no_value("table.value");
        const PairLayout layout = encoding_of(scene).layout(scene);
        const auto pairs = static_cast<std::int64_t>(s.pairs());
        return table_value(s, layout, scene.position, dimension(layout, pairs, {scene.pair, Component}));
    });
}

// --- The spectrum ----------------------------------------------------------------------------------------------

Result<double> pairs(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) { return static_cast<double>(s.pairs()); });
}
Result<double> fastest(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) { return kTurn / s.frequency.front(); });
}
Result<double> slowest(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) { return kTurn / s.frequency.back(); });
}
Result<double> unfinished(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return static_cast<double>(std::ranges::count_if(
            s.frequency, [&](double omega) { return omega * static_cast<double>(scene.length) < kTurn; }));
    });
}
Result<double> finished(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return static_cast<double>(std::ranges::count_if(
            s.frequency, [&](double omega) { return omega * static_cast<double>(scene.length) >= kTurn; }));
    });
}
// The largest relative difference from 10000^(−2i/d).
Result<double> off_paper(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) {
        const Spectrum paper = geometric_spectrum(10000.0, s.pairs(), s.pairs());
        double most = 0.0;
        for (std::size_t i = 0; i < s.pairs(); ++i)
            most = std::max(most, std::abs(s.frequency[i] / paper.frequency[i] - 1.0));
        return most;
    });
}

// --- The shift -------------------------------------------------------------------------------------------------

Result<double> shift_error(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        if (!on_unit_circles(scene)) return no_value("shift.error");
        return shift_residual(encoding_of(scene), s, scene.position, scene.offset);
    });
}
// The offset of M_b M_a: the second one is the shift figure's, 5 until it is moved.
Result<double> composed(const Scene& scene) {
    constexpr std::int64_t second_at_first = 5;
    const auto shift = scene.view.find("shift");
    std::int64_t second = second_at_first;
    if (shift != scene.view.end() && shift->is_object())
        if (const auto given = shift->find("second"); given != shift->end() && given->is_number_integer())
            second = given->get<std::int64_t>();
    return static_cast<double>(scene.offset) + static_cast<double>(second);
}

// --- Scores ------------------------------------------------------------------------------------------------------

template <ScoreKind Kind>
Result<double> score(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto kinds = score_kinds(encoding_of(scene));
        if (std::ranges::find(kinds, Kind) == kinds.end()) return no_value("score");
        return score_at(score_form(scene, s, Kind), s, scene.offset);
    });
}

// The least distance from which one more step raises the score by position: it is even, so both directions are meant.
Result<double> first_rise(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const ScoreForm form = score_form(scene, s, ScoreKind::dot);
        double before = score_at(form, s, 0);
        for (std::int64_t distance = 1; distance <= kFarthest; ++distance) {
            const double now = score_at(form, s, distance);
            if (now > before) return static_cast<double>(distance - 1);
            before = now;
        }
        return no_value("score.first_rise");
    });
}
Result<double> next_dot(const Scene& scene) {
    Scene next = scene;
    next.offset += next.offset < 0 ? -1 : 1;
    return score<ScoreKind::dot>(next);
}
// The largest |score| at a distance from the trained length up to the Scene's.
Result<double> beyond(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const std::int64_t first = scene.trained.length.value_or(scene.length);
        const std::int64_t count = scene.length - first;
        if (count <= 0 || count > kLargestTable) return no_value("score.beyond");
        std::vector<double> scores(static_cast<std::size_t>(count));
        score_curve(score_form(scene, s, ScoreKind::dot), s, first, 1, scores);
        double most = 0.0;
        for (const double value : scores) most = std::max(most, std::abs(value));
        return most;
    });
}
Result<double> score_bound(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) { return envelope(s, scene.offset); });
}

// Norm of the content's query, and of the same after the encoding rotated it to position p.
template <bool Rotated>
Result<double> query_norm(const Scene& scene) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->turn) return no_value("query.norm");
    std::vector<double> query(static_cast<std::size_t>(head_dim(scene)));
    content_values(scene.content, Tensor::query, 0, query);
    if (Rotated) action->turn(Side::query, scene.position, query);
    double sum = 0.0;
    for (const double value : query) sum += value * value;
    return std::sqrt(sum);
}

// --- Uniqueness ----------------------------------------------------------------------------------------------------

bool small_table(const Scene& scene) {
    return scene.length <= kLargestTable / std::max<std::int64_t>(scene.d_model, 1);
}

Result<double> gap(const Scene& scene) {
    if (scene.length > kFarthest) return no_value("gap.least");
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto found = least_gap(s, scene.length);
        return found.length;
    });
}
// Σ_{p<n} sin² of the column that has least of it: n/2 if columns were orthogonal with equal norms.
Result<double> least_column(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return orthogonality(s, scene.length).least_sin * static_cast<double>(scene.length) / 2.0;
    });
}
Result<double> rank(const Scene& scene) {
    if (!small_table(scene)) return no_value("rank");
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto found = table_rank(s, scene.length);
        if (!found) return tl::unexpected(found.error());
        return static_cast<double>(found->rank);
    });
}

// --- Words -----------------------------------------------------------------------------------------------------------

// The words as typed against the Scene's order of them.
template <class Of>
Result<double> of_order(const Scene& scene, Of of) {
    constexpr std::int64_t widest =
        1024;  // random projections are width² numbers, made anew at each step of a drag
    if (scene.content.kind != "tokens" || scene.d_model > widest) return no_value("order");
    std::vector<std::int64_t> order = order_of(scene.content.parameters);
    Scene typed = scene;
    typed.content.parameters["order"] = Json::array();
    const auto found = equivariance(typed, order);
    if (!found) return tl::unexpected(found.error());
    return of(*found);
}
Result<double> moved(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.moved; });
}
Result<double> order_residual(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.residual; });
}
Result<double> pooled(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.pooled; });
}

// --- p·p′ and mixed layouts --------------------------------------------------------------------------------------

struct Diagonal {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    void add(double value) { least = std::min(least, value), most = std::max(most, value); }
    double spread() const { return most - least; }
};

Result<std::vector<Diagonal>> position_diagonals(const Scene& scene) {
    if (attended(scene).length > 512 || scene.d_model > 1024)
        return refuse("lesson.no_value", {{"name", "pp.spread"}});
    const auto parts = expansion(scene);
    if (!parts) return tl::unexpected(parts.error());
    const auto n = static_cast<std::size_t>(parts->shape.keys);
    std::vector<Diagonal> diagonals(2 * n - 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) diagonals[i + n - 1 - j].add(parts->position_position[i * n + j]);
    return diagonals;
}
Result<double> position_spread(const Scene& scene) {
    const auto diagonals = position_diagonals(scene);
    if (!diagonals) return tl::unexpected(diagonals.error());
    double most = 0.0;
    for (const Diagonal& diagonal : *diagonals) most = std::max(most, diagonal.spread());
    return most;
}
template <bool Most>
Result<double> position_extreme(const Scene& scene) {
    const auto diagonals = position_diagonals(scene);
    if (!diagonals) return tl::unexpected(diagonals.error());
    const auto n = static_cast<std::int64_t>((diagonals->size() + 1) / 2);
    if (std::abs(scene.offset) >= n) return no_value("pp.least");
    const Diagonal& diagonal = (*diagonals)[static_cast<std::size_t>(scene.offset + n - 1)];
    return Most ? diagonal.most : diagonal.least;
}

// A query of one layout against a key of the other at p and p + k.
template <auto Member>
Result<double> mixed(const Scene& scene) {
    const auto found = mixed_scores(scene, scene.position + scene.offset, scene.position);
    if (!found) return tl::unexpected(found.error());
    return (*found).*Member;
}

// --- Biases -------------------------------------------------------------------------------------------------------

// What a head loses at distance |k| against distance 0, q·k the same.
template <std::int64_t Head>
Result<double> lost(const Scene& scene) {
    if (Head >= scene.num_heads) return no_value("bias.lost");
    Scene equal = scene;
    equal.content = Scene().content;
    auto logit = DistanceLogit::of(equal, Head);
    if (!logit) return tl::unexpected(logit.error());
    return logit->at(0) - logit->at(std::abs(scene.offset));
}

// --- Training and scaling -------------------------------------------------------------------------------------------

template <class Of>
Result<double> of_training(const Scene& scene, Of of) {
    const auto training = training_of(scene);
    if (!training) return tl::unexpected(training.error());
    return of(*training);
}
Result<double> unseen(const Scene& scene) {
    if (!scene.trained.length) return no_value("unseen.count");
    return of_training(scene, [](const Training& t) { return static_cast<double>(t.new_angles.count); });
}
template <auto Member>
Result<double> slowed(const Scene& scene) {
    return of_training(scene, [](const Training& t) { return static_cast<double>(t.slowing.*Member); });
}
Result<double> first_ratio(const Scene& scene) {
    return of_training(scene, [](const Training& t) { return t.slowing.ratio.front(); });
}
template <auto Member>
Result<double> deviates(const Scene& scene) {
    return of_training(scene, [](const Training& t) -> Result<double> {
        if (!t.deviation) return no_value("deviation");
        return static_cast<double>((*t.deviation).*Member);
    });
}
Result<double> logit_scale(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) { return s.attention_factor * s.attention_factor; });
}

constexpr std::array kValues = {
    Value{"position", Unit::none, false, key<&Scene::position>},
    Value{"position.other", Unit::none, false, other_position},
    Value{"offset", Unit::none, false, key<&Scene::offset>},
    Value{"pair", Unit::none, false, key<&Scene::pair>},
    Value{"d_model", Unit::none, false, key<&Scene::d_model>},
    Value{"num_heads", Unit::none, false, key<&Scene::num_heads>},
    Value{"length", Unit::positions, false, key<&Scene::length>},
    Value{"shift", Unit::none, false, key<&Scene::shift>},
    Value{"base", Unit::none, false, key<&Scene::base>},
    Value{"trained.length", Unit::positions, false, trained_length},
    Value{"pair.frequency", Unit::radians, false, frequency},
    Value{"pair.wavelength", Unit::positions, false, wavelength},
    Value{"pair.angle", Unit::radians, false, angle},
    Value{"pair.turns", Unit::turns, false, turns},
    Value{"pair.reach", Unit::radians, false, reach},
    Value{"pair.trained_reach", Unit::radians, false, trained_reach},
    Value{"pair.dimension", Unit::none, false, pair_dimension},
    Value{"table.value", Unit::none, false, table_entry<0>},
    Value{"table.cosine", Unit::none, false, table_entry<1>},
    Value{"spectrum.pairs", Unit::none, false, pairs},
    Value{"spectrum.fastest", Unit::positions, false, fastest},
    Value{"spectrum.slowest", Unit::positions, false, slowest},
    Value{"spectrum.unfinished", Unit::none, false, unfinished},
    Value{"spectrum.finished", Unit::none, false, finished},
    Value{"spectrum.off_paper", Unit::none, false, off_paper},
    Value{"shift.error", Unit::none, false, shift_error},
    Value{"shift.composed", Unit::none, false, composed},
    Value{"score.dot", Unit::none, false, score<ScoreKind::dot>},
    Value{"score.next", Unit::none, false, next_dot},
    Value{"score.norm", Unit::none, false, score<ScoreKind::norm>},
    Value{"score.logit", Unit::none, false, score<ScoreKind::logit>},
    Value{"score.first_rise", Unit::positions, false, first_rise},
    Value{"score.beyond", Unit::none, true, beyond},
    Value{"score.bound", Unit::none, false, score_bound},
    Value{"query.norm", Unit::none, false, query_norm<false>},
    Value{"query.rotated_norm", Unit::none, false, query_norm<true>},
    Value{"gap.least", Unit::none, true, gap},
    Value{"columns.least", Unit::none, true, least_column},
    Value{"rank", Unit::none, true, rank},
    Value{"order.moved", Unit::none, false, moved},
    Value{"order.residual", Unit::none, false, order_residual},
    Value{"order.pooled", Unit::none, false, pooled},
    Value{"pp.spread", Unit::none, true, position_spread},
    Value{"pp.least", Unit::none, true, position_extreme<false>},
    Value{"pp.most", Unit::none, true, position_extreme<true>},
    Value{"mixed.score", Unit::none, false, mixed<&MixedScores::mixed>},
    Value{"mixed.interleaved", Unit::none, false, mixed<&MixedScores::interleaved>},
    Value{"mixed.half", Unit::none, false, mixed<&MixedScores::half>},
    Value{"bias.first_head", Unit::nats, false, lost<0>},
    Value{"bias.second_head", Unit::nats, false, lost<1>},
    Value{"bias.third_head", Unit::nats, false, lost<2>},
    Value{"unseen.count", Unit::none, false, unseen},
    Value{"slowing.kept", Unit::none, false, slowed<&Slowing::kept>},
    Value{"slowing.blended", Unit::none, false, slowed<&Slowing::blended>},
    Value{"slowing.divided", Unit::none, false, slowed<&Slowing::divided>},
    Value{"slowing.first", Unit::none, false, first_ratio},
    Value{"deviation.changed", Unit::none, false, deviates<&Deviation::changed>},
    Value{"deviation.off", Unit::none, false, deviates<&Deviation::off>},
    Value{"logits.scale", Unit::none, false, logit_scale},
};

}  // namespace

std::string_view unit_name(Unit unit) {
    switch (unit) {
        case Unit::positions: return "positions";
        case Unit::radians: return "radians";
        case Unit::turns: return "turns";
        case Unit::nats: return "nats";
        case Unit::none: break;
    }
    return {};
}

std::span<const Value> values() { return kValues; }

const Value* find_value(std::string_view name) {
    const auto found = std::ranges::find(kValues, name, &Value::name);
    return found != kValues.end() ? &*found : nullptr;
}

}  // namespace posiscope::lessons
