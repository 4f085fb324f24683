#include "core/encodings/turning.hpp"

#include "core/cost.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/jobs/of_this_thread.hpp"
#include "core/numeric/bits.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
double Turning::place(std::size_t pair, std::int64_t token) const {
    if (axes.parted) return static_cast<double>(axes.at(token)[static_cast<std::size_t>(axes.axis[pair])]);
    return position ? position(token) : static_cast<double>(token);
}

PairAngle Turning::angle(std::size_t pair, std::int64_t token) const {
    return angle_at(spectrum, pair, place(pair, token));
}

double Turning::apart(std::size_t pair, std::int64_t query, std::int64_t key) const {
    return position || axes.parted ? place(pair, query) - place(pair, key) : static_cast<double>(query - key);
}

double Turning::seen(std::size_t pair, std::int64_t query, std::int64_t key) const {
    const double between_places = apart(pair, query, key);
    return distance ? distance(between_places, query, key) : between_places;
}

PairAngle Turning::between(std::size_t pair, std::int64_t query, std::int64_t key) const {
    return angle_at(spectrum, pair, seen(pair, query, key));
}

double Turning::size(std::size_t pair, std::int64_t query, std::int64_t key) const {
    const double between_places = apart(pair, query, key);
    return (spectrum.growth.empty() ? 1.0 : std::exp(spectrum.growth[pair] * between_places)) *
           (amplitude ? amplitude(pair, between_places) : 1.0);
}

void Turning::rotate(Side side, std::int64_t token, PairLayout layout, std::span<double> x) const {
    const Places places = axes.parted ? places_of(axes.at(token)) : Places{place(0, token)};
    const auto from_centre = static_cast<double>(side == Side::query ? token + centre : -(token + centre));
    turn_features(x, spectrum, layout, axes.parted ? std::span<const int>(axes.axis) : std::span<const int>(),
                  places, from_centre);
}

Result<Turning> turning_of(const SpectrumInput& scene) {
    const Encoding& encoding = encoding_of(scene);
    if (encoding.rotating.turning != nullptr) return encoding.rotating.turning(scene);
    auto spectrum = spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    return Turning{.spectrum = std::move(*spectrum), .axes = pair_axes(scene)};
}

std::optional<Problem> unsteady(const SpectrumInput& scene) {
    switch (rotation_of(scene)) {
        case Rotation::nothing:
        case Rotation::circles:
        case Rotation::spirals:
        case Rotation::axes: return std::nullopt;
        case Rotation::grid: return Problem{"turning.grid", {}, Cause::failure};
        case Rotation::position: return Problem{"turning.position", {}, Cause::failure};
        case Rotation::distance: return Problem{"turning.distance", {}, Cause::failure};
        case Rotation::chunks: return Problem{"turning.chunks", {}, Cause::failure};
        case Rotation::amplitude: return Problem{"turning.amplitude", {}, Cause::failure};
    }
    return std::nullopt;
}

Result<Spectrum> steady_spectrum_of(const SpectrumInput& scene) {
    if (auto problem = unsteady(scene)) return tl::unexpected(std::move(*problem));
    return spectrum_of(scene);
}

// --- Reaches -----------------------------------------------------------------------------------------------

namespace {

constexpr double kMostReachUnits = 1e7;

// The reach of each axis. Tokens fill the grid row by row: places grow with the first tokens, and are largest at the end of
// the first row, of the first plane, or of all.
std::vector<double> grid_reaches(const Turning& turning, std::int64_t length, std::int64_t window) {
    const PairAxes& axes = turning.axes;
    const std::int64_t row = axes.grid.empty() ? axes.width : axes.grid[2],
                       plane = axes.grid.empty() || axes.grid[1] > kLastPosition / row ? kLastPosition
                                                                                       : axes.grid[1] * row;
    std::vector<double> made;
    for (std::size_t i = 0; i < turning.pairs(); ++i) {
        double most = 0.0;
        for (const std::int64_t token : {row - 1, plane - 1, length - 1})
            most = std::max(most, turning.place(i, std::min(token, length - 1)));
        if (window < length) {
            std::int64_t step = plane;  // tokens to the next place
            for (const std::int64_t shorter : {row, std::int64_t{1}})
                if (turning.place(i, shorter) != 0.0) step = shorter;
            most = std::min(most, std::ceil(static_cast<double>(window - 1) / static_cast<double>(step)));
        }
        made.push_back(most + 1.0);
    }
    return made;
}

Result<double> mapped_reach(const Turning& turning, std::int64_t length) {
    if (static_cast<double>(length) * (turning.distance_units + 10.0) > kMostReachUnits)
        return refuse("turning.many", {{"length", std::to_string(length)}});
    spend(static_cast<double>(length) * (turning.distance_units + 10.0));
    double least = turning.position(0), most = least;
    for (std::int64_t token = 1; token < length; ++token) {
        const double at = turning.position(token);
        least = std::min(least, at), most = std::max(most, at);
    }
    return most - least;
}

Result<double> distance_reach(const Turning& turning, std::int64_t length, std::int64_t window) {
    const auto n = static_cast<double>(length), w = static_cast<double>(window);
    const bool alone = turning.by_distance();
    const double units = (alone ? 2.0 * w : n * std::min(n, 2.0 * w)) * (turning.distance_units + 10.0);
    if (units > kMostReachUnits) return refuse("turning.many", {{"length", std::to_string(length)}});
    spend(units);
    double most = 0.0;
    if (alone) {
        for (std::int64_t apart = 0; apart < window; ++apart)
            most = std::max({most, std::abs(turning.seen(0, apart, 0)), std::abs(turning.seen(0, 0, apart))});
        return most;
    }
    for (std::int64_t query = 0; query < length; ++query)
        for (std::int64_t key = std::max<std::int64_t>(0, query - window + 1);
             key < std::min(length, query + window); ++key)
            most = std::max(most, std::abs(turning.seen(0, query, key)));
    return most;
}

}  // namespace

Result<std::vector<double>> reaches_of(const SpectrumInput& scene, std::int64_t length) {
    const auto turning = turning_of(scene);
    if (!turning) return tl::unexpected(turning.error());
    const std::int64_t window = reach_of(scene, length);
    if (turning->axes.parted) return grid_reaches(*turning, length, window);
    const auto all = [&](double reach) { return std::vector<double>(turning->pairs(), reach); };
    // Chunks say by themselves how far they let a query see.
    if (turning->distance && encoding_of(scene).rotating.scalings) return all(static_cast<double>(window));
    if (turning->distance) return distance_reach(*turning, length, window).map(all);
    if (turning->position) return mapped_reach(*turning, length).map(all);
    return all(static_cast<double>(window));
}

// --- Where they meet ---------------------------------------------------------------------------------------

namespace {

// The factors of each pair's two products at the distances that are seen, of one Turning and one thread: many queries and keys
// see the same ones. A place is one distance; another that falls on it takes it over.
class Factors {
public:
    struct At {
        std::span<const double> even, odd;  // size · cos, size · sin, [pairs]
    };
    At at(const std::shared_ptr<const Turning>& turning, double seen, double apart, double units) {
        const std::size_t pairs = turning->pairs();
        if (turning_ != turning) {
            turning_ = turning;
            const std::size_t places =
                std::clamp<std::size_t>(kMostFactors / std::max<std::size_t>(pairs, 1), 1, kPlaces);
            known_.assign(places, {});
            even_.resize(places * pairs);
            odd_.resize(places * pairs);
        }
        const std::uint64_t number = is_whole(seen)
                                         ? static_cast<std::uint64_t>(static_cast<std::int64_t>(seen))
                                         : bits_as<std::uint64_t>(seen) * 0x9E3779B97F4A7C15U >> 20U;
        const std::size_t place = static_cast<std::size_t>(number % known_.size());
        const std::span<double> even = std::span(even_).subspan(place * pairs, pairs),
                                odd = std::span(odd_).subspan(place * pairs, pairs);
        Known& known = known_[place];
        if (known.is && known.seen == seen && (!turning->amplitude || known.apart == apart))
            return {even, odd};
        known.is = false;  // a formula may end the work
        spend(units);
        const double squared = turning->spectrum.attention_factor * turning->spectrum.attention_factor;
        for (std::size_t i = 0; i < pairs; ++i) {
            const PairAngle angle = angle_at(turning->spectrum, i, seen);
            const double size = squared * (turning->amplitude ? turning->amplitude(i, apart) : 1.0);
            even[i] = size * angle.cos;
            odd[i] = size * angle.sin;
        }
        known = {seen, apart, true};
        return {even, odd};
    }

private:
    static constexpr std::size_t kMostFactors = 1U << 18U, kPlaces = 4096;
    struct Known {
        double seen = 0.0, apart = 0.0;
        bool is = false;
    };
    std::shared_ptr<const Turning> turning_;  // kept, so that no other one has its address
    std::vector<Known> known_;
    std::vector<double> even_, odd_;  // [places, pairs]
};

}  // namespace

void rotate_where_they_meet(Action& action, std::shared_ptr<const Turning> turning, MeetingPlan plan) {
    action.by_distance = turning->by_distance();
    action.content = [turning = std::move(turning), plan](const Meeting& at) {
        const double apart = turning->apart(0, at.query, at.key);
        const double seen = turning->distance ? turning->distance(apart, at.query, at.key) : apart;
        auto& known = of_this_thread<Factors, Factors>();
        const Factors::At factors = known.at(turning, seen, apart, plan.units);
        const auto count = static_cast<std::int64_t>(turning->pairs());
        double gained = 0.0;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto pair = static_cast<std::size_t>(i),
                       a = plan.offset + static_cast<std::size_t>(dimension(plan.layout, count, {i, 0})),
                       b = plan.offset + static_cast<std::size_t>(dimension(plan.layout, count, {i, 1}));
            const double even = at.q[a] * at.k[a] + at.q[b] * at.k[b],
                         odd = at.q[a] * at.k[b] - at.q[b] * at.k[a];
            gained += factors.even[pair] * even + factors.odd[pair] * odd - even;
        }
        if (plan.factor == 1.0) return gained;
        double plain = 0.0;
        for (std::size_t f = 0; f < at.q.size(); ++f) plain += at.q[f] * at.k[f];
        return gained + (plan.factor - 1.0) * (gained + plain);
    };
}

}  // namespace posiscope
