// cost.hpp — work is counted where it is done, so that it can be limited and stopped there.
// A unit is about a nanosecond on a desktop processor: a few products, a tenth of a sine. Counts are the same on every
// machine and in every run; times are not.
// Estimates by hand were wrong at the bounds of a Scene and had to follow every change of an algorithm.
#pragma once

#include "core/problem.hpp"

#include <atomic>
#include <optional>

namespace posiscope {

// Thrown by spend(). Let it pass: caches store only complete values.
struct Interrupted {};

// The work that this thread has spent so far.
double work_done();

// Counts work that is about to begin. Routines call it once for each some microseconds of work, so that they stop within a
// millisecond. Throws Interrupted at the end of an Allowance or after its job was stopped.
void spend(double units);

// From this cost of one item, a logit say, call spend() for each and not for a row of them.
inline constexpr double kSpendPerItem = 1e3;

// While it lives, its thread may spend `units` more; with `stop`, until that becomes true. Inner ones can only allow less.
class Allowance {
public:
    explicit Allowance(double units, const std::atomic<bool>* stop = nullptr);
    ~Allowance();
    Allowance(const Allowance&) = delete;
    Allowance& operator=(const Allowance&) = delete;

private:
    double end_;
    const std::atomic<bool>* stop_;
};

// A Problem where `steps` are more than `most`: each is about a sine's worth of work, so 5e7 take some tenths of a second.
// Otherwise they are spent, 10 units each: the work is about to begin.
inline constexpr double kMostSteps = 5e7;
std::optional<Problem> too_costly(std::string_view what, double steps, double most = kMostSteps);

}  // namespace posiscope
