#include "app/figures/experiment/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::figures::learning {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kBins = 32;         // over the tested length
constexpr std::size_t kMostBlocks = 240;  // points of a loss curve

// Bins of equal width that begin anew at the trained length, so that none is on both sides of it.
struct Bins {
    std::vector<std::pair<std::size_t, std::size_t>> of;

    Bins(std::size_t length, std::size_t tested) {
        const std::size_t width = std::max<std::size_t>(1, tested / kBins);
        for (std::size_t at = 0; at < tested;) {
            const std::size_t limit = at < length ? std::min(length, tested) : tested;
            const std::size_t end = std::min(at + width, limit);
            of.emplace_back(at, end);
            at = end;
        }
    }
    std::vector<double> middles() const {
        std::vector<double> x;
        for (const auto& [first, end] : of) x.push_back(0.5 * static_cast<double>(first + end - 1));
        return x;
    }
};

std::vector<double> binned(const ex::Curve& curve, const Bins& bins) {
    std::vector<double> values;
    for (const auto& [first, end] : bins.of) values.push_back(curve.mean(first, end));
    return values;
}

std::vector<double> binned(std::span<const double> scores, const Bins& bins) {
    std::vector<double> values;
    for (const auto& [first, end] : bins.of) {
        double sum = 0.0;
        std::size_t count = 0;
        for (std::size_t at = first; at < std::min(end, scores.size()); ++at)
            if (std::isfinite(scores[at])) {
                sum += scores[at];
                ++count;
            }
        values.push_back(count == 0 ? kNothing : sum / static_cast<double>(count));
    }
    return values;
}

// Mean, least and most of several curves, where each has a value.
void sum_up(std::span<const std::vector<double>> each, std::vector<double>& mean, std::vector<double>& least,
            std::vector<double>& most) {
    std::size_t longest = 0;
    for (const auto& one : each) longest = std::max(longest, one.size());
    for (std::size_t at = 0; at < longest; ++at) {
        double sum = 0.0, low = kNothing, high = kNothing;
        std::size_t count = 0;
        for (const auto& one : each)
            if (at < one.size() && std::isfinite(one[at])) {
                sum += one[at];
                ++count;
                low = std::isnan(low) ? one[at] : std::min(low, one[at]);
                high = std::isnan(high) ? one[at] : std::max(high, one[at]);
            }
        mean.push_back(count == each.size() && count > 0 ? sum / static_cast<double>(count) : kNothing);
        least.push_back(low);
        most.push_back(high);
    }
}

ex::Spread spread_of(std::span<const double> values) {
    ex::Spread made;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        made.least = made.seeds == 0 ? value : std::min(made.least, value);
        made.most = made.seeds == 0 ? value : std::max(made.most, value);
        made.mean += value;
        ++made.seeds;
    }
    if (made.seeds == 0) return made;
    made.mean /= static_cast<double>(made.seeds);
    for (const double value : values)
        if (std::isfinite(value)) made.deviation += (value - made.mean) * (value - made.mean);
    made.deviation = made.seeds < 2 ? 0.0 : std::sqrt(made.deviation / static_cast<double>(made.seeds - 1));
    return made;
}

const ex::Scores* scores_of(const ex::Run& run, ex::Scaling scaling) {
    for (const ex::Scores& scores : run.scores)
        if (scores.scaling == scaling) return &scores;
    return nullptr;
}

struct Maker {
    const ex::Bank& bank;
    const ex::Shown& shown;
    Curves& curves;
    std::size_t length = static_cast<std::size_t>(bank.settings.length);
    std::size_t tested = static_cast<std::size_t>(bank.settings.tested);
    Bins bins{length, tested};

    std::vector<const ex::Known*> known(std::string_view encoding) const {
        std::vector<const ex::Known*> made;
        for (std::int64_t seed = 1; seed <= shown.settings.seeds; ++seed)
            if (const ex::Known* one = bank.find(encoding, static_cast<std::uint64_t>(seed)))
                made.push_back(one);
        return made;
    }

    // The finished models, or with a step the one of seed 1 as it was then.
    void add(const std::string& encoding, ex::Scaling scaling, bool by_distance) {
        Line line;
        line.encoding = encoding;
        line.scaling = scaling;
        std::vector<double> last, trained;
        line.shipped = true;
        for (const ex::Known* known : known(encoding)) {
            const ex::Scores* scores = shown.step ? nullptr : scores_of(*known->run, scaling);
            if (scores == nullptr) continue;
            const ex::Curve& curve = by_distance ? scores->by_distance : scores->tested;
            if (by_distance && curve.sums.empty()) continue;
            line.each.push_back(binned(curve, bins));
            line.shipped = line.shipped && known->origin == ex::Origin::shipped;
            if (curve.sums.size() < tested) line.end = static_cast<double>(curve.sums.size());
            last.push_back(curve.mean(static_cast<std::size_t>(curves.first), tested));
            trained.push_back(scaling == ex::Scaling::none ? scores->trained.mean(0, length)
                                                           : scores->tested.mean(length / 2, length));
        }
        line.seeds = line.each.size();
        if (line.each.empty() && scaling == ex::Scaling::none && !by_distance)
            add_forming(line, last, trained);
        if (line.each.empty()) return;
        line.x = bins.middles();
        line.last = spread_of(last);
        line.trained = spread_of(trained);
        sum_up(line.each, line.mean, line.least, line.most);
        (by_distance ? curves.by_distance : curves.by_position).push_back(std::move(line));
    }

    void add_forming(Line& line, std::vector<double>& last, std::vector<double>& trained) const {
        const ex::Known* first = bank.find(line.encoding, 1);
        if (first == nullptr) return;
        const ex::Moment* now = nullptr;
        for (const ex::Moment& moment : first->run->moments)
            if (!shown.step || moment.step <= *shown.step) now = &moment;
        if (now == nullptr) return;
        line.step = now->step;
        line.shipped = first->origin == ex::Origin::shipped;
        line.each.push_back(binned(now->tested, bins));
        if (now->tested.size() < tested) line.end = static_cast<double>(now->tested.size());
        const auto over = [&](std::size_t from, std::size_t to) {
            double sum = 0.0;
            std::size_t count = 0;
            for (std::size_t at = from; at < std::min(to, now->tested.size()); ++at)
                if (std::isfinite(now->tested[at])) sum += now->tested[at], ++count;
            return count == 0 ? kNothing : sum / static_cast<double>(count);
        };
        last.push_back(over(static_cast<std::size_t>(curves.first), tested));
        trained.push_back(over(0, length));
    }

    void add_loss(const std::string& encoding) {
        LossLine line;
        line.encoding = encoding;
        std::size_t blocks = 0;
        for (const ex::Known* known : known(encoding)) blocks = std::max(blocks, known->run->loss.size());
        const std::size_t together = std::max<std::size_t>(1, blocks / kMostBlocks);
        for (const ex::Known* known : known(encoding)) {
            std::vector<double> values;
            const std::vector<double>& loss = known->run->loss;
            for (std::size_t at = 0; at < loss.size(); at += together) {
                const std::size_t end = std::min(at + together, loss.size());
                double sum = 0.0;
                for (std::size_t b = at; b < end; ++b) sum += loss[b];
                values.push_back(sum / static_cast<double>(end - at));
            }
            if (!values.empty()) line.each.push_back(std::move(values));
            if (known->finished()) ++line.seeds;
        }
        if (line.each.empty()) return;
        const double width = static_cast<double>(together) * static_cast<double>(ex::kLossBlock);
        for (std::size_t at = 0; at * together < blocks; ++at)
            line.x.push_back(
                std::min(width * (static_cast<double>(at) + 0.5), static_cast<double>(bank.settings.steps)));
        sum_up(line.each, line.mean, line.least, line.most);
        line.last =
            line.has_mean() && std::isfinite(line.mean.back()) ? line.mean.back() : line.each[0].back();
        curves.losses.push_back(std::move(line));
    }
};

}  // namespace

Curves curves_of(const CurvesKey& key) {
    const ex::Bank& bank = *key.bank;
    const ex::Shown& shown = **key.shown;
    Curves made;
    const ex::Settings& settings = bank.settings;
    made.seeds = static_cast<std::size_t>(shown.settings.seeds);
    made.end = settings.tested;
    made.first = std::max<std::int64_t>(settings.tested - settings.length, settings.length);
    if (made.first >= made.end) made.first = 0;  // nothing past the trained length
    Maker maker{bank, shown, made};
    for (const std::string& encoding : shown.settings.encodings) {
        for (const ex::Scaling scaling : ex::scalings_of(encoding)) {
            if (!shown.draws(encoding, scaling)) continue;
            for (const bool by_distance : {false, true}) maker.add(encoding, scaling, by_distance);
        }
        maker.add_loss(encoding);
    }
    made.shipped = !made.by_position.empty();
    made.least_seeds = made.seeds;
    for (const Line& line : made.by_position) {
        made.shipped = made.shipped && line.shipped;
        made.least_seeds = std::min(made.least_seeds, line.seeds);
        for (const double value : line.most)
            if (std::isfinite(value)) made.most_nats = std::max(made.most_nats, value);
    }
    for (const ex::Known& known : bank.runs) made.instructions = known.instructions;
    return made;
}

}  // namespace posiscope::figures::learning
