// of_this_thread.hpp — a value that each thread has for itself.
#pragma once

#include <memory>
#include <new>
#include <pthread.h>

namespace posiscope {

// The calling thread's T of that name, made when it first asks and destroyed when it ends. thread_local would do, but on Windows
// GCC 12 frees the memory of a thread's variables before it destroys them: only what has no destructor may be thread_local.
template <class T, class Name>
T& of_this_thread() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, [](void* value) { delete static_cast<T*>(value); }) != 0)
            throw std::bad_alloc();
        return made;
    }();
    if (void* const value = pthread_getspecific(key)) return *static_cast<T*>(value);
    auto made = std::make_unique<T>();
    if (pthread_setspecific(key, made.get()) != 0) throw std::bad_alloc();
    return *made.release();
}

}  // namespace posiscope
