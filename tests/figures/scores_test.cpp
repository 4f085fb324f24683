// The Scores figure: every mode's numbers are core's, for every encoding on the same axes.
#include "app/figures/scores/scores.hpp"
#include "core/attention/attention.hpp"
#include "core/encodings/relative.hpp"
#include "core/scores/score.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::scores_test {
namespace {

using figures::scores::Curves;
using figures::scores::curves_of;
using figures::scores::Mode;

Scene in_mode(Scene scene, const char* mode) {
    figures::set_view_value(scene, "scores", "mode", mode);
    return scene;
}

TEST(Scores, EveryEncodingHasItsLogitsOnTheSameAxes) {
    for (const Encoding* encoding : encodings()) {
        const auto laid = overlay(Scene(), {{"encoding", std::string(encoding->kind)}, {"num_heads", 4}});
        ASSERT_TRUE(laid) << encoding->kind;
        figures::Derived derived;
        const Curves& curves = *curves_of(laid->scene, derived, Mode::logit, -20.0, 60.0);
        ASSERT_FALSE(curves.problem) << encoding->kind << ": " << to_string(*curves.problem);
        ASSERT_EQ(curves.at.size(), 81U) << encoding->kind;
        for (std::size_t i = 0; i < curves.at.size(); ++i) {
            const auto distance = static_cast<std::int64_t>(curves.at[i]);
            const auto wanted = curves.query ? logits_of_query(laid->scene, 0, *curves.query, distance, 1, 1)
                                             : logits_by_distance(laid->scene, 0, distance, 1, 1);
            ASSERT_TRUE(wanted) << encoding->kind;
            const double value = curves.curves.front().values[i];
            if (std::isnan(value)) {
                EXPECT_FALSE(std::abs(wanted->front()) < 1e30) << encoding->kind << distance;
            } else {
                EXPECT_NEAR(value, wanted->front(), 1e-10) << encoding->kind << " at " << distance;
            }
        }
    }
}

TEST(Scores, HeadlinesSayWhatIsDrawn) {
    EXPECT_EQ(Hand("scores", scene_of({{"encoding", "none"}})).headline,
              "No positions: the score is the same at every distance.")
        << "without positions a logit does not depend on the distance";
    const auto starts = [](const Scene& scene, std::string_view words) {
        const std::string headline = Hand("scores", scene).headline;
        EXPECT_TRUE(headline.starts_with(words)) << headline;
    };
    starts(in_mode(Scene(), "norm"), "How far two positions lie apart depends on p − p′ alone");
    starts(in_mode(scene_of({{"encoding", "rope"}}), "norm"),
           "How far q and k lie apart depends on their distance alone");
    starts(in_mode(Scene(), "dot"), "Only the distance counts: move both positions");
    EXPECT_TRUE(Hand("scores", in_mode(Scene(), "dot")).canvas.says("contribution of pair"));
    EXPECT_FALSE(Hand("scores", in_mode(Scene(), "norm")).canvas.says("contribution of pair"))
        << "the shares are those of the dot product, not of a distance between vectors";
    starts(in_mode(scene_of({{"encoding", "alibi"}}), "weight"),
           "The query at 127 looks most at its own key");
    EXPECT_TRUE(
        Hand("scores", in_mode(scene_of({{"encoding", "alibi"}}), "weight")).headline.find("own key") !=
        std::string::npos);
}

TEST(Scores, WordsAreSaidNotToBeInTheScore) {
    const auto words = [](std::string_view kind, std::string_view mode) {
        return Hand("scores",
                    in_mode(scene_of({{"encoding", std::string(kind)},
                                      {"content", {{"kind", "tokens"}, {"text", "dog bites man"}}}}),
                            std::string(mode).c_str()))
            .canvas.says("not the words");
    };
    EXPECT_TRUE(words("none", "logit")) << "one seeded query and key, whatever the words";
    EXPECT_TRUE(words("rope", "logit"));
    EXPECT_TRUE(words("sinusoidal", "weight"));
    EXPECT_FALSE(words("sinusoidal", "dot")) << "PE·PE has no content";
    EXPECT_FALSE(words("rope", "seeds"));
    EXPECT_FALSE(Hand("scores", scene_of({{"encoding", "rope"}})).canvas.says("not the words"));
}

TEST(Scores, BucketsAreSteps) {
    // T5's bias is the same over a whole bucket: 12 to 15 back are one of them.
    const T5Buckets buckets{32, 128, true};
    ASSERT_EQ(t5_bucket(buckets, -12), t5_bucket(buckets, -15));
    const Scene scene = scene_of({{"encoding", "t5"}});
    figures::Derived derived;
    const Curves& curves = *curves_of(scene, derived, Mode::logit, 12.0, 15.0);
    for (const double value : curves.curves.front().values)
        EXPECT_EQ(value, curves.curves.front().values.front());
    EXPECT_TRUE(figures::scores::stepped("t5"));
    EXPECT_FALSE(figures::scores::stepped("rope"));
}

TEST(Scores, WeightsAreASoftmaxAndSumToOne) {
    for (const char* kind : {"rope", "alibi", "t5", "sinusoidal", "fire", "none"}) {
        const Scene scene = scene_of({{"encoding", kind}, {"num_heads", 4}, {"length", 200}});
        figures::Derived derived;
        const Curves& curves = *curves_of(scene, derived, Mode::weight, 0.0, 1.0);
        ASSERT_FALSE(curves.problem) << kind;
        double sum = 0.0;
        for (const double value : curves.curves.front().values)
            sum += value * static_cast<double>(curves.stride);
        EXPECT_NEAR(sum, 1.0, 1e-12) << kind;
        EXPECT_NEAR(figures::scores::value_at(scene, derived, Mode::weight, curves, 0),
                    curves.curves.front().values.front(), 1e-12)
            << kind;
        if (std::string_view(kind) == "none") {
            EXPECT_NEAR(curves.most, 1.0 / 200.0, 1e-15);
        }
    }
}

TEST(Scores, RunsOfPairsSumToTheScore) {
    const Scene scene = scene_of({{"encoding", "rope"}, {"d_model", 128}, {"content", {{"kind", "seeded"}}}});
    figures::Derived derived;
    const Curves& curves = *curves_of(scene, derived, Mode::shares, -64.0, 64.0);
    ASSERT_EQ(curves.curves.size(), 8U);
    const Spectrum spectrum = *spectrum_of(scene);
    const ScoreForm form = score_form(scene, spectrum, ScoreKind::logit);
    for (std::size_t i = 0; i < curves.at.size(); i += 7) {
        double sum = 0.0;
        for (const auto& run : curves.curves) sum += run.values[i];
        EXPECT_NEAR(sum, score_at(form, spectrum, static_cast<std::int64_t>(curves.at[i])), 1e-11);
    }
}

TEST(Scores, RoFormersBoundFallsAndComesBack) {
    const Scene scene = in_mode(scene_of({{"encoding", "rope"}, {"d_model", 128}}), "envelope");
    const Spectrum spectrum = *spectrum_of(scene);
    // Pinned in float64, d 128: 6.54 at 256, 4.88 at 4096, 8.39 at 131072; it rises at 483 of the first 1000 steps.
    EXPECT_NEAR(envelope(spectrum, 256), 6.54, 0.005);
    EXPECT_NEAR(envelope(spectrum, 4096), 4.88, 0.005);
    EXPECT_NEAR(envelope(spectrum, 131072), 8.39, 0.005);
    std::size_t rises = 0;
    for (std::int64_t distance = 1; distance <= 1000; ++distance)
        if (envelope(spectrum, distance) > envelope(spectrum, distance - 1)) ++rises;
    EXPECT_EQ(rises, 483U);
    const std::string headline = Hand("scores", scene).headline;
    EXPECT_NE(headline.find("6.54 at 256, 4.88 at 4096, 8.39 at"), std::string::npos) << headline;
    EXPECT_NE(headline.find("comes back"), std::string::npos);
}

TEST(Scores, RandomContentAveragesToNothing) {
    const Scene scene = scene_of({{"encoding", "rope"}, {"d_model", 128}});
    figures::Derived derived;
    const Curves& curves = *curves_of(scene, derived, Mode::seeds, 0.0, 64.0);
    ASSERT_EQ(curves.seeds, 64U);
    // Independent unit variances: σ of q·k / √d is 1 at every distance, the mean of 64 of them 0 ± 1/8.
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        EXPECT_NEAR(curves.curves.front().values[i], 0.0, 5.0 / 8.0);
        EXPECT_NEAR(curves.deviation[i], 1.0, 0.45);
    }
}

// Least and largest of every distance, not of every 68th: against the whole curve.
TEST(Scores, ManyDistancesAreBandsOfThemAll) {
    const Scene scene = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 200000}});
    figures::Derived derived;
    const Spectrum spectrum = *spectrum_of(scene);
    for (const auto& [from, to] : {std::pair(-100000.0, 100000.0), std::pair(777.0, 90001.0)}) {
        const Curves& curves = *curves_of(scene, derived, Mode::dot, from, to);
        const ScoreForm form = score_form(scene, spectrum, ScoreKind::dot);
        EXPECT_EQ(curves.every, 1);
        ASSERT_GT(curves.stride, 1);
        const auto first = static_cast<std::int64_t>(curves.at.front());
        std::vector<double> all(static_cast<std::size_t>(static_cast<std::int64_t>(to) - first + 1));
        score_curve(form, spectrum, first, 1, all);
        const auto& band = curves.curves.front().band;
        ASSERT_EQ(band.size(), 2 * curves.at.size());
        for (std::size_t i = 0; i < curves.at.size(); i += 41) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i) * curves.stride;
            const auto end = std::min(all.end(), begin + curves.stride);
            EXPECT_NEAR(band[2 * i], *std::min_element(begin, end), 1e-9) << i;
            EXPECT_NEAR(band[2 * i + 1], *std::max_element(begin, end), 1e-9) << i;
        }
        EXPECT_NEAR(curves.most, *std::max_element(all.begin(), all.end()), 1e-9);
    }
}

// The largest difference of two scores lies between the distances that a sampled curve would take.
TEST(Scores, BMinusAOfManyDistancesKeepsANeedle) {
    const Scene a = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 200000}});
    const Scene b = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 200000}, {"base", 10100.0}});
    figures::Derived of_a, of_b;
    const Spectrum spectrum_a = *spectrum_of(a), spectrum_b = *spectrum_of(b);
    const ScoreForm form_a = score_form(a, spectrum_a, ScoreKind::dot),
                    form_b = score_form(b, spectrum_b, ScoreKind::dot);
    for (const auto& [from, to] : {std::pair(0.0, 199999.0), std::pair(30000.0, 60000.0)}) {
        const auto first = static_cast<std::int64_t>(from), count = static_cast<std::int64_t>(to) - first + 1;
        std::vector<double> less(static_cast<std::size_t>(count)), subtracted(less.size());
        score_curve(form_b, spectrum_b, first, 1, less);
        score_curve(form_a, spectrum_a, first, 1, subtracted);
        for (std::size_t i = 0; i < less.size(); ++i) less[i] -= subtracted[i];
        const Curves& curves = figures::scores::difference(of_a, curves_of(a, of_a, Mode::dot, from, to),
                                                           curves_of(b, of_b, Mode::dot, from, to));
        ASSERT_GT(curves.stride, 1);
        EXPECT_EQ(curves.every, 1);
        const double needle = *std::ranges::max_element(less);
        double sampled = 0.0;
        for (const double value : curves.curves.front().values) sampled = std::max(sampled, value);
        EXPECT_LT(sampled, 0.98 * needle) << "a curve of every " << curves.stride << "th distance";
        EXPECT_NEAR(curves.most, needle, 1e-9);
        EXPECT_NEAR(curves.least, *std::ranges::min_element(less), 1e-9);
        const auto& band = curves.curves.front().band;
        for (std::size_t i = 0; i < curves.at.size(); i += 41) {
            const auto at = static_cast<std::ptrdiff_t>(curves.at[i]) - first;
            const auto begin = less.begin() + at, end = std::min(less.end(), begin + curves.stride);
            EXPECT_NEAR(band[2 * i], *std::min_element(begin, end), 1e-9) << i;
            EXPECT_NEAR(band[2 * i + 1], *std::max_element(begin, end), 1e-9) << i;
        }
    }
}

// Weights of sides of different lengths, and bounds along log₁₀ Δ: value by value those of both sides.
TEST(Scores, BMinusAOfWeightsAndBoundsIsThatOfBothSides) {
    for (const char* mode : {"weight", "envelope"}) {
        const Scene a = in_mode(scene_of({{"encoding", "rope"}, {"d_model", 32}, {"length", 9000}}), mode);
        const Scene b = in_mode(
            scene_of({{"encoding", "rope"}, {"d_model", 32}, {"length", 7000}, {"base", 500.0}}), mode);
        const Mode of = figures::scores::mode_named(mode);
        const double to = of == Mode::weight ? 1.0 : 6.0;
        figures::Derived derived_a, derived_b;
        const auto side_a = curves_of(a, derived_a, of, 0.0, to),
                   side_b = curves_of(b, derived_b, of, 0.0, to);
        const Curves& less = figures::scores::difference(derived_a, side_a, side_b);
        ASSERT_FALSE(less.curves.empty()) << mode;
        for (std::size_t i = 0; i < less.at.size(); i += 101) {
            const auto distance = static_cast<std::int64_t>(less.at[i]);
            const double wanted = figures::scores::value_at(b, derived_b, of, *side_b, distance) -
                                  figures::scores::value_at(a, derived_a, of, *side_a, distance);
            EXPECT_EQ(std::isnan(less.curves.front().values[i]), std::isnan(wanted)) << mode << distance;
            if (!std::isnan(wanted)) {
                EXPECT_NEAR(less.curves.front().values[i], wanted, 1e-12) << mode << distance;
                EXPECT_LE(less.curves.front().band[2 * i], wanted + 1e-12) << mode << distance;
                EXPECT_GE(less.curves.front().band[2 * i + 1], wanted - 1e-12) << mode << distance;
            }
        }
    }
}

TEST(Scores, TheLargestWeightIsThatOfAllDistances) {
    const Scene scene =
        in_mode(scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 50000}}), "weight");
    figures::Derived derived;
    const Curves& curves = *curves_of(scene, derived, Mode::weight, 0.0, 1.0);
    const auto all = *logits_by_distance(scene, 0, 0, 1, 50000);
    const auto largest = std::max_element(all.begin(), all.end());
    EXPECT_EQ(curves.largest_at, static_cast<double>(largest - all.begin()));
    double sum = 0.0;
    for (const double logit : all) sum += std::exp(logit - *largest);
    EXPECT_NEAR(curves.most, 1.0 / sum, 1e-12);
}

// Where only some distances were taken, the sum of all weights may have missed a large one.
TEST(Scores, AWeightIsNeverMoreThanAllOfThem) {
    const Scene scene = in_mode(scene_of({{"encoding", {{"kind", "t5"}, {"initializer_range", 534.75}}},
                                          {"d_model", 12},
                                          {"pair", 0},
                                          {"length", 7323989}}),
                                "weight");
    figures::Derived derived;
    derived.work_at_most(1e7);
    const auto curves = curves_of(scene, derived, Mode::weight, 0.0, 1.0);
    for (std::int64_t distance = 0; distance < 200; ++distance) {
        const double weight = figures::scores::value_at(scene, derived, Mode::weight, *curves, distance);
        EXPECT_TRUE(std::isnan(weight) || weight <= 1.0 + 1e-9) << distance << ": " << weight;
    }
}

TEST(Scores, LengthsAreMarkedAndSampledDistancesSaid) {
    const Scene scene = scene_of({{"encoding", "rope"}, {"length", 65536}, {"trained", {{"length", 8192}}}});
    const Hand hand("scores", scene, {0.0F, 0.0F, 900.0F, 560.0F});
    EXPECT_TRUE(hand.canvas.says("trained on 8192"));
    EXPECT_TRUE(hand.canvas.says("n = 65"));
    EXPECT_FALSE(hand.canvas.says("1 in ")) << "139 000 distances are all drawn";
    const Hand far("scores", scene_of({{"encoding", "rope"}, {"length", 2147483647}}));
    EXPECT_TRUE(far.canvas.says("1 in ")) << "two thousand million are not, and that is said";
}

TEST(Scores, TheMarkerIsAHandleInEveryModeThatHasOne) {
    for (const char* mode : {"logit", "weight", "envelope", "seeds"}) {
        Hand hand("scores", in_mode(scene_of({{"encoding", "rope"}, {"d_model", 64}, {"offset", 20}}), mode));
        const Point knob = hand.handle("offset");
        hand.drag(knob, knob + Point{70.0F, 0.0F});
        EXPECT_GT(hand.scene.offset, 20) << mode;
        EXPECT_EQ(hand.scene.position, 10) << mode;
    }
}

TEST(Scores, BMinusAIsTheDifferenceOfBoth) {
    const Scene a = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"offset", 12}});
    const Scene b = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"offset", 12}, {"base", 500000.0}});
    figures::Derived derived_a, derived_b;
    const auto& of_a = curves_of(a, derived_a, Mode::logit, -30.0, 30.0);
    const auto& of_b = curves_of(b, derived_b, Mode::logit, -30.0, 30.0);
    const Curves& less = figures::scores::difference(derived_a, of_a, of_b);
    for (std::size_t i = 0; i < less.at.size(); ++i)
        EXPECT_EQ(less.curves.front().values[i],
                  of_b->curves.front().values[i] - of_a->curves.front().values[i]);
    Hand hand("scores", a);
    hand.b.emplace(figures::Other{b, derived_b, true});
    hand.move({5.0F, 5.0F});
    EXPECT_NE(hand.headline.find("B − A ="), std::string::npos) << hand.headline;
}

}  // namespace
}  // namespace posiscope::test::scores_test
