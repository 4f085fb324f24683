#include "app/ui/known_spectra.hpp"

#include "app/ui/known_models.hpp"
#include "core/models/reader.hpp"

namespace posiscope::ui {

std::vector<Known> known_spectra() {
    std::vector<Known> known;
    for (const ModelRow& row : known_models()) {
        const auto model = model_scene(row);
        const auto laid = model ? with_model(Scene(), *model) : tl::unexpected(model.error());
        if (!laid) continue;
        auto one = known_spectrum(laid->scene, row.name);
        if (!one) continue;
        // LongRoPE has other factors up to the length that it began with.
        const Json& scaling = at_path(laid->scene.encoding.parameters, "rope_scaling");
        const Json& original = at_path(scaling, "original_max_position_embeddings");
        if (at_path(scaling, "rope_type") == "longrope" && original.is_number_integer()) {
            one->words += ", long_factor";
            Scene shorter = laid->scene;
            shorter.length = original.get<std::int64_t>();
            if (auto other = known_spectrum(shorter, row.name + ", short_factor"))
                known.push_back(std::move(*other));
        }
        known.push_back(std::move(*one));
    }
    return known;
}

}  // namespace posiscope::ui
