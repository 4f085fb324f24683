#include "app/figures/view_keys.hpp"

#include "core/scene/scene.hpp"

#include <vector>

namespace posiscope::figures {
namespace {

using Kind = Parameter::Kind;

Parameter range(std::string_view key = "range") { return {.key = key, .kind = Kind::list}; }
Parameter whole(std::string_view key, double least, double most) {
    return {.key = key, .kind = Kind::integer, .minimum = least, .maximum = most};
}
Parameter curtain() { return {.key = "curtain", .kind = Kind::number, .minimum = 0.02, .maximum = 0.98}; }
Parameter choice(std::string_view key, std::vector<std::string_view> choices) {
    return {.key = key, .kind = Kind::choice, .choices = std::move(choices)};
}

constexpr auto kLast = static_cast<double>(kLastPosition);

std::vector<ViewKey> all_keys() {
    return {
        {"rotations", range()},
        {"rotations", whole("row", 0, kLast)},
        {"rotations", whole("step", 1, 4)},
        {"matrix", range("rows")},
        {"matrix", range("columns")},
        {"matrix", {.key = "apart", .kind = Kind::boolean, .fallback = true}},
        {"matrix", curtain()},
        {"scores", range()},
        {"scores", {.key = "encodings", .kind = Kind::list}},
        {"scores", {.key = "lone", .kind = Kind::text}},
        {"sum", {.key = "window", .kind = Kind::list}},
        {"shift", whole("second", -kLast, kLast)},
        {"shift", curtain()},
        {"waves", range()},
        {"waves", whole("terms", 1, 512)},
        {"spectrum", range()},
        {"turns", range()},
        {"check", whole("first", 0, kLast)},
        {"attention", whole("head", 0, 65535)},
        {"attention", whole("word", 0, kLast)},
        {"attention", curtain()},
        {"terms", choice("join", {"added", "concatenated"})},
        {"terms", choice("norm", {"none", "layer", "rms"})},
        {"terms", whole("word", 0, kLast)},
        {"terms", curtain()},
        {"precision", range()},
        {"precision", choice("stage", {"total", "frequency", "position", "product", "value"})},
        {"precision", curtain()},
        {"trace", choice("component", {"sin", "cos"})},
    };
}

}  // namespace

std::span<const ViewKey> view_keys() {
    static const std::vector<ViewKey> keys = all_keys();
    return keys;
}

}  // namespace posiscope::figures
