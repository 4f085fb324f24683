#include "app/ui/known_models.hpp"

#include "app/ui/assets.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/models/rescale.hpp"

#include <fmt/format.h>
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

std::string encoding_words(const Strings& strings, const ModelRow& row) {
    std::string words(strings.text(fmt::format("option.encoding.{}.name", row.scene.encoding.kind)));
    if (const auto method = scaling_method(row.scene); !method.empty() && method != "default")
        words += fmt::format(" · {}", method);
    if (!takes_scalings(row.scene)) return words;
    if (const RopeLayers layers = rope_layers(row.scene); layers.several())
        words += " · " + strings.format("model.kinds", fmt::arg("count", layers.kinds.size()));
    return words;
}

}  // namespace posiscope::ui
