// fire.cpp — FIRE: a small learned function of the distance, divided by the length of the query's past.
// bias_h(i, j) = MLP_h( ψ(|i − j|) / (ψ(max(i, |L|)) + eps) ),  ψ(x) = ln(|c x| + 1)
// The divisor has the larger of i and |L|; a public implementation that takes the smaller contradicts its comment.
// Values   the MLP is seeded, as initialised: uniform in ±1/√fan_in.
// Source   arXiv 2310.04418; mcleish7/arithmetic cramming/architectures/embeddings.py.
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"
#include "core/jobs/shared_cache.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posiscope {
namespace fire {
namespace {

// The MLP with the outputs of one head.
Fire seeded(const SpectrumInput& scene, std::int64_t head) {
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto width = parameters.at("mlp_width").get<std::int64_t>();
    const auto uniform = [&](Tensor tensor, std::int64_t row, std::int64_t column, double largest) {
        return (2.0 * seeded_unit(seed, tensor, row, column) - 1.0) * largest;
    };
    Fire fire;
    fire.c = parameters.at("init_c").get<double>();
    fire.threshold = parameters.at("init_L").get<double>();
    fire.eps = parameters.at("eps").get<double>();
    const double fan = 1.0 / std::sqrt(static_cast<double>(width));
    for (std::int64_t k = 0; k < width; ++k) {
        fire.in_weight.push_back(uniform(Tensor::fire_in, k, 0, 1.0));
        fire.in_bias.push_back(uniform(Tensor::fire_in, k, 1, 1.0));
    }
    for (std::int64_t k = 0; k < width; ++k)
        fire.out_weight.push_back(uniform(Tensor::fire_out, head, k, fan));
    fire.out_bias.push_back(uniform(Tensor::fire_out, head, width, fan));
    return fire;
}

using Heads = jobs::SharedCache<std::int64_t, std::shared_ptr<const Fire>>;
constexpr double kMostKept = 0x1p21;  // numbers
double numbers_of(const std::shared_ptr<const Fire>& fire) {
    return 3.0 * static_cast<double>(fire->in_weight.size());
}

Result<Action> action(const ActionInput& scene) {
    Action result = plain_action(head_dim(scene));
    result.by_distance = false;
    result.cost = 40.0 + 2.0 * scene.encoding.parameters.at("mlp_width").get<double>();
    // There may be many heads, and wide ones.
    result.bias = [input = static_cast<const SpectrumInput&>(scene),
                   heads = std::make_shared<Heads>(kMostKept, numbers_of)](
                      std::int64_t head, std::int64_t query, std::int64_t key) {
        const auto make = [&] { return std::make_shared<const Fire>(seeded(input, head)); };
        return heads->recent(head, make)->bias(0, query, key);
    };
    return result;
}

void define(DefinitionPen& pen, int) {
    const Json& parameters = pen.at.scene.encoding.parameters;
    const auto number = [&](const char* key) { return parameters.at(key).get<double>(); };
    const double reach =
        std::max(static_cast<double>(pen.at.position + pen.at.offset), std::abs(number("init_L")));
    const Digits c = Digits::significant(number("init_c"));
    pen.add("\\text{bias} = \\text{MLP}_{").head("h").add("}(\\ln (1 + ").put("c", c).add(" \\cdot ");
    pen.distance().add(")\\,/\\,(\\ln (1 + ").put("c", c).add(" \\cdot ");
    pen.put(DefinitionHandle::position, "\\text{max}(q, L)", Digits::significant(reach)).add(") + ");
    pen.put("ε", Digits::significant(number("eps"))).add("))").equals_bias();
}

// c, L and the MLP 1 → width → heads with its biases.
std::int64_t learned(const ActionInput& scene) {
    const auto width = scene.encoding.parameters.at("mlp_width").get<std::int64_t>();
    return 2 + 2 * width + scene.num_heads * (width + 1);
}

}  // namespace
}  // namespace fire

double Fire::bias(std::int64_t head, std::int64_t query, std::int64_t key) const {
    const auto psi = [this](double x) { return std::log1p(std::abs(c * x)); };
    const double reach = std::max(static_cast<double>(query), std::abs(threshold));
    const double ratio = psi(static_cast<double>(std::abs(query - key))) / (psi(reach) + eps);
    const std::size_t width = in_weight.size();
    double sum = out_bias[static_cast<std::size_t>(head)];
    for (std::size_t k = 0; k < width; ++k)
        sum += out_weight[static_cast<std::size_t>(head) * width + k] *
               std::max(0.0, in_weight[k] * ratio + in_bias[k]);
    return sum;
}

const Encoding& fire_encoding() {
    using namespace fire;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"mlp_width", Kind::integer, 32, 1, 4096},
        {"init_c", Kind::number, 0.1, 0.0, 1e6, true},
        {"init_L", Kind::number, 512.0, 0.0, static_cast<double>(kLastPosition), true},
        {"eps", Kind::number, 1e-6, 0.0, 1.0, true},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "fire",
        .family = Family::bias,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .action = action,
        .logits = {.bias = true, .depends_on_query = true},
        .learns = {.count = learned, .by = &experiment::kFire},
        .shown = {.colour = "red", .definition = define},
        .slots = {.not_formulas = "own.not_network"},
    };
    return encoding;
}

}  // namespace posiscope
