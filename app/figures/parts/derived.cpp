#include "app/figures/parts/derived.hpp"

#include "app/figures/parts/sentence.hpp"
#include "core/encodings/turning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope::figures {

namespace {

std::int64_t first_of(const Derived::Diagonals& wanted) { return std::llround(wanted.first); }
std::int64_t covered_by(const Derived::Diagonals& wanted) {
    return std::max<std::int64_t>(1, std::llround(wanted.step));
}

// One logit at the middle of each diagonal: these are smooth, or steps wider than a pixel.
Derived::DiagonalValues logits_along(const ScoreInput& input, std::int64_t head,
                                     const Derived::Diagonals& wanted) {
    std::vector<double> values = logits_by_distance(input, head, first_of(wanted), covered_by(wanted),
                                                    static_cast<std::int64_t>(wanted.count))
                                     .value_or(std::vector<double>(wanted.count));
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double value : values)
        if (can_be_drawn(value)) least = std::min(least, value), most = std::max(most, value);
    if (!(least <= most)) least = most = 0.0;
    // Colours from both sides of 0 only where both signs have a fifth of the range: else half of them would go unused.
    const double few = 0.2 * (most - least);
    const bool both = least < -few && most > few;
    Derived::DiagonalValues made;
    made.middle = both ? 0.0 : 0.5 * (least + most);
    made.half = both ? std::max(-least, most) : 0.5 * (most - least);
    if (!(made.half > 0.0)) made.half = 1.0;
    made.values.reserve(values.size());
    for (const double value : values)
        made.values.push_back(can_be_drawn(value) ? static_cast<float>(value - made.middle) : 0.0F);
    return made;
}

Derived::DiagonalValues dots_along(const Scoring& scoring, const Derived::Diagonals& wanted) {
    const Spectrum& omega = scoring.spectrum();
    std::vector<double> values(wanted.count);
    if (wanted.step == 1.0) {
        score_curve(scoring.form, omega, first_of(wanted), 1, values);
    } else {
        ScoreForm averaged = scoring.form;
        for (std::size_t i = 0; i < averaged.even.size(); ++i) {
            const double factor = mean_factor(omega.step[i], covered_by(wanted));
            averaged.even[i] *= factor * factor;
            averaged.odd[i] *= factor * factor;
        }
        for (std::size_t n = 0; n < values.size(); ++n)
            values[n] =
                score_at(averaged, omega, std::llround(wanted.first + wanted.step * static_cast<double>(n)));
    }
    return {std::vector<float>(values.begin(), values.end())};
}

// The sum of the terms' sizes; a distance ‖a − b‖ is a root, which is the steeper the shorter it is.
double size_of(const ScoreForm& form, double score, std::int64_t offset) {
    double size = std::abs(form.constant);
    for (std::size_t i = 0; i < form.even.size(); ++i)
        size += (std::abs(form.even[i]) + std::abs(form.odd[i])) *
                (form.growth.empty() ? 1.0 : std::exp(form.growth[i] * static_cast<double>(offset)));
    if (form.kind != ScoreKind::norm || size == 0.0) return std::abs(form.scale) * size;
    return 2.0 * size / std::max(score, std::sqrt(std::numeric_limits<double>::epsilon() * size));
}

Derived::Moved largest_move(const Scoring& scoring, std::int64_t position, std::int64_t offset,
                            std::int64_t shift) {
    const auto at = [&](std::int64_t t) {
        return score_between(scoring.form, scoring.spectrum(), position + offset + t, position + t);
    };
    const double here = at(0);
    const std::int64_t room = kLastPosition - std::max(position, position + offset);
    double worst = 0.0;
    for (const std::int64_t t : std::array<std::int64_t, 4>{shift, 1, 1000, 1000000})
        worst = std::max(worst, std::abs(at(std::min(t, room)) - here));
    return {worst, size_of(scoring.form, here, offset)};
}

Derived::Residuals residuals_of(const Spectrum& omega, const Encoding& encoding, std::int64_t offset,
                                const FieldView& view) {
    Derived::Residuals made;
    made.samples.reserve(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
    const auto width = static_cast<std::size_t>(view.width);
    std::int64_t before = -1;
    for (int row = 0; row < view.height; ++row) {
        const auto position =
            view.rows.origin + static_cast<std::int64_t>(std::floor(
                                   view.rows.first + (row + 0.5) / view.height * view.rows.length()));
        if (position == before) {  // pixels within one row of cells
            const std::size_t done = made.samples.size();
            made.samples.resize(done + width);
            std::copy_n(made.samples.data() + done - width, width, made.samples.data() + done);
            continue;
        }
        before = position;
        spend(3.0 * static_cast<double>(width));
        const bool inside = position + offset >= 0 && position + offset <= kLastPosition;
        std::int64_t pair = -1;
        std::array<double, 2> errors{};
        for (int column = 0; column < view.width; ++column) {
            const auto at = component_at(view, static_cast<std::int64_t>(omega.pairs()), column + 0.5);
            if (at && inside && at->pair != pair) {
                spend(120.0);
                pair = at->pair;
                const ShiftCheck check =
                    check_shift(encoding, omega.step[static_cast<std::size_t>(pair)], position, offset);
                errors = {std::abs(check.actual.first - check.computed.first),
                          std::abs(check.actual.second - check.computed.second)};
            }
            const double error = at && inside ? errors[static_cast<std::size_t>(at->component)] : 0.0;
            made.worst = std::max(made.worst, error);
            made.samples.push_back(static_cast<float>(error));
        }
    }
    made.worst = std::max(made.worst, 1e-16);
    made.key = canvas::samples_key(made.samples);
    return made;
}

}  // namespace

Derived::Derived() = default;
Derived::Derived(Derived&&) noexcept = default;
Derived& Derived::operator=(Derived&&) noexcept = default;
Derived::~Derived() = default;

void Derived::forget() {
    Background* const kept = background_;
    const double most = exact_work_;
    *this = {};
    background_ = kept;
    exact_work_ = most;
}

const Kept<Rates>& Derived::rates(const Scene& scene) {
    return rates_.get(scene, [](const SpectrumInput& input) {
        Rates made{spectrum_of(input), unsteady(input), 0};
        if (made.spectrum && !made.unsteady)
            for (const double omega : made.spectrum->frequency)
                if (omega * static_cast<double>(input.length) < 2.0 * std::numbers::pi) ++made.unfinished;
        return made;
    });
}

const Spectrum* Derived::frequencies(const Scene& scene) {
    const auto& made = rates(scene)->spectrum;
    return made ? &*made : nullptr;
}

const Spectrum* Derived::spectrum(const Scene& scene) {
    return rates(scene)->unsteady ? nullptr : frequencies(scene);
}

const Problem* Derived::problem(const Scene& scene) {
    const Rates& made = *rates(scene);
    if (!made.spectrum) return &made.spectrum.error();
    return made.unsteady ? &*made.unsteady : nullptr;
}

const Kept<Scoring>& Derived::scoring(const Scene& scene, ScoreKind kind) {
    return scoring_[static_cast<std::size_t>(kind)].get(
        {rates(scene), input<ScoreInput>(scene), kind}, [](const ScoringKey& key) {
            return Scoring{key.rates, posiscope::score_form(*key.input, **key.rates, key.kind)};
        });
}

Result<DistanceLogit>* Derived::distance_logit(const Scene& scene, bool last) {
    const std::size_t which = last ? 1 : 0;
    const auto made = made_logit_[which].get(
        background_, {input<ScoreInput>(scene), shown_head(scene), last}, [](const LogitKey& key) {
            return DistanceLogit::of(*key.input, key.head,
                                     key.last ? std::optional(key.input->length - 1) : std::nullopt);
        });
    if (made == nullptr) return nullptr;
    return &logit_[which].get({made},
                              [](Result<DistanceLogit>& logit, const LogitOf& of) { logit = *of.made; });
}

double Derived::logit(const Scene& scene, std::int64_t distance) {
    const Kept<ScoreInput>& of = input<ScoreInput>(scene);
    const std::int64_t head = shown_head(scene);
    for (const LogitAt& known : logits_at_)
        if (known.input == of && known.head == head && known.distance == distance) return known.value;
    Result<DistanceLogit>* made = distance_logit(scene, false);
    if (made != nullptr && !*made) made = distance_logit(scene, true);
    if (made == nullptr) return std::nan("");
    const double value = *made ? (*made)->at(distance) : std::nan("");
    LogitAt& place = logits_at_[next_logit_++ % logits_at_.size()];
    place = {of, head, distance, can_be_drawn(value) ? value : std::nan("")};
    return place.value;
}

const Problem* Derived::logits_problem(const Scene& scene) {
    const auto* made = distance_logit(scene, false);
    return made == nullptr ? &being_made() : *made ? nullptr : &made->error();
}

const Derived::Moved& Derived::shift_residual(const Scene& scene, ScoreKind kind) {
    return *shift_residual_.get(
        {scoring(scene, kind), scene.position, scene.offset, scene.shift},
        [](const ShiftKey& key) { return largest_move(*key.scoring, key.position, key.offset, key.shift); });
}

Kept<Derived::DiagonalValues> Derived::diagonals(const Scene& scene, const Diagonals& wanted) {
    if (!on_unit_circles(scene))
        return logits_.get(
            background_, {input<ScoreInput>(scene), shown_head(scene), wanted},
            [](const LogitsKey& key) { return logits_along(*key.input, key.head, key.wanted); });
    return dots_.get(background_, {scoring(scene, ScoreKind::dot), wanted},
                     [](const DotsKey& key) { return dots_along(*key.scoring, key.wanted); });
}

Kept<Derived::Residuals> Derived::residuals(const Scene& scene, const FieldView& view) {
    return residuals_.get(background_, {rates(scene), &encoding_of(scene), scene.offset, view},
                          [](const ResidualsKey& key) {
                              return residuals_of(**key.rates, *key.encoding, key.offset, key.view);
                          });
}

}  // namespace posiscope::figures
