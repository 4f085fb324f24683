#include "app/ui/style.hpp"

#include "core/formats/file.hpp"
#include "core/parameter.hpp"

#include <charconv>

namespace posiscope::ui {
namespace {

struct StyleColour {
    std::string_view key;
    Colour Theme::*colour;
};
constexpr std::array kStyleColours = {
    StyleColour{"text", &Theme::ink},        StyleColour{"labels", &Theme::ink_soft},
    StyleColour{"axes", &Theme::ink_faint},  StyleColour{"grid", &Theme::grid},
    StyleColour{"background", &Theme::tile}, StyleColour{"sine", &Theme::sine},
    StyleColour{"cosine", &Theme::cosine},   StyleColour{"offset", &Theme::offset},
    StyleColour{"positive", &Theme::plus},   StyleColour{"negative", &Theme::minus},
    StyleColour{"zero", &Theme::neutral},    StyleColour{"seen", &Theme::seen},
    StyleColour{"beyond", &Theme::beyond},
};
constexpr double kMostCurves = std::tuple_size_v<decltype(Theme::Cycle::colours)>;

std::span<const Parameter> style_keys() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> all = {
        {.key = "size", .kind = Kind::text},
        {.key = "letters", .kind = Kind::number, .minimum = 4.0, .maximum = 24.0},
        {.key = "font", .kind = Kind::text},
        {.key = "dpi", .kind = Kind::number, .minimum = 24.0, .maximum = 1536.0},
        {.key = "bare", .kind = Kind::boolean},
        {.key = "theme", .kind = Kind::choice, .choices = {"light", "dark", "print"}},
        {.key = "lines", .kind = Kind::number, .minimum = 0.25, .maximum = 4.0},
        {.key = "curves", .kind = Kind::list, .maximum = kMostCurves},
        {.key = "dashes", .kind = Kind::list, .maximum = kMostCurves},
        {.key = "colours", .kind = Kind::dictionary},
    };
    return all;
}

std::span<const Parameter> style_colour_keys() {
    static const auto all = [] {
        std::vector<Parameter> made;
        for (const StyleColour& one : kStyleColours)
            made.push_back({.key = one.key, .kind = Parameter::Kind::text});
        return made;
    }();
    return all;
}

// "#0072B2", or as matplotlib's files have it "0072B2"
std::optional<Colour> colour_from(const Json& value) {
    if (!value.is_string()) return std::nullopt;
    std::string_view text = value.get_ref<const std::string&>();
    if (text.starts_with('#')) text.remove_prefix(1);
    std::uint32_t hex = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, hex, 16);
    return text.size() == 6 && read.ec == std::errc() && read.ptr == end ? std::optional(rgb(hex))
                                                                         : std::nullopt;
}

Result<void> check_colour(const std::string& path, const Json& value) {
    if (colour_from(value)) return {};
    return refuse("style.colour", {{"path", path}, {"value", shown(value)}});
}

Result<Json> checked_style(const Json& given) {
    if (!given.is_object())
        return refuse("value.kind", {{"path", "--style"}, {"kind", "dictionary"}, {"value", shown(given)}});
    auto style = checked_all(style_keys(), given, "");
    if (!style) return style;
    if (style->contains("colours")) {
        if (auto colours = checked_all(style_colour_keys(), style->at("colours"), "colours"); !colours)
            return colours;
        for (const auto& [key, value] : style->at("colours").items())
            if (auto good = check_colour(join_path("colours", key), value); !good)
                return tl::unexpected(good.error());
    }
    if (style->contains("curves"))
        for (const Json& one : style->at("curves"))
            if (auto good = check_colour("curves", one); !good) return tl::unexpected(good.error());
    static const Parameter dash{.key = "dashes", .kind = Parameter::Kind::number, .maximum = 40.0};
    if (style->contains("dashes"))
        for (const Json& one : style->at("dashes"))
            if (auto good = checked(dash, one, "dashes"); !good) return good;
    return style;
}

}  // namespace

Result<Json> read_style(const std::string& path) {
    return read_file(path).and_then([&](const std::string& text) {
        return parse_json(text).and_then(checked_style).map_error([&](Problem problem) {
            return in_file(std::move(problem), path);
        });
    });
}

Style style_of(const Json& read, const Theme& theme) {
    Style style{theme, read.value("lines", 1.0F)};
    const Json colours = read.value("colours", empty_object());
    for (const StyleColour& one : kStyleColours)
        if (colours.contains(one.key)) style.theme.*one.colour = *colour_from(colours.at(one.key));
    if (colours.contains("background")) style.theme.ground = style.theme.tile;
    Theme::Cycle& cycle = style.theme.curves;
    for (const Json& one : read.value("curves", Json::array()))
        cycle.colours[cycle.colour_count++] = *colour_from(one);
    for (const Json& one : read.value("dashes", Json::array()))
        cycle.dashes[cycle.dash_count++] = one.get<float>();
    return style;
}

}  // namespace posiscope::ui
