#include "app/ui/known_spectra.hpp"

#include "app/ui/known_models.hpp"
#include "core/models/reader.hpp"
#include "core/scaling/scaling.hpp"

#include <fmt/format.h>

namespace posiscope::ui {
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

std::vector<Known> known_spectra() {
    std::vector<Known> known;
    for (const ModelRow& row : known_models()) {
        const Scene& scene = row.scene;
        const Json& scaling = at_path(scene.encoding.parameters, "rope_scaling");
        auto one = known_spectrum(scene, words_of(row, scene, scaling));
        if (!one) continue;
        // LongRoPE has other factors up to the length that it began with.
        const Json& original = at_path(scaling, "original_max_position_embeddings");
        if (original.is_number_integer() && scaling.contains("short_factor")) {
            Scene shorter = scene;
            shorter.length = original.get<std::int64_t>();
            if (auto other = known_spectrum(shorter, one->words + ", short_factor"))
                known.push_back(std::move(*other));
            one->words += ", long_factor";
        }
        known.push_back(std::move(*one));
    }
    return known;
}

}  // namespace posiscope::ui
