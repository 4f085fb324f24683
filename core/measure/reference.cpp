#include "core/measure/reference.hpp"

#include "core/encodings/axes.hpp"
#include "core/encodings/rope_layers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::measuring {

std::string_view Reference::method() const {
    return settings && settings->chosen.scaling != nullptr ? settings->chosen.scaling->rope_type : "default";
}

Turning Reference::turning() const {
    Turning made;
    made.rate = frequency;
    made.amplitude = amplitude;
    made.axis = axis;
    made.axes = axis.empty() ? 1 : static_cast<int>(axes.size());
    made.unscaled = unscaled;
    return made;
}

std::optional<Reference> reference_of(const Scene& scene, std::string words) {
    const auto spectrum = spectrum_of(scene), unscaled = unscaled_spectrum_of(scene);
    if (!spectrum || !unscaled || spectrum->pairs() == 0) return std::nullopt;
    if (std::ranges::all_of(spectrum->frequency, [](double w) { return w == 0.0; })) return std::nullopt;
    Reference made;
    made.words = std::move(words);
    made.frequency = spectrum->frequency;
    made.unscaled = unscaled->frequency;
    made.amplitude = spectrum->attention_factor;
    made.base = scene.base;
    made.layout = encoding_of(scene).layout(scene);
    made.rotary = encoding_of(scene).acts == Acts::query_key;
    made.head_width = head_dim(scene);
    made.model_width = scene.d_model;
    made.heads = scene.num_heads;
    if (const PairAxes axes = pair_axes(scene); !axes.empty()) {
        made.axis = axes.axis;
        made.axes.assign(axes.names.begin(), axes.names.end());
    }
    if (takes_scalings(scene))
        if (auto settings = rope_settings(scene)) {
            made.base = settings->context.base;
            made.longest = settings->context.max_position_embeddings.value_or(0);
            if (const auto original = original_length(settings->context, settings->chosen.settings))
                made.original = static_cast<std::int64_t>(*original);
            made.settings = std::move(*settings);
        }
    return made;
}

std::vector<Reference> references_of(std::span<const Scene> scenes) {
    std::vector<Reference> made;
    for (const Scene& scene : scenes) {
        const auto first = reference_of(scene, "");
        if (!first) continue;
        const RopeLayers layers = rope_layers(scene);
        std::string kind;
        if (layers.several() && layers.kind >= 0)
            if (const int type = layers.kinds[static_cast<std::size_t>(layers.kind)].type;
                type >= 0 && static_cast<std::size_t>(type) < layers.types.size())
                kind = layers.types[static_cast<std::size_t>(type)];
        const auto add = [&](const Scene& one, std::string list) {
            auto reference = reference_of(one, fmt::format("b = {:.10g}", first->base));
            if (!reference) return;
            reference->kind = kind;
            for (const std::string& part : {reference->kind, std::string(reference->method()), list})
                if (!part.empty() && part != "default") reference->words += ", " + part;
            reference->list = std::move(list);
            made.push_back(std::move(*reference));
        };
        if (first->method() == "longrope" && first->original > 0) {
            // One list for short texts, one for long ones.
            Scene one = scene;
            one.length = first->original;
            add(one, "short_factor");
            one.length = first->original + 1;
            add(one, "long_factor");
        } else {
            add(scene, "");
        }
    }
    return made;
}

std::vector<Reference> references_of_layers(const Scene& scene) {
    const RopeLayers layers = rope_layers(scene);
    std::vector<Reference> made;
    for (std::size_t kind = 0; kind < layers.kinds.size(); ++kind) {
        const auto one = overlay(scene, {{"encoding", with_kind(scene, layers, kind)}});
        if (!one) continue;
        for (Reference& reference : references_of(std::span(&one->scene, 1))) {
            reference.asked = layers.kind < 0 || layers.kind == static_cast<int>(kind);
            made.push_back(std::move(reference));
        }
    }
    return made.empty() ? references_of(std::span(&scene, 1)) : made;
}

std::optional<Reference> added_reference(std::string_view family, const Scene& scene) {
    const std::int64_t pairs = scene.d_model / 2;
    // Tables that are added, beside what a Scene of the config shows: openai/whisper model.py sinusoids, transfo-xl PositionalEmbedding.
    if (pairs < 2 || (family != "whisper" && family != "transfo-xl")) return std::nullopt;
    Reference made =
        plain_reference(10000.0, pairs, static_cast<double>(family == "whisper" ? pairs - 1 : pairs), false);
    made.known = false;
    made.model_width = scene.d_model;
    return made;
}

Reference plain_reference(double base, std::int64_t pairs, double denominator, bool rotary) {
    Reference made;
    made.words = fmt::format("b = {:.10g}", base);
    for (std::int64_t i = 0; i < pairs; ++i)
        made.frequency.push_back(std::pow(base, -static_cast<double>(i) / denominator));
    made.unscaled = made.frequency;
    made.base = base;
    made.rotary = rotary;
    made.known = true;
    return made;
}

Reference grid_reference(std::int64_t pairs) {
    Reference made = plain_reference(10000.0, pairs / 2, static_cast<double>(pairs / 2), false);
    made.frequency.insert(made.frequency.end(), made.unscaled.begin(), made.unscaled.end());
    made.unscaled = made.frequency;
    made.axes = {"1", "2"};
    for (std::int64_t i = 0; i < pairs; ++i) made.axis.push_back(i < pairs / 2 ? 0 : 1);
    made.in_blocks = true;
    return made;
}

std::span<const double> usual_bases() {
    static constexpr double bases[] = {10000.0,    500000.0,   1000000.0,   100.0,     1000.0,    20000.0,
                                       25000.0,    50000.0,    100000.0,    130000.0,  150000.0,  160000.0,
                                       250000.0,   600000.0,   1500000.0,   2000000.0, 5000000.0, 8000000.0,
                                       10000000.0, 50000000.0, 100000000.0, 1e9,       1e10,      1e11};
    return bases;
}

}  // namespace posiscope::measuring
