#include "core/models/check.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"
#include "core/models/origin.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace {

// Methods whose factor × original length is not the length they are for. Models that were trained with another product are rows
// of the list of models, with their source: Llama 3.2, Llama 4 Scout, CSM.
constexpr std::string_view kCoverNoProduct[] = {"llama3", "dynamic", "longrope", "ntk", "proportional"};

bool covers_product(std::string_view method) {
    return std::ranges::find(kCoverNoProduct, method) == std::end(kCoverNoProduct);
}

std::string digits(double value) { return fmt::format("{:.3g}", value); }
std::string whole(double value) { return fmt::format("{:.0f}", value); }
std::string whole(std::int64_t value) { return std::to_string(value); }

// The inputs of the checks, read once.
struct Case {
    const Scene& scene;
    const Training& training;
    std::optional<RopeSettings> rope;
    std::optional<double> factor, original;  // from the scaling's settings
    Origin origin;
    bool mirrored = false;  // training settings are whatever they are now, and now there is a scaling

    bool as_trained() const {
        return training.trained && training.trained->frequency == training.now.frequency &&
               logit_factor(*training.trained) == logit_factor(training.now);
    }
    // The training settings are assumed to be the config's own, since it does not state them.
    bool assumed() const { return origin.assumed && as_trained(); }
    // The factor that max_position_embeddings implies, if it differs from the given one.
    std::optional<double> factor_of_maximum() const {
        const auto maximum = number_at(scene.encoding.parameters, "max_position_embeddings");
        if (!factor || !original || !maximum || *factor * *original == *maximum) return std::nullopt;
        return *maximum / *original;
    }
    // The attention_factor that gives the logits of training.
    double mending_attention_factor() const {
        const double extra = rope ? number_at(rope->chosen.settings, "attn_factor").value_or(1.0) : 1.0;
        return std::sqrt(logit_factor(*training.trained) / training.now.logit_factor) / extra;
    }
    // The factor of a scaling on the logits.
    static double logit_factor(const Spectrum& spectrum) {
        return spectrum.attention_factor * spectrum.attention_factor * spectrum.logit_factor;
    }
};

Case read_case(const Scene& scene, const Training& training) {
    Case one{scene, training, {}, {}, {}, origin_of(scene)};
    one.mirrored = scene.trained.length && scene.trained.scene.empty() && training.slowing.changes();
    one.origin.assumed = one.origin.assumed || one.mirrored;
    if (!takes_scalings(scene)) return one;
    if (auto settings = rope_settings(scene)) one.rope = std::move(*settings);
    if (!one.rope) return one;
    const ChosenScaling& chosen = one.rope->chosen;
    one.factor = number_at(chosen.settings, "factor");
    one.original = number_at(chosen.settings, "original_max_position_embeddings");
    if (!one.original) one.original = number_at(chosen.shared, "original_max_position_embeddings");
    return one;
}

// ---- one check each --------------------------------------------------------------------------------------------

void check_product(const Case& one, std::vector<Finding>& found) {
    if (!one.factor || !one.original) return;
    const bool known = one.as_trained() && !one.origin.assumed;
    if (!covers_product(one.training.method) && !known) return;
    const auto maximum = number_at(one.scene.encoding.parameters, "max_position_embeddings");
    if (!maximum) return;
    const double product = *one.factor * *one.original;
    const std::string factor = to_text(*one.factor), original = whole(*one.original);
    if (product == *maximum)
        found.push_back({Severity::fine, "product",
                         Problem{"check.product_fine",
                                 {{"factor", factor}, {"original", original}, {"product", whole(product)}}}});
    else if (known)
        found.push_back({Severity::fine, "product",
                         Problem{"check.product_trained",
                                 {{"factor", factor},
                                  {"original", original},
                                  {"product", whole(product)},
                                  {"maximum", whole(*maximum)}}}});
    else if (product > *maximum)
        // A scaling that covers more than the limit: Qwen's YaRN, Yarn-Mistral 128k (16 × 8192, limit 32768).
        found.push_back({Severity::note, "product",
                         Problem{"check.product_beyond",
                                 {{"factor", factor},
                                  {"original", original},
                                  {"product", whole(product)},
                                  {"maximum", whole(*maximum)}}}});
    else
        found.push_back({Severity::wrong, "product",
                         Problem{static_cast<double>(one.scene.length) > product ? "check.product_short"
                                                                                 : "check.product",
                                 {{"factor", factor},
                                  {"original", original},
                                  {"product", whole(product)},
                                  {"maximum", whole(*maximum)},
                                  {"mend", fmt::format("{:.6g}", *maximum / *one.original)}}}});
}

// The range of a scaling with that factor; the original length may be known only from training.
std::optional<double> meant_original(const Case& one) {
    if (one.original) return one.original;
    if (one.scene.trained.length) return static_cast<double>(*one.scene.trained.length);
    return std::nullopt;
}

void check_reach(const Case& one, std::vector<Finding>& found) {
    if (one.training.reach < one.scene.length) {
        // No longer text takes this layer to a larger distance.
        const bool within = one.training.reach <= one.training.trained_reach || !one.training.trained;
        if (within)
            return found.push_back(
                {Severity::fine, "reach",
                 Problem{"check.window",
                         {{"length", whole(one.scene.length)}, {"last", whole(one.training.reach - 1)}}}});
    }
    const auto length = static_cast<double>(one.training.reach);
    const auto& trained = one.scene.trained.length;
    const std::string shown = whole(one.training.reach);
    const auto fine = [&](double reach) {
        found.push_back({Severity::fine, "reach",
                         Problem{"check.reach_fine", {{"length", shown}, {"reach", whole(reach)}}}});
    };
    if (trained && length <= static_cast<double>(*trained) && one.as_trained() && !one.origin.assumed)
        return fine(static_cast<double>(*trained));
    const std::string& method = one.training.method;
    if (method == "llama3" && trained) {
        if (length <= static_cast<double>(*trained)) return fine(static_cast<double>(*trained));
        return found.push_back(
            {Severity::wrong, "reach",
             Problem{"check.past_trained",
                     {{"length", shown}, {"method", method}, {"trained", whole(*trained)}}}});
    }
    if (!covers_product(method)) return;
    const auto original = meant_original(one);
    if (one.factor && original) {
        const double reach = *one.factor * *original, least = std::ceil(100.0 * length / *original) / 100.0;
        if (length <= reach) return fine(reach);
        // One factor for both findings, if the one that max_position_embeddings implies is large enough.
        const double mend = std::max(least, one.factor_of_maximum().value_or(least));
        found.push_back({Severity::wrong, "reach",
                         Problem{"check.reach",
                                 {{"length", shown},
                                  {"method", method},
                                  {"factor", to_text(*one.factor)},
                                  {"original", whole(*original)},
                                  {"reach", whole(reach)},
                                  {"mend", fmt::format("{:.6g}", mend)},
                                  {"covers", whole(mend * *original)}}}});
        return;
    }
    if (!trained || one.training.slowing.changes()) return;
    if (length <= static_cast<double>(*trained)) return fine(static_cast<double>(*trained));
    found.push_back({Severity::wrong, "reach",
                     Problem{"check.unscaled", {{"length", shown}, {"trained", whole(*trained)}}}});
}

void check_unseen(const Case& one, std::vector<Finding>& found) {
    if (one.training.trained_turns.empty()) return;
    const Unseen& unseen = one.training.new_angles;
    const std::string length = whole(one.training.reach);
    if (unseen.count == 0 && one.assumed()) return;
    if (unseen.count == 0)
        found.push_back({Severity::fine, "unseen", Problem{"check.unseen_fine", {{"length", length}}}});
    else
        found.push_back({Severity::wrong, "unseen",
                         Problem{"check.unseen",
                                 {{"count", std::to_string(unseen.count)},
                                  {"pairs", std::to_string(one.training.now.pairs())},
                                  {"first", std::to_string(unseen.first)},
                                  {"last", std::to_string(unseen.last)},
                                  {"length", length}}}});
}

void check_replaced(const Case& one, std::vector<Finding>& found) {
    if (!one.training.deviation || one.assumed()) return;
    const Deviation& off = *one.training.deviation;
    if (off.changed == 0) {
        found.push_back({Severity::fine, "replaced", Problem{"check.replaced_fine", {}}});
        return;
    }
    const std::string& before = one.training.trained_method;
    const bool scaled_before = !before.empty() && before != "default";
    const bool yarn = !scaled_before && one.training.method == "yarn";
    found.push_back({scaled_before ? Severity::wrong : Severity::note, scaled_before ? "replaced" : "changed",
                     Problem{yarn ? "check.replaced_yarn" : "check.replaced",
                             {{"trained_method", before.empty() ? "default" : before},
                              {"method", one.training.method.empty() ? "default" : one.training.method},
                              {"changed", std::to_string(off.changed)},
                              {"pairs", std::to_string(one.training.now.pairs())},
                              {"off", std::to_string(off.off)},
                              {"length", whole(one.training.reach)},
                              {"worst", digits(off.worst)},
                              {"pair", std::to_string(off.worst_pair)}}}});
}

// YaRN and LongRoPE sharpen the logits by their own factor, whatever they are laid over.
bool meant_temperature(const Case& one) {
    const std::string& method = one.training.method;
    return (one.training.trained_method == "default" || one.training.trained_method.empty()) &&
           (method == "yarn" || method == "longrope") &&
           !number_at(one.rope->chosen.settings, "attention_factor");
}

void check_attention(const Case& one, std::vector<Finding>& found) {
    if (!one.training.trained || !one.rope || one.assumed()) return;
    const double now = Case::logit_factor(one.training.now),
                 trained = Case::logit_factor(*one.training.trained);
    if (std::abs(now / trained - 1.0) < 1e-5)
        found.push_back({Severity::fine, "attention", Problem{"check.attention_fine", {}}});
    else if (meant_temperature(one))
        found.push_back({Severity::note, "temperature",
                         Problem{"check.temperature",
                                 {{"now", fmt::format("{:.4g}", now)}, {"method", one.training.method}}}});
    else {
        const auto& known = one.rope->chosen.scaling->parameters;
        const bool settable = std::any_of(known.begin(), known.end(), [](const Parameter& parameter) {
            return parameter.key == "attention_factor";
        });
        found.push_back({Severity::wrong, "attention",
                         Problem{settable ? "check.attention" : "check.attention_fixed",
                                 {{"now", fmt::format("{:.4g}", now)},
                                  {"trained", fmt::format("{:.4g}", trained)},
                                  {"method", one.training.method},
                                  {"mend", fmt::format("{:.6g}", one.mending_attention_factor())}}}});
    }
}

// The key that the trained length was read from.
std::string length_source(const Case& one) {
    const Json& parameters = one.scene.encoding.parameters;
    const std::int64_t length = *one.scene.trained.length;
    if (one.rope && one.rope->chunks && one.rope->chunks->original == length)
        return "dual_chunk_attention_config.original_max_position_embeddings";
    if (number_at(parameters, "max_position_embeddings") == static_cast<double>(length))
        return "max_position_embeddings";
    return one.original == static_cast<double>(length) ? "original_max_position_embeddings"
                                                       : "max_position_embeddings";
}

// If the training settings are only assumed.
void check_assumed(const Case& one, std::vector<Finding>& found) {
    if (!one.scene.trained.length || (!one.origin.assumed && !one.origin.unverified)) return;
    if (one.mirrored) return found.push_back({Severity::note, "assumed", Problem{"check.mirrored", {}}});
    found.push_back(
        {Severity::note, "assumed",
         Problem{!one.origin.assumed ? "check.unverified"
                 : one.as_trained()  ? "check.assumed"
                                     : "check.assumed_unscaled",
                 {{"length", whole(*one.scene.trained.length)}, {"source", length_source(one)}}}});
}

void check_ignored(const Case& one, std::vector<Finding>& found) {
    std::vector<Problem> remarks = one.origin.notes;
    for (Problem& remark : remarks_on(one.scene)) remarks.push_back(std::move(remark));
    for (const Problem& remark : remarks) found.push_back({Severity::note, "ignored", remark});
    if (remarks.empty()) found.push_back({Severity::fine, "ignored", Problem{"check.ignored_fine", {}}});
}

}  // namespace

Result<std::vector<Finding>> check_settings(const Scene& scene) {
    const auto training = training_of(scene);
    if (!training) return tl::unexpected(training.error());
    const Case one = read_case(scene, *training);
    std::vector<Finding> found;
    for (const auto check : {check_replaced, check_reach, check_unseen, check_attention, check_product,
                             check_assumed, check_ignored})
        check(one, found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return found;
}

}  // namespace posiscope
