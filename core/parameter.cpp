#include "core/parameter.hpp"

#include "core/scene/words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace {

std::string_view kind_name(Parameter::Kind kind) {
    switch (kind) {
        case Parameter::Kind::integer: return "integer";
        case Parameter::Kind::number: return "number";
        case Parameter::Kind::boolean: return "boolean";
        case Parameter::Kind::choice:
        case Parameter::Kind::text: return "text";
        case Parameter::Kind::dictionary: return "dictionary";
        case Parameter::Kind::list: return "list";
    }
    return "";
}

bool fits(Parameter::Kind kind, const Json& value) {
    switch (kind) {
        case Parameter::Kind::integer:
            return value.is_number_integer() ||
                   (value.is_number_float() && std::isfinite(value.get<double>()) &&
                    std::trunc(value.get<double>()) == value.get<double>());
        case Parameter::Kind::number: return value.is_number() && std::isfinite(value.get<double>());
        case Parameter::Kind::boolean: return value.is_boolean();
        case Parameter::Kind::choice:
        case Parameter::Kind::text: return value.is_string();
        case Parameter::Kind::dictionary: return value.is_object();
        case Parameter::Kind::list: return value.is_array();
    }
    return false;
}

// Limits of a text, and of all that a list or an object holds at every level: a file may contain anything, and what is read
// is stored and drawn. A declaration's maximum, where it has one, replaces kMostValues.
constexpr std::size_t kMostValues = 65536, kMostDepth = 8;
constexpr std::size_t kMostText = 65536;  // bytes of keys and strings

// The number of values in a value, at every level.
struct Bulk {
    std::size_t values = 0, text = 0, depth = 0;
};

Bulk bulk_of(const Json& value) {
    Bulk bulk;
    if (value.is_string()) bulk.text = value.get_ref<const std::string&>().size();
    if (!value.is_structured()) return bulk;
    const auto add = [&](const Json& inner) {
        const Bulk own = bulk_of(inner);
        bulk.values += 1 + own.values;
        bulk.text += own.text;
        bulk.depth = std::max(bulk.depth, own.depth);
    };
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) {
            bulk.text += key.size();
            add(inner);
        }
    else
        for (const Json& inner : value) add(inner);
    ++bulk.depth;
    return bulk;
}

std::optional<Problem> too_large(const Parameter& parameter, const Json& value, std::string_view path) {
    const Bulk bulk = bulk_of(value);
    const std::size_t values =
        parameter.maximum > 0.0 ? static_cast<std::size_t>(parameter.maximum) : kMostValues;
    const auto problem = [&](const char* key, std::size_t is, std::size_t most) {
        return Problem{
            key,
            {{"path", std::string(path)}, {"count", std::to_string(is)}, {"maximum", std::to_string(most)}}};
    };
    if (bulk.values > values) return problem("value.many", bulk.values, values);
    if (bulk.text > kMostText) return problem("value.long", bulk.text, kMostText);
    if (bulk.depth > kMostDepth) return problem("value.deep", bulk.depth, kMostDepth);
    return std::nullopt;
}

}  // namespace

std::string to_text(double value) {
    if (std::isnan(value)) return "nan";  // whose sign depends on the processor and says nothing
    std::string text = fmt::format("{:.10g}", value);
    if (const auto plus = text.find('+'); plus != std::string::npos) text.erase(plus, 1);
    return text;
}

std::string shown(const Json& value) {
    constexpr std::size_t limit = 40;
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() <= limit) return text;
    return std::string(whole_characters(std::string_view(text).substr(0, limit - 3))) + "...";
}

std::string_view kind_of(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object: return kind_name(Parameter::Kind::dictionary);
        case Json::value_t::array: return kind_name(Parameter::Kind::list);
        case Json::value_t::string: return kind_name(Parameter::Kind::text);
        case Json::value_t::boolean: return kind_name(Parameter::Kind::boolean);
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned: return kind_name(Parameter::Kind::integer);
        case Json::value_t::number_float: return kind_name(Parameter::Kind::number);
        default: return "null";
    }
}

Result<Json> checked(const Parameter& parameter, const Json& value, std::string_view path) {
    const std::string where(path);
    if (!fits(parameter.kind, value))
        return refuse(
            "value.kind",
            {{"path", where}, {"kind", std::string(kind_name(parameter.kind))}, {"value", shown(value)}});
    switch (parameter.kind) {
        case Parameter::Kind::integer:
        case Parameter::Kind::number: {
            const double number = value.get<double>();
            const bool below =
                parameter.above_minimum ? number <= parameter.minimum : number < parameter.minimum;
            if (below || number > parameter.maximum)
                return refuse(parameter.above_minimum ? "value.above_range" : "value.range",
                              {{"path", where},
                               {"value", shown(value)},
                               {"minimum", to_text(parameter.minimum)},
                               {"maximum", to_text(parameter.maximum)}});
            if (parameter.kind == Parameter::Kind::integer && value.is_number_float())
                return Json(static_cast<std::int64_t>(number));
            return parameter.kind == Parameter::Kind::number ? Json(number) : value;
        }
        case Parameter::Kind::choice: {
            const auto& chosen = value.get_ref<const std::string&>();
            if (std::find(parameter.choices.begin(), parameter.choices.end(), chosen) ==
                parameter.choices.end())
                return refuse("value.choice",
                              {{"path", where},
                               {"value", shown(value)},
                               {"choices", fmt::format("{}", fmt::join(parameter.choices, ", "))}});
            return value;
        }
        case Parameter::Kind::text:
            // The name of a file may hold any bytes, and a Scene is JSON.
            if (!is_utf8(value.get_ref<const std::string&>()))
                return refuse("value.utf8", {{"path", where}, {"value", shown(value)}});
            [[fallthrough]];
        case Parameter::Kind::list:
        case Parameter::Kind::dictionary:
            if (auto problem = too_large(parameter, value, path)) return tl::unexpected(std::move(*problem));
            return value;
        case Parameter::Kind::boolean: return value;
    }
    return value;
}

Result<Json> checked_all(std::span<const Parameter> parameters, const Json& values, std::string_view path) {
    Json result = Json::object();
    for (const Parameter& parameter : parameters)
        if (!parameter.fallback.is_null()) result[std::string(parameter.key)] = parameter.fallback;
    for (const auto& [key, value] : values.items()) {
        const auto parameter =
            std::find_if(parameters.begin(), parameters.end(),
                         [name = std::string_view(key)](const Parameter& p) { return p.key == name; });
        if (parameter == parameters.end()) {
            if (parameters.empty())
                return refuse("key.none", {{"path", join_path(path, key)}, {"of", std::string(path)}});
            std::vector<std::string_view> known;
            for (const Parameter& p : parameters) known.push_back(p.key);
            return refuse("key.unknown", {{"path", join_path(path, key)},
                                          {"known", fmt::format("{}", fmt::join(known, ", "))}});
        }
        if (value.is_null()) continue;  // null = the default
        auto good = checked(*parameter, value, join_path(path, key));
        if (!good) return tl::unexpected(good.error());
        result[key] = std::move(*good);
    }
    return result;
}

}  // namespace posiscope
