// axial.cpp — two-dimensional rotary encoding: half of the pairs rotate with the column, half with the row.
// ω_i = base^(−4i/head_dim), i < head_dim/4, once for each axis.
// grid_width  position p is in column x = p mod grid_width, row y = p div grid_width; without it both axes are
//             the position itself; figures of one position or distance always show that diagonal.
// axis_order  xy: columns rotate the first half of the pairs (rope-vit, base 100); yx: rows do (Qwen2-VL's vision
//             tower, base 10000).
// Range    head_dim a multiple of 4.  Source  naver-ai/rope-vit compute_axial_cis; Hugging Face's Qwen2-VL.
#include "core/code/program.hpp"
#include "core/encodings/axes.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/rotation.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope {
namespace axial {
namespace {

std::int64_t pairs(const SpectrumInput& scene) { return head_dim(scene) / 4 * 2; }

Result<Spectrum> spectrum(const SpectrumInput& scene) { return axial_spectrum(scene.base, head_dim(scene)); }

PairLayout layout(const ActionInput& scene) { return scene.layout; }

std::optional<Problem> check(const SpectrumInput& scene) {
    if (head_dim(scene) % 4 == 0) return std::nullopt;
    return Problem{"head_dim.quarters", {{"value", std::to_string(head_dim(scene))}}};
}

Rotation rotation(const SpectrumInput& scene) {
    return scene.encoding.parameters.contains("grid_width") ? Rotation::grid : Rotation::axes;
}

Result<Action> action(const ActionInput& scene) {
    auto turning = turning_of(scene);
    if (!turning) return tl::unexpected(turning.error());
    Action result = plain_action(head_dim(scene));
    result.by_distance = turning->by_distance();
    const auto turned = static_cast<double>(pairs(scene));
    result.cost = 60.0 * turned;
    if (result.by_distance)
        result.waves = [made = turning->spectrum, pair_layout = layout(scene),
                        scale = result.scale](const Contents& contents) {
            return rotary_waves(made, pair_layout, scale, contents);
        };
    result.turn = [turning = std::move(*turning), order = layout(scene)](Side side, std::int64_t position,
                                                                         std::span<double> x) {
        turning.rotate(side, position, order, x);
    };
    return result;
}

// Both axes have the same frequencies.
FrequencyForm frequency(const SpectrumInput& scene) {
    FrequencyForm form = usual_frequency_form(scene);
    form.times = 4, form.times_letters = "4i", form.axes = 2;
    return form;
}

PairAxes axes(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    PairAxes made;
    made.axis = axial_axes(head_dim(scene));
    made.names = parameters.at("axis_order") == "yx" ? std::vector<std::string_view>{"y", "x"}
                                                     : std::vector<std::string_view>{"x", "y"};
    made.width = parameters.value("grid_width", std::int64_t{0});
    made.rows_first = made.names.front() == "y";
    made.parted = made.width > 0;
    return made;
}

// Columns are the axis w of a grid, rows h.
Result<Program> program(const Scene& scene) {
    Program made = plain_program(scene, "rope_2d", {{"frequency", {{"", "b^(-4*mod(i, d/4)/d)"}}}});
    const PairAxes on = axes(scene);
    if (!on.parted) return made;
    made.slots.push_back({"axis", {{"", on.rows_first ? "i < d/4 ? 1 : 2" : "i < d/4 ? 2 : 1"}}});
    made.grid = {1, std::min(kLastPosition / on.width + 1, kLastPosition), on.width};
    return made;
}

}  // namespace
}  // namespace axial

const Encoding& axial_encoding() {
    using namespace axial;
    static const std::vector<Parameter> parameters = {
        {"grid_width", Parameter::Kind::integer, nullptr, 1, static_cast<double>(kLastPosition)},
        {"axis_order", Parameter::Kind::choice, "xy", 0, 0, false, {"xy", "yx"}},
    };
    static const Encoding encoding{
        .kind = "rope_2d",
        .family = Family::rotary,
        .acts = Acts::query_key,
        .per_head = true,
        .parameters = parameters,
        .pairs = pairs,
        .spectrum = spectrum,
        .layout = layout,
        .check = check,
        .action = action,
        .rotating = {.form = rotation, .frequency = frequency, .axes = axes, .width_multiple = 4},
        .learns = {.untrained = "experiment.two_axes"},
        .shown = {.colour = "ink_faint", .definition = define_rotation},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
