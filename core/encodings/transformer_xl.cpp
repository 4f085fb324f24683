// transformer_xl.cpp — Transformer-XL: content and position meet in separate terms, position by distance only.
// s_ij = [(q_i + u)·k_j + (q_i + v)·(W_R R_{i−j})]/√head_dim
// R_D is the halves sinusoid of d_model at distance D; u, v [heads, head_dim]; W_R [heads · head_dim, d_model].
// The source reaches index i − j by _rel_shift, whose entries above the causal diagonal are garbage and are masked;
// here R is evaluated at i − j itself, so that later keys are meaningful too.
// Values   W_R seeded with variance 1/d_model; u and v with standard deviation initializer_range.
// Source   arXiv 1901.02860; kimiyoung/transformer-xl pytorch/mem_transformer.py.
#include "core/cost.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"
#include "core/progress.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <map>
#include <memory>

namespace posiscope {
namespace transformer_xl {
namespace {

// W_R R_D for every head, computed at the first use of a distance.
class Relative {
public:
    explicit Relative(const SpectrumInput& scene)
        : seed_(scene.encoding.parameters.at("seed").get<std::uint64_t>()),
          width_(scene.d_model),
          head_dim_(head_dim(scene)),
          spectrum_(geometric_spectrum(scene.base, static_cast<std::size_t>(width_ / 2),
                                       static_cast<std::uint64_t>(width_ / 2))) {}

    const Spectrum& spectrum() const { return spectrum_; }

    // The row of W_R for one feature of a head: [d_model].
    void weights(std::int64_t head, std::int64_t feature, std::span<double> row) const {
        const double size = 1.0 / std::sqrt(static_cast<double>(width_));
        seeded_values(seed_, Tensor::relative_weight, head * head_dim_ + feature, row);
        for (double& weight : row) weight *= size;
    }

    // W_R R_D of one head: [head_dim], computed at the first use of a head and distance.
    std::span<const double> key(std::int64_t head, std::int64_t distance) {
        auto& made = keys_[{head, distance}];
        if (made.empty()) made = key_of(head, distance);
        return made;
    }

    // W_Rᵀ x of one head: [d_model]. x·(W_R R_D) is its product with R_D, for every D.
    std::vector<double> transposed(std::int64_t head, std::span<const double> x) const {
        std::vector<double> sum(static_cast<std::size_t>(width_), 0.0), row(sum.size());
        announce(4.0 * static_cast<double>(width_) * static_cast<double>(head_dim_));
        for (std::int64_t f = 0; f < head_dim_; ++f) {
            spend(4.0 * static_cast<double>(width_));
            weights(head, f, row);
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += x[static_cast<std::size_t>(f)] * row[c];
        }
        return sum;
    }

private:
    std::vector<double> key_of(std::int64_t head, std::int64_t distance) {
        auto& weight = weights_[head];
        const auto width = static_cast<std::size_t>(width_), features = static_cast<std::size_t>(head_dim_);
        if (weight.empty()) {
            weight.resize(features * width);
            for (std::size_t f = 0; f < features; ++f) {
                spend(4.0 * static_cast<double>(width_));
                weights(head, static_cast<std::int64_t>(f), std::span(weight).subspan(f * width, width));
            }
        }
        std::vector<double> sinusoid;
        for (std::int64_t column = 0; column < width_; ++column)
            sinusoid.push_back(table_value(spectrum_, PairLayout::halves, distance, column));
        std::vector<double> made(features, 0.0);
        spend(25.0 * static_cast<double>(width_) + static_cast<double>(weight.size()));
        for (std::size_t f = 0; f < features; ++f)
            for (std::size_t c = 0; c < width; ++c) made[f] += weight[f * width + c] * sinusoid[c];
        return made;
    }

    std::uint64_t seed_;
    std::int64_t width_, head_dim_;
    Spectrum spectrum_;
    std::map<std::int64_t, std::vector<double>> weights_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> keys_;
};

Result<Action> action(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto size = parameters.at("initializer_range").get<double>();
    const auto width = static_cast<std::size_t>(head_dim(scene));
    const auto biases = [&](Tensor tensor) {
        std::vector<double> values;
        for (std::int64_t h = 0; h < scene.num_heads; ++h) {
            spend(5.0 * static_cast<double>(head_dim(scene)));
            for (std::int64_t f = 0; f < head_dim(scene); ++f)
                values.push_back(size * seeded_value(seed, tensor, h, f));
        }
        return values;
    };
    auto relative = std::make_shared<Relative>(scene);
    const std::vector<double> u = biases(Tensor::content_bias), v = biases(Tensor::position_bias);
    Action result = transformer_xl_action(
        u, v, [relative](std::int64_t head, std::int64_t distance) { return relative->key(head, distance); },
        head_dim(scene));
    const auto weights = static_cast<double>(scene.d_model) * static_cast<double>(width);
    result.cost = 4.0 * static_cast<double>(width);
    result.distance_cost = 1.2 * weights + 25.0 * static_cast<double>(scene.d_model);
    result.waves = [relative, u, v, width, scale = result.scale](const Contents& contents) {
        LogitWaves made;
        made.spectrum = relative->spectrum();
        const std::size_t first = static_cast<std::size_t>(contents.head) * width;
        std::vector<double> moved(contents.q.begin(), contents.q.end());
        for (std::size_t f = 0; f < width; ++f) {
            made.constant += scale * (contents.q[f] + u[first + f]) * contents.k[f];
            moved[f] = scale * (moved[f] + v[first + f]);
        }
        const std::vector<double> by_column = relative->transposed(contents.head, moved);
        const auto half = static_cast<std::ptrdiff_t>(by_column.size() / 2);  // sines, then cosines
        made.odd.assign(by_column.begin(), by_column.begin() + half);
        made.even.assign(by_column.begin() + half, by_column.end());
        return made;
    };
    return result;
}

void define(DefinitionPen& pen, int) {
    pen.add("\\text{logit} = ((").query().add(" + u) \\cdot ").key().add(" + (").add("q + v) \\cdot W R_{");
    pen.put("k", Digits::integer(pen.at.offset)).add("})").root().equals_logit();
}

// W_R, u and v.
std::int64_t learned(const ActionInput& scene) {
    return scene.num_heads * head_dim(scene) * (scene.d_model + 2);
}

}  // namespace
}  // namespace transformer_xl

Action transformer_xl_action(std::vector<double> u, std::vector<double> v, RelativeKey relative_key,
                             std::int64_t head_dim) {
    Action result = plain_action(head_dim);
    const auto width = static_cast<std::size_t>(head_dim);
    result.content = [u = std::move(u), v = std::move(v), relative_key = std::move(relative_key),
                      width](const Meeting& at) {
        const std::span<const double> relative = relative_key(at.head, at.query - at.key);
        const std::size_t first = static_cast<std::size_t>(at.head) * width;
        double sum = 0.0;
        for (std::size_t f = 0; f < width; ++f)
            sum += u[first + f] * at.k[f] + (at.q[f] + v[first + f]) * relative[f];
        return sum;
    };
    return result;
}

const Encoding& transformer_xl_encoding() {
    using namespace transformer_xl;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"initializer_range", Kind::number, 0.2, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "transformer_xl",
        .family = Family::classic,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .action = action,
        .colour = "teal",
        .definition = define,
        .base_without_pairs = true,
        .learned = learned,
        .projects = true,
        .learnable = &experiment::kTransformerXl,
        .not_formulas = "own.not_network",
    };
    return encoding;
}

}  // namespace posiscope
