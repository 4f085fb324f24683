// derived.hpp — what figures need from core, computed once and kept until the part of the Scene it depends on
// changes. A frame that changes nothing computes nothing; each value says what it depends on by its key.
#pragma once

#include "core/attention/attention.hpp"
#include "core/phase/shift.hpp"
#include "core/scores/score.hpp"

#include "app/canvas/clock.hpp"
#include "app/canvas/heatmap.hpp"
#include "app/ui/geometry.hpp"

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace posiscope::figures {

// A value and the key it was made for. A key that is dear to copy is a tuple, and is asked for by a tuple of references
// (std::tie): to find that nothing has changed, nothing is copied.
template <class Key, class Value>
class Memo {
public:
    template <class Make>
    Value& get(const Key& key, Make make) {
        return get<Key, Make>(key, make);
    }
    template <class Like, class Make>
    Value& get(const Like& key, Make make) {
        if (!key_ || !(*key_ == key)) {
            value_ = make();
            key_.emplace(key);
        }
        return value_;
    }

    // The same with a value that is written over: its memory is used again.
    template <class Refill>
    Value& renew(const Key& key, Refill refill) {
        if (!key_ || !(*key_ == key)) {
            key_.reset();  // a refill that throws leaves a value of no key
            refill(value_);
            key_.emplace(key);
        }
        return value_;
    }

private:
    std::optional<Key> key_;
    Value value_{};
};

class Derived {
public:
    // Null when the encoding has no spectrum (then problem() says why).
    const Spectrum* spectrum(const Scene& scene);
    const Problem* problem(const Scene& scene);

    const ScoreForm& score_form(const Scene& scene, ScoreKind kind);

    // Head 0's logit at a distance, for content that stays; NaN where it has none (a distance that is masked).
    // Where it depends on more than the distance: that of the query at length − 1.
    double logit(const Scene& scene, std::int64_t distance);
    // Why there are no logits by distance, or null.
    const Problem* logits_problem(const Scene& scene);

    // Largest |score(p + t + k, p + t) − score(p + k, p)| over a handful of shifts t: what "nothing moves" means.
    double shift_residual(const Scene& scene, ScoreKind kind);

    // How many pairs do not finish a turn within the Scene's length.
    std::size_t unfinished_pairs(const Scene& scene);

    // The dot product at real distances first, first + step, …, each averaged over the square of cells that a step
    // covers: the mean of cos(Δω) over N × N cells is A(N, ω)² cos(Δω) at their middle.
    struct Diagonals {
        double first = 0.0, step = 1.0;
        std::size_t count = 0;
        bool operator==(const Diagonals&) const = default;
    };
    const std::vector<float>& diagonals(const Scene& scene, const Diagonals& wanted);
    // What the colours of logits run over: around 0 when there are both signs, else around the values' middle.
    struct Span {
        double middle = 0.0, half = 1.0;
    };
    Span diagonals_range() const { return diagonals_range_; }

    // |PE(p + k) − M_k PE(p)| at the middle of every pixel of a heatmap, and the worst of them.
    struct Residuals {
        std::vector<float> samples;
        double worst = 0.0;
        std::uint64_t key = 0;  // of the samples
    };
    const Residuals& residuals(const Scene& scene, const canvas::HeatmapView& view);

    // Numbers that one figure alone needs: a struct of Memos that its file defines, made the first time it is asked
    // for. What they depend on is best said by the two versions below, which change with every new spectrum or form.
    template <class Part>
    Part& part() {
        for (const auto& [tag, kept] : parts_)
            if (tag == &kTag<Part>) return *static_cast<Part*>(kept.get());
        auto made = std::make_shared<Part>();
        parts_.emplace_back(&kTag<Part>, made);
        return *made;
    }
    std::uint64_t spectrum_version(const Scene& scene) { return versioned(scene).version; }
    std::uint64_t form_version(const Scene& scene, ScoreKind kind) {
        return versioned_form(scene, kind).version;
    }

    // Memory that a figure's clocks live in until the frame is drawn.
    std::vector<canvas::Clock>& clocks() { return clocks_; }
    std::vector<Point>& points() { return points_; }

private:
    // Encoding, base, d_model, num_heads, length, head_dim; the version of what a value is made from, and the rest.
    using SpectrumKey =
        std::tuple<Choice, double, std::int64_t, std::int64_t, std::int64_t, std::optional<std::int64_t>>;
    using FormKey = std::tuple<std::uint64_t, Choice, Layout, ScoreKind>;
    using ResidualKey = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
    using DiagonalKey = std::tuple<std::uint64_t, Diagonals>;
    using ResidualsKey = std::tuple<std::uint64_t, std::int64_t, Range, Range, PairOrder, bool, int, int>;
    // All that a logit depends on besides its distance; then the distances.
    using LogitKey =
        std::tuple<Choice, double, Layout, std::int64_t, std::int64_t, std::optional<std::int64_t>,
                   std::int64_t, bool, Choice, Trained, std::int64_t, std::int64_t, std::size_t>;
    struct Versioned {
        Result<Spectrum> spectrum = Spectrum{};
        std::size_t unfinished = 0;
        std::uint64_t version = 0;  // of the spectrum, so that what depends on it can tell
    };
    struct VersionedForm {
        ScoreForm form;
        std::uint64_t version = 0;
    };

    template <class Part>
    static inline char kTag{};  // its address names the part

    Versioned& versioned(const Scene& scene);
    VersionedForm& versioned_form(const Scene& scene, ScoreKind kind);

    std::uint64_t next_version_ = 0;
    Memo<SpectrumKey, Versioned> spectrum_;
    std::array<Memo<FormKey, VersionedForm>, 3>
        form_;  // by kind: figures side by side ask for different ones
    Memo<LogitKey, Result<DistanceLogit>> logit_, logit_of_last_;
    Memo<ResidualKey, double> residual_;
    Memo<DiagonalKey, std::vector<float>> diagonals_;
    Memo<ResidualsKey, Residuals> residuals_;
    Memo<LogitKey, std::vector<float>> logit_diagonals_;
    Span diagonals_range_;
    std::vector<canvas::Clock> clocks_;
    std::vector<Point> points_;
    std::vector<std::pair<const char*, std::shared_ptr<void>>> parts_;
};

}  // namespace posiscope::figures
