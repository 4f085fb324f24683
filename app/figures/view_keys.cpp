#include "app/figures/view_keys.hpp"

#include "core/scene/scene.hpp"

#include <vector>

namespace posiscope::figures {
namespace {

using Kind = Parameter::Kind;

Parameter range_key(std::string_view key = "range") { return {.key = key, .kind = Kind::list}; }
Parameter whole_key(std::string_view key, double least, double most) {
    return {.key = key, .kind = Kind::integer, .minimum = least, .maximum = most};
}
Parameter curtain_key() { return {.key = "curtain", .kind = Kind::number, .minimum = 0.02, .maximum = 0.98}; }
Parameter choice_key(std::string_view key, std::vector<std::string_view> choices) {
    return {.key = key, .kind = Kind::choice, .choices = std::move(choices)};
}

constexpr auto kLast = static_cast<double>(kLastPosition);

std::vector<ViewKey> all_keys() {
    return {
        {"rotations", range_key()},
        {"rotations", whole_key("row", 0, kLast)},
        {"rotations", whole_key("step", 1, 4)},
        {"rotations", {.key = "wavelengths", .kind = Kind::boolean, .fallback = true}},
        {"matrix", range_key("rows")},
        {"matrix", range_key("columns")},
        {"matrix", {.key = "apart", .kind = Kind::boolean, .fallback = true}},
        {"matrix", curtain_key()},
        {"scores", range_key()},
        {"scores", {.key = "encodings", .kind = Kind::list}},
        {"scores", {.key = "lone", .kind = Kind::text}},
        {"scores", {.key = "beside", .kind = Kind::list}},
        {"sum", {.key = "window", .kind = Kind::list}},
        {"shift", whole_key("second", -kLast, kLast)},
        {"shift", curtain_key()},
        {"waves", range_key()},
        {"waves", whole_key("terms", 1, 512)},
        {"spectrum", range_key()},
        {"spectrum", {.key = "beside", .kind = Kind::list}},
        {"turns", range_key()},
        {"check", whole_key("first", 0, kLast)},
        {"attention", whole_key("head", 0, 65535)},
        {"attention", whole_key("word", 0, kLast)},
        {"attention", curtain_key()},
        {"terms", choice_key("join", {"added", "concatenated"})},
        {"terms", choice_key("norm", {"none", "layer", "rms"})},
        {"terms", whole_key("word", 0, kLast)},
        {"terms", curtain_key()},
        {"precision", range_key()},
        {"precision", choice_key("stage", {"total", "frequency", "position", "product", "value"})},
        {"precision", curtain_key()},
        {"marks", {.key = "hidden", .kind = Kind::boolean}},
        {"measured", range_key()},
        {"residual", range_key()},
        {"rows", whole_key("head", 0, 65535)},
        {"rows", whole_key("selected", 0, kLast)},
        {"dump", {.key = "file", .kind = Kind::text}},
        {"dump", {.key = "after", .kind = Kind::text}},
        {"dump", choice_key("example", {"right", "factor", "stuck", "column", "heads"})},
        {"dump", {.key = "tensor", .kind = Kind::text}},
        {"dump", {.key = "axes", .kind = Kind::text}},
        {"dump", {.key = "tolerance", .kind = Kind::number, .maximum = 1.0}},
        {"trace", choice_key("component", {"sin", "cos"})},
    };
}

}  // namespace

std::span<const ViewKey> view_keys() {
    static const std::vector<ViewKey> keys = all_keys();
    return keys;
}

}  // namespace posiscope::figures
