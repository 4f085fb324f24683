#include "app/workbench/teach/lesson_link.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace posiscope::workbench {
namespace {

constexpr std::string_view kMark = "#lesson=";

bool in_a_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

}  // namespace

std::optional<LessonLink> lesson_link_in(std::string_view address) {
    const auto at = address.find(kMark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view end = address.substr(at + kMark.size());
    const auto slash = std::min(end.find('/'), end.size());
    LessonLink link{.lesson = end.substr(0, slash)};
    if (link.lesson.empty() || !std::all_of(link.lesson.begin(), link.lesson.end(), in_a_name))
        return std::nullopt;
    if (slash == end.size()) return link;
    const auto read = std::from_chars(end.data() + slash + 1, end.data() + end.size(), link.step);
    if (read.ec != std::errc() || read.ptr != end.data() + end.size() || link.step == 0) return std::nullopt;
    return link;
}

std::string lesson_link(const Guide& guide) {
    if (guide.lesson() == nullptr || guide.is_own()) return {};
    return fmt::format("{}{}/{}", kMark, guide.lesson()->id, guide.index() + 1);
}

}  // namespace posiscope::workbench
