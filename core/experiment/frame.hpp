// frame.hpp — an encoding as the experiment trains and tests it: its tables at any length, from its trained numbers.
// An encoding enters through its Action (core/encodings/action.hpp) or, where training finds its numbers, through its
// Learnable. Settings that depend on a length follow the trained one: xPos's scale_base n/2, Shaw's clip n/2, T5's
// buckets to n, FIRE's threshold n/4.
#pragma once

#include "core/experiment/entry.hpp"
#include "core/experiment/learnable.hpp"
#include "core/experiment/settings.hpp"

#include <optional>

namespace posiscope::experiment {

// Changes at test time to a model that was trained without them: s = T/n.
enum class Scaling {
    none,
    linear,  // PI of RoPE; sinusoidal and learned tables read at p/s
    ntk,
    yarn,
};
std::string_view scaling_name(Scaling scaling);                   // "none", "linear", "ntk", "yarn"
std::span<const Scaling> scalings_of(std::string_view encoding);  // `none` first; of a typed one that alone

// Why a kind cannot be trained here; nothing where it can. Of a typed encoding Frame::of says it.
std::optional<Problem> not_trained(std::string_view encoding);

class Frame {
public:
    static Result<Frame> of(const Settings& settings, const std::string& encoding,
                            const std::optional<ModelShape>& shape = {});

    ModelShape shape() const { return place_.shape; }
    std::vector<Group> groups() const;  // what it trains
    bool trains() const { return learnable_ != nullptr && !groups().empty(); }
    // Sets the start of the numbers of those groups: unpadded, one group after another.
    void start(Random& random, std::span<double> numbers) const;
    void settle(std::span<double> numbers, Numbers before) const;

    // At positions 0 … `positions` − 1. What a learned table has no row for is 0; see `last`.
    Tables tables(Numbers numbers, std::size_t positions, Scaling scaling = Scaling::none) const;
    void gradient(Numbers numbers, const Tables& gradient, std::span<double> out) const;
    // How many positions there are something for, at most `positions`.
    std::size_t end(Numbers numbers, std::size_t positions, Scaling scaling) const;

private:
    Frame(Place place, double factor) : place_(std::move(place)), factor_(factor) {}
    std::optional<Problem> refused() const;
    Tables scaled(Numbers numbers, std::size_t positions, Scaling scaling) const;

    std::string encoding_;
    Place place_;
    double factor_;
    const Learnable* learnable_ = nullptr;
};

}  // namespace posiscope::experiment
