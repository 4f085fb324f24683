#include "core/encodings/axes.hpp"

#include "core/encodings/rope_settings.hpp"

#include <algorithm>

namespace posiscope {

PairAxes pair_axes(const SpectrumInput& scene) {
    PairAxes axes;
    const Json& parameters = scene.encoding.parameters;
    if (scene.encoding.kind == "rope_2d") {
        axes.axis = axial_axes(head_dim(scene));
        axes.names = parameters.at("axis_order") == "yx" ? std::vector<std::string_view>{"y", "x"}
                                                         : std::vector<std::string_view>{"x", "y"};
        axes.width = parameters.value("grid_width", std::int64_t{0});
        axes.rows_first = axes.names.front() == "y";
        axes.parted = axes.width > 0;
    } else if (scene.encoding.kind == "rope") {
        const auto settings = rope_settings(scene);
        if (!settings || settings->sections.empty()) return axes;
        axes.axis = mrope_axes(settings->sections, settings->pairs(), settings->interleaved_sections);
        axes.sections = settings->sections.size();
        if (axes.sections == 4) axes.names = {"p", "w", "h", "t"};
        else axes.names = {"t", "h", "w", "rest"};
        axes.grid = settings->grid;
        axes.parted = !axes.grid.empty();
    }
    return axes;
}

std::string to_text(const PairAxes& axes) {
    std::string text;
    const auto add = [&](std::string_view name, const std::string& pairs) {
        if (!text.empty()) text += ", ";
        text += name;
        text += ' ' + pairs;
    };
    std::size_t runs = 0;
    for (std::size_t i = 0; i < axes.axis.size(); ++i)
        runs += i == 0 || axes.axis[i] != axes.axis[i - 1] ? 1U : 0U;
    if (runs > axes.names.size()) {
        for (std::size_t a = 0; a < axes.names.size(); ++a)
            if (const auto count = std::count(axes.axis.begin(), axes.axis.end(), static_cast<int>(a));
                count > 0)
                add(axes.names[a], std::to_string(count));
        return text;
    }
    for (std::size_t i = 0, end = 0; i < axes.axis.size(); i = end) {
        while (end < axes.axis.size() && axes.axis[end] == axes.axis[i]) ++end;
        add(axes.of(i), std::to_string(i) + "–" + std::to_string(end - 1));
    }
    return text;
}

}  // namespace posiscope
