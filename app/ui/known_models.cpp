#include "app/ui/known.hpp"

#include "app/ui/assets.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/models/reader.hpp"
#include "core/models/rescale.hpp"
#include "core/scaling/scaling.hpp"

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

namespace {

// The model and, where it scales its frequencies, how: others may do the same.
std::string words_of(const ModelRow& row, const Scene& scene, const Json& scaling) {
    const auto chosen = choose_scaling(scaling, "");
    if (!chosen || chosen->scaling->rope_type == "default") return row.name;
    const Json& factor = at_path(scaling, "factor");
    std::string words = fmt::format("{} (b = {:.10g}; {}", row.name, scene.base, chosen->scaling->rope_type);
    if (factor.is_number()) words += fmt::format(", factor {}", to_text(factor.get<double>()));
    return words + ")";
}

}  // namespace

std::vector<measuring::Reference> known_spectra() {
    std::vector<measuring::Reference> known;
    const auto add = [&](const Scene& scene, std::string words) {
        auto one = measuring::reference_of(scene, std::move(words));
        if (!one) return;
        one->known = true;
        known.push_back(std::move(*one));
    };
    for (const ModelRow& row : known_models()) {
        const Scene& scene = row.scene;
        const Json& scaling = at_path(scene.encoding.parameters, "rope_scaling");
        const std::string words = words_of(row, scene, scaling);
        // LongRoPE has other factors up to the length that it began with.
        const Json& original = at_path(scaling, "original_max_position_embeddings");
        const bool lists = original.is_number_integer() && scaling.contains("short_factor");
        if (lists) {
            Scene shorter = scene;
            shorter.length = original.get<std::int64_t>();
            add(shorter, words + ", short_factor");
        }
        add(scene, lists ? words + ", long_factor" : words);
    }
    return known;
}

}  // namespace posiscope::ui
