// on_behalf.hpp — a thread that helps another one spends for it (core/cost.hpp): it stops when the other is stopped, and tells
// the other's Progress.
#pragma once

#include <atomic>

namespace posiscope {

class Progress;

struct Orders {
    const std::atomic<bool>* stop = nullptr;
    Progress* progress = nullptr;
};
// This thread's.
Orders orders();
// Counts units that another thread has spent for this one. They are spent, so this ends nothing.
void count_spent(double units);

// While it lives, its thread is under these.
class OnBehalf {
public:
    explicit OnBehalf(const Orders& of);
    ~OnBehalf();
    OnBehalf(const OnBehalf&) = delete;
    OnBehalf& operator=(const OnBehalf&) = delete;

private:
    Orders own_;
};

}  // namespace posiscope
