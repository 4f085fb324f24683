#include "core/experiment/moment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::experiment {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr double kSteps = 63.0;
constexpr std::int64_t kFirstMoment = 25;  // steps: the first curve comes 0.2 s after the start
constexpr std::array kLater = {0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0};
constexpr std::size_t kLongest = 64, kSequences = 16, kTested = 32;
constexpr std::uint64_t kLooked = 4;  // the stream of the sequences that heads are looked at on

int digit_of(char letter) {
    const auto at = kDigits.find(letter);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

double Heads::weight(std::size_t layer, std::size_t head, std::size_t query, std::size_t key) const {
    if (causal && key > query) return 0.0;
    const std::size_t matrix = causal ? length * (length + 1) / 2 : length * length;
    const std::size_t row = causal ? query * (query + 1) / 2 : query * length;
    const double root = digit_of(code[(layer * heads + head) * matrix + row + key]) / kSteps;
    return root * root;
}

bool Heads::valid() const {
    return code.size() == size() &&
           std::all_of(code.begin(), code.end(), [](char letter) { return digit_of(letter) >= 0; });
}

bool Moment::operator==(const Moment& other) const {
    return step == other.step && heads == other.heads &&
           std::equal(tested.begin(), tested.end(), other.tested.begin(), other.tested.end(),
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

std::vector<std::int64_t> moments_of(std::int64_t steps) {
    std::vector<std::int64_t> made;
    if (kFirstMoment < steps) made.push_back(kFirstMoment);
    for (const double part : kLater) {
        const auto step = static_cast<std::int64_t>(std::llround(part * static_cast<double>(steps)));
        if (step > 0 && (made.empty() || step > made.back())) made.push_back(step);
    }
    return made;
}

std::size_t looked_at(const Settings& settings) {
    return std::min(static_cast<std::size_t>(settings.length), kLongest);
}

Look::Look(const Training<float>& training, const Settings& settings)
    : training_(training),
      settings_(settings),
      test_(training, Scaling::none, kTested),
      random_(1, kLooked) {  // the same sequences for every encoding
    made_.step = training.steps();
    made_.heads = {static_cast<std::size_t>(settings.layers),
                   static_cast<std::size_t>(settings.heads),
                   looked_at(settings),
                   settings.causal,
                   {}};
    const Heads& heads = made_.heads;
    sums_.assign(heads.layers * heads.heads * heads.length * heads.length, 0.0);
}

bool Look::advance() {
    Heads& heads = made_.heads;
    if (!tested_) {
        if (test_.advance()) return true;
        tested_ = true;
        const Curve& curve = test_.scores().tested;
        for (std::size_t at = 0; at < curve.sums.size(); ++at) made_.tested.push_back(curve.mean(at, at + 1));
        return true;
    }
    if (looked_ < kSequences) {
        const Sequences one = draw(task_of(settings_), settings_.k, 1, heads.length, random_);
        const std::vector<float> weights = training_.attention(one, Scaling::none);
        for (std::size_t at = 0; at < sums_.size(); ++at) sums_[at] += static_cast<double>(weights[at]);
        ++looked_;
        return true;
    }
    heads.code.reserve(heads.size());
    for (std::size_t row = 0; row < heads.layers * heads.heads * heads.length; ++row)
        for (std::size_t key = 0; key < (heads.causal ? row % heads.length + 1 : heads.length); ++key) {
            const double weight = sums_[row * heads.length + key] / static_cast<double>(kSequences);
            const auto step = std::lround(kSteps * std::sqrt(std::clamp(weight, 0.0, 1.0)));
            heads.code += kDigits[static_cast<std::size_t>(step)];
        }
    return false;
}

}  // namespace posiscope::experiment
