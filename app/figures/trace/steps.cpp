#include "app/figures/trace/trace.hpp"

#include "app/figures/parts/chain.hpp"
#include "core/encodings/encodings.hpp"

namespace posiscope::figures {

Scene traced(const Scene& scene, const Link& link) {
    Scene next = scene;
    const std::int64_t distance = link.distance.value_or(next.offset);
    if (link.position) set_position(next, link.distance ? *link.position - distance : *link.position);
    set_offset(next, distance);
    if (const auto spectrum = spectrum_of(next); spectrum && spectrum->pairs() > 0 && link.frequency)
        next.pair = static_cast<std::int64_t>(linked_pair(*link.frequency, *spectrum).pair);
    if (link.sine) set_view_value(next, "trace", "component", *link.sine ? Json(nullptr) : Json("cos"));
    return next;
}

namespace traces {
namespace {

struct AngleKey {
    Kept<Rates> rates;
    Kept<Scoring> scoring;  // null: the encoding has no score of pairs
    TraceOf of;
    Precision format;
    bool beside;  // logits have a factor or a bias that no pair makes
    bool operator==(const AngleKey&) const = default;
};
struct TableKey {
    Kept<ActionInput> input;
    std::int64_t position, column;
    Precision format;
    bool operator==(const TableKey&) const = default;
};
struct LogitKey {
    double value;
    std::int64_t distance;
    Precision format;
    bool operator==(const LogitKey&) const = default;
};
struct Traces {
    Memo<AngleKey, Steps> angle;
    Memo<TableKey, Steps> table;
    Refilled<LogitKey, Steps> logit;
};

Steps of_angle(const AngleKey& of) {
    const ScoreForm* form = of.scoring != nullptr ? &of.scoring->form : nullptr;
    const TraceSteps exact = exact_trace(of.of, **of.rates, form),
                     held = rounded_trace(of.of, **of.rates, form, of.format);
    Steps made;
    made.exact = exact, made.held = held;
    made.add("frequency", exact.frequency, held.frequency);
    made.add("position", exact.position, held.position);
    made.add("angle", exact.angle, held.angle);
    made.add("turns", exact.turns, held.turns);
    made.add("reduced", exact.reduced, held.reduced);
    made.add(of.of.sine ? "sine" : "cosine", exact.value, held.value);
    made.answer = made.count;
    made.add("stored", exact.stored, held.stored);
    if (form == nullptr) return made;
    made.add("share", exact.share, held.share);
    made.add(of.beside ? "pairs" : "score", exact.score, held.score);
    return made;
}

Steps of_table(const TableKey& of) {
    Steps made;
    const auto action = action_of(*of.input);
    if (!action || of.position >= action->positions) {
        made.problem = action ? past_end(*of.input, of.position, action->positions) : action.error();
        return made;
    }
    std::vector<double> row(static_cast<std::size_t>(of.input->d_model), 0.0);
    action->add(of.position, row);
    const double value = row[static_cast<std::size_t>(of.column)];
    const auto p = static_cast<double>(of.position);
    made.add("position", p, rounded_to(of.format, p));
    made.add("number", value, value);
    made.answer = made.count;
    made.add("stored", value, rounded_to(of.format, value));
    return made;
}

}  // namespace

bool shows_sine(const Scene& scene) {
    const Json* chosen = view_value(scene, "trace", "component");
    return chosen == nullptr || !chosen->is_string() || chosen->get_ref<const std::string&>() != "cos";
}

std::int64_t column_of(const Scene& scene, bool sine) {
    const Encoding& encoding = encoding_of(scene);
    const int component = sine ? 0 : 1;
    if (const std::int64_t pairs = encoding.pairs(scene); pairs > 0)
        return dimension(encoding.layout(scene), pairs, {std::min(scene.pair, pairs - 1), component});
    return std::min(2 * scene.pair + component, scene.d_model - 1);
}

const Steps& steps_of(const Scene& scene, Derived& derived, Precision format) {
    Traces& kept = derived.part<Traces>();
    if (const Spectrum* spectrum = derived.spectrum(scene); spectrum != nullptr && spectrum->pairs() > 0) {
        const bool rotary = encoding_of(scene).acts == Acts::query_key;
        return *kept.angle.get({derived.rates(scene),
                                summed(scene, derived) == nullptr
                                    ? nullptr
                                    : derived.scoring(scene, rotary ? ScoreKind::logit : ScoreKind::dot),
                                {std::min(static_cast<std::size_t>(scene.pair), spectrum->pairs() - 1),
                                 shows_sine(scene), scene.position, scene.offset},
                                format,
                                encoding_of(scene).logits.has_bias_or_scale},
                               [](const AngleKey& of) { return of_angle(of); });
    }
    if (encoding_of(scene).family == Family::absolute)
        return *kept.table.get(
            {derived.input<ActionInput>(scene), scene.position, column_of(scene, shows_sine(scene)), format},
            [](const TableKey& of) { return of_table(of); });
    const double logit = derived.logit(scene, scene.offset);
    const Problem* problem = std::isnan(logit) ? derived.logits_problem(scene) : nullptr;
    Steps& made = kept.logit.get({logit, scene.offset, format}, [](Steps& steps, const LogitKey& of) {
        steps = {};
        const auto distance = static_cast<double>(of.distance);
        steps.add("distance", distance, rounded_to(of.format, distance));
        steps.add("logit", of.value, of.value);
        steps.answer = steps.count;
        steps.add("stored", of.value, rounded_to(of.format, of.value));
    });
    if (problem == nullptr) made.problem.reset();
    else if (!made.problem || *made.problem != *problem) made.problem = *problem;  // a copy allocates
    return made;
}

}  // namespace traces
}  // namespace posiscope::figures
