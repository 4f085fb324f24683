#include "core/random.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

}  // namespace

std::uint64_t scattered(std::uint64_t x) {
    x += kGolden;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::uint64_t Random::bits() {
    const std::uint64_t made = scattered(state_);
    state_ += kGolden;
    return made;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::int64_t Random::below(std::int64_t count) {
    return static_cast<std::int64_t>(((bits() >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

double Random::normal() {
    const double length = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return length * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace posiscope
