// examples.cpp — dumps that a lesson and a picture measure without a file: cos of the Scene's pairs in float32, right or with a fault;
// or q before and after rotation, of which the last head is one position ahead.
#include "app/figures/measured/measured.hpp"
#include "core/encodings/turning.hpp"

#include <cmath>

namespace posiscope::figures::measured {
namespace {

constexpr std::int64_t kRows = 300;

double single(double value) { return static_cast<double>(static_cast<float>(value)); }

// The Scene as a program has it that divides by one less than the config says.
Result<Scene> with_less_factor(const Scene& scene) {
    Json encoding{{"kind", scene.encoding.kind}};
    encoding.update(scene.encoding.parameters);
    const auto scaling = encoding.find("rope_scaling");
    if (scaling == encoding.end() || !scaling->is_object() || !scaling->contains("factor") ||
        !scaling->at("factor").is_number() || scaling->at("factor").get<double>() <= 1.0)
        return refuse("measured.no_factor");
    (*scaling)["factor"] = std::max(1.0, scaling->at("factor").get<double>() - 1.0);
    auto laid = overlay(scene, {{"encoding", encoding}});
    return laid ? Result<Scene>(std::move(laid->scene)) : tl::unexpected(laid.error());
}

StoredTensor table(std::string_view name, const measuring::Reference& own,
                   const measuring::Reference& made_with) {
    Spectrum spectrum;
    spectrum.frequency = made_with.frequency;
    const std::int64_t pairs = own.pairs(), column = pairs / 3;
    StoredTensor made{std::string(name), "float32", {kRows, pairs}, {}, false};
    for (std::int64_t row = 0; row < kRows; ++row)
        for (std::int64_t i = 0; i < pairs; ++i) {
            const std::int64_t position = name == "stuck" ? std::min(row, kRows / 2) : row;
            const std::int64_t pair = name == "column" && i == column ? std::min(i + 1, pairs - 1) : i;
            const double angle =
                radians_over(spectrum, static_cast<std::size_t>(pair), static_cast<double>(position));
            made.values.push_back(single(own.amplitude * std::cos(angle)));
        }
    return made;
}

std::vector<StoredTensor> rotation(const measuring::Reference& own) {
    constexpr std::int64_t kHeads = 4, kTokens = 24;
    const std::int64_t pairs = own.pairs(), width = 2 * pairs;
    Spectrum spectrum;
    spectrum.frequency = own.frequency;
    StoredTensor before{"q", "float32", {kHeads, kTokens, width}, {}, false};
    std::uint32_t random = 1;
    for (std::int64_t n = 0; n < kHeads * kTokens * width; ++n) {
        random = 1664525U * random + 1013904223U;
        before.values.push_back(single(static_cast<double>(random) / 2147483648.0 - 1.0));
    }
    StoredTensor after = before;
    after.name = "q rotated";
    const bool halves = own.layout == PairLayout::halves;
    for (std::int64_t n = 0; n < kHeads * kTokens; ++n)
        for (std::int64_t i = 0; i < pairs; ++i) {
            const auto a = static_cast<std::size_t>(n * width + (halves ? i : 2 * i)),
                       b = a + static_cast<std::size_t>(halves ? pairs : 1);
            const double position = static_cast<double>(n % kTokens + (n / kTokens == kHeads - 1 ? 1 : 0)),
                         angle = radians_over(spectrum, static_cast<std::size_t>(i), position);
            const double c = own.amplitude * std::cos(angle), s = own.amplitude * std::sin(angle);
            after.values[a] = single(before.values[a] * c - before.values[b] * s);
            after.values[b] = single(before.values[b] * c + before.values[a] * s);
        }
    return {std::move(before), std::move(after)};
}

}  // namespace

std::span<const std::string_view> example_names() {
    static constexpr std::array<std::string_view, 5> names = {"right", "factor", "stuck", "column", "heads"};
    return names;
}

Result<std::vector<StoredTensor>> example_arrays(std::string_view name, const Scene& scene) {
    const auto changed = name == "factor" ? with_less_factor(scene) : Result<Scene>(scene);
    if (!changed) return tl::unexpected(changed.error());
    const auto own = measuring::reference_of(scene, ""), made_with = measuring::reference_of(*changed, "");
    if (!own || !made_with) return refuse("measured.no_frequencies");
    if (name != "heads") return std::vector{table(name, *own, *made_with)};
    if (!own->rotary || !own->axis.empty()) return refuse("measured.no_rotation");
    return rotation(*own);
}

}  // namespace posiscope::figures::measured
