// xpos.cpp — xPos: RoPE whose pairs also shrink with distance, the fast ones first.
// q at n: rotated by n ω_i and multiplied by c = ζ_i^((n + s)/scale_base); k likewise by 1/c.
// ζ_i = (2i + 0.4 d)/(1.4 d), d = head_dim; s = −⌈L/2⌉ centres the exponents on the sequence of length L.
// Score    each pair's contribution is RoPE's times ζ_i^((m−n)/scale_base): q and k depend on L, the score does not.
// Range    keys after the query grow instead of shrinking: xPos is meant for causal attention.
// Source   arXiv 2212.10554; microsoft/torchscale xpos_relative_position.py.
#include "core/encodings/xpos.hpp"

#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/rotation.hpp"
#include "core/encodings/turning.hpp"

#include <cmath>

namespace posiscope {
namespace xpos {
namespace {

std::int64_t pairs(const SpectrumInput& scene) { return head_dim(scene) / 2; }

Result<Spectrum> spectrum(const SpectrumInput& scene) {
    return xpos_spectrum(scene.base, head_dim(scene),
                         scene.encoding.parameters.at("scale_base").get<double>());
}

PairLayout layout(const ActionInput& scene) { return scene.layout; }

Rotation rotation(const SpectrumInput&) { return Rotation::spirals; }

Result<Turning> turning(const SpectrumInput& scene) {
    return spectrum(scene).map([&](Spectrum made) {
        return Turning{.spectrum = std::move(made), .centre = xpos_centre(scene.length)};
    });
}

Result<Action> action(const ActionInput& scene) {
    Action result = plain_action(head_dim(scene));
    const auto turned = static_cast<double>(pairs(scene));
    result.cost = 100.0 * turned;
    result.waves = [made = *spectrum(scene), pair_layout = layout(scene), scale = result.scale](
                       const Contents& contents) { return rotary_waves(made, pair_layout, scale, contents); };
    result.turn = [turning = *turning(scene), order = layout(scene)](Side side, std::int64_t position,
                                                                     std::span<double> x) {
        turning.rotate(side, position, order, x);
    };
    return result;
}

Json fitted(std::int64_t n) { return {{"scale_base", static_cast<double>(n) / 2.0}}; }

Result<Program> program(const Scene& scene) {
    Program made = plain_program(
        scene, "xpos",
        {{"frequency", {{"", "b^(-2i/d)"}}}, {"amplitude", {{"", "((2i + 0.4d)/(1.4d))^(D/s)"}}}});
    made.constant("s", scene.encoding.parameters.at("scale_base").get<double>());
    return made;
}

}  // namespace
}  // namespace xpos

Spectrum xpos_spectrum(double base, std::int64_t head_dim, double scale_base) {
    const auto half = static_cast<std::size_t>(head_dim / 2);
    Spectrum spectrum = geometric_spectrum(base, half, half);
    const auto width = static_cast<double>(head_dim);
    for (std::size_t i = 0; i < half; ++i)
        spectrum.growth.push_back(std::log((2.0 * static_cast<double>(i) + 0.4 * width) / (1.4 * width)) /
                                  scale_base);
    return spectrum;
}

std::int64_t xpos_centre(std::int64_t length) { return -((length + 1) / 2); }

const Encoding& xpos_encoding() {
    using namespace xpos;
    static const std::vector<Parameter> parameters = {
        {"scale_base", Parameter::Kind::number, 512.0, 1.0, static_cast<double>(kLastPosition)}};
    static const Encoding encoding{
        .kind = "xpos",
        .family = Family::rotary,
        .acts = Acts::query_key,
        .per_head = true,
        .parameters = parameters,
        .pairs = pairs,
        .spectrum = spectrum,
        .layout = layout,
        .action = action,
        .rotating = {.form = rotation, .turning = turning},
        .learns = {.fitted = fitted},
        .shown = {.colour = "violet", .definition = define_rotation},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
