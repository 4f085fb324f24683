// rotary.cpp — rotary position embedding (RoPE): rotates each feature pair of q and k by position × frequency.
// (a, b) → (a cos φ − b sin φ, a sin φ + b cos φ),  φ = p ω_i,  ω_i = base^(−2i/r), scaled by rope_scaling
// Shapes   acts on head_dim features; the first r = int(head_dim · partial_rotary_factor) are rotated, the rest unchanged.
// Layout   interleaved pairs (2i, 2i+1) or half pairs (i, i + r/2): permutations of one another.
// M-RoPE   with mrope_section each pair takes its position from one axis (t, h, w). Without `grid` every axis is
//          the position itself, as for text, which is plain RoPE; with it, tokens fill a t × h × w block row by
//          row. Figures of one position or distance show the text case.
// XD-RoPE  with xdrope_section the axes are four: the position itself, then column, row and time of a grid.
// MLA      rotary_offset features come before the rotated ones, as in DeepSeek's heads (nope part, rope part).
// Window   sliding_window or attention_chunk_size bounds the distances at which a query sees keys.
// Chunks   dual_chunk_attention_config: the rotated distance is that of DualChunk, at most chunk_size.
// Query    llama_4_scaling_beta multiplies every query by 1 + β ln(1 + ⌊p/L⌋).
// NoPE     a layer that uses no RoPE has frequency 0 in every pair; with attn_temperature_tuning it multiplies q.
// Range    0 ≤ p < 2^31, r even and at least 2.  Error  4e-16 of a pair's length for each coordinate.
// Source   arXiv 2104.09864, 2409.12191 (M-RoPE); names as in Hugging Face configs.
#include "core/code/program.hpp"
#include "core/encodings/axes.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/encodings/turning.hpp"
#include "core/json_members.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace posiscope {
namespace rotary {
namespace {

std::int64_t pairs(const SpectrumInput& scene) {
    const auto settings = rope_settings(scene);
    return settings ? settings->pairs() : 0;
}

Result<Spectrum> spectrum(const SpectrumInput& scene) {
    const auto settings = rope_settings(scene);
    if (!settings) return tl::unexpected(settings.error());
    if (!settings->turns)
        return spectrum_from(std::vector<double>(static_cast<std::size_t>(settings->pairs()), 0.0));
    return scaled_spectrum(settings->context, settings->chosen);
}

PairLayout layout(const ActionInput& scene) { return scene.layout; }

std::optional<Problem> check(const SpectrumInput& scene) {
    const auto made = spectrum(scene);
    return made ? std::nullopt : std::optional(made.error());
}

PairAxes axes(const SpectrumInput& scene) {
    PairAxes made;
    const auto settings = rope_settings(scene);
    if (!settings || settings->sections.empty()) return made;
    made.axis = mrope_axes(settings->sections, settings->pairs(), settings->interleaved_sections);
    made.sections = settings->sections.size();
    if (made.sections == 4) made.names = {"p", "w", "h", "t"};
    else made.names = {"t", "h", "w", "rest"};
    made.grid = settings->grid;
    made.parted = !made.grid.empty();
    return made;
}

Turning turning_with(const SpectrumInput& scene, Spectrum made, const RopeSettings& settings) {
    Turning turning{.spectrum = std::move(made), .axes = axes(scene)};
    if (settings.chunks) {
        turning.distance = [chunks = *settings.chunks](double, std::int64_t query, std::int64_t key) {
            return static_cast<double>(query >= key ? chunks.distance(query, key)
                                                    : -chunks.distance(key, query));
        };
        turning.distance_by_tokens = true;
    }
    return turning;
}

Rotation rotation(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    if (parameters.contains("dual_chunk_attention_config")) return Rotation::chunks;
    return parameters.contains("grid") && axes(scene).parted ? Rotation::grid : Rotation::circles;
}

Result<Turning> turning(const SpectrumInput& scene) {
    return rope_settings(scene).and_then([&](const RopeSettings& settings) {
        return spectrum(scene).map(
            [&](Spectrum made) { return turning_with(scene, std::move(made), settings); });
    });
}

Result<Action> action(const ActionInput& scene) {
    const auto settings = rope_settings(scene);
    if (!settings) return tl::unexpected(settings.error());
    auto made = spectrum(scene);
    if (!made) return tl::unexpected(made.error());
    Action result = plain_action(head_dim(scene));
    result.scale *= made->logit_factor;
    result.cost = 60.0 * static_cast<double>(made->pairs());
    const PairLayout pair_layout = layout(scene);
    const Json& parameters = scene.encoding.parameters;
    if (!settings->turns) {
        if (!parameters.at("attn_temperature_tuning").get<bool>()) return result;
        const double floor_scale = parameters.at("floor_scale").get<double>();
        const double attn_scale = parameters.at("attn_scale").get<double>();
        result.by_distance = false;
        result.turn = [=](Side side, std::int64_t position, std::span<double> x) {
            if (side == Side::key) return;
            const double factor = nope_query_factor(position, floor_scale, attn_scale);
            for (double& feature : x) feature *= factor;
        };
        return result;
    }
    const auto offset = static_cast<std::size_t>(settings->rotary_offset);
    const auto turning = std::make_shared<const Turning>(turning_with(scene, std::move(*made), *settings));
    if (settings->chunks) {
        rotate_where_they_meet(
            result, turning,
            {.layout = pair_layout, .offset = offset, .factor = settings->chunks->key_factor(scene.length)});
        return result;
    }
    const double beta = settings->query_beta, original = settings->query_original;
    const auto apply_query_temperature = [=](Side side, std::int64_t position, std::span<double> x) {
        if (beta == 0.0 || side == Side::key) return;
        const double factor = query_factor(position, beta, original);
        for (double& feature : x) feature *= factor;
    };
    result.by_distance = turning->by_distance() && beta == 0.0;
    if (turning->steady())
        result.waves = [=, scale = result.scale](const Contents& contents) {
            const Spectrum& rates = turning->spectrum;
            const double factor = beta == 0.0 ? 1.0 : query_factor(contents.query, beta, original);
            if (offset == 0) return rotary_waves(rates, pair_layout, scale * factor, contents);
            // The order of features makes no difference to a sum over all of them.
            std::vector<double> q(contents.q.begin(), contents.q.end()),
                k(contents.k.begin(), contents.k.end());
            for (auto* x : {&q, &k})
                std::rotate(x->begin(), x->begin() + static_cast<std::ptrdiff_t>(offset), x->end());
            return rotary_waves(rates, pair_layout, scale * factor, {contents.head, contents.query, q, k});
        };
    const auto& grid = settings->grid;
    if (turning->axes.parted)
        result.positions = grid[1] > kLastPosition / grid[2] || grid[0] > kLastPosition / (grid[1] * grid[2])
                               ? kLastPosition + 1
                               : grid[0] * grid[1] * grid[2];
    result.turn = [=](Side side, std::int64_t position, std::span<double> x) {
        turning->rotate(side, position, pair_layout, x.subspan(offset));
        apply_query_temperature(side, position, x);
    };
    return result;
}

std::vector<Problem> remarks(const ActionInput& scene) {
    std::vector<Problem> notes;
    const auto settings = rope_settings(scene);
    if (!settings) return notes;
    const Json& parameters = scene.encoding.parameters;
    if (!settings->turns) notes.push_back({"layer.no_rope", {{"layer", parameters.at("layer").dump()}}});
    else notes = scaling_remarks(settings->context, settings->chosen);
    // Every kind of layer may have a base of its own; one object beside the Scene's base says the same thing twice.
    const auto base = settings->nested ? std::nullopt : number_at(settings->chosen.shared, "rope_theta");
    if (base && *base != scene.base)
        notes.push_back({"rope_theta.overrides", {{"value", to_text(*base)}, {"base", to_text(scene.base)}}});
    for (const char* dictionary : {"rope_scaling", "rope_parameters"})
        if (settings->nested && parameters.contains(dictionary))
            for (const auto& [type, inner] : parameters[dictionary].items())
                if (inner.contains("truncate") && !inner.value("shared_object", false))
                    notes.push_back({"yarn.truncate_nested", {{"layer_type", type}}});
    if (!settings->sections.empty() && settings->grid.empty()) notes.push_back({"mrope.text", {}});
    if (settings->sections.empty() && !settings->grid.empty()) notes.push_back({"mrope.no_sections", {}});
    return notes;
}

Result<Spectrum> unscaled(const SpectrumInput& scene) {
    return rope_settings(scene).map(
        [](const RopeSettings& settings) { return unscaled_spectrum(settings.context); });
}

FrequencyForm frequency(const SpectrumInput& scene) {
    FrequencyForm form = usual_frequency_form(scene);
    if (const auto settings = rope_settings(scene)) {
        form.base = settings->context.base;
        form.width = settings->context.rotary_dim;
    }
    return form;
}

// With layer_type set, `layer` matters only if some layers skip RoPE.
bool ignores(const SpectrumInput& scene, std::string_view key) {
    const auto given = [&](const char* name) {
        return !scene.encoding.parameters.value(name, Json()).is_null();
    };
    return key == "layer" && given("layer_type") && !given("no_rope_layers") &&
           !given("no_rope_layer_interval");
}

}  // namespace
}  // namespace rotary

const Encoding& rotary_encoding() {
    using namespace rotary;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"rope_scaling", Kind::dictionary, nullptr, 0, static_cast<double>(kMostScalingValues)},
        {"rope_parameters", Kind::dictionary, nullptr, 0, static_cast<double>(kMostScalingValues)},
        {"partial_rotary_factor", Kind::number, 1.0, 0.0, 1.0, true},
        {"rotary_dim", Kind::integer, nullptr, 2, static_cast<double>(kLargestWidth)},
        {"max_position_embeddings", Kind::integer, nullptr, 1, static_cast<double>(kLastPosition)},
        {"mrope_section", Kind::list, nullptr},
        {"mrope_interleaved", Kind::boolean, false, 0, 0, false, {}, true},
        {"grid", Kind::list, nullptr},
        {"rotary_offset", Kind::integer, nullptr, 0, static_cast<double>(kLargestWidth)},
        {"sliding_window", Kind::integer, nullptr, 1, static_cast<double>(kLastPosition)},
        {"attention_chunk_size", Kind::integer, nullptr, 1, static_cast<double>(kLastPosition)},
        {"dual_chunk_attention_config", Kind::dictionary, nullptr},
        {"layer", Kind::integer, 0, 0, 100000, false, {}, true},
        {"layer_type", Kind::text, nullptr},
        {"layer_types", Kind::list, nullptr, 0, static_cast<double>(kMostLayers)},
        {"no_rope_layers", Kind::list, nullptr, 0, static_cast<double>(kMostLayers)},
        {"no_rope_layer_interval", Kind::integer, nullptr, 1, 100000},
        {"attn_temperature_tuning", Kind::boolean, false, 0, 0, false, {}, true},
        {"floor_scale", Kind::number, 8192.0, 1.0, static_cast<double>(kLastPosition), false, {}, true},
        {"attn_scale", Kind::number, 0.1, 0.0, 1e6, false, {}, true},
    };
    static const Encoding encoding{
        .kind = "rope",
        .family = Family::rotary,
        .acts = Acts::query_key,
        .per_head = true,
        .parameters = parameters,
        .pairs = pairs,
        .spectrum = spectrum,
        .layout = layout,
        .check = check,
        .action = action,
        .remarks = remarks,
        .ignores = ignores,
        .rotating = {.form = rotation,
                     .turning = turning,
                     .unscaled = unscaled,
                     .frequency = frequency,
                     .axes = axes,
                     .scalings = true},
        .shown = {.colour = "ink", .definition = define_rotation, .rank = 1},
        .slots = {.program = rope_program},
    };
    return encoding;
}

}  // namespace posiscope
