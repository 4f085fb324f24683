#include "core/encodings/axes.hpp"

#include <algorithm>

namespace posiscope {

PairAxes pair_axes(const SpectrumInput& scene) {
    const auto axes = encoding_of(scene).rotating.axes;
    return axes != nullptr ? axes(scene) : PairAxes{};
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
