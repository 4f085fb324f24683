// budget_scope.hpp — a thread that helps another one spends for it (core/cost.hpp): it stops when the other is stopped, and tells
// the other's Progress.
#pragma once

#include <atomic>

namespace posiscope {

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

}  // namespace posiscope
