// workers.hpp — a few waiting threads, for kernels that take less time than starting a thread.
// Threads take tasks one by one, in order, so that a thread that finishes early takes more of them.
// A thread without work spins for about 50 µs, then sleeps: idle Workers cost nothing.
// One run at a time; a task must not throw and must not call run of the same Workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace posiscope {

class Workers {
public:
    explicit Workers(int threads = 1);  // the caller is one of them; fewer where the system gives no more
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return static_cast<int>(threads_.size()) + 1; }

    // task(index, worker) once for each index in [0, tasks); worker in [0, count()) is the thread, so that each
    // can have its own workspace. Returns when all are done.
    template <class Task>
    void run(std::int64_t tasks, Task&& task) {
        start({[](void* made, std::int64_t index, int worker) {
                   (*static_cast<std::remove_reference_t<Task>*>(made))(index, worker);
               },
               const_cast<void*>(static_cast<const void*>(&task)), tasks});
    }

private:
    struct Job {
        void (*call)(void* task, std::int64_t index, int worker) = nullptr;
        void* task = nullptr;
        std::int64_t tasks = 0;
    };

    void start(const Job& job);
    void take_part(int worker) noexcept;
    void wait_for_jobs(int worker) noexcept;

    Job job_;
    std::atomic<std::int64_t> next_{0};
    std::atomic<int> busy_{0};               // threads that have not finished the job yet
    std::atomic<std::uint32_t> started_{0};  // jobs so far
    std::atomic<bool> ended_{false};
    std::vector<std::thread> threads_;
};

}  // namespace posiscope
