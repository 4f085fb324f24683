// alibi.cpp — ALiBi: a linear penalty on distance, with one fixed slope per head.
// bias_h(i, j) = −m_h (i − j) for j ≤ i, and −m_h |i − j| if later keys are visible.
// variant  alibi; bloom adds m_h j instead, which differs by a constant of the row, so attention is the same; mpt
//          orders another series (alibi_bias_max), the same numbers at 8.
// Range    any number of heads.  Error  1 ulp.  Source  arXiv 2108.12409; Hugging Face's Bloom and MPT.
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"

#include <bit>
#include <cmath>

namespace posiscope {
namespace {

Result<Action> action(const ActionInput& scene) {
    const std::string variant = scene.encoding.parameters.at("variant").get<std::string>();
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

}  // namespace

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
    static const std::vector<Parameter> parameters = {
        {"variant", Parameter::Kind::choice, "alibi", 0, 0, false, {"alibi", "bloom", "mpt"}},
        {"alibi_bias_max", Parameter::Kind::number, 8.0, 0.0, 1e3, true, {}, true},
    };
    static const Encoding encoding{"alibi",     Family::bias, Acts::logits, true,   parameters, no_pairs,
                                   no_spectrum, no_layout,    nullptr,      action, remarks};
    return encoding;
}

}  // namespace posiscope
