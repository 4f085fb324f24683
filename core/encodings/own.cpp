// own.cpp — an encoding typed as formulas.
// logit(h, q, k) = scale · (Σ_i amplitude_i Re q_i k̄_i e^{i·distance·ω_i} + what no pair rotates)/√head_dim + bias
// Without distance and amplitude the rotation is exact, as of any scaled spectrum: the doubles are its definition. With them,
// or where a position is mapped to what is no whole number, an angle is a product of doubles.
// Error    of a formula 1 ulp an operation; of an angle that is a product, 2^-53 of its size.
#include "core/encodings/own.hpp"

#include "core/cost.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/rotation.hpp"
#include "core/formula/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace posiscope {
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
    {"position", kOfPosition, "p'"},
    {"frequency", kOfPair, "\\omega_i"},
    {"distance", kOfDistance, "\\Delta'"},
    {"amplitude", kOfAmplitude, "a_i"},
    {"bias", kOfLogit, "b_h"},
    {"scale", kOfLogit, "s"},
    {"add", kOfInput, "e_j"},
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

// --- A slot as a function --------------------------------------------------------------------------------

// A formula with everything bound but what changes from call to call.
class Slot {
public:
    Slot(const Formula& formula, const SpectrumInput& scene, double width) : formula_(formula) {
        const Json& values = scene.encoding.parameters.at("values");
        for (const formula::Name& name : formula_.names()) {
            Binding binding{.one = 1.0};
            if (name.text == "b") binding.one = scene.base;
            if (name.text == "n") binding.one = static_cast<double>(scene.length);
            if (name.text == "L")
                binding.one = static_cast<double>(scene.trained.length.value_or(scene.length));
            if (name.text == "d") binding.one = width;
            if (name.text == "H") binding.one = static_cast<double>(scene.num_heads);
            if (const auto given = values.find(name.text); given != values.end() && !name.bound) {
                if (given->is_number()) binding.one = given->get<double>();
                else {
                    lists_.push_back(given->get<std::vector<double>>());
                    binding.list = lists_.back();
                }
            }
            names_.push_back(binding);
        }
    }
    Slot(Slot&&) = default;  // a list's numbers stay where they are
    Slot(const Slot&) = delete;

    struct Given {
        std::string_view name;
        Binding binding;
    };
    std::vector<Binding> bound(std::span<const Given> given) const {
        std::vector<Binding> names = names_;
        for (std::size_t n = 0; n < names.size(); ++n)
            for (const Given& one : given)
                if (!formula_.names()[n].bound && formula_.names()[n].text == one.name)
                    names[n] = one.binding;
        return names;
    }
    // Where only numbers change, without an allocation after the first.
    double operator()(std::initializer_list<std::pair<std::string_view, double>> given) const {
        thread_local std::vector<Binding> names;
        names.assign(names_.begin(), names_.end());
        for (std::size_t n = 0; n < names.size(); ++n)
            for (const auto& [name, value] : given)
                if (!formula_.names()[n].bound && formula_.names()[n].text == name) names[n] = {.one = value};
        return formula::value_of(formula_, names);
    }
    bool uses(std::string_view name) const { return formula_.uses(name); }
    const Formula& formula() const { return formula_; }
    double units() const { return formula::units(formula_); }

private:
    Formula formula_;
    std::vector<Binding> names_;
    std::vector<std::vector<double>> lists_;
};

// All typed slots of a Scene.
struct Slots {
    std::optional<Slot> position, frequency, distance, amplitude, bias, scale, add;
};

Result<std::shared_ptr<const Slots>> slots_of(const SpectrumInput& scene) {
    auto formulas = own_formulas(scene);
    if (!formulas) return tl::unexpected(formulas.error());
    auto slots = std::make_shared<Slots>();
    const std::array<std::optional<Slot>*, std::size(kSlots)> places = {
        &slots->position, &slots->frequency, &slots->distance, &slots->amplitude,
        &slots->bias,     &slots->scale,     &slots->add};
    for (const OwnFormulas::Typed& typed : formulas->typed) {
        const auto at = static_cast<std::size_t>(typed.slot - kSlots);
        const bool input = typed.slot->key == "add";
        places[at]->emplace(typed.formula, scene,
                            static_cast<double>(input ? scene.d_model : head_dim(scene)));
    }
    return slots;
}

// The Problem of a value that is none: slot, where, and the operation that has no value.
Problem not_finite(std::string_view slot, std::string where, const formula::NotFinite& why) {
    return {"formula.not_finite",
            {{"path", "encoding." + std::string(slot)},
             {"where", std::move(where)},
             {"operation", why.operation},
             {"value", std::isnan(why.value) ? "NaN"
                       : why.value > 0.0     ? "∞"
                                             : "−∞"},
             {"column", std::to_string(why.column)}}};
}

// --- Frequencies -----------------------------------------------------------------------------------------

std::int64_t pairs(const SpectrumInput& scene) {
    return scene.encoding.parameters.contains("frequency") ? head_dim(scene) / 2 : 0;
}

// f(p) = s p with one s for all p: then positions stay whole numbers and s belongs to the frequencies.
std::optional<double> proportional(const Slot& slot) {
    const Formula& formula = slot.formula();
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
    if (proportional.back() == 0) return std::nullopt;
    return slot({{"p", 1.0}});
}

Result<Spectrum> spectrum_with(const Slots& slots, const SpectrumInput& scene) {
    if (!slots.frequency) return no_spectrum(scene);
    std::vector<double> index(static_cast<std::size_t>(pairs(scene))), rates(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<double>(i);
    const Slot::Given given[] = {{"i", {.each = index}}};
    const auto names = slots.frequency->bound(given);
    formula::evaluate(slots.frequency->formula(), names, rates);
    const double step = slots.position ? proportional(*slots.position).value_or(1.0) : 1.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const std::string where = fmt::format("i = {}", i);
        if (!std::isfinite(rates[i])) {
            const auto why = formula::why_not_finite(slots.frequency->formula(), names, i);
            return tl::unexpected(
                not_finite("frequency", where,
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

// --- The action ------------------------------------------------------------------------------------------

// The places at which every slot is tried before a Scene is accepted: where people's formulas break.
std::optional<Problem> broken(const Slots& slots, const SpectrumInput& scene) {
    const auto last = static_cast<double>(scene.length - 1);
    const auto tried =
        [&](std::string_view name, const std::optional<Slot>& slot, std::string where,
            std::initializer_list<std::pair<std::string_view, double>> at) -> std::optional<Problem> {
        if (!slot || std::isfinite((*slot)(at))) return std::nullopt;
        std::vector<Slot::Given> given;
        for (const auto& [key, value] : at) given.push_back({key, {.one = value}});
        const auto why = formula::why_not_finite(slot->formula(), slot->bound(given));
        return why ? std::optional(not_finite(name, std::move(where), *why)) : std::nullopt;
    };
    for (const double p : {0.0, 1.0, last}) {
        const std::string where = fmt::format("p = {}", p);
        if (auto problem = tried("position", slots.position, where, {{"p", p}})) return problem;
        if (auto problem = tried("add", slots.add, where + ", j = 0", {{"p", p}, {"j", 0.0}})) return problem;
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

std::optional<Problem> check(const SpectrumInput& scene) {
    const auto slots = slots_of(scene);
    if (!slots) return slots.error();
    if ((*slots)->frequency)
        if (const auto made = spectrum_with(**slots, scene); !made) return made.error();
    return broken(**slots, scene);
}

// The rotation where query and key meet, less the plain product that the logit already has.
void where_they_meet(Action& result, std::shared_ptr<const Slots> slots, Spectrum made, PairLayout order) {
    result.content = [slots = std::move(slots), made = std::move(made), order](const Meeting& at) {
        const auto query = static_cast<double>(at.query), key = static_cast<double>(at.key);
        const auto mapped = [&](double p) { return slots->position ? (*slots->position)({{"p", p}}) : p; };
        const double apart = mapped(query) - mapped(key);
        const double seen =
            slots->distance ? (*slots->distance)({{"D", apart}, {"q", query}, {"k", key}}) : apart;
        const bool whole = seen == std::trunc(seen) && std::abs(seen) <= 0x1p31;
        const auto count = static_cast<std::int64_t>(made.pairs());
        double sum = 0.0;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto pair = static_cast<std::size_t>(i),
                       a = static_cast<std::size_t>(dimension(order, count, {i, 0})),
                       b = static_cast<std::size_t>(dimension(order, count, {i, 1}));
            const double angle = seen * made.frequency[pair];
            const Turn turn = whole ? phase(made.step[pair], static_cast<std::int64_t>(seen)) : Turn{};
            const double cosine = whole ? cos(turn) : std::cos(angle),
                         sine = whole ? sin(turn) : std::sin(angle);
            const double size =
                slots->amplitude ? (*slots->amplitude)({{"i", static_cast<double>(i)}, {"D", apart}}) : 1.0;
            const double even = at.q[a] * at.k[a] + at.q[b] * at.k[b],
                         odd = at.q[a] * at.k[b] - at.q[b] * at.k[a];
            sum += size * (even * cosine + odd * sine) - even;
        }
        return sum;
    };
}

Result<Action> action(const ActionInput& scene) {
    auto made_of = slots_of(scene);
    if (!made_of) return tl::unexpected(made_of.error());
    const std::shared_ptr<const Slots> slots = *made_of;
    Action result = plain_action(head_dim(scene));
    const auto alone = [](const std::optional<Slot>& slot) {
        return !slot || (!slot->uses("q") && !slot->uses("k"));
    };
    const bool mapped = slots->position && !proportional(*slots->position);
    result.by_distance = alone(slots->distance) && alone(slots->bias) && alone(slots->scale) && !mapped;
    if (slots->frequency) {
        auto made = spectrum_with(*slots, scene);
        if (!made) return tl::unexpected(made.error());
        const PairLayout order = layout(scene);
        result.cost = 60.0 * static_cast<double>(made->pairs());
        if (slots->distance || slots->amplitude || mapped) {
            if (slots->amplitude)
                result.cost += slots->amplitude->units() * static_cast<double>(made->pairs());
            where_they_meet(result, slots, std::move(*made), order);
        } else {
            result.waves = [made = *made, order, scale = result.scale](const Contents& contents) {
                return rotary_waves(made, order, scale, contents);
            };
            result.turn = [made = std::move(*made), order](Side, std::int64_t position, std::span<double> x) {
                turn_features(x, made, order, position);
            };
        }
    }
    const auto meeting = [slots](const Slot& slot, std::int64_t head, std::int64_t query, std::int64_t key) {
        const auto q = static_cast<double>(query), k = static_cast<double>(key);
        return slot({{"D", q - k}, {"q", q}, {"k", k}, {"h", static_cast<double>(head)}});
    };
    for (const std::optional<Slot>* slot : {&slots->bias, &slots->scale})
        if (*slot) result.distance_cost += (*slot)->units();
    if (slots->bias)
        result.bias = [slots, meeting](std::int64_t head, std::int64_t query, std::int64_t key) {
            return meeting(*slots->bias, head, query, key);
        };
    if (slots->scale)
        result.weight = [slots, meeting](std::int64_t head, std::int64_t query, std::int64_t key) {
            return meeting(*slots->scale, head, query, key);
        };
    if (slots->add) {
        result.cost = std::max(result.cost, slots->add->units() * static_cast<double>(scene.d_model));
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
    if (formulas->find("frequency") == nullptr)
        for (const char* slot : {"position", "distance", "amplitude"})
            if (formulas->find(slot) != nullptr) note("own.needs_frequency", slot);
    return notes;
}

// Every pair is the point p ω_i of its circle, unless a formula moves it off.
bool unit_circles(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    return parameters.contains("frequency") && !parameters.contains("amplitude") &&
           !parameters.contains("distance") && !parameters.contains("position");
}

}  // namespace

std::span<const OwnSlot> own_slots() { return kSlots; }

const Formula* OwnFormulas::find(std::string_view slot) const {
    for (const Typed& one : typed)
        if (one.slot->key == slot) return &one.formula;
    return nullptr;
}

Result<OwnFormulas> own_formulas(const SpectrumInput& scene) {
    OwnFormulas made;
    const Json& given = scene.encoding.parameters;
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
    for (const OwnSlot& slot : kSlots) {
        const auto text = given.find(slot.key);
        if (text == given.end()) continue;
        const std::string path = "encoding." + std::string(slot.key);
        auto parsed = formula::parse(text->get_ref<const std::string&>(), path);
        if (!parsed) return tl::unexpected(parsed.error());
        for (const formula::Name& name : parsed->names()) {
            if (name.bound || has(slot.names, name.text) || has(kShared, name.text)) continue;
            if (reserved(name.text))
                return refuse("own.elsewhere", {{"path", path},
                                                {"column", std::to_string(name.column)},
                                                {"name", name.text},
                                                {"names", list_of(slot.names)}});
            const auto value = values.find(name.text);
            if (name.list && (value == values.end() || !value->is_array()))
                return refuse("own.no_list",
                              {{"path", path}, {"column", std::to_string(name.column)}, {"name", name.text}});
            if (!name.list && value != values.end() && !value->is_number())
                return refuse("own.no_number",
                              {{"path", path}, {"column", std::to_string(name.column)}, {"name", name.text}});
            const auto known = [&](const OwnFormulas::Parameter& parameter) {
                return parameter.name == name.text;
            };
            if (std::any_of(made.parameters.begin(), made.parameters.end(), known)) continue;
            made.parameters.push_back(
                {name.text, name.list, name.list || value == values.end() ? 1.0 : value->get<double>()});
        }
        made.typed.push_back({&slot, std::move(*parsed)});
    }
    if (made.parameters.size() > kMostParameters)
        return refuse("own.parameters", {{"count", std::to_string(made.parameters.size())},
                                         {"most", std::to_string(kMostParameters)}});
    return made;
}

const Encoding& own_encoding() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {.key = "position", .kind = Kind::text},
        {.key = "frequency", .kind = Kind::text},
        {.key = "distance", .kind = Kind::text},
        {.key = "amplitude", .kind = Kind::text},
        {.key = "bias", .kind = Kind::text},
        {.key = "scale", .kind = Kind::text},
        {.key = "add", .kind = Kind::text},
        {.key = "values", .kind = Kind::dictionary, .fallback = empty_object()},
        {.key = "from", .kind = Kind::text},
    };
    static const Encoding encoding{
        .kind = "own",
        .family = Family::rotary,
        .acts = Acts::query_key,
        .per_head = true,
        .parameters = parameters,
        .pairs = pairs,
        .spectrum = spectrum,
        .layout = layout,
        .check = check,
        .action = action,
        .colour = "ink",
        .definition = define_rotation,
        .remarks = remarks,
        .unit_circles = unit_circles,
    };
    return encoding;
}

}  // namespace posiscope
