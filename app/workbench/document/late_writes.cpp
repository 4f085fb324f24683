#include "app/workbench/document/late_writes.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace posiscope::workbench {
namespace {

Result<void> carried_out(const LateWrites::Write& write) {
    try {
        return write();
    } catch (const std::bad_alloc&) {
        return failure("memory.exhausted");
    } catch (const std::exception& error) {  // a bug
        return failure("program.failed", {{"detail", error.what()}});
    }
}

}  // namespace

LateWrites::LateWrites(bool threads, std::function<void()> wake, LateWriteWaits waits)
    : waits_(waits), wake_(std::move(wake)), pool_({.threads = threads ? std::size_t{1} : 0}) {}

LateWrites::~LateWrites() { finish(); }

void LateWrites::put(const std::string& name, Write write) {
    const bool late = pool_.has_thread();
    {
        std::unique_lock lock(mutex_);
        Entry& entry = entries_[name];
        const auto now = Clock::now();
        if (!entry.write) entry.first = now;
        entry.write = std::move(write);
        entry.due = std::min(now + waits_.quiet, entry.first + waits_.longest);
        if (!late) return this->write(entry, lock);
        if (!std::exchange(working_, true)) pool_.start([this] { return work(); });
    }
    changed_.notify_all();
}

// Until everything is written, or in a hurry tried once.
bool LateWrites::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        auto next = entries_.end();
        for (auto at = entries_.begin(); at != entries_.end(); ++at)
            if (at->second.write && !(hurries_ && at->second.tried) &&
                (next == entries_.end() || at->second.due < next->second.due))
                next = at;
        if (next == entries_.end()) return working_ = false;
        if (hurries_ || next->second.due <= Clock::now()) write(next->second, lock);
        else changed_.wait_until(lock, next->second.due);
    }
}

// The lock is held before and after; the entry stays where it is, since none is erased.
void LateWrites::write(Entry& entry, std::unique_lock<std::mutex>& lock) {
    Write write = std::exchange(entry.write, nullptr);
    entry.tried = true;
    lock.unlock();
    Result<void> done = carried_out(write);
    lock.lock();
    if (done) {
        ++written_;
        entry.failed = false;
        return;
    }
    if (!entry.write) {  // nothing newer came meanwhile
        entry.write = std::move(write);
        entry.first = Clock::now();
        entry.due = entry.first + waits_.again;
    }
    if (std::exchange(entry.failed, true)) return;
    failures_.push_back(std::move(done.error()));
    if (wake_) wake_();
}

void LateWrites::finish() {
    const bool late = pool_.has_thread();
    {
        std::unique_lock lock(mutex_);
        for (auto& [name, entry] : entries_) {
            entry.tried = false;
            if (!late && entry.write) write(entry, lock);
        }
        hurries_ = true;
        if (late && !std::exchange(working_, true)) pool_.start([this] { return work(); });
    }
    changed_.notify_all();
    pool_.wait();
    const std::lock_guard lock(mutex_);
    hurries_ = false;
}

std::vector<Problem> LateWrites::take_failures() {
    std::vector<Problem> failures;
    const std::lock_guard lock(mutex_);
    failures.swap(failures_);
    return failures;
}

}  // namespace posiscope::workbench
