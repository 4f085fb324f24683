// faults.cpp — loaded before the program (LD_PRELOAD), lets one of its own system calls fail, with what the system would say.
// Calls of its libraries are left alone.
#include "tests/faults/turn.hpp"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/types.h>

using posiscope::faults::fails, posiscope::faults::Kind;

namespace {

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(posiscope::faults::next(name));
}

}  // namespace

#define FAILS(name, error, result)                                                                           \
    if (fails(Kind::call, name, __builtin_return_address(0))) {                                              \
        errno = error;                                                                                       \
        return result;                                                                                       \
    }

extern "C" {

int open(const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    FAILS("open", EMFILE, -1)
    return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

::ssize_t read(int file, void* into, std::size_t count) {
    FAILS("read", EIO, -1)
    return next<::ssize_t(int, void*, std::size_t)>("read")(file, into, count);
}

::ssize_t write(int file, const void* bytes, std::size_t count) {
    FAILS("write", ENOSPC, -1)
    return next<::ssize_t(int, const void*, std::size_t)>("write")(file, bytes, count);
}

int rename(const char* from, const char* to) {
    FAILS("rename", EACCES, -1)
    return next<int(const char*, const char*)>("rename")(from, to);
}

int fsync(int file) {
    FAILS("fsync", EIO, -1)
    return next<int(int)>("fsync")(file);
}

// Failing, it has closed the file all the same, as the system does.
int close(int file) {
    const bool failed = fails(Kind::call, "close", __builtin_return_address(0));
    const int closed = next<int(int)>("close")(file);
    if (failed) errno = EDQUOT;
    return failed ? -1 : closed;
}

int dup(int file) {
    FAILS("dup", EMFILE, -1)
    return next<int(int)>("dup")(file);
}

int pipe2(int* ends, int flags) {
    FAILS("pipe", EMFILE, -1)
    return next<int(int*, int)>("pipe2")(ends, flags);
}

int memfd_create(const char* name, unsigned flags) {
    FAILS("memfd_create", EMFILE, -1)
    return next<int(const char*, unsigned)>("memfd_create")(name, flags);
}

int posix_spawn(::pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables) {
    if (fails(Kind::call, "fork", __builtin_return_address(0))) return EAGAIN;
    return next<decltype(::posix_spawn)>("posix_spawn")(child, path, actions, attributes, arguments,
                                                        variables);
}

int posix_spawnp(::pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables) {
    if (fails(Kind::call, "fork", __builtin_return_address(0))) return EAGAIN;
    return next<decltype(::posix_spawnp)>("posix_spawnp")(child, file, actions, attributes, arguments,
                                                          variables);
}

// The program asks for them through the C++ library.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    if (fails(Kind::call, "pthread_create", __builtin_return_address(0))) return EAGAIN;
    return next<decltype(::pthread_create)>("pthread_create")(thread, attributes, run, argument);
}

// OpenGL is created through these.
void* dlopen(const char* file, int mode) {
    FAILS("dlopen", ENOMEM, nullptr)
    return next<void*(const char*, int)>("dlopen")(file, mode);
}

}  // extern "C"
