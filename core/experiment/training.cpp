#include "core/experiment/training.hpp"

#include <cmath>
#include <limits>
#include <utility>

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
std::vector<LearnedNumber> Training<Real>::learned() const {
    const std::vector<double> own = own_numbers();
    std::vector<LearnedNumber> made;
    auto at = own.begin();
    for (std::size_t g = plan_.groups.size() - plan_.encoding.size(); g < plan_.groups.size(); ++g) {
        const Group& group = plan_.groups[g];
        const auto end = at + static_cast<std::ptrdiff_t>(group.rows * group.columns);
        made.push_back({group.name, {at, end}});
        at = end;
    }
    return made;
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
void Training<Real>::begin(Buffer<Real>* gradient) {
    if (frame_.trains()) make_tables();
    if (gradient != nullptr) gradient->clear();
    table_gradient_.clear();
}

// False once all of it is there.
template <class Real>
bool Training<Real>::add(Batch& batch, Real* gradient) {
    const std::size_t length = batch.sequences.length;
    const std::size_t count = std::min(room_.sequences, batch.sequences.count - batch.first);
    const Pass<Real> pass{plan_,
                          numbers_.data(),
                          model_tables_,
                          room_,
                          part(batch.sequences.letters, length, batch.first, count),
                          part(batch.sequences.targets, length, batch.first, count),
                          count};
    const std::size_t forwards = forward_pieces(plan_.shape);
    if (batch.piece < forwards) {
        forward(pass, batch.piece);
    } else {
        const auto asked = static_cast<double>(std::max<std::size_t>(batch.sequences.asked(), 1));
        batch.sum += backward(pass, 1.0 / asked, {gradient, frame_.trains() ? &table_gradient_ : nullptr},
                              batch.piece - forwards);
    }
    if (++batch.piece < forwards + backward_pieces(plan_.shape)) return true;
    batch.piece = 0;
    batch.first += count;
    return batch.first < batch.sequences.count;
}

template <class Real>
void Training<Real>::end(Buffer<Real>& gradient) {
    if (!frame_.trains()) return;
    const std::vector<double> own = own_numbers();
    std::vector<double> slope(own.size(), 0.0);
    frame_.gradient(own, table_gradient_.gradient(tables_, plan_.shape), slope);
    set_own_numbers(slope, gradient);
}

template <class Real>
double Training<Real>::loss(const Sequences& sequences, Buffer<Real>* gradient) {
    begin(gradient);
    Batch batch{sequences};
    Buffer<Real> unused(gradient == nullptr ? plan_.size : 0);
    while (add(batch, gradient == nullptr ? unused.data() : gradient->data())) {}
    if (gradient != nullptr) end(*gradient);
    return batch.mean();
}

template <class Real>
double Training<Real>::step() {
    for (;;)
        if (const auto loss = advance()) return *loss;
}

template <class Real>
std::optional<double> Training<Real>::advance() {
    if (!batch_) {
        batch_ = Batch{
            draw(task_of(settings_), settings_.k, kBatch, static_cast<std::size_t>(settings_.length), data_)};
        begin(&gradient_);
    }
    if (add(*batch_, gradient_.data())) return std::nullopt;
    end(gradient_);
    const std::vector<double> before = own_numbers();
    optimiser_.step(plan_, rate_at(settings_.rate, done_, settings_.steps), gradient_, numbers_);
    if (frame_.trains()) {
        std::vector<double> own = own_numbers();
        frame_.settle(own, before);
        set_own_numbers(own, numbers_);
    }
    ++done_;
    const double loss = batch_->mean();
    batch_.reset();
    return loss;
}

template <class Real>
Scores Training<Real>::test(Scaling scaling, std::size_t sequences) const {
    Test<Real> test(*this, scaling, sequences);
    while (test.advance()) {}
    return std::move(test.scores());
}

template <class Real>
Test<Real>::Test(const Training<Real>& training, Scaling scaling, std::size_t sequences)
    : training_(training), sequences_(sequences), random_(training.seed_, kTests) {
    made_.scaling = scaling;
}

// First the trained length, then the tested one; each of them in pieces, and a piece to prepare it.
template <class Real>
bool Test<Real>::advance() {
    const Settings& settings = training_.settings_;
    const auto trained = static_cast<std::size_t>(settings.length);
    if (!part_) {
        const auto tested = static_cast<std::size_t>(settings.tested);
        begin(on_tested_ ? training_.frame_.end(training_.own_numbers(), tested, made_.scaling) : trained);
        return true;
    }
    const Sequences& drawn = part_->drawn;
    const std::size_t count = std::min(part_->room.sequences, drawn.count - part_->first);
    const Pass<Real> pass{training_.plan_,
                          training_.numbers_.data(),
                          part_->tables,
                          part_->room,
                          part(drawn.letters, drawn.length, part_->first, count),
                          {},
                          count};
    forward(pass, part_->piece);
    if (++part_->piece < forward_pieces(training_.plan_.shape)) return true;
    add(pass);
    part_->piece = 0;
    part_->first += count;
    if (part_->first < drawn.count) return true;
    part_.reset();
    return !std::exchange(on_tested_, true);
}

template <class Real>
void Test<Real>::begin(std::size_t length) {
    Sequences drawn = draw(task_of(training_.settings_), training_.settings_.k, sequences_, length, random_);
    const ModelShape& shape = training_.plan_.shape;
    const std::size_t together = sequences_together(length, drawn.count);
    part_.emplace(Part{
        std::move(drawn),
        ModelTables<Real>(training_.frame_.tables(training_.own_numbers(), length, made_.scaling), shape),
        Workspace<Real>(shape, together, length, false)});
    Curve& by_position = on_tested_ ? made_.tested : made_.trained;
    by_position.sums.assign(length, 0.0);
    by_position.counts.assign(length, 0);
    if (on_tested_ && !part_->drawn.distance.empty()) made_.by_distance = by_position;
}

// The scores of a pass.
template <class Real>
void Test<Real>::add(const Pass<Real>& pass) {
    const Sequences& drawn = part_->drawn;
    const ModelShape& shape = training_.plan_.shape;
    const std::size_t length = drawn.length, classes = padded(shape.classes);
    const bool nats = task_of(training_.settings_).scored_in_nats();
    Curve& by_position = on_tested_ ? made_.tested : made_.trained;
    for (std::size_t row = 0; row < pass.rows(); ++row) {
        const std::size_t at = part_->first * length + row;
        if (drawn.targets[at] < 0) continue;
        const Real* const logits = pass.room.logits.data() + row * classes;
        const auto target = static_cast<std::size_t>(drawn.targets[at]);
        const Real* const most = std::max_element(logits, logits + shape.classes);
        double score = most - logits == static_cast<std::ptrdiff_t>(target) ? 1.0 : 0.0;
        if (nats) {
            double sum = 0.0;
            for (std::size_t c = 0; c < shape.classes; ++c)
                sum += std::exp(static_cast<double>(logits[c] - *most));
            score = std::log(sum) - static_cast<double>(logits[target] - *most) - drawn.optimum[at];
        }
        by_position.sums[at % length] += score;
        ++by_position.counts[at % length];
        if (!on_tested_ || drawn.distance.empty()) continue;
        const auto distance = static_cast<std::size_t>(drawn.distance[at]);
        made_.by_distance.sums[distance] += score;
        ++made_.by_distance.counts[distance];
    }
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
template class Test<float>;
template class Test<double>;

}  // namespace posiscope::experiment
