// moment.hpp — a look at the model while it learns: how it scores at each position, and where its heads look.
// Looking changes nothing: a run that is looked at has the same bits.
// Only seed 1 is looked at: eight looks make 40 kB a run, and every seed would make a preset 2 MB instead of 0.5.
#pragma once

#include "core/experiment/training.hpp"

namespace posiscope::experiment {

// Attention weights [layers, heads, length, length], the mean over some sequences, to 0.017. Under the causal mask only
// keys up to the query are kept. A weight is one character: its square root in 64 steps, as in base64.
struct Heads {
    std::size_t layers = 0, heads = 0, length = 0;
    bool causal = true;
    std::string code;

    std::size_t size() const {
        return layers * heads * (causal ? length * (length + 1) / 2 : length * length);
    }
    double weight(std::size_t layer, std::size_t head, std::size_t query, std::size_t key) const;
    // True if the code is as long as it must be, and of its letters alone.
    bool valid() const;
    bool operator==(const Heads&) const = default;
};

struct Moment {
    std::int64_t step = 0;
    std::vector<double> tested;  // by position, the unscaled score; NaN where nothing was asked
    Heads heads;

    bool operator==(const Moment& other) const;  // NaN is equal to NaN
};

// The steps after which a run is looked at: soon, closer together at first, and at the end.
std::vector<std::int64_t> moments_of(std::int64_t steps);

// The length of the sequences on which heads are looked at: the trained one, at most 64.
std::size_t looked_at(const Settings& settings);

// Takes such a look piece by piece, while the model waits.
class Look {
public:
    Look(const Training<float>& training, const Settings& settings);

    bool advance();  // false once nothing is left to do
    Moment& moment() { return made_; }

private:
    const Training<float>& training_;
    const Settings& settings_;
    Test<float> test_;
    bool tested_ = false;
    Random random_;
    std::size_t looked_ = 0;    // sequences
    std::vector<double> sums_;  // of weights
    Moment made_;
};

}  // namespace posiscope::experiment
