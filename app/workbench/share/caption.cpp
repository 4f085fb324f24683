#include "app/workbench/share/caption.hpp"

#include "core/encodings/encodings.hpp"
#include "core/experiment/shown.hpp"
#include "core/json_members.hpp"
#include "core/scaling/scaling.hpp"

#include <cmath>

namespace posiscope::workbench {

std::string_view caption(const ui::Look& look, const Scene& scene) {
    ui::Scratch& s = *look.scratch;
    const auto option = [&](std::string_view key, std::string_view value) {
        return look.text(s.format("option.{}.{}.name", key, value));
    };
    const Json& parameters = scene.encoding.parameters;
    const std::string& variant = text_at(parameters, "variant");
    const Json* scaling = nullptr;
    for (const char* spelling : {"rope_scaling", "rope_parameters"})
        if (const Json* found = object_at(parameters, spelling)) scaling = found;
    std::string_view kind = option("encoding", scene.encoding.kind);
    if (!variant.empty()) kind = s.format("{} · {}", kind, option("encoding.variant", variant));
    if (scaling != nullptr)
        if (const std::string_view method = method_named(*scaling); !method.empty())
            kind = s.format("{} · {}", kind, option("scaling", method));
    if (const auto partial = number_at(parameters, "partial_rotary_factor"); partial && *partial != 1.0)
        kind = s.format("{} · {} {}", kind, look.text("parameter.encoding.partial_rotary_factor.name"),
                        ui::shortest(s, *partial));
    // Seeded numbers stand in for learned ones.
    if (parameters.contains("seed") && file_of(scene) == nullptr)
        kind = s.format("{} · {}", kind, look.text("caption.untrained"));
    const Encoding& encoding = encoding_of(scene);
    std::string_view width = s.format("d_model {}", ui::integer(s, scene.d_model));
    if (encoding.per_head && scene.num_heads > 1) width = s.format("{} / {}", width, scene.num_heads);
    if (encoding.pairs(scene) == 0 && !encoding.rotating.base_without_pairs)
        return s.format("{} · {}", kind, width);
    const bool whole = scene.base == std::round(scene.base) && scene.base < 1e15;
    return s.format("{} · {} · b = {}", kind, width,
                    whole ? ui::integer(s, std::llround(scene.base)) : ui::significant(s, scene.base, 6));
}

std::string_view experiment_caption(const ui::Look& look, const Scene& scene) {
    const auto shown = experiment::shown_in(scene.view);
    if (!shown) return {};
    const experiment::Settings& settings = shown->settings;
    ui::Scratch& s = *look.scratch;
    std::string_view task =
        look.format(s.format("experiment.task.{}.short", settings.task), fmt::arg("k", settings.k));
    if (!settings.causal) task = look.format("experiment.unmasked", fmt::arg("task", task));
    return look.format("experiment.caption", fmt::arg("task", task), fmt::arg("length", settings.length),
                       fmt::arg("layers", settings.layers), fmt::arg("heads", settings.heads),
                       fmt::arg("steps", settings.steps));
}

}  // namespace posiscope::workbench
