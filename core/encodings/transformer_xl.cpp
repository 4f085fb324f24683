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
#include "core/jobs/shared_cache.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <compare>
#include <memory>

namespace posiscope {
namespace transformer_xl {
namespace {

// One head's u, v and W_R R_D at so many distances from `first`, [distances, head_dim]. A head's W_R of moderate size is kept; a
// larger one, which may be larger than memory, is made row by row for kRun distances at a time.
constexpr std::int64_t kRun = 16;
constexpr std::int64_t kKeptWeights = 1 << 20;  // numbers of one head's W_R
struct TermsOfRun {
    std::vector<double> u, v, keys;
};
using Run = std::shared_ptr<const TermsOfRun>;
struct RunKey {
    std::int64_t head = 0, first = 0;
    auto operator<=>(const RunKey&) const = default;
};
constexpr double kMostKept = 0x1p23;  // numbers of all runs
double numbers_of(const Run& run) { return static_cast<double>(2 * run->u.size() + run->keys.size()); }

using Weights = std::shared_ptr<const std::vector<double>>;
double numbers_of_weights(const Weights& weights) { return static_cast<double>(weights->size()); }

class Relative {
public:
    explicit Relative(const SpectrumInput& scene)
        : seed_(scene.encoding.parameters.at("seed").get<std::uint64_t>()),
          range_(scene.encoding.parameters.at("initializer_range").get<double>()),
          width_(scene.d_model),
          head_dim_(head_dim(scene)),
          run_(head_dim_ * width_ <= kKeptWeights ? 1 : kRun),
          spectrum_(geometric_spectrum(scene.base, static_cast<std::size_t>(width_ / 2),
                                       static_cast<std::uint64_t>(width_ / 2))) {}

    const Spectrum& spectrum() const { return spectrum_; }

    // Valid until this thread asks again.
    RelativeTerms terms(std::int64_t head, std::int64_t distance) {
        const std::int64_t within = ((distance % run_) + run_) % run_;
        const RunKey wanted{head, distance - within};
        const Run& run = runs_.recent(wanted, [&] { return run_of(wanted); });
        return {run->u, run->v,
                std::span(run->keys).subspan(static_cast<std::size_t>(within * head_dim_),
                                             static_cast<std::size_t>(head_dim_))};
    }

    // u or v of one head: [head_dim].
    std::vector<double> biases(Tensor tensor, std::int64_t head) const {
        spend(5.0 * static_cast<double>(head_dim_));
        std::vector<double> values(static_cast<std::size_t>(head_dim_));
        for (std::size_t f = 0; f < values.size(); ++f)
            values[f] = range_ * seeded_value(seed_, tensor, head, static_cast<std::int64_t>(f));
        return values;
    }

    // W_Rᵀ x of one head: [d_model]. x·(W_R R_D) is its product with R_D, for every D.
    std::vector<double> transposed(std::int64_t head, std::span<const double> x) const {
        std::vector<double> sum(static_cast<std::size_t>(width_), 0.0), row(sum.size());
        announce(4.0 * static_cast<double>(width_) * static_cast<double>(head_dim_));
        for (std::int64_t f = 0; f < head_dim_; ++f) {
            weights(head, f, row);
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += x[static_cast<std::size_t>(f)] * row[c];
        }
        return sum;
    }

private:
    // The row of W_R for one feature of a head: [d_model].
    void weights(std::int64_t head, std::int64_t feature, std::span<double> row) const {
        spend(4.0 * static_cast<double>(width_));
        const double size = 1.0 / std::sqrt(static_cast<double>(width_));
        seeded_values(seed_, Tensor::relative_weight, head * head_dim_ + feature, row);
        for (double& weight : row) weight *= size;
    }

    // The rows of all features of a head, where they are kept: [head_dim, d_model].
    Weights kept_weights(std::int64_t head) {
        if (run_ != 1) return nullptr;
        return *matrices_.get(head, [&]() -> Result<Weights> {
            const auto width = static_cast<std::size_t>(width_);
            std::vector<double> made(static_cast<std::size_t>(head_dim_) * width);
            for (std::int64_t f = 0; f < head_dim_; ++f)
                weights(head, f, std::span(made).subspan(static_cast<std::size_t>(f) * width, width));
            return std::make_shared<const std::vector<double>>(std::move(made));
        });
    }

    Run run_of(const RunKey& of) {
        const auto width = static_cast<std::size_t>(width_);
        const auto distances = static_cast<std::size_t>(run_);
        const Weights kept = kept_weights(of.head);
        std::vector<double> sinusoids(distances * width), made_row(kept ? 0 : width);
        for (std::size_t n = 0; n < distances; ++n) {
            spend(25.0 * static_cast<double>(width_));
            for (std::size_t c = 0; c < width; ++c)
                sinusoids[n * width + c] =
                    table_value(spectrum_, PairLayout::halves, of.first + static_cast<std::int64_t>(n),
                                static_cast<std::int64_t>(c));
        }
        const auto features = static_cast<std::size_t>(head_dim_);
        auto made = std::make_shared<TermsOfRun>(TermsOfRun{biases(Tensor::content_bias, of.head),
                                                            biases(Tensor::position_bias, of.head),
                                                            std::vector<double>(distances * features)});
        for (std::size_t f = 0; f < features; ++f) {
            if (!kept) weights(of.head, static_cast<std::int64_t>(f), made_row);
            const std::span<const double> row = kept ? std::span(*kept).subspan(f * width, width) : made_row;
            spend(static_cast<double>(distances * width));
            for (std::size_t n = 0; n < distances; ++n) {
                double sum = 0.0;
                for (std::size_t c = 0; c < width; ++c) sum += row[c] * sinusoids[n * width + c];
                made->keys[n * features + f] = sum;
            }
        }
        return made;
    }

    std::uint64_t seed_;
    double range_;
    std::int64_t width_, head_dim_, run_;
    Spectrum spectrum_;
    jobs::SharedCache<RunKey, Run> runs_{kMostKept, numbers_of};
    jobs::SharedCache<std::int64_t, Weights> matrices_{kMostKept, numbers_of_weights};
};

Result<Action> action(const ActionInput& scene) {
    const auto width = static_cast<std::size_t>(head_dim(scene));
    auto relative = std::make_shared<Relative>(scene);
    Action result = transformer_xl_action(
        [relative](std::int64_t head, std::int64_t distance) { return relative->terms(head, distance); },
        head_dim(scene));
    const auto weights = static_cast<double>(scene.d_model) * static_cast<double>(width);
    result.cost = 4.0 * static_cast<double>(width);
    result.distance_cost = 1.2 * weights + 25.0 * static_cast<double>(scene.d_model);
    result.waves = [relative, width, scale = result.scale](const Contents& contents) {
        LogitWaves made;
        made.spectrum = relative->spectrum();
        const std::vector<double> u = relative->biases(Tensor::content_bias, contents.head),
                                  v = relative->biases(Tensor::position_bias, contents.head);
        std::vector<double> moved(contents.q.begin(), contents.q.end());
        for (std::size_t f = 0; f < width; ++f) {
            made.constant += scale * (contents.q[f] + u[f]) * contents.k[f];
            moved[f] = scale * (moved[f] + v[f]);
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

Action transformer_xl_action(TermsOfDistance terms_of, std::int64_t head_dim) {
    Action result = plain_action(head_dim);
    result.content = [terms_of = std::move(terms_of)](const Meeting& at) {
        const RelativeTerms terms = terms_of(at.head, at.query - at.key);
        double sum = 0.0;
        for (std::size_t f = 0; f < terms.u.size(); ++f)
            sum += terms.u[f] * at.k[f] + (at.q[f] + terms.v[f]) * terms.key[f];
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
        .rotating = {.base_without_pairs = true},
        .learns = {.count = learned, .projects = true, .by = &experiment::kTransformerXl},
        .shown = {.colour = "teal", .definition = define},
        .slots = {.not_formulas = "own.not_network"},
    };
    return encoding;
}

}  // namespace posiscope
