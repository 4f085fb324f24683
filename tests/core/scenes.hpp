// scenes.hpp — scenes for tests, from JSON.
#pragma once

#include "core/encodings/encodings.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace posiscope {

inline Scene scene(std::string_view partial) {
    const auto json = parse_json(partial);
    if (!json) throw std::logic_error(to_string(json.error()));
    auto laid = overlay(Scene(), *json);
    if (!laid) throw std::logic_error(to_string(laid.error()));
    return laid->scene;
}

inline Spectrum spectrum(std::string_view partial) { return *spectrum_of(scene(partial)); }

}  // namespace posiscope
