#include "app/figures/parts/derived.hpp"

#include "core/attention/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope::figures {

namespace {

constexpr double kLargestDrawn = 1e30;

auto logit_key(const Scene& s, std::int64_t first, std::int64_t stride, std::size_t count) {
    return std::tuple<const Choice&, double, Layout, std::int64_t, std::int64_t,
                      const std::optional<std::int64_t>&, std::int64_t, bool, const Choice&, const Trained&,
                      std::int64_t, std::int64_t, std::size_t>(s.encoding, s.base, s.layout, s.d_model,
                                                               s.num_heads, s.head_dim, s.length, s.causal,
                                                               s.content, s.trained, first, stride, count);
}

}  // namespace

Derived::Versioned& Derived::versioned(const Scene& scene) {
    const auto key =
        std::tie(scene.encoding, scene.base, scene.d_model, scene.num_heads, scene.length, scene.head_dim);
    return spectrum_.get(key, [&] {
        Versioned made{spectrum_of(scene), 0, ++next_version_};
        if (made.spectrum)
            for (const double omega : made.spectrum->frequency)
                if (omega * static_cast<double>(scene.length) < 2.0 * std::numbers::pi) ++made.unfinished;
        return made;
    });
}

const Spectrum* Derived::spectrum(const Scene& scene) {
    const auto& made = versioned(scene).spectrum;
    return made ? &*made : nullptr;
}

const Problem* Derived::problem(const Scene& scene) {
    const auto& made = versioned(scene).spectrum;
    return made ? nullptr : &made.error();
}

std::size_t Derived::unfinished_pairs(const Scene& scene) { return versioned(scene).unfinished; }

Derived::VersionedForm& Derived::versioned_form(const Scene& scene, ScoreKind kind) {
    const Versioned& base = versioned(scene);
    const auto key = std::tie(base.version, scene.content, scene.layout, kind);
    return form_[static_cast<std::size_t>(kind)].get(key, [&] {
        return VersionedForm{posiscope::score_form(scene, *base.spectrum, kind), ++next_version_};
    });
}

const ScoreForm& Derived::score_form(const Scene& scene, ScoreKind kind) {
    return versioned_form(scene, kind).form;
}

double Derived::logit(const Scene& scene, std::int64_t distance) {
    const auto key = logit_key(scene, 0, 0, 0);
    Result<DistanceLogit>* made = &logit_.get(key, [&] { return DistanceLogit::of(scene, 0); });
    if (!*made)
        made = &logit_of_last_.get(key, [&] { return DistanceLogit::of(scene, 0, scene.length - 1); });
    const double value = *made ? (*made)->at(distance) : std::nan("");
    return std::abs(value) < kLargestDrawn ? value : std::nan("");
}

const Problem* Derived::logits_problem(const Scene& scene) {
    const auto& made = logit_.get(logit_key(scene, 0, 0, 0), [&] { return DistanceLogit::of(scene, 0); });
    return made ? nullptr : &made.error();
}

double Derived::shift_residual(const Scene& scene, ScoreKind kind) {
    const VersionedForm& form = versioned_form(scene, kind);
    return residual_.get(std::tie(form.version, scene.position, scene.offset, scene.shift), [&] {
        const Spectrum& omega = *spectrum(scene);
        const auto at = [&](std::int64_t t) {
            return score_between(form.form, omega, scene.position + scene.offset + t, scene.position + t);
        };
        const double here = at(0);
        const std::int64_t room = kLastPosition - std::max(scene.position, scene.position + scene.offset);
        double worst = 0.0;
        for (const std::int64_t t : std::array<std::int64_t, 4>{scene.shift, 1, 1000, 1000000})
            worst = std::max(worst, std::abs(at(std::min(t, room)) - here));
        return worst;
    });
}

const std::vector<float>& Derived::diagonals(const Scene& scene, const Diagonals& wanted) {
    const auto first = std::llround(wanted.first),
               covered = std::max<long long>(1, std::llround(wanted.step));
    if (!on_unit_circles(scene)) {
        // One logit at the middle of each diagonal: these are smooth, or steps wider than a pixel.
        return logit_diagonals_.get(logit_key(scene, first, covered, wanted.count), [&] {
            std::vector<double> values =
                logits_by_distance(scene, 0, first, covered, static_cast<std::int64_t>(wanted.count))
                    .value_or(std::vector<double>(wanted.count));
            double least = std::numeric_limits<double>::infinity(), most = -least;
            for (const double value : values)
                if (std::abs(value) < kLargestDrawn)
                    least = std::min(least, value), most = std::max(most, value);
            if (!(least <= most)) least = most = 0.0;
            const bool both = least <= 0.0 && most >= 0.0;
            diagonals_range_.middle = both ? 0.0 : 0.5 * (least + most);
            diagonals_range_.half = both ? std::max(-least, most) : 0.5 * (most - least);
            if (!(diagonals_range_.half > 0.0)) diagonals_range_.half = 1.0;
            for (double& value : values)
                value = std::abs(value) < kLargestDrawn ? value - diagonals_range_.middle : 0.0;
            return std::vector<float>(values.begin(), values.end());
        });
    }
    const VersionedForm& form = versioned_form(scene, ScoreKind::dot);
    return diagonals_.get(std::tie(form.version, wanted), [&] {
        const Spectrum& omega = *spectrum(scene);
        std::vector<double> values(wanted.count);
        if (wanted.step == 1.0) {
            posiscope::score_curve(form.form, omega, first, 1, values);
            return std::vector<float>(values.begin(), values.end());
        }
        ScoreForm averaged = form.form;
        for (std::size_t i = 0; i < averaged.even.size(); ++i) {
            const double factor = mean_factor(omega.step[i], covered);
            averaged.even[i] *= factor * factor;
            averaged.odd[i] *= factor * factor;
        }
        for (std::size_t n = 0; n < values.size(); ++n)
            values[n] =
                score_at(averaged, omega, std::llround(wanted.first + wanted.step * static_cast<double>(n)));
        return std::vector<float>(values.begin(), values.end());
    });
}

const Derived::Residuals& Derived::residuals(const Scene& scene, const canvas::HeatmapView& view) {
    const auto key = std::tie(versioned(scene).version, scene.offset, view.rows, view.columns, view.order,
                              view.blocks, view.width, view.height);
    return residuals_.get(key, [&] {
        Residuals made;
        const Encoding& encoding = encoding_of(scene);
        const Spectrum& omega = *spectrum(scene);
        made.samples.reserve(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
        for (int row = 0; row < view.height; ++row) {
            const auto position =
                view.rows.origin + static_cast<std::int64_t>(std::floor(
                                       view.rows.first + (row + 0.5) / view.height * view.rows.length()));
            const bool inside = position + scene.offset >= 0 && position + scene.offset <= kLastPosition;
            for (int column = 0; column < view.width; ++column) {
                const auto at = component_at(view, static_cast<std::int64_t>(omega.pairs()), column + 0.5);
                double error = 0.0;
                if (at && inside) {
                    const ShiftCheck check = check_shift(
                        encoding, omega.step[static_cast<std::size_t>(at->pair)], position, scene.offset);
                    error = std::abs(at->component == 0 ? check.actual.first - check.computed.first
                                                        : check.actual.second - check.computed.second);
                }
                made.worst = std::max(made.worst, error);
                made.samples.push_back(static_cast<float>(error));
            }
        }
        made.worst = std::max(made.worst, 1e-16);
        made.key = canvas::samples_key(made.samples);
        return made;
    });
}

}  // namespace posiscope::figures
