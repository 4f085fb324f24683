// frame.hpp — an encoding as the experiment trains and tests it: its tables at any length, from its trained numbers.
// An encoding enters through its Action (core/encodings/action.hpp) or, where training finds its numbers, through its
// Learnable. Settings that depend on a length follow the trained one: xPos's scale_base n/2, Shaw's clip n/2, T5's
// buckets to n, FIRE's threshold n/4.
#pragma once

#include "core/experiment/learnable.hpp"
#include "core/experiment/settings.hpp"
#include "core/scene/scene.hpp"

#include <optional>
#include <span>
#include <string>

namespace posiscope::experiment {

// An encoding in the list of an experiment: a kind, or one that somebody typed (core/encodings/own.hpp).
// In JSON  "rope", or {"kind": "own", "bias": "-s*log(1+abs(D))", "values": {"s": 1}, "learned": ["s"], "label": "steep"}.
// Here     a text: the kind, or that object in one form, without unused members and with every number a double.
// So equal formulas have one name, and runs are told apart by it.

inline constexpr std::size_t kMostTyped = 4;  // of one list

bool is_typed(std::string_view entry);
std::string_view kind_in(std::string_view entry);

// Refuses what is neither text nor a typed encoding, and formulas that cannot be read.
Result<std::string> entry_from(const Json& value, std::string_view path);
// The entry of a Scene's encoding; nothing where it is not typed, or its formulas are refused.
std::optional<std::string> entry_of(const Choice& encoding);
Json json_of(std::string_view entry);

// The label of a typed one, a part of the entry; empty where it has none.
std::string_view label_in(std::string_view entry);
// How many before it in the list have its label, or its kind where they have none; 0 of what is not in the list.
std::size_t same_before(std::span<const std::string> list, std::string_view entry);
// "rope"; "own" or its label, and of a list's second one with that name "own_2".
std::string label_of(std::span<const std::string> list, std::string_view entry);
// 0 of the first typed one of a list, and of what is not typed.
std::size_t typed_before(std::span<const std::string> list, std::string_view entry);

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
