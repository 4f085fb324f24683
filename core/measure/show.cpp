#include "core/measure/show.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::measuring {

std::string text(double value) { return fmt::format("{:.7g}", value); }
std::string text(std::int64_t value) { return std::to_string(value); }
std::string few_digits(double value) { return value == 0.0 ? "0" : fmt::format("{:.2g}", value); }
std::string rounded_up(double value, int digits) {
    if (!(value > 0.0)) return "0";
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 1);
    return fmt::format("{:.3g}", std::ceil(value / unit) * unit);
}

std::string listed(std::span<const std::int64_t> list) {
    std::string made;
    std::size_t parts = 0;
    for (std::size_t i = 0, end = 0; i < list.size(); i = end) {
        end = i + 1;
        while (end < list.size() && list[end] == list[end - 1] + 1) ++end;
        if (++parts > kMostShown) return made + " …";
        made += fmt::format("{}{}", made.empty() ? "" : ", ",
                            end - i > 2    ? fmt::format("{}–{}", list[i], list[end - 1])
                            : end - i == 2 ? fmt::format("{}, {}", list[i], list[i + 1])
                                           : text(list[i]));
    }
    return made;
}

bool near(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

}  // namespace posiscope::measuring
