#include "app/look/known_models.hpp"

#include "app/look/assets.hpp"

#include <stdexcept>

namespace posiscope::look {

const std::vector<ModelRow>& known_models() {
    static const std::vector<ModelRow> rows = [] {
        auto read = read_models(assets::file("models.json"));
        if (!read) throw std::logic_error(to_string(read.error()));  // our own file
        return std::move(*read);
    }();
    return rows;
}

}  // namespace posiscope::look
