#include "app/ui/known_models.hpp"

#include "app/ui/assets.hpp"

#include <stdexcept>

namespace posiscope::ui {

const std::vector<ModelRow>& known_models() {
    static const std::vector<ModelRow> rows = [] {
        auto read = read_models(assets::file("models.json"));
        if (!read) throw std::logic_error(to_string(read.error()));  // our own file
        return std::move(*read);
    }();
    return rows;
}

}  // namespace posiscope::ui
