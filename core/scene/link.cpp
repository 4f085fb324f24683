#include "core/scene/link.hpp"

#include "core/scene/source.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

constexpr std::string_view kMark = "#scene=", kFigure = "&figure=";
constexpr std::size_t kLongest = std::size_t{1} << 20U;  // bytes; what a Scene holds at most is far less

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// The others are escaped: a browser would, or a program that looks for addresses in a text would end the link there.
bool stays(char c) { return is_letter(c) || std::string_view("-_.~:,").find(c) != std::string_view::npos; }

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string link_of(const Scene& scene, std::string_view figure) {
    Json partial = to_partial_json(scene);
    name_from_here(partial);
    partial["version"] = kSceneVersion;
    std::string link(kMark);
    for (const char c : partial.dump()) {
        if (stays(c)) link += c;
        else fmt::format_to(std::back_inserter(link), "%{:02X}", static_cast<unsigned char>(c));
    }
    if (!figure.empty()) link.append(kFigure).append(figure);
    return link;
}

std::optional<Link> link_in(std::string_view text) {
    const auto white = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!text.empty() && white(text.front())) text.remove_prefix(1);
    while (!text.empty() && white(text.back())) text.remove_suffix(1);
    const auto at = text.find(kMark);
    if (at == std::string_view::npos ||
        std::any_of(text.begin(), text.begin() + static_cast<long>(at), white))
        return std::nullopt;
    const std::string_view scene = text.substr(at + kMark.size());
    const auto figure = scene.find(kFigure);
    if (figure == std::string_view::npos) return Link{text.substr(0, at), scene};
    return Link{text.substr(0, at), scene.substr(0, figure), scene.substr(figure + kFigure.size())};
}

Result<Json> scene_of(const Link& link) {
    if (link.scene.size() > kLongest) return refuse("link.long", {{"maximum", std::to_string(kLongest)}});
    std::string json;
    json.reserve(link.scene.size());
    for (std::size_t i = 0; i < link.scene.size(); ++i) {
        if (link.scene[i] != '%') {
            json += link.scene[i];
            continue;
        }
        const int high = i + 2 < link.scene.size() ? digit_of(link.scene[i + 1]) : -1;
        const int low = i + 2 < link.scene.size() ? digit_of(link.scene[i + 2]) : -1;
        if (high < 0 || low < 0) return refuse("link.damaged");
        json += static_cast<char>(16 * high + low);
        i += 2;
    }
    // An address that was cut off, as mails do at the end of a line, ends in the middle of its JSON.
    if (!is_utf8(json) || !json.starts_with('{') || !json.ends_with('}')) return refuse("link.damaged");
    return parse_json(json);
}

}  // namespace posiscope
