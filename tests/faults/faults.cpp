// faults.cpp — loaded before the program (LD_PRELOAD), lets one of its own system calls fail: number POSISCOPE_FAULT of those
// below, with what the system would say. Calls of its libraries are left alone. The file POSISCOPE_FAULT_LOG then names the
// call, so that whoever tries one after the other knows when there are no more.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace {

std::atomic<long> counted{0};

const void* base_of(const void* address) {
    Dl_info info;
    return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// What the program starts has its calls to itself.
const char* taken(const char* variable) {
    const char* value = std::getenv(variable);
    value = value != nullptr ? ::strdup(value) : nullptr;
    ::unsetenv(variable);
    ::unsetenv("LD_PRELOAD");
    return value;
}
const char* const which = taken("POSISCOPE_FAULT");

bool fails(const char* call, const void* returns_to) {
    static const void* const program = base_of(reinterpret_cast<const void*>(::getauxval(AT_ENTRY)));
    if (which == nullptr || base_of(returns_to) != program || ++counted != std::atol(which)) return false;
    if (const char* log = std::getenv("POSISCOPE_FAULT_LOG")) {
        const int file =
            next<int(const char*, int, ...)>("open")(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        [[maybe_unused]] const auto written =
            next<::ssize_t(int, const void*, std::size_t)>("write")(file, call, std::strlen(call));
        ::close(file);
    }
    return true;
}

}  // namespace

#define FAILS(call, error, result)                                                                           \
    if (fails(call, __builtin_return_address(0))) {                                                          \
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
    const bool failed = fails("close", __builtin_return_address(0));
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
    if (fails("fork", __builtin_return_address(0))) return EAGAIN;
    return next<decltype(::posix_spawn)>("posix_spawn")(child, path, actions, attributes, arguments,
                                                        variables);
}

int posix_spawnp(::pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables) {
    if (fails("fork", __builtin_return_address(0))) return EAGAIN;
    return next<decltype(::posix_spawnp)>("posix_spawnp")(child, file, actions, attributes, arguments,
                                                          variables);
}

// OpenGL is created through these.
void* dlopen(const char* file, int mode) {
    FAILS("dlopen", ENOMEM, nullptr)
    return next<void*(const char*, int)>("dlopen")(file, mode);
}

}  // extern "C"
