// kinds.cpp — every kind of encoding, a typed one only where it is the Scene's, at the Scene's widths and length (core/attention/kinds.hpp). Rows are in the order of
// `posiscope list encodings`; a kind that does not fit the widths has no numbers.
// family     0 absolute, 1 classic, 2 rotary, 3 bias, 4 none;  acts  0 on the input, 1 on q and k, 2 on the logits
// parameters numbers to learn;  positions  that it has;  moved  the range of a score at the offset along the sequence
// falls      steps of the distance at which the score of equal vectors falls, of `steps`
// pairs      that rotate;  unseen  those that meet new angles between n and 2n;  beyond  how far a bias leaves its range there
#include "core/attention/kinds.hpp"
#include "core/quantities/quantities.hpp"

#include <array>
#include <limits>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 10> kKindColumns = {
    "family", "acts", "parameters", "positions", "moved", "falls", "steps", "pairs", "unseen", "beyond"};

Result<std::vector<Shape>> kind_shapes(const Scene& scene) {
    const auto kinds = static_cast<std::int64_t>(encodings_to_compare(scene).size());
    std::vector<Shape> made;
    for (const std::string_view name : kKindColumns) made.push_back({name, {kinds}});
    return made;
}

Result<void> fill_kinds(const Scene& scene, std::span<Array> arrays) {
    const auto kinds = kind_numbers(scene, scene.offset);
    for (std::size_t row = 0; row < kinds.size(); ++row) {
        const KindNumbers& of = kinds[row];
        const std::array<double, kKindColumns.size()> numbers = {static_cast<double>(of.encoding->family),
                                                                 static_cast<double>(of.encoding->acts),
                                                                 static_cast<double>(of.parameters),
                                                                 static_cast<double>(of.positions),
                                                                 of.moved,
                                                                 of.falls,
                                                                 of.steps,
                                                                 of.pairs,
                                                                 of.unseen,
                                                                 of.beyond};
        for (std::size_t column = 0; column < numbers.size(); ++column)
            arrays[column].values[row] =
                of.fits || column < 2 ? numbers[column] : std::numeric_limits<double>::quiet_NaN();
    }
    return {};
}

}  // namespace

extern const Quantity kKinds{"kinds", kind_shapes, fill_kinds};

}  // namespace posiscope
