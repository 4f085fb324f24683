#include "core/scores/score.hpp"
#include "core/cost.hpp"
#include "core/encodings/turning.hpp"

#include "core/scene/content.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope {
namespace {

constexpr std::size_t kAnchorEvery = 256;
constexpr std::size_t kCountEvery = 8;  // rows

double grown(const ScoreForm& form, std::size_t pair, std::int64_t distance) {
    return form.growth.empty() ? 1.0 : std::exp(form.growth[pair] * static_cast<double>(distance));
}

double unscaled_share(const ScoreForm& form, const Spectrum& spectrum, std::size_t pair,
                      std::int64_t distance) {
    const Turn turn = phase(spectrum.step[pair], distance);
    return (form.even[pair] * cos(turn) + form.odd[pair] * sin(turn)) * grown(form, pair, distance);
}

// Without the difference of two numbers that are nearly equal.
double norm_near_zero(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance) {
    double squared = form.squared_apart;
    for (std::size_t i = 0; i < form.even.size(); ++i) {
        const Turn turn = phase(spectrum.step[i], distance);
        const double half =
            sin(Turn{static_cast<std::uint64_t>(static_cast<std::int64_t>(turn.fraction) / 2)});
        squared += 4.0 * form.even[i] * half * half - 2.0 * form.odd[i] * sin(turn);
    }
    return std::sqrt(std::max(0.0, squared));
}

double finished(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance, double sum) {
    const double dot = form.constant + sum;
    if (form.kind != ScoreKind::norm) return form.scale * dot;
    constexpr double kLittle = 1e-6;
    const double squared = form.squared_norms - 2.0 * dot;
    return squared < kLittle * form.squared_norms ? norm_near_zero(form, spectrum, distance)
                                                  : std::sqrt(squared);
}

}  // namespace

std::span<const ScoreKind> score_kinds(const SpectrumInput& scene) {
    static constexpr std::array kinds = {ScoreKind::dot, ScoreKind::norm, ScoreKind::logit};
    static constexpr std::array no_norm = {ScoreKind::dot, ScoreKind::logit};
    const Encoding& encoding = encoding_of(scene);
    if (rotation_of(scene) == Rotation::spirals) return no_norm;
    if (encoding.logits.has_bias_or_scale) return std::span(kinds).first(2);
    return std::span(kinds).first(encoding.acts == Acts::query_key ? 3 : 2);
}

ScoreForm score_form(const ScoreInput& scene, const Spectrum& spectrum, ScoreKind kind) {
    const Encoding& encoding = encoding_of(scene);
    const std::size_t pairs = spectrum.pairs();
    ScoreForm form;
    form.kind = kind;
    if (encoding.acts != Acts::query_key) {
        form.even.assign(pairs, 1.0);
        form.odd.assign(pairs, 0.0);
        form.squared_norms = 2.0 * static_cast<double>(pairs);
        return form;
    }
    const auto query = [&](std::int64_t feature) {
        return content_value(scene.content, Tensor::query, 0, feature);
    };
    const auto key = [&](std::int64_t feature) {
        return content_value(scene.content, Tensor::key, 0, feature);
    };
    const double factor = spectrum.attention_factor * spectrum.attention_factor;
    const PairLayout layout = encoding.layout(scene);
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto first =
            dimension(layout, static_cast<std::int64_t>(pairs), {static_cast<std::int64_t>(i), 0});
        const auto second =
            dimension(layout, static_cast<std::int64_t>(pairs), {static_cast<std::int64_t>(i), 1});
        const double q1 = query(first), q2 = query(second), k1 = key(first), k2 = key(second);
        form.even.push_back(factor * (q1 * k1 + q2 * k2));
        form.odd.push_back(factor * (q1 * k2 - q2 * k1));
        form.squared_norms += factor * (q1 * q1 + q2 * q2 + k1 * k1 + k2 * k2);
        form.squared_apart += factor * ((q1 - k1) * (q1 - k1) + (q2 - k2) * (q2 - k2));
    }
    for (std::int64_t feature = 2 * static_cast<std::int64_t>(pairs); feature < head_dim(scene); ++feature) {
        form.constant += query(feature) * key(feature);
        const double q = query(feature), k = key(feature);
        form.squared_norms += q * q + k * k;
        form.squared_apart += (q - k) * (q - k);
    }
    form.growth = spectrum.growth;
    if (kind == ScoreKind::logit)
        form.scale = spectrum.logit_factor / std::sqrt(static_cast<double>(head_dim(scene)));
    return form;
}

double score_at(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance) {
    spend(30.0 * static_cast<double>(form.even.size()));
    double sum = 0.0;
    for (std::size_t i = 0; i < form.even.size(); ++i) sum += unscaled_share(form, spectrum, i, distance);
    return finished(form, spectrum, distance, sum);
}

double score_share(const ScoreForm& form, const Spectrum& spectrum, std::size_t pair, std::int64_t distance) {
    return form.scale * unscaled_share(form, spectrum, pair, distance);
}

void score_curve(const ScoreForm& form, const Spectrum& spectrum, std::int64_t first, std::int64_t stride,
                 std::span<double> scores) {
    const std::size_t pairs = form.even.size();
    spend(30.0 * static_cast<double>(pairs));
    std::vector<double> buffer(4 * pairs);
    // even cos + odd sin, and the same a quarter turn on, so that one product gives a score.
    double* const cosine = buffer.data();
    double* const sine = cosine + pairs;
    double* const stride_cosine = sine + pairs;
    double* const stride_sine = stride_cosine + pairs;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Turn turn = phase(spectrum.step[i], stride);
        stride_cosine[i] = cos(turn) * grown(form, i, stride);
        stride_sine[i] = sin(turn) * grown(form, i, stride);
    }
    for (std::size_t n = 0; n < scores.size(); ++n) {
        if (n % kCountEvery == 0)
            spend(1.4 * static_cast<double>(std::min(kCountEvery, scores.size() - n) * pairs));
        if (n % kAnchorEvery == 0) {
            spend(30.0 * static_cast<double>(pairs));
            const std::int64_t distance = first + static_cast<std::int64_t>(n) * stride;
            for (std::size_t i = 0; i < pairs; ++i) {
                const Turn turn = phase(spectrum.step[i], distance);
                const double size = grown(form, i, distance);
                const double c = cos(turn) * size, s = sin(turn) * size;
                cosine[i] = form.even[i] * c + form.odd[i] * s;
                sine[i] = form.even[i] * s - form.odd[i] * c;
            }
        }
        std::array<double, 4> sums{};  // four chains, so that the additions overlap
        std::size_t i = 0;
        for (; i + 4 <= pairs; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const double c = cosine[i + lane], s = sine[i + lane];
                sums[lane] += c;
                cosine[i + lane] = c * stride_cosine[i + lane] - s * stride_sine[i + lane];
                sine[i + lane] = s * stride_cosine[i + lane] + c * stride_sine[i + lane];
            }
        for (; i < pairs; ++i) {
            const double c = cosine[i], s = sine[i];
            sums[0] += c;
            cosine[i] = c * stride_cosine[i] - s * stride_sine[i];
            sine[i] = s * stride_cosine[i] + c * stride_sine[i];
        }
        scores[n] = finished(form, spectrum, first + static_cast<std::int64_t>(n) * stride,
                             (sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}

double envelope(const Spectrum& spectrum, std::int64_t distance) {
    spend(50.0 * static_cast<double>(spectrum.pairs()));
    double cosines = 0.0, sines = 0.0, sum = 0.0;
    for (const Step step : spectrum.step) {
        const Turn turn = phase(step, distance);
        cosines += cos(turn);
        sines += sin(turn);
        sum += std::hypot(cosines, sines);
    }
    return sum / static_cast<double>(spectrum.pairs());
}

ScoreParts score_parts(const ScoreForm& form, const Turning& turning, std::size_t pair,
                       std::int64_t distance) {
    const std::int64_t query = std::max<std::int64_t>(distance, 0), key = query - distance;
    const PairAngle angle = turning.between(pair, query, key);
    const double size = form.scale * turning.size(pair, query, key);
    return {size * form.even[pair] * angle.cos, size * form.odd[pair] * angle.sin};
}

double score_between(const ScoreForm& form, const Spectrum& spectrum, std::int64_t query, std::int64_t key) {
    spend(60.0 * static_cast<double>(form.even.size()));
    double sum = 0.0, squared = form.squared_apart;
    for (std::size_t i = 0; i < form.even.size(); ++i) {
        const Turn q = phase(spectrum.step[i], query);
        const Turn k = phase(spectrum.step[i], key);
        const double qc = cos(q), qs = sin(q), kc = cos(k), ks = sin(k);
        squared += form.even[i] * ((qc - kc) * (qc - kc) + (qs - ks) * (qs - ks)) -
                   2.0 * form.odd[i] * (qs * kc - qc * ks);
        sum += (form.even[i] * (qc * kc + qs * ks) + form.odd[i] * (qs * kc - qc * ks)) *
               grown(form, i, query - key);
    }
    return form.kind == ScoreKind::norm ? std::sqrt(std::max(0.0, squared))
                                        : form.scale * (form.constant + sum);
}

}  // namespace posiscope
