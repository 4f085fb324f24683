// own.cpp — an encoding typed as formulas.
// logit(h, q, k) = scale · (Σ_i amplitude_i Re q_i k̄_i e^{i·distance·ω_i} + what no pair rotates)/√head_dim + bias
// Without distance and amplitude the rotation is exact, as of any scaled spectrum: the doubles are its definition. With them,
// or where a position is mapped to what is no whole number, an angle is a product of doubles.
// Error    of a formula 1 ulp an operation; of an angle that is a product, 2^-53 of its size.
#include "core/encodings/own.hpp"

#include "core/code/program.hpp"
#include "core/cost.hpp"
#include "core/encodings/axes.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/own_function.hpp"
#include "core/encodings/turning.hpp"
#include "core/formats/table.hpp"
#include "core/formula/evaluate.hpp"
#include "core/formula/write.hpp"
#include "core/jobs/of_this_thread.hpp"
#include "core/json_members.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace posiscope {
namespace own {
namespace {

using formula::Binding;
using formula::Formula;

constexpr double kLargestFrequency = 0x1p59;  // what a Step can hold
constexpr std::size_t kMostParameters = 32;

constexpr std::string_view kShared[] = {"b", "n", "L"};
constexpr std::string_view kOfPosition[] = {"p"}, kOfPair[] = {"i", "d"}, kOfDistance[] = {"D", "q", "k"},
                           kOfAmplitude[] = {"i", "D", "d"}, kOfLogit[] = {"D", "q", "k", "h", "H"},
                           kOfInput[] = {"p", "j", "d"};
constexpr OwnSlot kSlots[] = {
    {"position", kOfPosition, "p"},  {"frequency", kOfPair, "ω"}, {"distance", kOfDistance, "Δ"},
    {"amplitude", kOfAmplitude, ""}, {"bias", kOfLogit, ""},      {"scale", kOfLogit, ""},
    {"add", kOfInput, ""},           {"axis", kOfPair, ""},
};

template <class Names>
bool has(const Names& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// A word of another slot, which would be taken for a parameter.
bool reserved(std::string_view name) {
    return has(kShared, name) || std::any_of(std::begin(kSlots), std::end(kSlots),
                                             [&](const OwnSlot& slot) { return has(slot.names, name); });
}

std::string list_of(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += std::string(name) + ", ";
    return text + "b, n, L";
}

// --- Slots as functions ----------------------------------------------------------------------------------

using Slot = OwnFunction;

// All typed slots of a Scene.
struct Slots {
    std::optional<Slot> position, frequency, distance, amplitude, bias, scale, add, axis;
};

// In the order of kSlots.
constexpr std::optional<Slot> Slots::*kMembers[] = {&Slots::position,  &Slots::frequency, &Slots::distance,
                                                    &Slots::amplitude, &Slots::bias,      &Slots::scale,
                                                    &Slots::add,       &Slots::axis};

Result<std::shared_ptr<const Slots>> slots_of(const SpectrumInput& scene) {
    auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    auto slots = std::make_shared<Slots>();
    for (const OwnFormulas::Typed& typed : formulas->typed) {
        const auto at = static_cast<std::size_t>(typed.slot - kSlots);
        const bool input = typed.slot->key == "add";
        (*slots.*kMembers[at])
            .emplace(typed.formula, formulas->values, scene,
                     static_cast<double>(input ? scene.d_model : head_dim(scene)));
    }
    return slots;
}

// --- What they cost ---------------------------------------------------------------------------------------

constexpr double kUnitsOfPair = 60.0;
constexpr double kMostOfLogit = 2e5, kMostOfVector = 2e6;  // units: figures and files have thousands of them
constexpr double kFarSum = 32768.0;  // positions apart at which a sum over what lies between is measured

std::int64_t pairs(const SpectrumInput& scene) {
    return scene.encoding.parameters.contains("frequency") ? head_dim(scene) / 2 : 0;
}

// Units (core/cost.hpp): of a logit's content, of what is beside it (bias and scale), of one vector that is added to. Of a logit
// and of such a vector, those that the terms of sums take; and the slot whose sums take most of a logit.
struct Costs {
    double content = 0.0, beside = 0.0, vector = 0.0;
    double sums_of_logit = 0.0, sums_of_vector = 0.0;
    std::string_view dearest;
};

// A sum's terms are counted where it has most of them: at the ends, but not so far apart that they are too many to be added up.
double units_of(const Slot& slot, const SpectrumInput& scene) {
    double units = slot.units();
    if (!slot.sums()) return units;
    const auto last = static_cast<double>(scene.length - 1);
    const double near = std::min(last, kFarSum),
                 pair = static_cast<double>(std::max<std::int64_t>(pairs(scene), 1) - 1),
                 j = static_cast<double>(scene.d_model - 1);
    for (const auto& [q, k] : {std::pair(last, 0.0), std::pair(near, 0.0), std::pair(0.0, near)}) {
        const double before = work_done();
        (void)slot({{"p", q}, {"q", q}, {"k", k}, {"D", q - k}, {"i", pair}, {"j", j}, {"h", 0.0}});
        units = std::max(units, work_done() - before);
    }
    return units;
}

Costs costs_of(const Slots& slots, const SpectrumInput& scene) {
    Costs costs;
    double most = 0.0;
    const auto needed = [&](std::string_view name, const std::optional<Slot>& slot, double times) {
        if (!slot) return 0.0;
        const double units = units_of(*slot, scene), of_sums = (units - slot->units()) * times;
        costs.sums_of_logit += of_sums;
        if (of_sums > most) most = of_sums, costs.dearest = name;
        return units * times;
    };
    costs.content = needed("amplitude", slots.amplitude, static_cast<double>(pairs(scene))) +
                    needed("distance", slots.distance, 1.0) + needed("position", slots.position, 2.0);
    costs.beside = needed("bias", slots.bias, 1.0) + needed("scale", slots.scale, 1.0);
    if (slots.add) {
        const auto d = static_cast<double>(scene.d_model);
        costs.vector = units_of(*slots.add, scene) * d;
        costs.sums_of_vector = costs.vector - slots.add->units() * d;
    }
    return costs;
}

// --- Frequencies -----------------------------------------------------------------------------------------

// f(p) = s p with one s for all p: then positions stay whole numbers and s belongs to the frequencies.
bool is_proportional(const Formula& formula) {
    std::vector<char> moves, proportional;
    for (const formula::Node& node : formula.nodes()) {
        const auto of = [&](const std::vector<char>& list, std::size_t o) {
            return list[node.operand[o]] != 0;
        };
        bool moved = node.op == formula::Op::name && formula.names()[node.name].text == "p" &&
                     !formula.names()[node.name].bound;
        bool is = moved;
        for (std::size_t o = 0; o < node.operands; ++o) moved = moved || of(moves, o);
        if (node.op == formula::Op::multiply)
            is = (of(proportional, 0) && !of(moves, 1)) || (of(proportional, 1) && !of(moves, 0));
        if (node.op == formula::Op::divide) is = of(proportional, 0) && !of(moves, 1);
        moves.push_back(moved ? 1 : 0);
        proportional.push_back(is ? 1 : 0);
    }
    return proportional.back() != 0;
}
std::optional<double> proportional(const Slot& slot) {
    return is_proportional(slot.formula()) ? std::optional(slot({{"p", 1.0}})) : std::nullopt;
}

Result<Spectrum> spectrum_with(const Slots& slots, const SpectrumInput& scene) {
    if (!slots.frequency) return no_spectrum(scene);
    std::vector<double> index(static_cast<std::size_t>(pairs(scene))), rates(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<double>(i);
    const Slot::Given given[] = {{"i", {.each = index}}};
    const auto names = slots.frequency->bound(given);
    formula::evaluate(slots.frequency->formula(), names, rates);
    // With a typed distance or amplitude, positions are mapped where query and key meet.
    const bool meets = slots.distance || slots.amplitude;
    const double step = slots.position && !meets ? proportional(*slots.position).value_or(1.0) : 1.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const std::string where = fmt::format("i = {}", i);
        if (!std::isfinite(rates[i])) {
            const auto why = formula::why_not_finite(slots.frequency->formula(), names, i);
            return tl::unexpected(own_not_finite(
                "frequency", where,
                why.value_or(formula::NotFinite{slots.frequency->formula().text(), rates[i], 1})));
        }
        rates[i] *= step;
        if (rates[i] < 0.0 || rates[i] > kLargestFrequency)
            return refuse(
                "formula.frequency",
                {{"path", slots.position && step != 1.0 ? "encoding.position" : "encoding.frequency"},
                 {"where", where},
                 {"value", to_text(rates[i])}});
    }
    return spectrum_from(std::move(rates));
}

Result<Spectrum> spectrum(const SpectrumInput& scene) {
    return slots_of(scene).and_then([&](const auto& slots) { return spectrum_with(*slots, scene); });
}

PairLayout layout(const ActionInput& scene) { return scene.layout; }

// --- Axes ------------------------------------------------------------------------------------------------

// The sizes t, h, w; empty without a grid.
Result<std::vector<std::int64_t>> grid_of(const SpectrumInput& scene) {
    std::vector<std::int64_t> sizes;
    const auto given = scene.encoding.parameters.find("grid");
    if (given == scene.encoding.parameters.end() || given->is_null()) return sizes;
    for (const Json& size : *given) {
        const auto whole = size.is_number() ? size.get<double>() : 0.0;
        if (whole < 1.0 || whole > static_cast<double>(kLastPosition) || whole != std::trunc(whole))
            return refuse("own.grid", {{"value", shown(*given)}});
        sizes.push_back(static_cast<std::int64_t>(whole));
    }
    if (sizes.size() != 3) return refuse("own.grid", {{"value", shown(*given)}});
    return sizes;
}

// Its tokens, but no more than there are positions.
std::int64_t tokens_of(std::span<const std::int64_t> grid) {
    std::int64_t tokens = 1;
    for (const std::int64_t size : grid) {
        if (tokens > kLastPosition / size) return kLastPosition + 1;
        tokens *= size;
    }
    return tokens;
}

// The axis of each pair; empty if no axis is typed or nothing rotates.
Result<std::vector<int>> axis_of_pairs(const Slots& slots, const SpectrumInput& scene) {
    std::vector<int> made;
    if (!slots.axis || !slots.frequency) return made;
    for (const auto& [name, slot] :
         {std::pair("distance", &slots.distance), std::pair("amplitude", &slots.amplitude)})
        if (*slot) return refuse("own.axis_beside", {{"path", "encoding." + std::string(name)}});
    if (slots.position && !proportional(*slots.position))
        return refuse("own.axis_beside", {{"path", "encoding.position"}});
    for (std::int64_t i = 0; i < pairs(scene); ++i) {
        spend(slots.axis->units());
        const double axis = (*slots.axis)({{"i", static_cast<double>(i)}});
        if (!std::isfinite(axis)) {
            const Slot::Given given[] = {{"i", {.one = static_cast<double>(i)}}};
            if (const auto why = formula::why_not_finite(slots.axis->formula(), slots.axis->bound(given)))
                return tl::unexpected(own_not_finite("axis", fmt::format("i = {}", i), *why));
        }
        if (axis != 0.0 && axis != 1.0 && axis != 2.0)
            return refuse(
                "own.axis",
                {{"path", "encoding.axis"}, {"where", fmt::format("i = {}", i)}, {"value", to_text(axis)}});
        made.push_back(static_cast<int>(axis));
    }
    return made;
}

Result<PairAxes> axes_with(const Slots& slots, const SpectrumInput& scene) {
    auto grid = grid_of(scene);
    if (!grid) return tl::unexpected(grid.error());
    auto of = axis_of_pairs(slots, scene);
    if (!of) return tl::unexpected(of.error());
    PairAxes made;
    if (of->empty()) return made;
    made.axis = std::move(*of);
    made.names = {"t", "h", "w"};
    made.sections = 3;
    made.grid = std::move(*grid);
    made.parted = !made.grid.empty();
    return made;
}

PairAxes axes(const SpectrumInput& scene) {
    const auto slots = slots_of(scene);
    return slots ? axes_with(**slots, scene).value_or(PairAxes()) : PairAxes();
}

// --- The action ------------------------------------------------------------------------------------------

// The places at which every slot is tried before a Scene is accepted: where people's formulas break. `now` is the slot.
std::optional<Problem> broken(const Slots& slots, const SpectrumInput& scene, std::string_view& now) {
    const auto last = static_cast<double>(scene.length - 1);
    const auto tried =
        [&](std::string_view name, const std::optional<Slot>& slot, std::string where,
            std::initializer_list<std::pair<std::string_view, double>> at) -> std::optional<Problem> {
        now = name;
        if (!slot || std::isfinite((*slot)(at))) return std::nullopt;
        std::vector<Slot::Given> given;
        for (const auto& [key, value] : at) given.push_back({key, {.one = value}});
        const auto why = formula::why_not_finite(slot->formula(), slot->bound(given));
        return why ? std::optional(own_not_finite(name, std::move(where), *why)) : std::nullopt;
    };
    for (const double p : {0.0, 1.0, last}) {
        const std::string where = fmt::format("p = {}", p);
        if (auto problem = tried("position", slots.position, where, {{"p", p}})) return problem;
        for (const double j : {0.0, 1.0, static_cast<double>(scene.d_model - 1)})
            if (auto problem =
                    tried("add", slots.add, where + fmt::format(", j = {}", j), {{"p", p}, {"j", j}}))
                return problem;
    }
    for (const auto& [q, k] :
         {std::pair(0.0, 0.0), std::pair(last, last), std::pair(last, 0.0), std::pair(1.0, 0.0)}) {
        const double apart = q - k;
        const std::string where = fmt::format("q = {}, k = {}", q, k);
        if (auto problem = tried("distance", slots.distance, where, {{"D", apart}, {"q", q}, {"k", k}}))
            return problem;
        if (auto problem = tried("amplitude", slots.amplitude, fmt::format("i = 0, D = {}", apart),
                                 {{"i", 0.0}, {"D", apart}}))
            return problem;
        for (const auto& [name, slot] : {std::pair("bias", &slots.bias), std::pair("scale", &slots.scale)})
            if (auto problem = tried(name, *slot, where, {{"D", apart}, {"q", q}, {"k", k}, {"h", 0.0}}))
                return problem;
    }
    return std::nullopt;
}

constexpr double kMostChecked = 2e7;  // units: a frame may settle a Scene several times

// A slot takes too long; its first sum is the cause.
Problem slow(const SpectrumInput& scene, std::string_view slot) {
    const auto formulas = own_formulas(scene);
    const Formula* formula = formulas ? formulas->find(slot) : nullptr;
    std::uint16_t column = 1;
    if (formula != nullptr) {
        const auto nodes = formula->nodes();
        const auto sum = std::find_if(nodes.begin(), nodes.end(),
                                      [](const formula::Node& node) { return node.op == formula::Op::sum; });
        if (sum != nodes.end()) column = sum->column;
    }
    return {"own.slow", {{"path", "encoding." + std::string(slot)}, {"column", std::to_string(column)}}};
}

// Also what would take too long to begin with, as sums for each of 32 768 pairs would.
std::optional<Problem> check(const SpectrumInput& scene) {
    std::string_view now = "frequency";
    const auto found = try_within_budget(kMostChecked, [&]() -> std::optional<Problem> {
        const auto slots = slots_of(scene);
        // A file that cannot be read, or may not be yet, is said by what is drawn.
        if (!slots)
            return slots.error().cause == Cause::failure ? std::nullopt : std::optional(slots.error());
        if ((*slots)->frequency)
            if (const auto made = spectrum_with(**slots, scene); !made) return made.error();
        if (const auto grid = grid_of(scene); !grid) return grid.error();
        now = "axis";
        if (const auto axis = axis_of_pairs(**slots, scene); !axis) return axis.error();
        if (auto problem = broken(**slots, scene, now)) return problem;
        const Costs costs = costs_of(**slots, scene);
        if (costs.sums_of_logit > kMostOfLogit) return slow(scene, costs.dearest);
        return costs.sums_of_vector > kMostOfVector ? std::optional(slow(scene, "add")) : std::nullopt;
    });
    return found ? *found : slow(scene, now);
}

Turning turning_with(std::shared_ptr<const Slots> slots, const SpectrumInput& scene, Spectrum made,
                     PairAxes axes) {
    Turning turning{.spectrum = std::move(made), .axes = std::move(axes)};
    const bool meets = slots->distance || slots->amplitude;
    turning.distance_units = costs_of(*slots, scene).content;
    if (slots->position && (meets || !proportional(*slots->position)))
        turning.position = [slots](std::int64_t token) {
            return (*slots->position)({{"p", static_cast<double>(token)}});
        };
    if (slots->distance) {
        turning.distance = [slots](double apart, std::int64_t query, std::int64_t key) {
            return (*slots->distance)(
                {{"D", apart}, {"q", static_cast<double>(query)}, {"k", static_cast<double>(key)}});
        };
        turning.distance_by_tokens = slots->distance->uses("q") || slots->distance->uses("k");
    }
    if (slots->amplitude)
        turning.amplitude = [slots](std::size_t pair, double apart) {
            return (*slots->amplitude)({{"i", static_cast<double>(pair)}, {"D", apart}});
        };
    return turning;
}

Result<Turning> turning_with(const std::shared_ptr<const Slots>& slots, const SpectrumInput& scene) {
    auto made = spectrum_with(*slots, scene);
    if (!made) return tl::unexpected(made.error());
    auto axes = axes_with(*slots, scene);
    if (!axes) return tl::unexpected(axes.error());
    return turning_with(slots, scene, std::move(*made), std::move(*axes));
}

Result<Turning> turning(const SpectrumInput& scene) {
    return slots_of(scene).and_then([&](const auto& slots) { return turning_with(slots, scene); });
}

// How many positions the files of what is added and of the positions have; nothing where there is none.
std::optional<std::int64_t> file_positions(const SpectrumInput& scene) {
    std::optional<std::int64_t> least;
    for (const char* slot : {"add", "position"}) {
        const auto text = scene.encoding.parameters.find(slot);
        if (text == scene.encoding.parameters.end() || !own_names_file(text->get_ref<const std::string&>()))
            continue;
        const auto table = small_table_of(text->get_ref<const std::string&>());
        if (!table) continue;
        const std::int64_t count = (*table)->line() ? (*table)->columns() : (*table)->rows();
        least = std::min(least.value_or(count), count);
    }
    return least;
}

Result<Action> action(const ActionInput& scene) {
    auto made_of = slots_of(scene);
    if (!made_of) return tl::unexpected(made_of.error());
    const std::shared_ptr<const Slots> slots = *made_of;
    Action result = plain_action(head_dim(scene));
    const Costs costs = costs_of(*slots, scene);
    if (slots->frequency) {
        auto made = turning_with(slots, scene);
        if (!made) return tl::unexpected(made.error());
        const auto turning = std::make_shared<const Turning>(std::move(*made));
        const PairLayout order = layout(scene);
        const double units = kUnitsOfPair * static_cast<double>(turning->pairs());
        result.cost = units;
        if (turning->axes.parted || turning->steady()) {
            // The vectors that are added are of their positions.
            if (turning->steady() && !slots->add)
                result.waves = [turning, order, scale = result.scale](const Contents& contents) {
                    return rotary_waves(turning->spectrum, order, scale, contents);
                };
            if (turning->axes.parted) result.positions = tokens_of(turning->axes.grid);
            result.by_distance = turning->by_distance();
            result.turn = [turning, order](Side side, std::int64_t position, std::span<double> x) {
                turning->rotate(side, position, order, x);
            };
        } else {
            result.cost += costs.content;
            result.cost_beside_vectors += result.cost;
            // Action::cost is that of added vectors, if there are any.
            rotate_where_they_meet(result, turning, {.layout = order, .units = slots->add ? units : 0.0});
        }
    }
    const auto alone = [](const std::optional<Slot>& slot) {
        return !slot || (!slot->uses("q") && !slot->uses("k"));
    };
    result.by_distance = result.by_distance && alone(slots->bias) && alone(slots->scale);
    const auto meeting = [slots](const Slot& slot, std::int64_t head, std::int64_t query, std::int64_t key) {
        const auto q = static_cast<double>(query), k = static_cast<double>(key);
        return slot({{"D", q - k}, {"q", q}, {"k", k}, {"h", static_cast<double>(head)}});
    };
    if (result.by_distance) {
        result.distance_cost += costs.beside;
    } else {
        result.cost_beside_vectors += costs.beside;
        if (!result.turn && !slots->add) result.cost += costs.beside;
    }
    result.beside_waves = slots->bias || slots->scale;
    if (slots->bias)
        result.bias = [slots, meeting](std::int64_t head, std::int64_t query, std::int64_t key) {
            return meeting(*slots->bias, head, query, key);
        };
    if (slots->scale)
        result.weight = [slots, meeting](std::int64_t head, std::int64_t query, std::int64_t key) {
            return meeting(*slots->scale, head, query, key);
        };
    // A file ends where it does.
    if (const auto ends = file_positions(scene)) result.positions = std::min(result.positions, *ends);
    if (slots->add) {
        result.cost = std::max(result.cost, costs.vector);
        result.add = [slots](std::int64_t position, std::span<double> x) {
            std::vector<double> index(x.size()), value(x.size());
            for (std::size_t j = 0; j < x.size(); ++j) index[j] = static_cast<double>(j);
            const Slot::Given given[] = {{"p", {.one = static_cast<double>(position)}},
                                         {"j", {.each = index}}};
            formula::evaluate(slots->add->formula(), slots->add->bound(given), value);
            for (std::size_t j = 0; j < x.size(); ++j) x[j] += value[j];
        };
    }
    return result;
}

// Two numbers, the lower one first, as far apart as a track can show.
bool is_range(const Json& value) {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
        return false;
    const double apart = value[1].get<double>() - value[0].get<double>();
    return apart >= 1e-300 && apart <= 1e300;
}

// The names that are marked as learned; absent in a Scene of an encoding that nobody typed.
std::vector<std::string> learned_names(const SpectrumInput& scene) {
    std::vector<std::string> names;
    for (const Json& name : scene.encoding.parameters.value("learned", Json::array()))
        if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
}

std::vector<Problem> remarks(const ActionInput& scene) {
    const auto formulas = own_formulas(scene);
    if (!formulas) return {formulas.error()};
    std::vector<Problem> notes;
    const auto note = [&](const char* key, std::string name) {
        notes.push_back({key, {{"name", std::move(name)}}});
    };
    for (const auto& given : scene.encoding.parameters.at("values").items())
        if (std::none_of(formulas->parameters.begin(), formulas->parameters.end(),
                         [&](const auto& parameter) { return parameter.name == given.key(); }))
            note("own.value_unused", given.key());
    for (const std::string& name : learned_names(scene))
        if (std::none_of(formulas->parameters.begin(), formulas->parameters.end(),
                         [&](const auto& parameter) { return parameter.name == name; }))
            note("own.learned_unused", name);
    const Json ranges = scene.encoding.parameters.value("ranges", empty_object());
    for (const auto& given : ranges.items())
        if (std::none_of(
                formulas->parameters.begin(), formulas->parameters.end(),
                [&](const auto& parameter) { return parameter.name == given.key() && !parameter.list; }))
            note("own.range_unused", given.key());
    if (formulas->find("frequency") == nullptr)
        for (const char* slot : {"position", "distance", "amplitude", "axis"})
            if (formulas->find(slot) != nullptr) note("own.needs_frequency", slot);
    const bool grid = scene.encoding.parameters.contains("grid");
    if (formulas->find("axis") != nullptr && formulas->find("frequency") != nullptr && !grid)
        notes.push_back({"own.no_grid", {}});
    if (formulas->find("axis") == nullptr && grid) notes.push_back({"own.no_axis", {}});
    return notes;
}

// --- Which of its records ----------------------------------------------------------------------------------

bool typed(const SpectrumInput& scene, std::string_view slot) {
    return scene.encoding.parameters.contains(slot);
}

// True if a word of a formula is one of these. A frame asks: nothing is parsed.
bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
    const auto in_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && in_word(text[end])) ++end;
        // 2q is a product.
        std::string_view word = text.substr(at, end - at);
        while (!word.empty() && word.front() >= '0' && word.front() <= '9') word.remove_prefix(1);
        if (std::find(words.begin(), words.end(), word) != words.end()) return true;
        at = std::max(end, at + 1);
    }
    return false;
}

bool mentions(const SpectrumInput& scene, std::initializer_list<std::string_view> slots,
              std::initializer_list<std::string_view> words) {
    return std::any_of(slots.begin(), slots.end(), [&](std::string_view slot) {
        const auto text = scene.encoding.parameters.find(slot);
        return text != scene.encoding.parameters.end() &&
               !own_names_file(text->get_ref<const std::string&>()) &&
               mentions(text->get_ref<const std::string&>(), words);
    });
}

// True if a position formula is more than a factor of p. The last one is kept, since a frame asks often.
bool bends(const SpectrumInput& scene) {
    const auto text = scene.encoding.parameters.find("position");
    if (text == scene.encoding.parameters.end()) return false;
    struct Known {
        std::string text;
        bool is_factor = false;
    };
    auto& known = of_this_thread<Known, Known>();
    if (const auto& asked = text->get_ref<const std::string&>(); known.text != asked) {
        const auto parsed = formula::parse(asked, "");
        known.is_factor = parsed && is_proportional(*parsed);
        known.text = asked;
    }
    return !known.is_factor;
}
bool on_grid(const SpectrumInput& scene) { return typed(scene, "axis") && typed(scene, "grid"); }

// A formula that moves a pair off its circle.
Rotation rotation(const SpectrumInput& scene) {
    if (!typed(scene, "frequency")) return Rotation::nothing;
    if (on_grid(scene)) return Rotation::grid;
    if (typed(scene, "distance")) return Rotation::distance;
    if (bends(scene)) return Rotation::position;
    return typed(scene, "amplitude") ? Rotation::amplitude : Rotation::circles;
}

// --- Definitions -------------------------------------------------------------------------------------------

constexpr std::size_t kLongestShown = 280;  // bytes; a longer formula is read in its field

TypedPiece::Name piece_name(std::string_view name) {
    using Name = TypedPiece::Name;
    constexpr std::pair<std::string_view, Name> known[] = {
        {"p", Name::position}, {"i", Name::pair},  {"j", Name::column},
        {"D", Name::distance}, {"q", Name::query}, {"k", Name::key},
        {"h", Name::head},     {"b", Name::base},  {"d", Name::width},
    };
    for (const auto& [word, piece] : known)
        if (word == name) return piece;
    return Name::number;
}

// Written with each name between marks, and cut there: a name is letters, digits and _, which no notation rewrites.
std::vector<TypedPiece> pieces(const Formula& formula, const SpectrumInput& scene, double width, bool numbers,
                               const Json& values) {
    constexpr char mark = '\x01';
    const formula::Words plain{},
        marked{.name = [](std::string_view name) { return mark + std::string(name) + mark; },
               .tensor = {},
               .numbers = numbers};
    if (formula::write(formula, formula::Notation::screen, plain).size() > kLongestShown)
        return {{.text = "…"}};
    std::string text = formula::write(formula, formula::Notation::screen, marked);
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1))
        text.replace(at, 1, "−");
    std::vector<TypedPiece> made;
    std::size_t from = 0;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, from)) {
        const std::size_t end = text.find(mark, at + 1);
        const std::string name = text.substr(at + 1, end - at - 1);
        TypedPiece piece{.text = text.substr(from, at - from), .name = piece_name(name)};
        const auto parsed = formula::parse(name, "");
        piece.letters = parsed ? formula::write(*parsed, formula::Notation::screen) : name;
        piece.number = name == "b"   ? scene.base
                       : name == "d" ? width
                       : name == "n" ? static_cast<double>(scene.length)
                       : name == "L" ? static_cast<double>(scene.trained.length.value_or(scene.length))
                       : name == "H" ? static_cast<double>(scene.num_heads)
                                     : 1.0;
        const auto value = values.find(name);
        if (value != values.end() && value->is_number()) piece.number = value->get<double>();
        from = end + 1;
        // A list has no single number.
        if (value != values.end() && value->is_array()) {
            if (made.empty()) made.push_back({});
            made.back().name == TypedPiece::Name::none
                ? void(made.back().text += piece.text + piece.letters)
                : void(made.push_back({.text = piece.text + piece.letters}));
            continue;
        }
        if (!made.empty() && made.back().name == TypedPiece::Name::none) {
            piece.text = made.back().text + piece.text;
            made.back() = std::move(piece);
        } else {
            made.push_back(std::move(piece));
        }
    }
    const std::string rest = text.substr(from);
    if (!made.empty() && made.back().name == TypedPiece::Name::none) made.back().text += rest;
    else made.push_back({.text = rest});
    return made;
}

Result<Program> program(const Scene& scene) {
    const auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    Program made = plain_program(scene, "an encoding as it was typed", {});
    made.names_kept = true;
    for (const OwnFormulas::Typed& one : formulas->typed)
        made.slots.push_back({one.slot->key, {{"", one.formula.text()}}});
    for (const OwnFormulas::Parameter& one : formulas->parameters)
        if (one.list)
            made.lists.push_back({one.name, formulas->values.at(one.name).get<std::vector<double>>()});
        else made.constant(one.name, one.value);
    if (pair_axes(scene).parted) made.grid = scene.encoding.parameters.at("grid");
    return made;
}

std::vector<TypedLine> typed_lines(const SpectrumInput& scene) {
    std::vector<TypedLine> lines;
    const auto formulas = own_formulas(scene);
    if (!formulas) return lines;
    for (const OwnFormulas::Typed& one : formulas->typed) {
        using formula::Op;
        const auto width = static_cast<double>(one.slot->key == "add" ? scene.d_model : head_dim(scene));
        const Op root = one.formula.root().op;
        lines.push_back({.slot = one.slot->key,
                         .letters = pieces(one.formula, scene, width, false, formulas->values),
                         .numbers = pieces(one.formula, scene, width, true, formulas->values),
                         .sum = root == Op::add || root == Op::subtract || root == Op::choose ||
                                root == Op::negate || root == Op::sum});
    }
    return lines;
}

DefinitionPen& factor(DefinitionPen& pen, const TypedLine& line) {
    if (line.sum) pen.add("(");
    pen.typed(line);
    return line.sum ? pen.add(")") : pen;
}

// The term added to the input, at component 2i.
void define_add(DefinitionPen& pen, const TypedLine& line) {
    const DefinitionTerms& at = pen.at;
    pen.add("e(").position().add(")_{");
    pen.put(DefinitionHandle::pair, "j", Digits::integer(2 * at.pair)).add("} = ").typed(line);
    if (const auto value = at.letters ? std::nullopt : pen.added(2 * at.pair)) pen.equals(*value);
}

// φ_i = p · ω_i with what was typed in their places; of one pair where query and key meet, if they are not rotated one by one.
void define_rate(DefinitionPen& pen, const TypedLine& frequency) {
    using Handle = DefinitionHandle;
    const DefinitionTerms& at = pen.at;
    const TypedLine *position = typed_line(at, "position"), *distance = typed_line(at, "distance"),
                    *size = typed_line(at, "amplitude");
    const double omega = at.spectrum->frequency[static_cast<std::size_t>(at.pair)];
    if (distance == nullptr && size == nullptr) {
        pen.add("\\phi_{").put(Handle::pair, "i", Digits::integer(at.pair)).add("} = ");
        if (position != nullptr) factor(pen, *position);
        else if (at.axis.empty()) pen.position();
        else pen.add(at.axis);
        factor(pen.add(" \\cdot "), frequency);
        if (!at.letters && position == nullptr && at.axis.empty())
            pen.equals(static_cast<double>(at.position) * omega).add("\\,\\text{rad}");
        return;
    }
    if (size != nullptr) factor(pen, *size).add(" \\cdot ");
    pen.add("\\cos (");
    if (distance != nullptr) factor(pen, *distance);
    else pen.put(Handle::offset, "\\Delta", Digits::integer(at.offset));
    factor(pen.add(" \\cdot "), frequency).add(")");
}

// One line for each place where it acts: the first is its definition, the others are components 2, 3, …
void define(DefinitionPen& pen, int component) {
    const DefinitionTerms& at = pen.at;
    int n = component < 2 ? 0 : component - 1;
    const auto is = [&](const TypedLine* line) { return line != nullptr && n-- == 0; };
    const TypedLine *rate = at.spectrum != nullptr ? typed_line(at, "frequency") : nullptr,
                    *bias = typed_line(at, "bias"), *scale = typed_line(at, "scale"),
                    *added = typed_line(at, "add");
    if (is(rate)) return define_rate(pen, *rate);
    if (is(bias)) {
        pen.add("\\text{bias} = ").typed(*bias).equals_bias();
    } else if (is(scale)) {
        pen.add("\\text{scale} = ").typed(*scale);
        if (at.action != nullptr)
            pen.equals(at.action->weight(at.head, at.position + at.offset, at.position));
    } else if (is(added)) {
        define_add(pen, *added);
    } else if (component < 2) {
        define_plain_logit(pen, 0);
    }
}

// --- Slots that are files --------------------------------------------------------------------------------------

// A file's numbers, and the formula that reads them.
struct FileList {
    std::string formula;
    std::vector<double> numbers;
};

Result<FileList> list_of_file(const OwnSlot& slot, const std::string& path, const std::string& name,
                              const SpectrumInput& scene) {
    const bool added = slot.key == "add", pairs = slot.key == "frequency", positions = slot.key == "position";
    if (!added && !pairs && !positions && slot.names.size() != std::size(kOfLogit))
        return refuse("own.file_slot", {{"path", "encoding." + std::string(slot.key)}});
    const auto table = small_table_of(path);
    if (!table) return tl::unexpected(table.error());
    const std::int64_t rows = (*table)->rows(), columns = (*table)->columns(), n = scene.length;
    const bool line = (*table)->line();
    const auto wrong = [&](std::string_view needed) {
        return refuse("own.file_shape", {{"path", path},
                                         {"shape", line ? fmt::format("({},)", columns)
                                                        : fmt::format("({}, {})", rows, columns)},
                                         {"slot", "encoding." + std::string(slot.key)},
                                         {"needed", std::string(needed)}});
    };
    FileList made;
    if (pairs) {
        if (!line || columns != head_dim(scene) / 2) return wrong(fmt::format("({},)", head_dim(scene) / 2));
        made.formula = name + "[i]";
    } else if (positions) {
        if (!line || columns < n) return wrong(fmt::format("({},)", n));
        made.formula = name + "[p]";
    } else if (added) {
        if (line || rows < n || columns != scene.d_model)
            return wrong(fmt::format("({}, {})", n, scene.d_model));
        made.formula = fmt::format("{}[p*{}+j]", name, columns);
    } else {
        if (columns < n || (!line && rows != scene.num_heads))
            return wrong(line || scene.num_heads == 1 ? fmt::format("({},)", n)
                                                      : fmt::format("({}, {})", scene.num_heads, n));
        made.formula = line ? name + "[abs(D)]" : fmt::format("{}[h*{}+abs(D)]", name, columns);
    }
    if (rows > kMostArray / columns)
        return refuse("own.file_large", {{"path", path}, {"most", std::to_string(kMostArray)}});
    made.numbers.resize(static_cast<std::size_t>(rows * columns), 0.0);
    for (std::int64_t row = 0; row < rows; ++row)
        (*table)->add(
            row, 0, 1.0,
            std::span(made.numbers)
                .subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns)));
    return made;
}

}  // namespace
}  // namespace own

bool own_names_file(std::string_view slot_text) {
    return slot_text.ends_with(".npy") || slot_text.ends_with(".safetensors");
}

std::vector<const std::string*> own_files(const SpectrumInput& scene) {
    std::vector<const std::string*> files;
    for (const OwnSlot& slot : own::kSlots)
        if (const auto text = scene.encoding.parameters.find(slot.key);
            text != scene.encoding.parameters.end() && text->is_string())
            if (const auto& path = text->get_ref<const std::string&>(); own_names_file(path))
                files.push_back(&path);
    return files;
}

std::span<const OwnSlot> own_slots() { return own::kSlots; }

OwnPath own_path(std::string_view name) {
    using namespace own;
    const auto slot = [&](const OwnSlot& one) { return one.key == name; };
    const bool is = std::any_of(std::begin(kSlots), std::end(kSlots), slot);
    const bool list = name == "learned", label = name == "label";
    const bool whole = is || list || label || name == "values" || name == "ranges" || name == "from" ||
                       name == "grid" || name.starts_with("values.") || name.starts_with("ranges.");
    return {(whole ? "encoding." : "encoding.values.") + std::string(name), is || label, list};
}

bool own_label_fits(std::string_view label) {
    const auto fits = [](unsigned char c) { return c >= 0x20 && c != 0x7f && c != '"' && c != '\\'; };
    const auto begins = [](unsigned char c) { return (c & 0xc0U) != 0x80U; };  // a character
    return std::ranges::all_of(label, fits) &&
           std::ranges::count_if(label, begins) <= static_cast<std::ptrdiff_t>(kLongestLabel);
}

const formula::Formula* OwnFormulas::find(std::string_view slot) const {
    for (const Typed& one : typed)
        if (one.slot->key == slot) return &one.formula;
    return nullptr;
}

Result<OwnFormulas> own_formulas(const SpectrumInput& scene) {
    using namespace own;
    OwnFormulas made;
    const Json& given = scene.encoding.parameters;
    if (const auto from = given.find("from"); from != given.end()) {
        const auto& kind = from->get_ref<const std::string&>();
        if (find_encoding(kind) == nullptr)
            return refuse("own.from", {{"value", shown(*from)},
                                       {"choices", fmt::format("{}", fmt::join(encoding_kinds(), ", "))}});
    }
    const Json& values = given.at("values");
    for (const auto& [name, value] : values.items()) {
        const std::string path = "encoding.values." + name;
        const bool list = value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& number) {
                              return number.is_number();
                          });
        if (!value.is_number() && !list)
            return refuse("own.value", {{"path", path}, {"value", shown(value)}});
        if (reserved(name) || name == "pi" || name == "e")
            return refuse("own.reserved", {{"path", path}, {"name", name}});
    }
    for (const Json& name : given.value("learned", Json::array()))
        if (!name.is_string()) return refuse("own.learned", {{"value", shown(name)}});
    const Json ranges = given.value("ranges", empty_object());
    for (const auto& [name, range] : ranges.items())
        if (!is_range(range))
            return refuse("own.range", {{"path", "encoding.ranges." + name}, {"value", shown(range)}});
    if (const std::string& label = text_at(given, "label"); !own_label_fits(label))
        return refuse("own.label", {{"path", "encoding.label"},
                                    {"value", shown(label)},
                                    {"maximum", std::to_string(kLongestLabel)}});
    const std::vector<std::string> learned = learned_names(scene);
    made.values = values;
    for (const OwnSlot& slot : kSlots) {
        const auto found = given.find(slot.key);
        if (found == given.end()) continue;
        const std::string path = "encoding." + std::string(slot.key);
        std::string text = found->get<std::string>();
        if (own_names_file(text)) {
            const std::string name = std::string(slot.key) + "_file";
            auto list = list_of_file(slot, text, name, scene);
            if (!list) return tl::unexpected(list.error());
            made.values[name] = std::move(list->numbers);
            text = std::move(list->formula);
        }
        auto parsed = formula::parse(text, path);
        if (!parsed) return tl::unexpected(parsed.error());
        for (const formula::Name& name : parsed->names()) {
            if (name.bound || has(slot.names, name.text) || has(kShared, name.text)) continue;
            if (reserved(name.text))
                return refuse("own.elsewhere", {{"path", path},
                                                {"column", std::to_string(name.column)},
                                                {"name", name.text},
                                                {"names", list_of(slot.names)}});
            const auto value = made.values.find(name.text);
            if ((name.text == "Q" || name.text == "K") && value == made.values.end())
                return refuse("own.content",
                              {{"path", path}, {"column", std::to_string(name.column)}, {"name", name.text}});
            if (name.list && (value == made.values.end() || !value->is_array()))
                return refuse("own.no_list",
                              {{"path", path}, {"column", std::to_string(name.column)}, {"name", name.text}});
            if (!name.list && value != made.values.end() && !value->is_number())
                return refuse("own.no_number",
                              {{"path", path}, {"column", std::to_string(name.column)}, {"name", name.text}});
            const auto known = [&](const OwnFormulas::Parameter& parameter) {
                return parameter.name == name.text;
            };
            if (std::any_of(made.parameters.begin(), made.parameters.end(), known)) continue;
            if (made.parameters.size() == kMostParameters)
                return refuse("own.parameters", {{"path", path},
                                                 {"column", std::to_string(name.column)},
                                                 {"name", name.text},
                                                 {"most", std::to_string(kMostParameters)}});
            made.parameters.push_back(
                {name.text, name.list, name.list || value == made.values.end() ? 1.0 : value->get<double>(),
                 std::find(learned.begin(), learned.end(), name.text) != learned.end()});
        }
        made.typed.push_back({&slot, std::move(*parsed)});
    }
    return made;
}

std::vector<OwnReading> own_readings(const SpectrumInput& scene, const OwnPlace& at) {
    using namespace own;
    const auto read = try_within_budget(kMostChecked, [&] {
        std::vector<OwnReading> made;
        const auto slots = slots_of(scene);
        if (!slots) return made;
        const auto p = static_cast<double>(at.position), q = static_cast<double>(at.position + at.offset);
        const auto mapped = [&](double place) {
            return (*slots)->position ? (*(*slots)->position)({{"p", place}}) : place;
        };
        for (const OwnSlot& slot : kSlots) {
            const std::optional<Slot>& typed = (**slots).*kMembers[static_cast<std::size_t>(&slot - kSlots)];
            if (!typed) continue;
            // The rotation sees positions as they are mapped.
            const bool rotation = slot.key == "distance" || slot.key == "amplitude";
            const std::pair<std::string_view, double> names[] = {
                {"p", p},
                {"i", static_cast<double>(at.pair)},
                {"j", static_cast<double>(std::min<std::int64_t>(2 * at.pair, scene.d_model - 1))},
                {"D", rotation ? mapped(q) - mapped(p) : q - p},
                {"q", q},
                {"k", p},
                {"h", static_cast<double>(at.head)}};
            std::vector<Slot::Given> given;
            std::string where;
            for (const auto& [name, value] : names) {
                if (!has(slot.names, name)) continue;
                given.push_back({name, {.one = value}});
                if (typed->uses(name))
                    where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, to_text(value));
            }
            const auto bound = typed->bound(given);
            OwnReading reading{slot.key, formula::value_of(typed->formula(), bound), std::move(where)};
            if (!std::isfinite(reading.value))
                if (const auto why = formula::why_not_finite(typed->formula(), bound))
                    reading.problem = own_not_finite(slot.key, reading.where, *why);
            made.push_back(std::move(reading));
        }
        return made;
    });
    return read.value_or(std::vector<OwnReading>());
}

bool is_own(std::string_view kind) { return kind == own_encoding().kind; }

const Encoding& own_encoding() {
    using namespace own;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {.key = "position", .kind = Kind::text},
        {.key = "frequency", .kind = Kind::text},
        {.key = "distance", .kind = Kind::text},
        {.key = "amplitude", .kind = Kind::text},
        {.key = "bias", .kind = Kind::text},
        {.key = "scale", .kind = Kind::text},
        {.key = "add", .kind = Kind::text},
        {.key = "axis", .kind = Kind::text},
        {.key = "grid", .kind = Kind::list, .fallback = nullptr},
        {.key = "values", .kind = Kind::dictionary, .fallback = empty_object()},
        {.key = "learned", .kind = Kind::list, .fallback = Json::array(), .maximum = kMostParameters},
        {.key = "ranges", .kind = Kind::dictionary, .fallback = empty_object()},
        {.key = "from", .kind = Kind::text},
        {.key = "label", .kind = Kind::text},
    };
    // One for each way to act: whether pairs rotate, something is added to the input, logits are changed, and by more than
    // the distance; whether the base matters where nothing rotates; and whether logits have a factor.
    struct Ways {
        bool rotates, adds, changes, queries, base, scales;
    };
    static const auto made = [](const Ways& is) {
        return Encoding{
            .kind = "own",
            .family = is.rotates   ? Family::rotary
                      : is.adds    ? Family::absolute
                      : is.changes ? Family::bias
                                   : Family::none,
            .acts = is.rotates               ? Acts::query_key
                    : is.changes && !is.adds ? Acts::logits
                                             : Acts::input,
            .per_head = is.rotates || is.changes,
            .parameters = parameters,
            .pairs = is.rotates ? pairs : no_pairs,
            .spectrum = spectrum,
            .layout = layout,
            .check = check,
            .action = action,
            .remarks = remarks,
            .rotating = {.form = rotation, .turning = turning, .axes = axes, .base_without_pairs = is.base},
            .logits = {.bias = is.changes && !is.scales && !is.rotates && !is.adds,
                       .depends_on_query = is.queries,
                       .has_bias_or_scale = is.changes},
            .adds = is.adds,
            .learns = {.untrained = "experiment.typed"},
            .shown = {.colour = "navy", .definition = define},
            .slots = {.program = program, .typed = typed_lines},
        };
    };
    static const auto records = [] {
        std::vector<Encoding> all;
        for (int n = 0; n < 64; ++n)
            all.push_back(
                made({(n & 1) != 0, (n & 2) != 0, (n & 4) != 0, (n & 8) != 0, (n & 16) != 0, (n & 32) != 0}));
        return all;
    }();
    static const auto of = [](const SpectrumInput& scene) -> const Encoding& {
        const std::size_t n = (typed(scene, "frequency") ? 1U : 0U) + (typed(scene, "add") ? 2U : 0U) +
                              (typed(scene, "bias") || typed(scene, "scale") ? 4U : 0U) +
                              (mentions(scene, {"distance", "bias", "scale"}, {"q", "k"}) ||
                                       (typed(scene, "frequency") && (on_grid(scene) || bends(scene)))
                                   ? 8U
                                   : 0U) +
                              (mentions(scene, {"bias", "scale", "add"}, {"b"}) ? 16U : 0U) +
                              (typed(scene, "scale") ? 32U : 0U);
        return records[n];
    };
    static const Encoding encoding = [] {
        Encoding any = made({true, false, true, false, false, true});
        any.family = Family::own;
        any.acts = Acts::logits;  // of a kind alone nothing is known
        any.specialised = of;
        return any;
    }();
    return encoding;
}

}  // namespace posiscope
