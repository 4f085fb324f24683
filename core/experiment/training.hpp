// training.hpp — one run: one encoding trained from one seed, step by step, and what it scores at every position.
// Settings, seed and the set of instructions determine every bit; runs share nothing, so they may run side by side.
// Streams of a seed: 1 the numbers at the start, 2 the training sequences, 3 those of the tests.
#pragma once

#include "core/experiment/frame.hpp"
#include "core/experiment/pass.hpp"
#include "core/experiment/plan.hpp"

#include <algorithm>
#include <optional>

namespace posiscope::experiment {

// AdamW over a Plan's numbers: β 0.9 and 0.98, ε 1e-8, decay 0.01 on matrices; the gradient's norm at most 1.
// Source   arXiv 1711.05101.
// The rate at a step, counted from 0: 50 steps of warm-up, then a cosine to the last one, never under 2 %.
double rate_at(double rate, std::int64_t step, std::int64_t steps);

template <class Real>
class AdamW {
public:
    explicit AdamW(const Plan& plan) : first_(plan.size), second_(plan.size) {}

    // Changes `numbers` by one step; `gradient` is clipped in place.
    void step(const Plan& plan, double rate, Buffer<Real>& gradient, Buffer<Real>& numbers);

private:
    Buffer<Real> first_, second_;
    std::int64_t steps_ = 0;
};

// Scores at each position, or at each distance: the sum and how many it is of.
struct Curve {
    std::vector<double> sums;
    std::vector<std::int64_t> counts;

    // Over positions first … end − 1; NaN where nothing was asked.
    double mean(std::size_t first, std::size_t end) const;
    bool operator==(const Curve&) const = default;
};

struct Scores {
    Scaling scaling = Scaling::none;
    Curve trained;      // by position, sequences of the trained length
    Curve tested;       // by position, sequences of the tested length; ends where the encoding does
    Curve by_distance;  // the needle's, in the tested sequences; else empty

    bool operator==(const Scores&) const = default;
};

inline constexpr std::size_t kBatch = 32;           // sequences of a step
inline constexpr std::size_t kTestSequences = 128;  // of a finished run

// A group of numbers that an encoding trains.
struct LearnedNumber {
    std::string name;
    std::vector<double> numbers;

    bool operator==(const LearnedNumber&) const = default;
};

template <class Real>
class Training {
public:
    // `shape`: another model than the usual one, for tests.
    static Result<Training> of(const Settings& settings, const std::string& encoding, std::uint64_t seed,
                               const std::optional<ModelShape>& shape = {});

    // One step on fresh sequences; the mean loss before it, in nats. Or a piece of it, and the loss with the last one.
    double step();
    std::optional<double> advance();
    std::int64_t steps() const { return done_; }
    bool finished() const { return done_ == settings_.steps; }

    Scores test(Scaling scaling, std::size_t sequences = kTestSequences) const;
    const Plan& plan() const { return plan_; }
    // The encoding's learned numbers as they are now.
    std::vector<LearnedNumber> learned() const;
    const Frame& frame() const { return frame_; }

    // For tests: loss and gradient of given sequences at given numbers, without a step.
    double loss(const Sequences& batch, Buffer<Real>* gradient);
    Buffer<Real>& numbers() { return numbers_; }

    // The attention weights of every head on one sequence: [layers, heads, length, length].
    std::vector<float> attention(const Sequences& sequence, Scaling scaling) const;

private:
    template <class>
    friend class Test;
    Training(const Settings& settings, Frame frame, std::uint64_t seed);
    std::vector<double> own_numbers() const;  // the encoding's, unpadded
    void set_own_numbers(std::span<const double> own, Buffer<Real>& into) const;
    void make_tables();
    // A batch's loss, piece by piece.
    struct Batch {
        Sequences sequences;
        std::size_t first = 0, piece = 0;
        double sum = 0.0;

        double mean() const { return sum / static_cast<double>(std::max<std::size_t>(sequences.asked(), 1)); }
    };
    void begin(Buffer<Real>* gradient);
    bool add(Batch& batch, Real* gradient);
    void end(Buffer<Real>& gradient);

    Settings settings_;
    Frame frame_;
    std::uint64_t seed_;
    Plan plan_;
    Random data_;
    Buffer<Real> numbers_, gradient_;
    AdamW<Real> optimiser_;
    Tables tables_;
    ModelTables<Real> model_tables_, table_gradient_;
    Workspace<Real> room_;
    std::optional<Batch> batch_;  // of the step under way
    std::int64_t done_ = 0;
};

// Training::test, piece by piece.
template <class Real>
class Test {
public:
    Test(const Training<Real>& training, Scaling scaling, std::size_t sequences = kTestSequences);

    bool advance();  // false once nothing is left to do
    Scores& scores() { return made_; }

private:
    // One of the two curves.
    struct Part {
        Sequences drawn;
        ModelTables<Real> tables;
        Workspace<Real> room;
        std::size_t first = 0, piece = 0;
    };
    void begin(std::size_t length);
    void add(const Pass<Real>& pass);

    const Training<Real>& training_;
    std::size_t sequences_;
    Random random_;
    std::optional<Part> part_;
    bool on_tested_ = false;
    Scores made_;
};

}  // namespace posiscope::experiment
