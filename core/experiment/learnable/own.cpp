// A typed encoding: its formulas at every place that the model reads. What is marked as learned is a number like any other
// trained one, shared by heads and layers; a formula's slope by it comes from dual numbers. Where a formula has no slope, as
// sqrt at 0, nothing is learned from that place. n is the length of the sequence, L the trained one.
// Learns at ten times the common rate, as T5's bias does.
#include "core/encodings/own_function.hpp"
#include "core/experiment/learnable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::experiment {

struct Formulas {
    std::optional<OwnFunction> position, frequency, bias, scale, add;
    struct Learned {
        std::string name;
        bool list = false;
        std::vector<double> start;
    };
    std::vector<Learned> learned;
};

namespace own {
namespace {

using formula::Binding;
using Given = OwnFunction::Given;

constexpr std::size_t kMostLearned = 64;  // numbers, those of lists included
// The bounds of float32 in the model: a bias may mask, all else is multiplied.
constexpr double kLargestBias = 1e30, kLargest = 1e6;

// One number that is learned: of a list its element.
struct By {
    std::string_view name;
    std::size_t element = 0;
};

// A formula at the places of one call.
class Slot {
public:
    Slot(const Place& place, Numbers numbers, const OwnFunction& function, std::size_t positions,
         std::optional<By> by = {})
        : function_(function), by_(by) {
        given_ = {{"n", {.one = static_cast<double>(positions)}},
                  {"L", {.one = static_cast<double>(place.trained)}}};
        std::size_t at = 0;
        for (const Formulas::Learned& one : place.formulas->learned) {
            Binding binding;
            if (one.list) binding.list = numbers.subspan(at, one.start.size());
            else binding.one = numbers[at];
            if (by && by->name == one.name) binding.element = by->element;
            given_.push_back({one.name, binding});
            at += one.start.size();
        }
        kept_ = given_.size();
    }

    // The values where the names are these; valid until the next call.
    std::span<const double> at(std::initializer_list<Given> names, std::size_t count) {
        given_.resize(kept_);
        given_.insert(given_.end(), names);
        bound_ = function_.bound(given_);
        values_.resize(count);
        if (!by_) {
            formula::evaluate(function_.formula(), bound_, values_);
            return values_;
        }
        slopes_.resize(count);
        const auto known = function_.formula().names();
        const auto found = std::find_if(known.begin(), known.end(), [&](const formula::Name& name) {
            return !name.bound && name.text == by_->name;
        });
        formula::evaluate(function_.formula(), bound_, static_cast<std::size_t>(found - known.begin()),
                          values_, slopes_);
        // A corner has no slope, so nothing is learned there.
        for (double& slope : slopes_)
            if (!std::isfinite(slope)) slope = 0.0;
        return slopes_;
    }
    // Why value e of the last call is none.
    std::optional<formula::NotFinite> why(std::size_t e) const {
        return formula::why_not_finite(function_.formula(), bound_, e);
    }
    bool uses(std::string_view name) const { return function_.uses(name); }

private:
    const OwnFunction& function_;
    std::optional<By> by_;
    std::vector<Given> given_;
    std::size_t kept_ = 0;
    std::vector<Binding> bound_;
    std::vector<double> values_, slopes_;
};

// The first position that has a value which cannot be trained, and why.
struct Trouble {
    std::size_t position;
    Problem problem;
};

struct Watcher {
    std::optional<Trouble> first;

    void look(std::string_view slot, double value, double most, std::size_t position, const auto& where,
              const auto& why) {
        if (std::abs(value) <= most || (first && first->position <= position)) return;
        if (const auto found = std::isfinite(value) ? std::nullopt : why())
            first = {position, own_not_finite(slot, where(), *found)};
        else
            first = {position, Problem{"experiment.typed_large",
                                       {{"path", "encoding." + std::string(slot)},
                                        {"where", where()},
                                        {"value", to_text(value)},
                                        {"most", to_text(most)}}}};
    }
};

std::vector<double> counted(std::size_t count) {
    std::vector<double> list(count);
    for (std::size_t at = 0; at < count; ++at) list[at] = static_cast<double>(at);
    return list;
}

// --- What is a function of the logit's place -----------------------------------------------------------------

// each(head, place of the first in the head's table, values, query, key of the first, step of the key): rows of the bias or
// of the scale, one for all queries where the distance alone matters. Heads that are equal are computed once.
struct Row {
    std::size_t head, first;
    std::int64_t query, key, step;
    std::span<const double> values;
};
template <class Each>
void for_each_row(const Place& place, Slot& slot, std::size_t positions, bool by_distance, const Each& each) {
    const std::size_t heads = place.shape.heads, n = positions;
    const std::size_t apart = slot.uses("h") ? heads : 1;
    const auto last = static_cast<std::int64_t>(n) - 1;
    std::vector<double> key = counted(n), distance(by_distance ? 2 * n - 1 : n);
    if (by_distance)
        for (std::size_t r = 0; r < distance.size(); ++r)
            distance[r] = static_cast<double>(last - static_cast<std::int64_t>(r));
    for (std::size_t h = 0; h < apart; ++h) {
        const auto row = [&](std::size_t first, std::int64_t query, std::int64_t from, std::int64_t step,
                             std::span<const double> values) {
            for (std::size_t head = h; head < (apart == 1 ? heads : h + 1); ++head)
                each(Row{head, first, query, from, step, values});
        };
        const Given head{"h", {.one = static_cast<double>(h)}};
        if (by_distance) {
            const std::size_t count = place.shape.causal ? n : distance.size();
            row(0, last, 0, 1, slot.at({head, {"D", {.each = distance}}}, count));
            continue;
        }
        for (std::size_t q = 0; q < n; ++q) {
            const std::size_t count = place.shape.causal ? q + 1 : n;
            const auto query = static_cast<double>(q);
            for (std::size_t k = 0; k < count; ++k) distance[k] = query - key[k];
            row(q * n, static_cast<std::int64_t>(q), 0, 1,
                slot.at({head, {"D", {.each = distance}}, {"q", {.one = query}}, {"k", {.each = key}}},
                        count));
        }
    }
}

// A bias or a scale: by distance, or for each query and key. What causal attention does not read stays 0.
void fill_logits(const Place& place, Numbers numbers, std::string_view name, const OwnFunction& function,
                 double most, std::size_t positions, std::vector<double>& by_distance,
                 std::vector<double>& whole, Watcher& watcher) {
    Slot slot(place, numbers, function, positions);
    const bool alone = !slot.uses("q") && !slot.uses("k");
    const std::size_t each = alone ? 2 * positions - 1 : positions * positions;
    std::vector<double>& table = alone ? by_distance : whole;
    table.assign(place.shape.heads * each, 0.0);
    for_each_row(place, slot, positions, alone, [&](const Row& row) {
        for (std::size_t e = 0; e < row.values.size(); ++e) {
            const std::int64_t k = row.key + static_cast<std::int64_t>(e), apart = row.query - k;
            const std::size_t reach =
                static_cast<std::size_t>(alone ? std::abs(apart) : std::max(row.query, k));
            watcher.look(
                name, row.values[e], most, reach,
                [&] {
                    return alone ? fmt::format("D = {}", apart) : fmt::format("q = {}, k = {}", row.query, k);
                },
                [&] { return slot.why(e); });
            table[row.head * each + row.first + e] = row.values[e];
        }
    });
}

// Σ gradient · slope.
double learned_from_logits(const Place& place, Numbers numbers, const OwnFunction& function, By by,
                           std::size_t positions, const std::vector<double>& by_distance,
                           const std::vector<double>& whole) {
    if (!function.uses(by.name)) return 0.0;
    Slot slot(place, numbers, function, positions, by);
    const bool alone = !by_distance.empty();
    const std::vector<double>& table = alone ? by_distance : whole;
    const std::size_t each = alone ? 2 * positions - 1 : positions * positions;
    double sum = 0.0;
    for_each_row(place, slot, positions, alone, [&](const Row& row) {
        for (std::size_t e = 0; e < row.values.size(); ++e)
            sum += row.values[e] * table[row.head * each + row.first + e];
    });
    return sum;
}

// --- What is a function of the position ----------------------------------------------------------------------

std::vector<double> mapped(const Place& place, Numbers numbers, std::size_t positions, Watcher& watcher) {
    std::vector<double> at = counted(positions);
    if (!place.formulas->position) return at;
    Slot slot(place, numbers, *place.formulas->position, positions);
    const auto values = slot.at({{"p", {.each = at}}}, positions);
    for (std::size_t p = 0; p < positions; ++p)
        watcher.look(
            "position", values[p], kLargestBias, p, [&] { return fmt::format("p = {}", p); },
            [&] { return slot.why(p); });
    return {values.begin(), values.end()};
}

std::vector<double> frequencies(const Place& place, Numbers numbers, std::size_t positions,
                                Watcher& watcher) {
    const std::size_t pairs = place.shape.head_dim() / 2;
    const std::vector<double> index = counted(pairs);
    Slot slot(place, numbers, *place.formulas->frequency, positions);
    const auto values = slot.at({{"i", {.each = index}}}, pairs);
    for (std::size_t i = 0; i < pairs; ++i)
        watcher.look(
            "frequency", values[i], kLargestBias, 0, [&] { return fmt::format("i = {}", i); },
            [&] { return slot.why(i); });
    return {values.begin(), values.end()};
}

void fill_turns(const Place& place, Numbers numbers, Tables& tables, Watcher& watcher) {
    const std::size_t width = place.shape.head_dim();
    const std::vector<double> at = mapped(place, numbers, tables.positions, watcher),
                              rate = frequencies(place, numbers, tables.positions, watcher);
    PairMaps& maps = tables.query;
    maps.along.resize(tables.positions * width);
    maps.across.resize(maps.along.size());
    for (std::size_t p = 0; p < tables.positions; ++p)
        for (std::size_t i = 0; i < rate.size(); ++i) {
            const double angle = at[p] * rate[i];
            const std::size_t a = p * width + 2 * i;
            maps.along[a] = maps.along[a + 1] = std::cos(angle);
            maps.across[a] = -std::sin(angle);
            maps.across[a + 1] = std::sin(angle);
        }
    tables.key = tables.query;
    tables.angles =
        !place.formulas->learned.empty() &&
        std::any_of(place.formulas->learned.begin(), place.formulas->learned.end(), [&](const auto& one) {
            return place.formulas->frequency->uses(one.name) ||
                   (place.formulas->position && place.formulas->position->uses(one.name));
        });
}

void fill_added(const Place& place, Numbers numbers, Tables& tables, Watcher& watcher) {
    const std::size_t width = place.shape.width;
    const std::vector<double> component = counted(width);
    Slot slot(place, numbers, *place.formulas->add, tables.positions);
    tables.input.clear();
    for (std::size_t p = 0; p < tables.positions; ++p) {
        const auto values =
            slot.at({{"p", {.one = static_cast<double>(p)}}, {"j", {.each = component}}}, width);
        for (std::size_t j = 0; j < width; ++j)
            watcher.look(
                "add", values[j], kLargest, p, [&] { return fmt::format("p = {}, j = {}", p, j); },
                [&] { return slot.why(j); });
        tables.input.insert(tables.input.end(), values.begin(), values.end());
    }
}

Watcher fill(const Place& place, Numbers numbers, Tables& tables) {
    const Formulas& formulas = *place.formulas;
    Watcher watcher;
    if (formulas.frequency) fill_turns(place, numbers, tables, watcher);
    if (formulas.bias)
        fill_logits(place, numbers, "bias", *formulas.bias, kLargestBias, tables.positions,
                    tables.bias_by_distance, tables.bias, watcher);
    if (formulas.scale)
        fill_logits(place, numbers, "scale", *formulas.scale, kLargest, tables.positions,
                    tables.weight_by_distance, tables.weight, watcher);
    if (formulas.add) fill_added(place, numbers, tables, watcher);
    return watcher;
}

// --- The Learnable -------------------------------------------------------------------------------------------

std::vector<Group> groups(const Place& place) {
    std::vector<Group> made;
    for (const Formulas::Learned& one : place.formulas->learned)
        made.push_back({.name = one.name, .columns = one.start.size(), .rate = 10.0});
    return made;
}

void start(const Place& place, Random&, std::span<double> numbers) {
    std::size_t at = 0;
    for (const Formulas::Learned& one : place.formulas->learned)
        for (const double value : one.start) numbers[at++] = value;
}

void tables(const Place& place, Numbers numbers, Tables& tables) { fill(place, numbers, tables); }

double learned_from_angles(const Place& place, Numbers numbers, By by, const Tables& gradient) {
    const Formulas& formulas = *place.formulas;
    const std::size_t n = gradient.positions, pairs = place.shape.head_dim() / 2;
    Watcher unused;
    const std::vector<double> at = mapped(place, numbers, n, unused),
                              rate = frequencies(place, numbers, n, unused);
    std::vector<double> at_slope(n, 0.0), rate_slope(pairs, 0.0);
    const auto slopes = [&](const OwnFunction& function, std::string_view name, std::vector<double>& into) {
        if (!function.uses(by.name)) return;
        const std::vector<double> index = counted(into.size());
        Slot slot(place, numbers, function, n, by);
        const auto values = slot.at({{name, {.each = index}}}, into.size());
        into.assign(values.begin(), values.end());
    };
    if (formulas.position) slopes(*formulas.position, "p", at_slope);
    slopes(*formulas.frequency, "i", rate_slope);
    double sum = 0.0;
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t i = 0; i < pairs; ++i)
            sum += gradient.angle[p * pairs + i] * (at_slope[p] * rate[i] + at[p] * rate_slope[i]);
    return sum;
}

double learned_from_added(const Place& place, Numbers numbers, By by, const Tables& gradient) {
    const OwnFunction& function = *place.formulas->add;
    if (!function.uses(by.name)) return 0.0;
    const std::size_t width = place.shape.width;
    const std::vector<double> component = counted(width);
    Slot slot(place, numbers, function, gradient.positions, by);
    double sum = 0.0;
    for (std::size_t p = 0; p < gradient.positions; ++p) {
        const auto slopes =
            slot.at({{"p", {.one = static_cast<double>(p)}}, {"j", {.each = component}}}, width);
        for (std::size_t j = 0; j < width; ++j) sum += slopes[j] * gradient.input[p * width + j];
    }
    return sum;
}

void gradient(const Place& place, Numbers numbers, const Tables& gradient, std::span<double> out) {
    const Formulas& formulas = *place.formulas;
    std::size_t at = 0;
    for (const Formulas::Learned& one : formulas.learned)
        for (std::size_t element = 0; element < one.start.size(); ++element, ++at) {
            const By by{one.name, element};
            if (formulas.frequency && !gradient.angle.empty())
                out[at] += learned_from_angles(place, numbers, by, gradient);
            if (formulas.bias)
                out[at] += learned_from_logits(place, numbers, *formulas.bias, by, gradient.positions,
                                               gradient.bias_by_distance, gradient.bias);
            if (formulas.scale)
                out[at] += learned_from_logits(place, numbers, *formulas.scale, by, gradient.positions,
                                               gradient.weight_by_distance, gradient.weight);
            if (formulas.add) out[at] += learned_from_added(place, numbers, by, gradient);
        }
}

std::optional<Trouble> trouble(const Place& place, Numbers numbers, std::size_t positions) {
    Tables tables;
    tables.positions = positions;
    return fill(place, numbers, tables).first;
}

// A step that leads where a formula has no value is not made.
void settle(const Place& place, std::span<double> numbers, Numbers before) {
    const bool finite =
        std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    if (!finite || trouble(place, numbers, place.trained))
        std::copy(before.begin(), before.end(), numbers.begin());
}

std::optional<Problem> check(const Place& place, Numbers numbers) {
    auto found = trouble(place, numbers, place.trained);
    return found ? std::optional(std::move(found->problem)) : std::nullopt;
}

std::size_t end(const Place& place, Numbers numbers, std::size_t positions) {
    const auto found = trouble(place, numbers, positions);
    return found ? std::max(found->position, place.trained) : positions;
}

}  // namespace
}  // namespace own

Result<std::shared_ptr<const Formulas>> formulas_of(const Scene& scene) {
    const auto typed = own_formulas(scene);
    if (!typed) return tl::unexpected(typed.error());
    auto made = std::make_shared<Formulas>();
    const std::array<std::pair<std::string_view, std::optional<OwnFunction>*>, 5> places = {
        {{"position", &made->position},
         {"frequency", &made->frequency},
         {"bias", &made->bias},
         {"scale", &made->scale},
         {"add", &made->add}}};
    for (const OwnFormulas::Typed& one : typed->typed) {
        const auto found = std::find_if(places.begin(), places.end(),
                                        [&](const auto& place) { return place.first == one.slot->key; });
        if (found == places.end())
            return refuse(one.slot->key == "axis" ? "experiment.typed_axis" : "experiment.typed_slot",
                          {{"path", "encoding." + std::string(one.slot->key)}});
        const bool input = one.slot->key == "add";
        found->second->emplace(one.formula, typed->values, scene,
                               static_cast<double>(input ? scene.d_model : head_dim(scene)));
    }
    std::size_t count = 0;
    const Json& values = typed->values;
    for (const OwnFormulas::Parameter& parameter : typed->parameters) {
        if (!parameter.learned) continue;
        std::vector<double> numbers = parameter.list ? values.at(parameter.name).get<std::vector<double>>()
                                                     : std::vector<double>{parameter.value};
        count += numbers.size();
        for (const double number : numbers)
            if (std::abs(number) > own::kLargestBias)
                return refuse("value.range", {{"path", "encoding.values." + parameter.name},
                                              {"value", to_text(number)},
                                              {"minimum", to_text(-own::kLargestBias)},
                                              {"maximum", to_text(own::kLargestBias)}});
        if (!numbers.empty()) made->learned.push_back({parameter.name, parameter.list, std::move(numbers)});
    }
    if (count > own::kMostLearned)
        return refuse("experiment.typed_learned",
                      {{"count", std::to_string(count)}, {"most", std::to_string(own::kMostLearned)}});
    return std::shared_ptr<const Formulas>(std::move(made));
}

const Learnable kOwn{.groups = own::groups,
                     .tables = own::tables,
                     .gradient = own::gradient,
                     .start = own::start,
                     .settle = own::settle,
                     .end = own::end,
                     .check = own::check};

}  // namespace posiscope::experiment
