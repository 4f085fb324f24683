// library.cpp — another C library, loaded before the program: sines, exponentials and logarithms whose last bit is another one
// now and then, as it is between glibc, musl and a glibc on a processor without FMA.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>

namespace {

using Function = double (*)(double);

template <class Type>
Type next(const char* name) {
    return reinterpret_cast<Type>(dlsym(RTLD_NEXT, name));
}

// A third of the values go up, a third down. 0 and ±1 are exact in every library.
double other(double argument, double value) {
    if (value == 0.0 || std::abs(value) == 1.0 || !std::isfinite(value)) return value;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &argument, sizeof bits);
    const auto turn = (bits * 6364136223846793005U >> 33) % 3;
    return turn == 2 ? value : std::nextafter(value, turn == 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace

extern "C" {

double sin(double x) {
    static const auto real = next<Function>("sin");
    return other(x, real(x));
}
double cos(double x) {
    static const auto real = next<Function>("cos");
    return other(x, real(x));
}
void sincos(double x, double* sine, double* cosine) {
    static const auto real = next<void (*)(double, double*, double*)>("sincos");
    real(x, sine, cosine);
    *sine = other(x, *sine);
    *cosine = other(x, *cosine);
}
double exp(double x) {
    static const auto real = next<Function>("exp");
    return other(x, real(x));
}
double log(double x) {
    static const auto real = next<Function>("log");
    return other(x, real(x));
}
}
