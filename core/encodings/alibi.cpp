// alibi.cpp — ALiBi: a linear penalty on distance, with one fixed slope per head.
// bias_h(i, j) = −m_h (i − j) for j ≤ i, and −m_h |i − j| if later keys are visible.
// variant  alibi; bloom adds m_h j instead, which differs by a constant of the row, so attention is the same; mpt
//          orders another series (alibi_bias_max), the same numbers at 8.
// Range    any number of heads.  Error  1 ulp.  Source  arXiv 2108.12409; Hugging Face's Bloom and MPT.
#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace alibi {
namespace {

const std::string& variant_of(const SpectrumInput& scene) {
    return scene.encoding.parameters.at("variant").get_ref<const std::string&>();
}

Result<Action> action(const ActionInput& scene) {
    const std::string& variant = variant_of(scene);
    auto slopes = variant == "mpt" ? mpt_slopes(scene.num_heads,
                                                scene.encoding.parameters.at("alibi_bias_max").get<double>())
                                   : alibi_slopes(scene.num_heads);
    Action result = plain_action(head_dim(scene));
    result.by_distance = variant != "bloom";
    result.bias = [slopes = std::move(slopes),
                   bloom = variant == "bloom"](std::int64_t head, std::int64_t query, std::int64_t key) {
        const double slope = slopes[static_cast<std::size_t>(head)];
        // 0.0 − …: a distance of 0 gives 0, not −0.
        return bloom ? slope * static_cast<double>(key)
                     : 0.0 - slope * static_cast<double>(std::abs(query - key));
    };
    return result;
}

std::vector<Problem> remarks(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    if (parameters.at("variant") == "mpt" || parameters.at("alibi_bias_max") == 8.0) return {};
    return {{"alibi.bias_max_unused", {{"variant", parameters.at("variant").get<std::string>()}}}};
}

// m_h of the Action.
double slope_of(const Action& action, std::int64_t head) {
    const bool bloom = !action.by_distance;
    return std::abs(action.bias(head, bloom ? 0 : 1, bloom ? 1 : 0));
}

HeadNumbers head_numbers(const ActionInput&, const Action& action, std::int64_t head) {
    return {.list = {{{"m", slope_of(action, head)}, {}}}, .inverse = true};
}

// 2^(−8(h + 1)/H), or m_h where that is not the series of these heads.
void define(DefinitionPen& pen, int) {
    const std::string& variant = variant_of(pen.at.scene);
    const std::int64_t heads = pen.at.scene.num_heads;
    const bool bloom = variant == "bloom";
    pen.add("\\text{bias} = ");
    if (!bloom) pen.add("−");
    if (variant == "mpt" || !std::has_single_bit(static_cast<std::uint64_t>(heads))) {
        const double slope = pen.at.action != nullptr ? slope_of(*pen.at.action, pen.at.head) : 0.0;
        pen.put(DefinitionHandle::head, "m_h", Digits::significant(slope));
    } else {
        pen.add("2^{−8 \\cdot (").head("h").add(" + 1)/").put("H", Digits::integer(heads)).add("}");
    }
    pen.add(" \\cdot ");
    if (bloom) pen.position();
    else pen.distance();
    pen.equals_bias();
}

// −m_h (i − j) with m_h = 2^(−8k/P): the series of P = 2^⌊log2 H⌋, then odd terms of the series of 2P.
Result<Program> program(const Scene& scene) {
    const std::string variant(variant_of(scene));
    const auto heads = static_cast<std::uint64_t>(scene.num_heads);
    const bool mpt = variant == "mpt", even = std::has_single_bit(heads);
    Program made = plain_program(scene, "alibi, " + variant, {{"bias", {}}});
    std::vector<ProgramLine>& lines = made.slots.front().lines;
    if (mpt) made.constant("bias_max", scene.encoding.parameters.at("alibi_bias_max").get<double>());
    if (!even) made.constant("N", static_cast<double>(mpt ? std::bit_ceil(heads) : std::bit_floor(heads)));
    lines.push_back({"slope", even && mpt ? "2^(-bias_max*(h + 1)/H)"
                              : even      ? "2^(-8(h + 1)/H)"
                              : mpt       ? "2^(-bias_max*(h < N/2 ? 2(h + 1) : 2(h - N/2) + 1)/N)"
                                          : "h < N ? 2^(-8(h + 1)/N) : 2^(-4(2(h - N) + 1)/N)"});
    lines.push_back({"", variant == "bloom" ? "slope*k" : "-slope*|D|"});
    return made;
}

}  // namespace
}  // namespace alibi

std::vector<double> alibi_slopes(std::int64_t heads) {
    const auto largest_power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const auto power = static_cast<double>(largest_power);
    std::vector<double> slopes;
    slopes.reserve(static_cast<std::size_t>(heads));
    for (std::int64_t k = 1; k <= largest_power; ++k)
        slopes.push_back(std::exp2(-8.0 * static_cast<double>(k) / power));
    for (std::int64_t k = 1; k <= heads - largest_power; ++k)
        slopes.push_back(std::exp2(-8.0 * static_cast<double>(2 * k - 1) / (2.0 * power)));
    return slopes;
}

std::vector<double> mpt_slopes(std::int64_t heads, double bias_max) {
    const auto count = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(heads)));
    const auto slope = [&](std::int64_t k) {
        return std::exp2(-bias_max * static_cast<double>(k) / static_cast<double>(count));
    };
    std::vector<double> slopes;
    slopes.reserve(static_cast<std::size_t>(count));
    if (count == heads)
        for (std::int64_t k = 1; k <= count; ++k) slopes.push_back(slope(k));
    else {
        for (std::int64_t k = 2; k <= count; k += 2) slopes.push_back(slope(k));
        for (std::int64_t k = 1; k <= count; k += 2) slopes.push_back(slope(k));
        slopes.resize(static_cast<std::size_t>(heads));
    }
    return slopes;
}

const Encoding& alibi_encoding() {
    using namespace alibi;
    static const std::vector<Parameter> parameters = {
        {"variant", Parameter::Kind::choice, "alibi", 0, 0, false, {"alibi", "bloom", "mpt"}},
        {"alibi_bias_max", Parameter::Kind::number, 8.0, 0.0, 1e3, true, {}, true},
    };
    static const Encoding encoding{
        .kind = "alibi",
        .family = Family::bias,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .action = action,
        .remarks = remarks,
        .logits = {.bias = true, .slopes = true},
        .shown = {.colour = "blue",
                  .definition = define,
                  .rank = 2,
                  .heads_when_chosen = 8,
                  .head_numbers = head_numbers},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
