// The formula of each encoding. Letters after core/README.md: p position, k offset, i pair, b base, d width, h head.
#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/explain.hpp"

#include "core/encodings/relative.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/encodings/sinusoidal.hpp"

#include <bit>
#include <numbers>

namespace posiscope::figures::definition {
namespace {

// What core has of the encoding that is not in the Scene as it stands.
struct Facts {
    Result<Action> action = Action{};
    std::vector<double> ratio;  // scaled over unscaled frequency; empty where nothing is scaled
    double base = 0.0;          // rope_theta of the layer
    std::int64_t width = 0;     // the d of 2i/d
};
struct FactsKey {
    Kept<ActionInput> input;
    bool operator==(const FactsKey&) const = default;
};
struct RowKey {
    Kept<ActionInput> input;
    std::int64_t position;
    bool operator==(const RowKey&) const = default;
};
struct Known {
    Memo<FactsKey, Facts> facts;
    Memo<RowKey, Result<std::vector<double>>> row;  // of a learned table
};

Facts facts_of(const ActionInput& scene) {
    Facts made{.action = action_of(scene), .ratio = {}, .base = scene.base, .width = scene.d_model};
    if (encoding_of(scene).per_head) made.width = head_dim(scene);
    if (scene.encoding.kind != "rope") return made;
    if (const auto settings = rope_settings(scene)) {
        made.base = settings->context.base;
        made.width = settings->context.rotary_dim;
    }
    const auto now = spectrum_of(scene), before = unscaled_spectrum_of(scene);
    if (!now || !before || now->frequency == before->frequency || now->pairs() != before->pairs())
        return made;
    for (std::size_t i = 0; i < now->pairs(); ++i)
        made.ratio.push_back(now->frequency[i] / before->frequency[i]);
    return made;
}

const Facts& facts(const Terms& t) {
    return *t.frame.derived.part<Known>().facts.get({t.frame.derived.input<ActionInput>(t.frame.scene)},
                                                    [](const FactsKey& key) { return facts_of(*key.input); });
}

std::string_view variant(const Terms& t) {
    return t.frame.scene.encoding.parameters.at("variant").get_ref<const std::string&>();
}

std::string_view integer(const Terms& t, std::int64_t value) { return ui::integer(t.frame.scratch, value); }
std::string_view digits(const Terms& t, double value) { return ui::significant(t.frame.scratch, value, 4); }

// A letter, or the number in its place.
void put(Line& line, const Terms& t, Handle handle, std::string_view letter, std::string_view number) {
    if (t.letters) line.add(letter);
    else line.add(handle, number);
}
void put_position(Line& line, const Terms& t) { put(line, t, Handle::position, "p", integer(t, t.position)); }
// The distance of query p + k and key p.
void put_distance(Line& line, const Terms& t) {
    line.add("|");
    put(line, t, Handle::offset, "k", integer(t, t.offset));
    line.add("|");
}
void equals(Line& line, const Terms& t, double value) {
    if (!t.letters) line.add(" = ").add(digits(t, value));
}

// b^(2i/d), with the exponent that the variant has.
void put_power(Line& line, const Terms& t, bool negative) {
    const Facts& known = facts(t);
    const Scene& scene = t.frame.scene;
    std::int64_t times = 2, width = known.width;
    std::string_view times_letters = "2i", width_letters = "d";
    if (scene.encoding.kind == "sinusoidal") {
        if (variant(t) == "double_exponent") times = 4, times_letters = "4i";
        if (variant(t) == "tensor2tensor" || variant(t) == "fairseq") {
            times = 1, times_letters = "i";
            width = std::max<std::int64_t>(width / 2 - 1, 1), width_letters = "(d/2 − 1)";
        }
    }
    std::int64_t pair = t.pair;
    if (scene.encoding.kind == "rope_2d") {  // both axes have the same frequencies
        times = 4, times_letters = "4i";
        if (t.spectrum != nullptr)
            pair %= std::max<std::int64_t>(1, static_cast<std::int64_t>(t.spectrum->pairs()) / 2);
    }
    // A layer's own rope_theta is no setting of the Scene.
    if (!t.letters && known.base != scene.base) line.add(digits(t, known.base));
    else put(line, t, Handle::base, "b", ui::shortest(t.frame.scratch, known.base));
    line.add(negative ? "^{−" : "^{");
    put(line, t, Handle::pair, times_letters, integer(t, times * pair));
    line.add("/");
    put(line, t, Handle::width, width_letters, integer(t, width));
    line.add("}");
}

double ratio(const Terms& t) {
    const Facts& known = facts(t);
    return known.ratio.empty() ? 1.0 : known.ratio[static_cast<std::size_t>(t.pair)];
}

// p / b^(2i/d): the angle. `factor` goes in front of p.
void put_angle(Line& line, const Terms& t, std::string_view factor) {
    if (t.stacked) line.add("\\frac{");
    if (!factor.empty()) line.add(factor).add(" \\cdot ");
    put_position(line, t);
    line.add(t.stacked ? "}{" : "\\,/\\,");
    put_power(line, t, false);
    if (t.stacked) line.add("}");
}

Line of_sinusoidal(const Terms& t, int component) {
    Line line;
    const PairLayout order = encoding_of(t.frame.scene).layout(t.frame.scene);
    const auto pairs = static_cast<std::int64_t>(t.spectrum->pairs());
    const std::int64_t column = dimension(order, pairs, {t.pair, component});
    const std::string_view letters =
        order == PairLayout::halves ? (component == 0 ? "i" : "i + d/2") : (component == 0 ? "2i" : "2i + 1");
    line.add("PE(");
    put_position(line, t);
    line.add(", ");
    put(line, t, Handle::pair, letters, integer(t, column));
    line.add(") = ");
    if (!t.letters && padding_row(t.frame.scene) == t.position) return line.add("0");
    line.add(component == 0 ? "\\sin (" : "\\cos (");
    put_angle(line, t, variant(t) == "two_pi" ? "2\\pi" : "");
    line.add(")");
    equals(line, t, table_value(*t.spectrum, order, t.position, column));
    return line;
}

Line of_learned(const Terms& t, int) {
    Line line;
    const std::int64_t column = std::min(2 * t.pair, t.frame.scene.d_model - 1);
    const auto entry = [&](std::string_view name, std::string_view end) {
        line.add(name);
        put_position(line, t);
        line.add(", ");
        put(line, t, Handle::pair, "j", integer(t, column));
        line.add(end);
    };
    entry("PE(", ") = ");
    entry("W_{", "}");
    const auto& row = *t.frame.derived.part<Known>().row.get(
        {t.frame.derived.input<ActionInput>(t.frame.scene), t.position},
        [](const RowKey& key) { return input_table(*key.input, key.position, 1); });
    if (row) equals(line, t, (*row)[static_cast<std::size_t>(column)]);
    return line;
}

Line of_rotary(const Terms& t, int) {
    Line line;
    const PairAxes& axes = axes_of(t.frame);
    const bool own_axis = t.frame.scene.encoding.kind == "rope_2d" || axes.parted;
    line.add("\\phi_{");
    put(line, t, Handle::pair, "i", integer(t, t.pair));
    line.add("} = ");
    const double scaled = ratio(t);
    const std::string_view factor = scaled == 1.0 ? std::string_view()
                                    : t.letters   ? "s_i"
                                                  : digits(t, scaled);
    if (!own_axis || axes.empty()) {
        put_angle(line, t, factor);
        equals(line, t, static_cast<double>(t.position) * t.omega());
        return t.letters ? line : line.add("\\,\\text{rad}");
    }
    // The token has a position of its own on each axis.
    line.add(axes.of(static_cast<std::size_t>(t.pair))).add(" \\cdot ");
    if (!factor.empty()) line.add(factor).add(" \\cdot ");
    put_power(line, t, true);
    if (!t.letters)
        line.add(" = ")
            .add(axes.of(static_cast<std::size_t>(t.pair)))
            .add(" \\cdot ")
            .add(digits(t, t.omega()));
    return line;
}

double bias(const Terms& t) {
    const auto& action = facts(t).action;
    if (!action || !action->bias) return 0.0;
    return action->bias(t.head, t.position + t.offset, t.position);
}

void put_head(Line& line, const Terms& t, std::string_view letters) {
    put(line, t, Handle::head, letters, integer(t, t.head + 1));
}

Line of_alibi(const Terms& t, int) {
    Line line;
    const std::int64_t heads = t.frame.scene.num_heads;
    const bool mpt = variant(t) == "mpt", bloom = variant(t) == "bloom";
    line.add("\\text{bias} = ");
    if (!bloom) line.add("−");
    if (mpt || !std::has_single_bit(static_cast<std::uint64_t>(heads))) {
        const auto& action = facts(t).action;
        const double slope = action ? action->bias(t.head, bloom ? 0 : 1, bloom ? 1 : 0) : 0.0;
        put(line, t, Handle::head, "m_h", digits(t, std::abs(slope)));
    } else {
        line.add("2^{−8 \\cdot ");
        put_head(line, t, "h");
        line.add(t.letters ? "/H}" : "/").add(t.letters ? "" : integer(t, heads)).add(t.letters ? "" : "}");
    }
    line.add(" \\cdot ");
    if (bloom) put_position(line, t);
    else put_distance(line, t);
    equals(line, t, bias(t));
    return line;
}

Line of_t5(const Terms& t, int) {
    Line line;
    const Json& parameters = t.frame.scene.encoding.parameters;
    const T5Buckets buckets{parameters.at("num_buckets").get<std::int64_t>(),
                            parameters.at("max_distance").get<std::int64_t>(),
                            parameters.at("bidirectional").get<bool>()};
    line.add("\\text{bias} = T_{");
    put_head(line, t, "h");
    line.add("}[\\text{bucket}(");
    put(line, t, Handle::offset, "−k", integer(t, -t.offset));
    line.add(")]");
    if (t.letters) return line;
    line.add(" = T_{").add(integer(t, t.head + 1)).add("}[");
    line.add(integer(t, t5_bucket(buckets, -t.offset))).add("]");
    equals(line, t, bias(t));
    return line;
}

Line of_kerple(const Terms& t, int) {
    Line line;
    const KerpleHead head = kerple_head(t.frame.scene, t.head);
    line.add("\\text{bias} = −");
    if (variant(t) == "power") {
        put(line, t, Handle::head, "a", digits(t, head.a));
        line.add(" \\cdot ");
        put_distance(line, t);
        line.add("^{").add(t.letters ? "r" : digits(t, head.p)).add("}");
    } else {
        put(line, t, Handle::head, "r", digits(t, head.p));
        line.add(" \\ln (1 + ").add(t.letters ? "a" : digits(t, head.a)).add(" \\cdot ");
        put_distance(line, t);
        line.add(")");
    }
    equals(line, t, bias(t));
    return line;
}

Line of_fire(const Terms& t, int) {
    Line line;
    const Json& parameters = t.frame.scene.encoding.parameters;
    const double reach =
        std::max(static_cast<double>(t.position + t.offset), std::abs(parameters.at("init_L").get<double>()));
    const std::string_view c = t.letters ? "c" : digits(t, parameters.at("init_c").get<double>());
    line.add("\\text{bias} = \\text{MLP}_{");
    put_head(line, t, "h");
    line.add("}(\\ln (1 + ").add(c).add(" \\cdot ");
    put_distance(line, t);
    line.add(")\\,/\\,(\\ln (1 + ").add(c).add(" \\cdot ");
    put(line, t, Handle::position, "\\text{max}(q, L)", digits(t, reach));
    line.add(") + ").add(t.letters ? "ε" : digits(t, parameters.at("eps").get<double>())).add("))");
    equals(line, t, bias(t));
    return line;
}

Line of_sandwich(const Terms& t, int) {
    Line line;
    const auto width = t.frame.scene.encoding.parameters.at("bar_d").get<std::int64_t>();
    line.add("\\text{bias} = ").add(t.letters ? "H" : integer(t, t.frame.scene.num_heads)).add("/(8 \\cdot ");
    put_head(line, t, "h");
    line.add(") \\cdot \\sum (\\cos (");
    put_distance(line, t);
    line.add("\\,/\\,10000^{2n/").add(t.letters ? "d" : integer(t, width)).add("}) − 1)");
    equals(line, t, bias(t));
    return line;
}

// The logit of query p + k and key p; head 0's, as in Scores.
void put_logit(Line& line, const Terms& t) {
    if (t.letters || t.frame.derived.logits_problem(t.frame.scene) != nullptr) return;
    const double value = t.frame.derived.logit(t.frame.scene, t.offset);
    if (std::isfinite(value)) equals(line, t, value);
}
void put_query(Line& line, const Terms& t) {
    line.add("q_{");
    put(line, t, Handle::offset, "p + k", integer(t, t.position + t.offset));
    line.add("}");
}
void put_key(Line& line, const Terms& t) {
    line.add("k_{");
    put_position(line, t);
    line.add("}");
}
void put_root(Line& line, const Terms& t) {
    line.add("\\,/\\,\\sqrt ").add(t.letters ? "d" : integer(t, head_dim(t.frame.scene)));
}

Line of_shaw(const Terms& t, int) {
    Line line;
    const auto reach = t.frame.scene.encoding.parameters.at("max_relative_position").get<std::int64_t>();
    line.add("\\text{logit} = ");
    put_query(line, t);
    line.add(" \\cdot (");
    put_key(line, t);
    line.add(" + a_{").add(t.letters ? "−k" : integer(t, std::clamp(-t.offset, -reach, reach))).add("})");
    put_root(line, t);
    put_logit(line, t);
    return line;
}

Line of_transformer_xl(const Terms& t, int) {
    Line line;
    line.add("\\text{logit} = ((");
    put_query(line, t);
    line.add(" + u) \\cdot ");
    put_key(line, t);
    line.add(" + (").add("q + v) \\cdot W R_{").add(t.letters ? "k" : integer(t, t.offset)).add("})");
    put_root(line, t);
    put_logit(line, t);
    return line;
}

Line of_none(const Terms& t, int) {
    Line line;
    line.add("\\text{logit} = ");
    put_query(line, t);
    line.add(" \\cdot ");
    put_key(line, t);
    put_root(line, t);
    put_logit(line, t);
    return line;
}

struct Formula {
    std::string_view kind;
    bool rotates;  // needs a spectrum; a layer without one is written as `none`
    Line (*write)(const Terms&, int component);
};
constexpr Formula kFormulas[] = {
    {"sinusoidal", true, of_sinusoidal},
    {"learned", false, of_learned},
    {"shaw", false, of_shaw},
    {"transformer_xl", false, of_transformer_xl},
    {"t5", false, of_t5},
    {"rope", true, of_rotary},
    {"xpos", true, of_rotary},
    {"rope_2d", true, of_rotary},
    {"alibi", false, of_alibi},
    {"kerple", false, of_kerple},
    {"fire", false, of_fire},
    {"sandwich", false, of_sandwich},
};

}  // namespace

Line define(const Terms& terms, int component) {
    for (const Formula& formula : kFormulas)
        if (formula.kind == terms.frame.scene.encoding.kind &&
            (!formula.rotates || terms.spectrum != nullptr))
            return formula.write(terms, component);
    return of_none(terms, component);
}

Line frequency(const Terms& t) {
    Line line;
    line.add("\\omega_{");
    put(line, t, Handle::pair, "i", integer(t, t.pair));
    line.add("} = ");
    const double scaled = ratio(t);
    if (scaled != 1.0) line.add(digits(t, scaled)).add(" \\cdot ");
    if (t.frame.scene.encoding.kind == "sinusoidal" && variant(t) == "two_pi") line.add("2\\pi \\cdot ");
    put_power(line, t, true);
    equals(line, t, t.omega());
    line.add(", \\,\\,\\lambda = 2\\pi/\\omega = ");
    return line.add(digits(t, 2.0 * std::numbers::pi / t.omega()));
}

}  // namespace posiscope::figures::definition
