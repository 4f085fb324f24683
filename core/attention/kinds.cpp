#include "core/attention/kinds.hpp"

#include "core/attention/attention.hpp"
#include "core/cost.hpp"
#include "core/scaling/trained.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posiscope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-9;
constexpr std::int64_t kQueries = 17, kMostDistances = 4096, kSampled = 1024;
constexpr double kMostProducts = 2e7;   // of the rows of one table
constexpr double kMostADistance = 1e7;  // units that an encoding may need for one distance

// ---- the score of one query and one key ------------------------------------------------------------------------

// Head 0 at two positions, from the Action itself and not from any form that knows the distance alone.
class Score {
public:
    Score(const ActionInput& scene, const Action& action)
        : action_(action), width_(static_cast<std::size_t>(head_dim(scene))) {
        const auto size = action.add ? static_cast<std::size_t>(scene.d_model) : width_;
        query_.resize(size), key_.resize(size);
        q_.resize(width_), k_.resize(width_);
        seeded_values(0, Tensor::query, 0, query_);
        seeded_values(0, Tensor::key, 0, key_);
    }

    // Less the query's score with itself.
    double at(std::int64_t query, std::int64_t distance) {
        return between(query, query - distance) - between(query, query);
    }

private:
    double between(std::int64_t query, std::int64_t key) {
        spend(2.0 * action_.vector_units() + action_.meeting_units() +
              static_cast<double>(query_.size() + width_));
        place(query_, query, q_);
        place(key_, key, k_);
        const std::span<double> q = q_, k = k_;
        if (action_.turn) {
            action_.turn(Side::query, query, q);
            action_.turn(Side::key, key, k);
        }
        double logit = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
        if (action_.content) logit += action_.content({0, query, key, q, k});
        logit *= action_.scale;
        if (action_.weight) logit *= action_.weight(0, query, key);
        if (action_.bias) logit += action_.bias(0, query, key);
        return logit;
    }

    // The head's vector: feature f is x[f mod d_model], as in Head.
    void place(const std::vector<double>& content, std::int64_t position, std::vector<double>& head) {
        x_ = content;
        if (action_.add) action_.add(position, x_);
        for (std::size_t f = 0; f < width_; ++f) head[f] = x_[f % x_.size()];
    }

    const Action& action_;
    std::size_t width_;
    std::vector<double> query_, key_, x_, q_, k_;
};

double moved_along(const ActionInput& scene, const Action& action, std::int64_t distance) {
    const std::int64_t last = std::min(std::max(scene.length, distance + kQueries), action.positions) - 1;
    if (last <= distance) return kNone;
    Score score(scene, action);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::int64_t n = 0; n < kQueries; ++n) {
        const std::int64_t query = distance + (last - distance) * n / (kQueries - 1);
        const double here = score.at(query, distance);
        least = std::min(least, here), most = std::max(most, here);
    }
    return most - least;
}

// ---- scores against the distance -------------------------------------------------------------------------------

std::vector<double> products_of_rows(const ActionInput& scene, const Action& action) {
    const auto width = static_cast<double>(scene.d_model);
    const auto affordable = static_cast<std::int64_t>(kMostProducts / (action.cost + 1.3 * width));
    const std::int64_t count =
        std::min({scene.length, action.positions, kMostDistances, std::max<std::int64_t>(affordable, 2)});
    const auto row = [&](std::int64_t position) {
        spend(action.cost + 1.3 * width);
        std::vector<double> values(static_cast<std::size_t>(scene.d_model), 0.0);
        action.add(position, values);
        return values;
    };
    const std::int64_t last = std::min(scene.length, action.positions) - 1;
    const std::vector<double> query = row(last);
    std::vector<double> products;
    for (std::int64_t distance = 0; distance < count; ++distance) {
        const auto key = row(last - distance);
        products.push_back(std::inner_product(query.begin(), query.end(), key.begin(), 0.0));
    }
    return products;
}

// Scores of equal vectors at distances first, first + stride, …, for the query at `query` if that matters.
std::vector<double> of_equal_vectors(const ActionInput& scene, const Action& action, std::int64_t query,
                                     std::int64_t first, std::int64_t stride, std::int64_t count) {
    ScoreInput input;
    static_cast<ActionInput&>(input) = scene;
    std::vector<double> values(static_cast<std::size_t>(count), kNone);
    auto logit = DistanceLogit::of(input, 0, action.by_distance ? std::nullopt : std::optional(query));
    if (!logit) return values;
    logit->along(first, stride, values);
    const double zero = logit->at(0);
    for (double& value : values) value -= zero;
    return values;
}

void count_falls(KindNumbers& made, std::span<const double> values) {
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    made.steps = static_cast<double>(values.size()) - 1.0;
    made.falls = 0.0;
    for (std::size_t n = 0; n + 1 < values.size(); ++n)
        if (values[n + 1] < values[n] - 1e-12 * largest) ++made.falls;
}

double leaves_its_range(const ActionInput& scene, const Action& action) {
    const std::int64_t n = scene.length, end = std::min(2 * n - 1, kLastPosition);
    const std::int64_t stride = std::max<std::int64_t>(1, n / kSampled), count = (n + stride - 1) / stride;
    const auto within = of_equal_vectors(scene, action, n - 1, 0, stride, count);
    // The same distances farther out; the last one is met as well.
    const std::int64_t further = std::max<std::int64_t>(1, (end - n) / stride + 1);
    auto past = of_equal_vectors(scene, action, end, n, stride, further);
    past.push_back(of_equal_vectors(scene, action, end, end, 1, 1).front());
    const auto [low, high] = std::minmax_element(within.begin(), within.end());
    double beyond = 0.0;
    for (const double value : past) beyond = std::max({beyond, value - *high, *low - value});
    return beyond;
}

double unseen_at_twice(const ActionInput& scene) {
    SpectrumInput longer = scene;
    longer.trained = {scene.length, Json::object()};
    longer.length = std::min(2 * scene.length, kLastPosition);
    const auto training = training_of(longer);
    return training ? static_cast<double>(training->new_angles.count) : kNone;
}

KindNumbers numbers_of(const ActionInput& scene, std::int64_t distance) {
    KindNumbers made;
    made.encoding = &encoding_of(scene);
    const auto action = action_of(scene);
    if (!action) return made;
    made.fits = true;
    const auto learned = encoding_of(scene).learns.count;
    made.parameters = learned != nullptr ? learned(scene) : 0;
    made.positions = action->positions;
    made.pairs = static_cast<double>(made.encoding->pairs(scene));
    made.unseen = made.pairs > 0.0 ? unseen_at_twice(scene) : 0.0;
    made.moved = made.falls = made.beyond = kNone;
    if (action->distance_cost > kMostADistance) return made;
    made.moved = moved_along(scene, *action, distance);
    if (action->add) {
        count_falls(made, products_of_rows(scene, *action));
    } else {
        const std::int64_t count = std::min(scene.length, kMostDistances);
        count_falls(made, of_equal_vectors(scene, *action, scene.length - 1, 0, 1, count));
        if (made.pairs == 0.0) made.beyond = leaves_its_range(scene, *action);
    }
    return made;
}

}  // namespace

bool KindNumbers::relative() const { return moved <= kRounding; }

std::vector<KindNumbers> kind_numbers(const ActionInput& input, std::int64_t offset) {
    const std::int64_t distance = std::clamp<std::int64_t>(std::abs(offset), 1, kLastPosition - kQueries);
    Scene scene;
    static_cast<ActionInput&>(scene) = input;
    std::vector<KindNumbers> all;
    for (const Encoding* encoding : encodings_to_compare(input)) {
        if (encoding->kind == input.encoding.kind) {
            all.push_back(numbers_of(input, distance));
        } else if (const auto laid = overlay(scene, {{"encoding", std::string(encoding->kind)}})) {
            all.push_back(numbers_of(laid->scene, distance));
        } else {
            all.push_back({.encoding = encoding});
        }
    }
    return all;
}

}  // namespace posiscope
