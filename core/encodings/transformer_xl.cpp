// transformer_xl.cpp — Transformer-XL: content and position meet in separate terms, position by distance only.
// s_ij = [(q_i + u)·k_j + (q_i + v)·(W_R R_{i−j})]/√head_dim
// R_D is the halves sinusoid of d_model at distance D; u, v [heads, head_dim]; W_R [heads · head_dim, d_model].
// The source reaches index i − j by _rel_shift, whose entries above the causal diagonal are garbage and are masked;
// here R is evaluated at i − j itself, so that later keys are meaningful too.
// Values   W_R seeded with variance 1/d_model; u and v with standard deviation initializer_range.
// Source   arXiv 1901.02860; kimiyoung/transformer-xl pytorch/mem_transformer.py.
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <map>
#include <memory>

namespace posiscope {
namespace {

// W_R R_D for every head, computed at the first use of a distance.
class RelativeKeys {
public:
    explicit RelativeKeys(const Scene& scene)
        : seed_(scene.encoding.parameters.at("seed").get<std::uint64_t>()),
          width_(scene.d_model),
          head_dim_(head_dim(scene)),
          rows_(scene.num_heads * head_dim_),
          spectrum_(geometric_spectrum(scene.base, static_cast<std::size_t>(width_ / 2),
                                       static_cast<std::uint64_t>(width_ / 2))) {}

    std::span<const double> at(std::int64_t head, std::int64_t distance) {
        auto found = made_.find(distance);
        if (found == made_.end()) found = made_.emplace(distance, make(distance)).first;
        return std::span<const double>(found->second)
            .subspan(static_cast<std::size_t>(head * head_dim_), static_cast<std::size_t>(head_dim_));
    }

private:
    std::vector<double> make(std::int64_t distance) {
        if (weight_.empty()) {
            const double size = 1.0 / std::sqrt(static_cast<double>(width_));
            weight_.reserve(static_cast<std::size_t>(rows_ * width_));
            for (std::int64_t row = 0; row < rows_; ++row)
                for (std::int64_t column = 0; column < width_; ++column)
                    weight_.push_back(size * seeded_value(seed_, Tensor::relative_weight, row, column));
        }
        std::vector<double> sinusoid;
        for (std::int64_t column = 0; column < width_; ++column)
            sinusoid.push_back(table_value(spectrum_, PairOrder::halves, distance, column));
        std::vector<double> keys(static_cast<std::size_t>(rows_), 0.0);
        for (std::size_t row = 0; row < keys.size(); ++row)
            for (std::size_t column = 0; column < sinusoid.size(); ++column)
                keys[row] += weight_[row * sinusoid.size() + column] * sinusoid[column];
        return keys;
    }

    std::uint64_t seed_;
    std::int64_t width_, head_dim_, rows_;
    Spectrum spectrum_;
    std::vector<double> weight_;
    std::map<std::int64_t, std::vector<double>> made_;
};

Result<Action> action(const Scene& scene) {
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto size = parameters.at("initializer_range").get<double>();
    const auto biases = [&](Tensor tensor) {
        std::vector<double> values;
        for (std::int64_t h = 0; h < scene.num_heads; ++h)
            for (std::int64_t f = 0; f < head_dim(scene); ++f)
                values.push_back(size * seeded_value(seed, tensor, h, f));
        return values;
    };
    auto keys = std::make_shared<RelativeKeys>(scene);
    return transformer_xl_action(
        biases(Tensor::content_bias), biases(Tensor::position_bias),
        [keys](std::int64_t head, std::int64_t distance) { return keys->at(head, distance); },
        head_dim(scene));
}

}  // namespace

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

std::vector<double> relative_shift(std::span<const double> matrix, std::int64_t rows, std::int64_t columns) {
    // A zero column in front, then the same numbers read as [columns + 1, rows], without the first row.
    std::vector<double> padded;
    padded.reserve(static_cast<std::size_t>(rows * (columns + 1)));
    for (std::int64_t row = 0; row < rows; ++row) {
        padded.push_back(0.0);
        const auto at =
            matrix.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
        padded.insert(padded.end(), at.begin(), at.end());
    }
    padded.erase(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(rows));
    return padded;
}

const Encoding& transformer_xl_encoding() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"initializer_range", Kind::number, 0.2, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{"transformer_xl", Family::classic, Acts::logits, true,    parameters,
                                   no_pairs,         no_spectrum,     no_order,     nullptr, action,
                                   nullptr,          nullptr,         true};
    return encoding;
}

}  // namespace posiscope
