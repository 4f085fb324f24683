#include "core/cost.hpp"

#include "core/parameter.hpp"

#include <algorithm>
#include <limits>

namespace posiscope {
namespace {

struct Account {
    double spent = 0.0;
    double end = std::numeric_limits<double>::infinity();
    const std::atomic<bool>* stop = nullptr;
    Progress* progress = nullptr;
};
thread_local Account account;

}  // namespace

double work_done() { return account.spent; }

double work_left() { return account.end - account.spent; }

void spend(double units) {
    if (account.spent + units > account.end) throw Interrupted{};
    if (account.stop != nullptr && account.stop->load(std::memory_order_relaxed)) throw Interrupted{};
    account.spent += units;
    if (Progress* const told = account.progress) {
        // Others may spend for the same one; not every library adds to an atomic double by itself.
        double before = told->spent_.load(std::memory_order_relaxed);
        while (!told->spent_.compare_exchange_weak(before, before + units, std::memory_order_relaxed)) {}
    }
}

Budget current_budget() { return {account.stop, account.progress}; }

void count_spent(double units) { account.spent += units; }

BudgetScope::BudgetScope(const Budget& of) : own_(current_budget()) {
    account.stop = of.stop;
    account.progress = of.progress;
}
BudgetScope::~BudgetScope() {
    account.stop = own_.stop;
    account.progress = own_.progress;
}

void announce(double units) {
    Progress* const told = account.progress;
    if (told == nullptr) return;
    if (told->announced() - told->spent() >= units) return;  // a part of what was announced
    told->spent_.store(0.0, std::memory_order_relaxed);
    told->announced_.store(units, std::memory_order_relaxed);
}

Progress::Progress() : outer_(account.progress) { account.progress = this; }
Progress::~Progress() { account.progress = outer_; }

Allowance::Allowance(double units, const std::atomic<bool>* stop) : end_(account.end), stop_(account.stop) {
    account.end = std::min(account.end, account.spent + units);
    if (stop != nullptr) account.stop = stop;
}

Allowance::~Allowance() {
    account.end = end_;
    account.stop = stop_;
}

std::optional<Problem> too_costly(std::string_view what, double steps, double most) {
    if (steps <= most) {
        spend(10.0 * steps);
        return std::nullopt;
    }
    return Problem{"cost.too_high",
                   {{"what", std::string(what)}, {"steps", to_text(steps)}, {"maximum", to_text(most)}},
                   Cause::failure};
}

}  // namespace posiscope
