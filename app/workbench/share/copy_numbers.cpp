#include "app/workbench/share/copy_numbers.hpp"

#include "core/formats/arrays.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::workbench {
namespace {

constexpr std::int64_t kMostCopied = 1000000;  // numbers; beyond, a file is of more use

// Keeps the shown head in arrays with one matrix a head.
void keep_head(Array& array, std::int64_t head) {
    auto& sizes = array.shape.sizes;
    if (sizes.size() != 3 || sizes[0] < 1) return;
    const auto one = static_cast<std::ptrdiff_t>(sizes[1] * sizes[2]);
    const auto from = array.values.begin() +
                      one * static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(head, 0, sizes[0] - 1));
    array.values = std::vector<double>(from, from + one);
    sizes.erase(sizes.begin());
}

bool one_a_head(const Shape& shape, const Scene& scene) {
    return shape.sizes.size() == 3 && shape.sizes[1] == scene.length && shape.sizes[2] == scene.length;
}

std::string tabbed(std::span<const Array> arrays, std::optional<std::size_t> row) {
    std::string text;
    write_csv(arrays, {}, [&](std::string_view piece) { text += piece; }, {"\t", false, row});
    return text;
}

// The line of a figure's numbers under the mouse: a position, a distance, or a pair.
std::optional<std::size_t> linked_line(const Scene& scene, const Quantity& quantity,
                                       std::span<const Shape> shapes, const figures::Link& link) {
    const Shape& first = shapes.front();
    if (first.sizes.empty()) return std::nullopt;
    if (quantity.name == "distance" || quantity.name == "scores") {
        const std::int64_t line = link.distance.value_or(-scene.length) + scene.length - 1;
        if (line < 0 || line >= first.sizes[0]) return std::nullopt;
        return static_cast<std::size_t>(line);
    }
    const std::size_t across = one_a_head(first, scene) ? 1 : 0;
    if (first.sizes.size() > 1 && first.sizes[across] == scene.length) {
        if (!link.position || *link.position < 0 || *link.position >= scene.length) return std::nullopt;
        return static_cast<std::size_t>(*link.position);
    }
    const auto spectrum = spectrum_of(scene);
    if (!link.frequency || !spectrum || first.sizes[0] != static_cast<std::int64_t>(spectrum->pairs()))
        return std::nullopt;
    return linked_pair(*link.frequency, *spectrum).pair;
}

// The numbers that a figure draws, of the head that it shows.
Result<std::vector<Array>> arrays_of(const figures::Figure& figure, const Quantity& quantity,
                                     const Scene& scene) {
    std::int64_t numbers = 0;
    const auto shapes = quantity.shapes(scene);
    for (const Shape& shape : *shapes) numbers = std::max(numbers, count(shape));
    if (numbers > kMostCopied)
        return refuse("clipboard.large",
                      {{"count", std::to_string(numbers)}, {"maximum", std::to_string(kMostCopied)}});
    auto arrays = evaluate(quantity, scene, available_memory());
    if (!arrays) return arrays;
    const Json* view = figures::view_value(scene, figure.id, "head");
    const std::int64_t head = is_stored(scene.content)                       ? stored_head(scene.content)
                              : view != nullptr && view->is_number_integer() ? view->get<std::int64_t>()
                                                                             : 0;
    for (Array& array : *arrays)
        if (one_a_head(array.shape, scene)) keep_head(array, head);
    return arrays;
}

}  // namespace

std::optional<std::size_t> line_of(const figures::Figure& figure, const Scene& scene,
                                   const figures::Link& link) {
    const Quantity* quantity = figures::numbers_of(figure, scene);
    return quantity != nullptr ? linked_line(scene, *quantity, *quantity->shapes(scene), link) : std::nullopt;
}

Result<std::string> numbers_text(const figures::Figure& figure, const Scene& scene,
                                 std::optional<std::size_t> line) {
    const Quantity* quantity = figures::numbers_of(figure, scene);
    if (quantity == nullptr) return refuse("export.no_numbers");
    const auto arrays = arrays_of(figure, *quantity, scene);
    if (!arrays) return tl::unexpected(arrays.error());
    return tabbed(*arrays, line);
}

void Copying::ask(const figures::Figure& figure, const Scene& scene, std::optional<std::size_t> line) {
    wanted_.emplace(Key{&figure, scene, line});
}

std::optional<Copying::Copied> Copying::take(figures::Background* background) {
    if (!wanted_) return std::nullopt;
    const auto text = text_.get(
        background, *wanted_, [](const Key& key) { return numbers_text(*key.figure, key.scene, key.line); });
    if (text == nullptr) return std::nullopt;
    const bool line = std::exchange(wanted_, std::nullopt)->line.has_value();
    text_ = {};  // it may be long, and files that it was read from may change
    return Copied{*text, line};
}

}  // namespace posiscope::workbench
