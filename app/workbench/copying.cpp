// copying.cpp — what goes to the clipboard as text: a scene, code, a figure's numbers, one line or one value of them.
#include "app/workbench/workbench.hpp"

#include "core/code/code.hpp"
#include "core/formats/arrays.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr std::int64_t kMostCopied = 1000000;  // numbers; beyond, a file is of more use

// Of arrays with one matrix a head, the one that is shown.
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

}  // namespace

void Workbench::copy_text(const std::string& text, std::string_view toast) {
    if (set_clipboard_) {
        if (const auto set = set_clipboard_(text.c_str()); !set) return say(set.error());
    } else {
        ImGui::SetClipboardText(text.c_str());
    }
    say(std::string(strings_->text(toast)), Tone::good);
}

void Workbench::copy_code(std::string_view form) {
    const auto text = find_code_form(form)->write(shown_scene());
    if (!text) return say(text.error());
    copy_text(*text, "toast.copied_code");
}

void Workbench::paste_scene() {
    const char* text = ImGui::GetClipboardText();
    if (text == nullptr || *text == '\0') return say(Problem{"clipboard.empty", {}});
    const auto json = parse_json(text);
    auto laid = json ? overlay(scene_, *json) : Result<Overlaid>(tl::unexpected(json.error()));
    if (!laid) return say(laid.error());
    report(laid->adjusted);
    open(std::move(laid->scene));
}

// Which line of a figure's numbers is under the mouse: of positions, of distances, or of pairs.
std::optional<std::size_t> Workbench::linked_line(const Quantity& quantity, std::span<const Shape> shapes,
                                                  const figures::Link& link) {
    const Scene& scene = shown_scene();
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

void Workbench::copy_numbers(const figures::Figure& figure, bool line_only) {
    const Scene& scene = shown_scene();
    const Quantity* quantity = figures::numbers_of(figure, scene);
    if (quantity == nullptr) return say(Problem{"export.no_numbers", {}});
    const auto shapes = quantity->shapes(scene);
    std::int64_t numbers = 0;
    for (const Shape& shape : *shapes) numbers = std::max(numbers, count(shape));
    if (numbers > kMostCopied)
        return say(Problem{"clipboard.large",
                           {{"count", std::to_string(numbers)}, {"maximum", std::to_string(kMostCopied)}}});
    auto arrays = evaluate(*quantity, scene, available_memory());
    if (!arrays) return say(arrays.error());
    const Json* head = figures::view_value(scene, figure.id, "head");
    for (Array& array : *arrays)
        if (one_a_head(array.shape, scene))
            keep_head(array, head != nullptr && head->is_number_integer() ? head->get<std::int64_t>() : 0);
    const auto line = line_only ? linked_line(*quantity, *shapes, menu_link_) : std::optional<std::size_t>();
    if (line_only && !line) return;
    copy_text(tabbed(*arrays, line), line_only ? "toast.copied_line" : "toast.copied_numbers");
}

// What a figure's menu offers to copy; "this" is what was under the mouse when the menu opened.
void Workbench::copy_menu(const ui::Look& look, const figures::Figure& figure) {
    if (ImGui::MenuItem(look.c(look.text("copy.picture")))) requests_.copy_picture = figure.id;
    if (!menu_value_.empty() &&
        ImGui::MenuItem(look.c(look.format("copy.value", fmt::arg("value", menu_value_)))))
        copy_text(menu_value_, "toast.copied_value");
    const Quantity* quantity = figures::numbers_of(figure, shown_scene());
    if (quantity == nullptr) return;
    const auto shapes = quantity->shapes(shown_scene());
    if (linked_line(*quantity, *shapes, menu_link_) && ImGui::MenuItem(look.c(look.text("copy.line"))))
        copy_numbers(figure, true);
    if (ImGui::MenuItem(look.c(look.text("copy.numbers")))) copy_numbers(figure, false);
}

}  // namespace posiscope::workbench
