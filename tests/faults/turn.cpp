#include "tests/faults/turn.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/auxv.h>
#include <unistd.h>

namespace posiscope::faults {
namespace {

struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool holds(const void* address) const {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        return at >= begin && at < end;
    }
};

Range range_of(const dl_phdr_info& object) {
    Range range{UINTPTR_MAX, 0};
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const auto& part = object.dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = object.dlpi_addr + part.p_vaddr;
        if (begin < range.begin) range.begin = begin;
        if (begin + part.p_memsz > range.end) range.end = begin + part.p_memsz;
    }
    return range;
}

// The program, and what stands between it and the memory that it asks for.
struct Objects {
    Range program, library, ours;

    Objects() {
        ::dl_iterate_phdr(
            [](dl_phdr_info* object, std::size_t, void* into) {
                auto& all = *static_cast<Objects*>(into);
                const Range range = range_of(*object);
                if (range.holds(reinterpret_cast<const void*>(::getauxval(AT_ENTRY)))) all.program = range;
                if (std::strstr(object->dlpi_name, "libstdc++") != nullptr) all.library = range;
                if (range.holds(reinterpret_cast<const void*>(&range_of))) all.ours = range;
                return 0;
            },
            this);
    }
};
const Objects& objects() {
    static const Objects all;
    return all;
}

// What the program starts has its calls to itself, unless it is there that one is to fail.
const char* taken(const char* variable) {
    static constexpr std::string_view kOfChild = "child:";
    const char* value = std::getenv(variable);
    if (value != nullptr && std::string_view(value).starts_with(kOfChild)) {
        const char* inherited = ::strdup(value + kOfChild.size());
        ::setenv(variable, inherited, 1);
        return nullptr;
    }
    value = value != nullptr ? ::strdup(value) : nullptr;
    ::unsetenv(variable);
    ::unsetenv("LD_PRELOAD");
    return value;
}
struct Asked {
    Kind kind = Kind::call;
    long number = 0;  // 0: nothing fails

    Asked() {
        const char* text = taken("POSISCOPE_FAULT");
        const char* colon = text != nullptr ? std::strchr(text, ':') : nullptr;
        if (colon == nullptr) return;
        const std::string_view name(text, static_cast<std::size_t>(colon - text));
        kind = name == "new"        ? Kind::memory
               : name == "graphics" ? Kind::graphics
               : name == "threads"  ? Kind::threads
                                    : Kind::call;
        number = std::atol(colon + 1);
    }
};
const Asked& asked() {
    static const Asked all;
    return all;
}

[[maybe_unused]] const Asked& read_at_once = asked();  // before the program starts another
std::atomic<long> counted{0};
std::atomic<bool> failed{false};

// Strings and streams ask for memory inside the C++ library; then it is what called them that counts.
bool on_behalf_of_the_program() {
    std::array<void*, 16> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < count; ++i) {
        const void* at = frames[static_cast<std::size_t>(i)];
        if (!objects().ours.holds(at) && !objects().library.holds(at)) return objects().program.holds(at);
    }
    return false;
}

void log(const char* name) {
    const char* path = std::getenv("POSISCOPE_FAULT_LOG");
    if (path == nullptr) return;
    using Open = int(const char*, int, ...);
    using Write = ::ssize_t(int, const void*, std::size_t);
    const int file =
        reinterpret_cast<Open*>(next("open"))(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    [[maybe_unused]] const auto written =
        reinterpret_cast<Write*>(next("write"))(file, name, std::strlen(name));
    reinterpret_cast<int (*)(int)>(next("close"))(file);
}

}  // namespace

bool fails(Kind kind, const char* name, const void* returns_to) {
    const Asked& wanted = asked();
    const bool memory = kind == Kind::memory, thread = std::string_view(name) == "pthread_create";
    if (thread && wanted.kind == Kind::threads) return true;
    if (wanted.number == 0 || wanted.kind != kind || failed) return false;
    if (!objects().program.holds(returns_to) && !((memory || thread) && objects().library.holds(returns_to)))
        return false;
    const long number = ++counted;
    if (memory ? number < wanted.number || !on_behalf_of_the_program() : number != wanted.number)
        return false;
    if (failed.exchange(true)) return false;
    log(name);
    return true;
}

void* next(const char* name) {
    // A plain dlsym would be ours (graphics.cpp), so the C library's is asked for by its version.
    using Find = void* (*)(void*, const char*);
    static const Find find = [] {
        for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"})
            if (void* found = ::dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<Find>(found);
        std::abort();
    }();
    return find(RTLD_NEXT, name);
}

}  // namespace posiscope::faults
