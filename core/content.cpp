#include "core/content.hpp"

#include <array>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 2> kKinds = {"equal", "seeded"};

// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection that scatters neighbouring inputs.
std::uint64_t scattered(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace

std::span<const std::string_view> content_kinds() { return kKinds; }

std::span<const Parameter> content_parameters(std::string_view kind) {
    static const std::vector<Parameter> seeded = {
        {"seed", Parameter::Kind::integer, 0, 0, 4294967295.0},
        {"weights", Parameter::Kind::choice, "seeded", 0, 0, false, {"seeded", "identity"}, true},
    };
    return kind == "seeded" ? std::span<const Parameter>(seeded) : std::span<const Parameter>();
}

double seeded_unit(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column) {
    std::uint64_t state = scattered(seed);
    for (const auto part : {static_cast<std::uint64_t>(tensor), static_cast<std::uint64_t>(row),
                            static_cast<std::uint64_t>(column)})
        state = scattered(state ^ part);
    return static_cast<double>(state >> 11) * 0x1p-53;
}

double seeded_value(std::uint64_t seed, Tensor tensor, std::int64_t row, std::int64_t column) {
    return (2.0 * seeded_unit(seed, tensor, row, column) - 1.0) * std::numbers::sqrt3;
}

double content_value(const Choice& content, Tensor tensor, std::int64_t row, std::int64_t column) {
    if (content.kind == "equal") return 1.0;
    return seeded_value(content.parameters.at("seed").get<std::uint64_t>(), tensor, row, column);
}

}  // namespace posiscope
