// cost.hpp — work is counted where it is done, so that it can be limited and stopped there.
// A unit is about a nanosecond on a desktop processor: a few products, a tenth of a sine. Counts are the same on every
// machine and in every run; times are not.
// Estimates by hand were wrong at the bounds of a Scene and had to follow every change of an algorithm.
#pragma once

#include "core/problem.hpp"

#include <atomic>
#include <optional>
#include <type_traits>

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

// A thread that helps another one spends for it: it stops when the other is stopped, and tells
// the other's Progress.
class Progress;

struct Budget {
    const std::atomic<bool>* stop = nullptr;
    Progress* progress = nullptr;
};
// This thread's.
Budget current_budget();
// Counts units that another thread has spent for this one. They are spent, so this ends nothing.
void count_spent(double units);

// While it lives, its thread is under these.
class BudgetScope {
public:
    explicit BudgetScope(const Budget& of);
    ~BudgetScope();
    BudgetScope(const BudgetScope&) = delete;
    BudgetScope& operator=(const BudgetScope&) = delete;

private:
    Budget own_;
};

// ---- A value, if it can be had for so much work ----

// Units that this thread may still spend; infinite without an Allowance.
double work_left();

// The result of `make`, or nothing where it needs more than `units`. Where an outer Allowance or a stop ends it first,
// Interrupted goes on: nobody may take that for a value that is too costly.
template <class Make>
std::optional<std::invoke_result_t<Make>> try_within_budget(double units, Make make) {
    const bool own = units < work_left();
    try {
        const Allowance allowance(units);
        return make();
    } catch (const Interrupted&) {
        spend(0.0);  // throws where it was stopped
        if (!own) throw;
        return std::nullopt;
    }
}

// How far a thread's work is, for whoever waits for it: what it announced, and what it has spent since
// then. What is long for any size says so before it begins; the rest announces nothing.

// Progress of the thread that makes it, while it lives; any thread may read it.
class Progress {
public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    double announced() const { return announced_.load(std::memory_order_relaxed); }
    double spent() const { return spent_.load(std::memory_order_relaxed); }  // since the announcement

private:
    friend void announce(double units);
    friend void spend(double units);
    std::atomic<double> announced_ = 0.0, spent_ = 0.0;
    Progress* outer_;
};

// This thread is about to spend at least so many units; nothing where nobody waits, or within more that was announced.
void announce(double units);

}  // namespace posiscope
