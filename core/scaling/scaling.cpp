#include "core/scaling/scaling.hpp"

#include <array>
#include <fmt/format.h>

namespace posiscope {

const Scaling& default_scaling();
const Scaling& linear_scaling();

namespace {

struct Chosen {
    const Scaling* scaling;
    Json settings;
};

Result<Chosen> chosen(const Json& settings) {
    constexpr std::string_view path = "encoding.rope_scaling";
    Json rest = settings.is_null() ? Json::object() : settings;
    std::string type = "default";
    for (const char* spelling : {"rope_type", "type"}) {  // `type` is the older spelling
        const auto given = rest.find(spelling);
        if (given == rest.end()) continue;
        if (!given->is_string())
            return refuse("value.kind", {{"path", join_path(path, spelling)}, {"kind", "text"}, {"value", given->type_name()}});
        type = given->get<std::string>();
        rest.erase(given);
    }
    std::vector<std::string_view> known;
    for (const Scaling* scaling : scalings()) {
        known.push_back(scaling->rope_type);
        if (scaling->rope_type != type) continue;
        auto complete = checked_all(scaling->parameters, rest, path);
        if (!complete) return tl::unexpected(complete.error());
        return Chosen{scaling, std::move(*complete)};
    }
    return refuse("value.choice", {{"path", join_path(path, "rope_type")},
                                   {"value", Json(type).dump(-1, ' ', false, Json::error_handler_t::replace)},
                                   {"choices", fmt::format("{}", fmt::join(known, ", "))}});
}

}  // namespace

std::span<const Scaling* const> scalings() {
    static const std::array list = {
        &default_scaling(),
        &linear_scaling(),
    };
    return list;
}

std::optional<Problem> check_scaling(const Json& settings) {
    const auto found = chosen(settings);
    return found ? std::nullopt : std::optional(found.error());
}

Result<Spectrum> scaled_spectrum(const Scene& scene, std::int64_t rotary_dim, const Json& settings) {
    const auto found = chosen(settings);
    if (!found) return tl::unexpected(found.error());
    return found->scaling->spectrum(scene, rotary_dim, found->settings);
}

Spectrum unscaled_spectrum(const Scene& scene, std::int64_t rotary_dim) {
    const auto half = static_cast<std::uint64_t>(rotary_dim / 2);
    return geometric_spectrum(scene.base, half, half);
}

}  // namespace posiscope
