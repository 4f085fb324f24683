// derived.hpp — values that figures need from core, cached by the part of the Scene they are computed from (memo.hpp). A
// frame that changes nothing computes nothing.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "core/attention/attention.hpp"
#include "core/fields/fields.hpp"
#include "core/phase/shift.hpp"
#include "core/scores/score.hpp"

#include "app/canvas/clock.hpp"
#include "app/canvas/heatmap.hpp"
#include "app/ui/geometry.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace posiscope::figures {

// xPos and typed formulas grow without bound: an axis would have no ends, and what no picture holds is left out.
inline bool can_be_drawn(double value) { return std::abs(value) < 1e30; }

// The spectrum of a Scene, and why it says nothing about positions and distances where it does not.
struct Rates {
    Result<Spectrum> spectrum = Spectrum{};
    std::optional<Problem> unsteady = {};
    std::size_t unfinished = 0;  // pairs that do not complete a turn within the length

    const Spectrum& operator*() const { return *spectrum; }
};

// A score and its spectrum.
struct Scoring {
    Kept<Rates> rates;
    ScoreForm form;

    const Spectrum& spectrum() const { return **rates; }
    double at(std::int64_t distance) const { return score_at(form, spectrum(), distance); }
};

class Derived {
public:
    // In derived.cpp: a hundred sources that hold one need not instantiate the destructors of all its memos.
    Derived();
    Derived(Derived&&) noexcept;
    Derived& operator=(Derived&&) noexcept;
    ~Derived();

    // A part of the Scene, for use in keys.
    template <class Part>
    const Kept<Part>& input(const Scene& scene) {
        return part_of(part<Same<Part>>(), scene);
    }

    const Kept<Rates>& rates(const Scene& scene);
    // Null where nothing rotates, or not by position × frequency (core/encodings/turning.hpp); problem() says why.
    const Spectrum* spectrum(const Scene& scene);
    const Problem* problem(const Scene& scene);
    const Spectrum* frequencies(const Scene& scene);  // also where they are multiplied by something else
    std::size_t unfinished_pairs(const Scene& scene) { return rates(scene)->unfinished; }

    const Kept<Scoring>& scoring(const Scene& scene, ScoreKind kind);
    const ScoreForm& score_form(const Scene& scene, ScoreKind kind) { return scoring(scene, kind)->form; }

    // The shown head's logit at a distance, for content that stays; NaN where it has none (a distance that is masked).
    // The query is at length − 1 if it depends on more than the distance.
    double logit(const Scene& scene, std::int64_t distance);
    // Why there are no logits by distance, or null.
    const Problem* logits_problem(const Scene& scene);

    // Largest |score(p + t + k, p + t) − score(p + k, p)| over a handful of shifts t: what "nothing moves" means; and the
    // size of the numbers that roundings move it by, 0 where there are none.
    struct Moved {
        double by = 0.0, size = 0.0;
    };
    const Moved& shift_residual(const Scene& scene, ScoreKind kind);

    // Values at distances first, first + step, …: of the dot product each averaged over the square of cells that a step
    // covers (the mean of cos(Δω) over N × N cells is A(N, ω)² cos(Δω) at their middle), else the shown head's logit there.
    struct Diagonals {
        double first = 0.0, step = 1.0;
        std::size_t count = 0;
        bool operator==(const Diagonals&) const = default;
    };
    // Less `middle`; what the colours of logits run over is around 0 when there are both signs, else around their middle.
    struct DiagonalValues {
        std::vector<float> values;
        double middle = 0.0, half = 1.0;
    };
    // Null while they are computed.
    Kept<DiagonalValues> diagonals(const Scene& scene, const Diagonals& wanted);

    // |PE(p + k) − M_k PE(p)| at the middle of every pixel of a heatmap, and the worst of them.
    struct Residuals {
        std::vector<float> samples;
        double worst = 0.0;
        std::uint64_t key = 0;  // of the samples
    };
    // Null while they are computed.
    Kept<Residuals> residuals(const Scene& scene, const FieldView& view);

    // Numbers that one figure alone needs: a struct of Memos that its file defines, made the first time it is asked for.
    template <class Part>
    Part& part() {
        for (const auto& [tag, kept] : parts_)
            if (tag == &kTag<Part>) return *static_cast<Part*>(kept.get());
        auto made = std::make_shared<Part>();
        parts_.emplace_back(&kTag<Part>, made);
        return *made;
    }

    // Computes slow values; null: they are computed at once.
    Background* background() const { return background_; }
    void work_in(Background* background) { background_ = background; }
    // The most units of work for one value that has an end only by sampling; it says so then.
    double exact_work() const { return exact_work_; }
    void work_at_most(double units) { exact_work_ = units; }
    // Drops every value, after a file that they were computed from has changed.
    void forget();

    // Memory that a figure's clocks live in until the frame is drawn.
    std::vector<canvas::Clock>& clocks() { return clocks_; }
    std::vector<Point>& points() { return points_; }

private:
    struct ScoringKey {
        Kept<Rates> rates;
        Kept<ScoreInput> input;
        ScoreKind kind;
        bool operator==(const ScoringKey&) const = default;
    };
    struct LogitKey {
        Kept<ScoreInput> input;
        std::int64_t head = 0;
        bool last = false;  // of the query at length − 1
        bool operator==(const LogitKey&) const = default;
    };
    struct ShiftKey {
        Kept<Scoring> scoring;
        std::int64_t position, offset, shift;
        bool operator==(const ShiftKey&) const = default;
    };
    struct DotsKey {
        Kept<Scoring> scoring;
        Diagonals wanted;
        bool operator==(const DotsKey&) const = default;
    };
    struct LogitsKey {
        Kept<ScoreInput> input;
        std::int64_t head;
        Diagonals wanted;
        bool operator==(const LogitsKey&) const = default;
    };
    struct ResidualsKey {
        Kept<Rates> rates;
        const Encoding* encoding;
        std::int64_t offset;
        FieldView view;
        bool operator==(const ResidualsKey&) const = default;
    };

    Background* background_ = nullptr;
    double exact_work_ = kExactWork;

    template <class Part>
    static inline char kTag{};  // its address names the part

    struct LogitOf {
        Kept<Result<DistanceLogit>> made;
        bool operator==(const LogitOf&) const = default;
    };
    // Null while it is computed.
    Result<DistanceLogit>* distance_logit(const Scene& scene, bool last);

    struct LogitAt {
        Kept<ScoreInput> input;
        std::int64_t head, distance;
        double value;
    };

    Memo<SpectrumInput, Rates> rates_;
    std::array<Memo<ScoringKey, Scoring>, 3>
        scoring_;  // by kind: figures side by side ask for different ones
    std::array<Slow<LogitKey, Result<DistanceLogit>>, 2> made_logit_;
    std::array<Refilled<LogitOf, Result<DistanceLogit>>, 2>
        logit_;                           // copies, whose scratch memory may be used
    std::array<LogitAt, 4> logits_at_{};  // the last few
    std::size_t next_logit_ = 0;
    Memo<ShiftKey, Moved> shift_residual_;
    Slow<DotsKey, DiagonalValues> dots_;
    Slow<LogitsKey, DiagonalValues> logits_;
    Slow<ResidualsKey, Residuals> residuals_;
    std::vector<canvas::Clock> clocks_;
    std::vector<Point> points_;
    std::vector<std::pair<const char*, std::shared_ptr<void>>> parts_;
};

}  // namespace posiscope::figures
