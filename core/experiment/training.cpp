#include "core/experiment/training.hpp"

#include <cmath>
#include <limits>

namespace posiscope::experiment {
namespace {

enum Stream : std::uint64_t { kStart = 1, kData = 2, kTests = 3 };

// So many rows go through the model together: what they leave for backward stays in the second-level cache.
constexpr std::size_t kRowsTogether = 256;

std::size_t sequences_together(std::size_t length, std::size_t count) {
    return std::clamp<std::size_t>(kRowsTogether / length, 1, count);
}

// Some of the sequences, as a pass takes them.
template <class T>
std::span<const T> part(const std::vector<T>& all, std::size_t length, std::size_t first, std::size_t count) {
    return std::span(all).subspan(first * length, count * length);
}

}  // namespace

double Curve::mean(std::size_t first, std::size_t end) const {
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::size_t at = first; at < std::min(end, sums.size()); ++at) {
        sum += sums[at];
        count += counts[at];
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

template <class Real>
Training<Real>::Training(const Settings& settings, Frame frame, std::uint64_t seed)
    : settings_(settings),
      frame_(std::move(frame)),
      seed_(seed),
      plan_(frame_.shape(), frame_.groups()),
      data_(seed, kData),
      gradient_(plan_.size),
      optimiser_(plan_),
      room_(plan_.shape, sequences_together(static_cast<std::size_t>(settings.length), kBatch),
            static_cast<std::size_t>(settings.length), true) {
    Random random(seed, kStart);
    numbers_ = plan_.start<Real>(random);
    std::vector<double> own = own_numbers();
    frame_.start(random, own);
    set_own_numbers(own, numbers_);
    make_tables();
    if (frame_.trains()) table_gradient_ = ModelTables<Real>::gradient_room(tables_, plan_.shape);
}

template <class Real>
Result<Training<Real>> Training<Real>::of(const Settings& settings, const std::string& encoding,
                                          std::uint64_t seed, const std::optional<ModelShape>& shape) {
    return Frame::of(settings, encoding, shape).map([&](Frame frame) {
        return Training(settings, std::move(frame), seed);
    });
}

template <class Real>
std::vector<double> Training<Real>::own_numbers() const {
    std::vector<double> own;
    for (std::size_t g = plan_.groups.size() - plan_.encoding.size(); g < plan_.groups.size(); ++g) {
        const Group& group = plan_.groups[g];
        for (std::size_t row = 0; row < group.rows; ++row)
            for (std::size_t column = 0; column < group.columns; ++column)
                own.push_back(static_cast<double>(numbers_[group.offset + row * group.stride() + column]));
    }
    return own;
}

template <class Real>
void Training<Real>::set_own_numbers(std::span<const double> own, Buffer<Real>& into) const {
    std::size_t at = 0;
    for (std::size_t g = plan_.groups.size() - plan_.encoding.size(); g < plan_.groups.size(); ++g) {
        const Group& group = plan_.groups[g];
        for (std::size_t row = 0; row < group.rows; ++row)
            for (std::size_t column = 0; column < group.columns; ++column)
                into[group.offset + row * group.stride() + column] = static_cast<Real>(own[at++]);
    }
}

template <class Real>
void Training<Real>::make_tables() {
    tables_ = frame_.tables(own_numbers(), room_.length);
    model_tables_ = ModelTables<Real>(tables_, plan_.shape);
}

template <class Real>
double Training<Real>::loss(const Sequences& batch, Buffer<Real>* gradient) {
    if (frame_.trains()) make_tables();
    if (gradient != nullptr) gradient->clear();
    table_gradient_.clear();
    const auto asked = static_cast<double>(std::max<std::size_t>(batch.asked(), 1));
    Buffer<Real> unused(gradient == nullptr ? plan_.size : 0);
    const Gradient<Real> to{gradient == nullptr ? unused.data() : gradient->data(),
                            frame_.trains() ? &table_gradient_ : nullptr};
    double sum = 0.0;
    for (std::size_t first = 0; first < batch.count; first += room_.sequences) {
        const std::size_t count = std::min(room_.sequences, batch.count - first);
        const Pass<Real> pass{plan_,
                              numbers_.data(),
                              model_tables_,
                              room_,
                              part(batch.letters, batch.length, first, count),
                              part(batch.targets, batch.length, first, count),
                              count};
        forward(pass);
        sum += backward(pass, 1.0 / asked, to);
    }
    if (gradient != nullptr && frame_.trains()) {
        const std::vector<double> own = own_numbers();
        std::vector<double> slope(own.size(), 0.0);
        frame_.gradient(own, table_gradient_.gradient(tables_, plan_.shape), slope);
        set_own_numbers(slope, *gradient);
    }
    return sum / asked;
}

template <class Real>
double Training<Real>::step() {
    const Sequences batch =
        draw(task_of(settings_), settings_.k, kBatch, static_cast<std::size_t>(settings_.length), data_);
    const double before = loss(batch, &gradient_);
    optimiser_.step(plan_, rate_at(settings_.rate, done_, settings_.steps), gradient_, numbers_);
    if (frame_.trains()) {
        std::vector<double> own = own_numbers();
        frame_.settle(own);
        set_own_numbers(own, numbers_);
    }
    ++done_;
    return before;
}

template <class Real>
void Training<Real>::add_curve(const Sequences& sequences, const Tables& tables, Curve& by_position,
                               Curve* by_distance) const {
    const std::size_t length = sequences.length, classes = padded(plan_.shape.classes);
    const ModelTables<Real> model_tables(tables, plan_.shape);
    Workspace<Real> room(plan_.shape, sequences_together(length, sequences.count), length, false);
    by_position.sums.assign(length, 0.0);
    by_position.counts.assign(length, 0);
    if (by_distance != nullptr) *by_distance = by_position;
    const bool nats = task_of(settings_).scored_in_nats();
    for (std::size_t first = 0; first < sequences.count; first += room.sequences) {
        const std::size_t count = std::min(room.sequences, sequences.count - first);
        const Pass<Real> pass{
            plan_, numbers_.data(), model_tables, room, part(sequences.letters, length, first, count), {},
            count};
        forward(pass);
        for (std::size_t row = 0; row < pass.rows(); ++row) {
            const std::size_t at = first * length + row;
            if (sequences.targets[at] < 0) continue;
            const Real* const logits = room.logits.data() + row * classes;
            const auto target = static_cast<std::size_t>(sequences.targets[at]);
            const Real* const most = std::max_element(logits, logits + plan_.shape.classes);
            double score = most - logits == static_cast<std::ptrdiff_t>(target) ? 1.0 : 0.0;
            if (nats) {
                double sum = 0.0;
                for (std::size_t c = 0; c < plan_.shape.classes; ++c)
                    sum += std::exp(static_cast<double>(logits[c] - *most));
                score = std::log(sum) - static_cast<double>(logits[target] - *most) - sequences.optimum[at];
            }
            by_position.sums[at % length] += score;
            ++by_position.counts[at % length];
            if (by_distance == nullptr) continue;
            const auto distance = static_cast<std::size_t>(sequences.distance[at]);
            by_distance->sums[distance] += score;
            ++by_distance->counts[distance];
        }
    }
}

template <class Real>
Scores Training<Real>::test(Scaling scaling, std::size_t sequences) const {
    const Task& task = task_of(settings_);
    const std::vector<double> own = own_numbers();
    const auto trained = static_cast<std::size_t>(settings_.length);
    const std::size_t end = frame_.end(static_cast<std::size_t>(settings_.tested), scaling);
    Random random(seed_, kTests);
    Scores made;
    made.scaling = scaling;
    Sequences drawn = draw(task, settings_.k, sequences, trained, random);
    add_curve(drawn, frame_.tables(own, trained, scaling), made.trained, nullptr);
    drawn = draw(task, settings_.k, sequences, end, random);
    add_curve(drawn, frame_.tables(own, end, scaling), made.tested,
              drawn.distance.empty() ? nullptr : &made.by_distance);
    return made;
}

template <class Real>
std::vector<float> Training<Real>::attention(const Sequences& sequence, Scaling scaling) const {
    const std::size_t length = sequence.length;
    const ModelTables<Real> model_tables(frame_.tables(own_numbers(), length, scaling), plan_.shape);
    Workspace<Real> room(plan_.shape, 1, length, true);
    forward(
        Pass<Real>{plan_, numbers_.data(), model_tables, room, part(sequence.letters, length, 0, 1), {}, 1});
    std::vector<float> weights;
    for (LayerRoom<Real>& layer : room.layers)
        for (std::size_t h = 0; h < plan_.shape.heads; ++h) {
            const Real* const head = layer.weights.data() + room.weights_at(plan_.shape, 0, h);
            for (std::size_t i = 0; i < length; ++i)
                for (std::size_t j = 0; j < length; ++j)
                    weights.push_back(static_cast<float>(head[i * padded(length) + j]));
        }
    return weights;
}

template class Training<float>;
template class Training<double>;

}  // namespace posiscope::experiment
