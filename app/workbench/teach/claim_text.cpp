#include "app/workbench/teach/claim_text.hpp"
#include "app/figures/figure.hpp"
#include "app/ui/known.hpp"
#include "app/ui/numbers.hpp"
#include "app/workbench/window/benches.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace posiscope::workbench {
namespace {

constexpr int kDigits = 4;

bool whole(double value) { return value == std::round(value) && std::abs(value) < ui::kLargestWhole; }

std::string_view number(ui::Scratch& scratch, double value, bool tiny = false) {
    if (std::isinf(value)) return value < 0.0 ? "−∞" : "∞";
    if (whole(value)) return ui::integer(scratch, static_cast<std::int64_t>(value));
    return std::abs(value) < ui::kRounding && !tiny ? ui::bound(scratch, value)
                                                    : ui::significant(scratch, value, kDigits);
}

// The range of the number if the claim holds.
std::string needed(ui::Scratch& scratch, const Residual& residual, const Strings& strings) {
    const std::string_view least = number(scratch, residual.least), most = number(scratch, residual.most);
    if (residual.least > residual.most)
        return strings.format("claims.needs_both", fmt::arg("least", least), fmt::arg("most", most));
    if (residual.least == residual.most)
        return strings.format("claims.needs_exactly", fmt::arg("value", most));
    if (std::isinf(residual.most)) return strings.format("claims.needs_at_least", fmt::arg("value", least));
    if (residual.least == 0.0 && residual.most < ui::kRounding)
        return strings.format("claims.needs_zero", fmt::arg("value", most));
    if (residual.least <= 0.0) return strings.format("claims.needs_at_most", fmt::arg("value", most));
    // A range that only allows for rounding is one number.
    if (residual.most - residual.least < ui::kRounding * std::abs(residual.most))
        return strings.format("claims.needs_exactly",
                              fmt::arg("value", number(scratch, 0.5 * (residual.least + residual.most))));
    return strings.format("claims.needs_between", fmt::arg("least", least), fmt::arg("most", most));
}

// "section 6.1.1", "Table": a place with its own name needs no other.
std::string section_text(ui::Scratch& scratch, const Claim& claim, const Strings& strings) {
    const std::string_view name = ui::section_name(scratch, claim.section, strings);
    return name.front() >= '0' && name.front() <= '9'
               ? strings.format("section.numbered", fmt::arg("section", name))
               : std::string(name);
}

// "Experiment Back 3, 5 seeds, AVX3: RoPE has 0.07 ± 0.01 at positions 96–127 (chance 1/16). In this model, on this task."
std::string decided_by(const DecidingRun& run, const Strings& strings) {
    namespace ex = experiment;
    const ex::Settings& settings = ex::find_preset(run.preset)->settings;
    const auto shipped = ui::shipped_results(settings);
    if (!shipped) return std::string(strings.text("claims.pending"));  // a page fetches them
    const ex::Results results = ex::results_of(*shipped);
    const ex::Spread spread = ex::spread(results, run.encoding, ex::Scaling::none, run.column);
    ui::Scratch s;
    const auto first = static_cast<std::int64_t>(run.column) * settings.length;
    return strings.format(
        ex::task_of(settings).scored_in_nats() ? "claims.decided_nats" : "claims.decided",
        fmt::arg("preset", strings.text(fmt::format("option.experiment.preset.{}.name", run.preset))),
        fmt::arg("seeds", spread.seeds), fmt::arg("instructions", results.instructions),
        fmt::arg("encoding", strings.text(fmt::format("experiment.encoding.{}", run.encoding))),
        fmt::arg("mean", ui::fixed(s, spread.mean, 2)),
        fmt::arg("deviation", ui::fixed(s, spread.deviation, 2)), fmt::arg("first", first),
        fmt::arg("last", std::min(first + settings.length, settings.tested) - 1),
        fmt::arg("chance", std::lround(1.0 / std::max(ex::task_of(settings).chance, 1e-3))));
}

}  // namespace

bool exactly_zero(const Residual& residual) { return residual.value == 0.0 && residual.most == 0.0; }

std::string_view residual_text(ui::Scratch& scratch, const Residual& residual) {
    const bool should_vanish =
        residual.least == 0.0 && std::isfinite(residual.value) && residual.value >= 0.0;
    if (!should_vanish || exactly_zero(residual)) return number(scratch, residual.value, residual.tiny);
    if (residual.value < ui::kRounding)
        return scratch.format("≤ {}", ui::residual(scratch, residual.value, ui::residual_scale(residual)));
    return number(scratch, residual.value);
}

panels::ClaimWords words_of(const Claim& claim, const Result<Residual>* residual,
                            const std::optional<Residual>& own, const Strings& strings) {
    const Language language = strings.language();
    ui::Scratch scratch;
    panels::ClaimWords words;
    words.where =
        strings.format("claims.where", fmt::arg("note", ui::note_name(scratch, claim.note, strings)),
                       fmt::arg("section", section_text(scratch, claim, strings)));
    words.measured = ui::words(claim.measured, language);
    words.breaks =
        claim.measure == nullptr
            ? std::string(ui::words(claim.breaks, language))
            : strings.format("claims.breaks", fmt::arg("where", ui::words(claim.breaks, language)));
    const bool there = residual != nullptr && residual->has_value();
    if (own || there || claim.measure == nullptr) {
        words.mend = ui::mend(scratch, claim, own ? *own : there ? **residual : Residual(), language);
        if (own) words.mend = strings.format("claims.in_its_scene", fmt::arg("mend", words.mend));
    }
    if (claim.run) words.decided = decided_by(*claim.run, strings);
    if (claim.measure == nullptr) return words;
    if (!there) {
        words.absent = residual == nullptr ? std::string(strings.text("claims.pending"))
                                           : strings.sentence_in_window(residual->error());
        return words;
    }
    words.value = residual_text(scratch, **residual);
    words.standing = standing(claim, **residual);
    if (exactly_zero(**residual) && claim.measure->unit.empty())
        words.value = strings.format("claims.exactly", fmt::arg("value", words.value));
    if (!claim.measure->unit.empty())
        words.unit = strings.text(scratch.format("unit.claim.{}", claim.measure->unit));
    words.needed = needed(scratch, **residual, strings);
    return words;
}

std::string below_picture(const Claim& claim, const Scene& scene, const Strings& strings) {
    std::optional<Result<Residual>> residual;
    std::optional<Residual> own;
    if (claim.measure != nullptr) {
        residual = measure(*claim.measure, scene);
        if (*residual && mend(claim, **residual) == nullptr)
            if (auto made = measure(*claim.measure, *scene_of(claim))) own = std::move(*made);
    }
    const panels::ClaimWords words = words_of(claim, residual ? &*residual : nullptr, own, strings);
    std::string said = strings.format(
        "claims.below", fmt::arg("id", claim.id),
        fmt::arg("verdict", strings.text(fmt::format(
                                "verdict.{}", verdict_names()[static_cast<std::size_t>(claim.verdict)]))),
        fmt::arg("claim", ui::words(claim.says, strings.language())));
    if (!words.value.empty())
        said += strings.format(
            "claims.below_number", fmt::arg("measured", words.measured),
            fmt::arg("value", words.unit.empty() ? words.value : words.value + " " + words.unit),
            fmt::arg("needed", words.needed));
    else if (claim.measure != nullptr) said += "\n" + words.absent;
    if (!words.mend.empty()) said += "\n" + words.mend;
    return said;
}

namespace {

Scene in_its_bench(std::string_view id, const Json& partial, std::string_view figure, std::string_view mode) {
    auto scene = scene_of(partial);
    if (!scene) throw std::logic_error(fmt::format("{}: {}", id, to_string(scene.error())));  // our own file
    if (!mode.empty()) figures::set_view_value(*scene, figure, "mode", std::string(mode));
    const auto has_it = [&](const Bench& bench) {
        const auto ids = figures_of(bench);
        return std::ranges::find(ids, figure) != ids.end();
    };
    // A scene may name the one of several benches that fits.
    if (const Bench* own = find_bench(scene->bench); own != nullptr && has_it(*own)) return std::move(*scene);
    if (const auto bench = std::ranges::find_if(benches(), has_it); bench != benches().end())
        scene->bench = bench->id;
    return std::move(*scene);
}

}  // namespace

Scene shown(const Claim& claim) { return in_its_bench(claim.id, claim.scene, claim.figure, claim.mode); }

Scene shown(const Section& section) {
    return in_its_bench(section.id, section.scene, section.figure, section.mode);
}

}  // namespace posiscope::workbench
