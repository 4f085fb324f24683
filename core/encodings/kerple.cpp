// kerple.cpp — KERPLE: a kernel of the distance D = |i − j| that each head learns.
// log      −p ln(1 + a D)        power    −a D^p
// weighted (power): the logit is also multiplied by exp(−a' D^p'), the source's kerple_power_ap_ap.
// Values   bias_a and bias_p for all heads, or seeded for each as they are initialised: p in [0, 2), a in [0, 1);
//          at least 0.01, and the power's p at most 2.  Error  4 ulp.
// Source   arXiv 2205.09921 (r1, r2); chijames/KERPLE megatron/mpu/layers.py.
#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace kerple {
namespace {

constexpr double kSmallest = 0.01;
constexpr double kLargestPower = 2.0;

std::optional<double> given(const Json& parameters, const char* key) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? std::nullopt : std::optional(found->get<double>());
}

bool is_weighted(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    return parameters.at("variant") == "power" && parameters.at("weighted").get<bool>();
}

Result<Action> action(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const bool power = parameters.at("variant") == "power";
    std::vector<KerpleHead> heads;
    for (std::int64_t h = 0; h < scene.num_heads; ++h) heads.push_back(kerple_head(scene, h));
    Action result = plain_action(head_dim(scene));
    result.bias = [heads, power](std::int64_t head, std::int64_t query, std::int64_t key) {
        const KerpleHead& at = heads[static_cast<std::size_t>(head)];
        const auto distance = static_cast<double>(std::abs(query - key));
        return power ? kerple_power(at.p, at.a, distance) : kerple_log(at.p, at.a, distance);
    };
    if (is_weighted(scene))
        result.weight = [heads](std::int64_t head, std::int64_t query, std::int64_t key) {
            const KerpleHead& at = heads[static_cast<std::size_t>(head)];
            return kerple_weight(at.weight_p, at.weight_a, static_cast<double>(std::abs(query - key)));
        };
    return result;
}

std::optional<Problem> check(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const double p = given(parameters, "bias_p").value_or(1.0);
    if (parameters.at("variant") != "power" || p <= kLargestPower) return std::nullopt;
    return Problem{
        "value.range",
        {{"path", "encoding.bias_p"}, {"value", to_text(p)}, {"minimum", "0.01"}, {"maximum", "2"}}};
}

std::vector<Problem> remarks(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    if (parameters.at("variant") == "power" || !parameters.at("weighted").get<bool>()) return {};
    return {{"kerple.weighted_unused", {}}};
}

HeadNumbers head_numbers(const ActionInput& scene, const Action&, std::int64_t head) {
    const KerpleHead at = kerple_head(scene, head);
    return {.list = {{{"a", at.a}, {"r", at.p}}}};
}

// p is written as r: p is the position.
void define(DefinitionPen& pen, int) {
    using Handle = DefinitionHandle;
    const KerpleHead head = kerple_head(pen.at.scene, pen.at.head);
    pen.add("\\text{bias} = −");
    // Taken as text: compared with a Json, the word would be copied in every frame.
    if (pen.at.scene.encoding.parameters.at("variant").get_ref<const std::string&>() == "power") {
        pen.put(Handle::head, "a", Digits::significant(head.a)).add(" \\cdot ").distance();
        pen.add("^{").put("r", Digits::significant(head.p)).add("}");
    } else {
        pen.put(Handle::head, "r", Digits::significant(head.p)).add(" \\ln (1 + ");
        pen.put("a", Digits::significant(head.a)).add(" \\cdot ").distance().add(")");
    }
    pen.equals_bias();
}

std::int64_t learned(const ActionInput& scene) { return (is_weighted(scene) ? 4 : 2) * scene.num_heads; }

Result<Program> program(const Scene& scene) {
    std::vector<double> a, r, u, v;
    for (std::int64_t h = 0; h < scene.num_heads; ++h) {
        const KerpleHead head = kerple_head(scene, h);
        a.push_back(head.a), r.push_back(head.p), u.push_back(head.weight_a), v.push_back(head.weight_p);
    }
    const auto variant = scene.encoding.parameters.at("variant").get<std::string>();
    Program made =
        plain_program(scene, "kerple, " + variant,
                      {{"bias", {{"", variant == "power" ? "-a[h]*|D|^r[h]" : "-r[h]*log1p(a[h]*|D|)"}}}});
    made.lists = {{"a", a}, {"r", r}};
    if (!is_weighted(scene)) return made;
    made.scale("exp(-u[h]*|D|^v[h])");
    made.lists.insert(made.lists.end(), {{"u", u}, {"v", v}});
    return made;
}

}  // namespace
}  // namespace kerple

KerpleHead kerple_head(const SpectrumInput& scene, std::int64_t head) {
    using namespace kerple;
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto drawn = [&](std::int64_t which, double largest) {
        return std::max(largest * seeded_unit(seed, Tensor::kerple, head, which), kSmallest);
    };
    return {.a = std::max(given(parameters, "bias_a").value_or(drawn(0, 1.0)), kSmallest),
            .p = std::max(given(parameters, "bias_p").value_or(drawn(1, kLargestPower)), kSmallest),
            .weight_a = drawn(2, 1.0),
            .weight_p = drawn(3, kLargestPower)};
}

double kerple_log(double p, double a, double distance) { return -p * std::log1p(a * distance); }

double kerple_power(double p, double a, double distance) { return -a * std::pow(distance, p); }

double kerple_weight(double p, double a, double distance) { return std::exp(-a * std::pow(distance, p)); }

const Encoding& kerple_encoding() {
    using namespace kerple;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"variant", Kind::choice, "log", 0, 0, false, {"log", "power"}},
        {"bias_a", Kind::number, nullptr, kSmallest, 1e3},
        {"bias_p", Kind::number, nullptr, kSmallest, 1e3},
        {"weighted", Kind::boolean, false},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "kerple",
        .family = Family::bias,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .check = check,
        .action = action,
        .remarks = remarks,
        .logits = {.bias = true},
        .learns = {.count = learned, .by = &experiment::kKerple},
        .shown = {.colour = "olive", .definition = define, .head_numbers = head_numbers},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
