#include "core/formats/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace posiscope {
namespace {

using Text = fmt::memory_buffer;

constexpr std::size_t kPiece = 1 << 16;

void pass_on(Text& text, const Sink& sink, std::size_t from = kPiece) {
    if (text.size() < from) return;
    sink({text.data(), text.size()});
    text.clear();
}

void append(Text& text, std::string_view words) { text.append(words.data(), words.data() + words.size()); }

void append_json_number(Text& text, double value) {
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
    else append(text, "null");
}

// The values from `next` on, as lists inside lists.
void append_json_list(Text& text, const Sink& sink, const Array& array, std::size_t level,
                      std::size_t& next) {
    if (level == array.shape.sizes.size()) {
        append_json_number(text, array.values[next++]);
        return;
    }
    append(text, "[");
    for (std::int64_t i = 0; i < array.shape.sizes[level]; ++i) {
        if (i != 0) append(text, ", ");
        append_json_list(text, sink, array, level + 1, next);
        pass_on(text, sink);
    }
    append(text, "]");
}

std::size_t rows_of(const Array& array) {
    return array.shape.sizes.empty() ? 1 : static_cast<std::size_t>(array.shape.sizes.front());
}

std::size_t columns_of(const Array& array) {
    const std::size_t rows = rows_of(array);
    return rows == 0 ? 0 : array.values.size() / rows;
}

// "[1][0]" for place 2 of rows that are 2 by 2
std::string place_name(const Shape& shape, std::size_t place) {
    std::string name;
    for (std::size_t level = shape.sizes.size(); level > 1; --level) {
        const auto size = static_cast<std::size_t>(shape.sizes[level - 1]);
        name = fmt::format("[{}]", place % size) + name;
        place /= size;
    }
    return name;
}

// One entry per array with a unit, formatted with `pattern`, separated by commas.
std::string units_of(std::span<const Array> arrays, std::string_view pattern) {
    std::string units;
    for (const Array& array : arrays) {
        if (array.shape.unit.empty()) continue;
        if (!units.empty()) units += ", ";
        units += fmt::format(fmt::runtime(pattern), array.shape.name, array.shape.unit);
    }
    return units;
}

// "units": {…} and "scene": {…}, of which there are any.
std::vector<std::string> facts_of(std::span<const Array> arrays, std::string_view scene) {
    std::vector<std::string> facts;
    if (const std::string units = units_of(arrays, "\"{}\": \"{}\""); !units.empty())
        facts.push_back(fmt::format("\"units\": {{{}}}", units));
    if (!scene.empty()) facts.push_back(fmt::format("\"scene\": {}", scene));
    return facts;
}

}  // namespace

std::int64_t count(const Shape& shape) {
    std::int64_t product = 1;
    bool counted = true;
    for (const std::int64_t size : shape.sizes)
        counted = !__builtin_mul_overflow(product, size, &product) && counted;
    return counted ? product : std::numeric_limits<std::int64_t>::max();
}

void write_json(std::span<const Array> arrays, std::string_view scene, const Sink& sink) {
    Text text;
    const char* separator = "{\n  ";
    for (const Array& array : arrays) {
        fmt::format_to(std::back_inserter(text), "{}\"{}\": ", separator, array.shape.name);
        std::size_t next = 0;
        append_json_list(text, sink, array, 0, next);
        separator = ",\n  ";
    }
    for (const std::string& fact : facts_of(arrays, scene))
        fmt::format_to(std::back_inserter(text), "{}{}", std::exchange(separator, ",\n  "), fact);
    append(text, "\n}\n");
    pass_on(text, sink, 0);
}

std::string units_axes_and_scene(std::span<const Array> arrays, std::string_view scene) {
    auto facts = facts_of(arrays, scene);
    std::string axes;
    for (const Array& array : arrays) {
        if (array.shape.axes.empty()) continue;
        std::vector<std::string> names;
        for (const Axis& axis : array.shape.axes) names.push_back(fmt::format("\"{}\"", axis.name));
        axes +=
            fmt::format("{}\"{}\": [{}]", axes.empty() ? "" : ", ", array.shape.name, fmt::join(names, ", "));
    }
    if (!axes.empty()) facts.push_back(fmt::format("\"axes\": {{{}}}", axes));
    return facts.empty() ? std::string() : fmt::format("{{{}}}", fmt::join(facts, ", "));
}

namespace {

void append_comments(Text& text, std::span<const Array> arrays, std::string_view scene, bool with_units) {
    if (!scene.empty()) fmt::format_to(std::back_inserter(text), "# scene: {}\n", scene);
    if (const std::string units = units_of(arrays, "{} in {}"); with_units && !units.empty())
        fmt::format_to(std::back_inserter(text), "# units: {}\n", units);
}

}  // namespace

Result<void> write_long_csv(std::span<const Array> arrays, std::string_view scene, const Sink& sink) {
    Text text;
    append_comments(text, arrays, scene, true);
    std::vector<const Array*> columns;
    for (const Array& array : arrays) {
        if (array.shape.sizes.empty())
            fmt::format_to(std::back_inserter(text), "# {}: {}\n", array.shape.name, array.values[0]);
        else if (!columns.empty() && columns.front()->shape.sizes != array.shape.sizes)
            return refuse("csv.long", {{"array", std::string(columns.front()->shape.name)},
                                       {"other", std::string(array.shape.name)}});
        else columns.push_back(&array);
    }
    if (columns.empty()) return refuse("csv.single", {{"array", std::string(arrays.front().shape.name)}});
    const Shape& shape = columns.front()->shape;
    std::vector<std::int64_t> place(shape.sizes.size(), 0);
    for (std::size_t level = 0; level < place.size(); ++level)
        if (shape.axes.empty()) fmt::format_to(std::back_inserter(text), "index{},", level);
        else fmt::format_to(std::back_inserter(text), "{},", shape.axes[level].name);
    for (const Array* column : columns)
        fmt::format_to(std::back_inserter(text), "{}{}", column->shape.name,
                       column == columns.back() ? "\n" : ",");
    for (std::size_t row = 0; row < columns.front()->values.size(); ++row) {
        for (std::size_t level = 0; level < place.size(); ++level)
            fmt::format_to(std::back_inserter(text), "{},",
                           place[level] + (shape.axes.empty() ? 0 : shape.axes[level].first));
        for (const Array* column : columns)
            fmt::format_to(std::back_inserter(text), "{}{}", column->values[row],
                           column == columns.back() ? "\n" : ",");
        pass_on(text, sink);
        for (std::size_t level = place.size(); level-- > 0;) {
            if (++place[level] < shape.sizes[level]) break;
            place[level] = 0;
        }
    }
    pass_on(text, sink, 0);
    return {};
}

void write_csv(std::span<const Array> arrays, std::string_view scene, const Sink& sink, const CsvForm& form) {
    Text text;
    append_comments(text, arrays, scene, form.comments);
    std::size_t rows = 0;
    const char* separator = "";
    for (const Array& array : arrays) {
        rows = std::max(rows, rows_of(array));
        for (std::size_t place = 0; place < columns_of(array); ++place) {
            fmt::format_to(std::back_inserter(text), "{}{}{}", separator, array.shape.name,
                           place_name(array.shape, place));
            separator = form.separator;
        }
    }
    append(text, "\n");
    const std::size_t first = form.row.value_or(0);
    for (std::size_t row = first; row < (form.row ? first + 1 : rows); ++row) {
        separator = "";
        for (const Array& array : arrays)
            for (std::size_t place = 0; place < columns_of(array); ++place) {
                append(text, separator);
                if (row < rows_of(array))
                    fmt::format_to(std::back_inserter(text), "{}",
                                   array.values[row * columns_of(array) + place]);
                separator = form.separator;
                pass_on(text, sink);
            }
        append(text, "\n");
    }
    pass_on(text, sink, 0);
}

}  // namespace posiscope
