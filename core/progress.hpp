// progress.hpp — how far a thread's work is, for whoever waits for it: what it announced, and what it has spent since
// (core/cost.hpp). What is long for any size says so before it begins; the rest announces nothing.
#pragma once

#include <atomic>

namespace posiscope {

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
