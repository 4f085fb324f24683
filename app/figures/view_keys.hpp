// view_keys.hpp — what a Scene's `view` may hold of each figure besides its mode. `list settings` lists it and --set is held to
// it; what files hold is read as far as it fits, since other versions have other keys.
#pragma once

#include "core/parameter.hpp"

#include <span>
#include <string_view>

namespace posiscope::figures {

struct ViewKey {
    std::string_view figure;
    Parameter parameter;  // "view.KEY.help" in the string tables
};

std::span<const ViewKey> view_keys();

}  // namespace posiscope::figures
