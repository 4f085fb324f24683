#include "app/ui/known_spectra.hpp"

#include "app/ui/known_models.hpp"

namespace posiscope::ui {

std::vector<Known> known_spectra() {
    std::vector<Known> known;
    for (const ModelRow& row : known_models()) {
        const auto model = model_scene(row);
        const auto laid = model ? with_model(Scene(), *model) : tl::unexpected(model.error());
        if (!laid) continue;
        if (auto one = known_spectrum(laid->scene, row.name)) known.push_back(std::move(*one));
    }
    return known;
}

}  // namespace posiscope::ui
