#include "core/measure/measure.hpp"

#include "core/models/config.hpp"
#include "core/models/models.hpp"
#include "core/random.hpp"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace posiscope::measuring {
namespace measure_tests {
namespace {

// The table of a formula that is none of core's: pairs, rows from `first` on, made in one of twelve arithmetics.
struct Made {
    std::int64_t pairs = 32, rows = 60, first = 0;
    double base = 10000.0;
    int arithmetic = 0;
};
constexpr int kArithmetics = 12;

float rate_of(const Made& made, std::int64_t i) {
    const auto h = static_cast<float>(made.pairs);
    const auto b = static_cast<float>(made.base);
    switch (made.arithmetic) {
        case 1: return 1.0F / std::pow(b, static_cast<float>(i) / h);
        case 2: return std::exp(-std::log(b) * (static_cast<float>(i) / h));
        case 3: return std::exp2(-std::log2(b) * (static_cast<float>(i) / h));
        default:
            return static_cast<float>(
                std::pow(made.base, -static_cast<double>(i) / static_cast<double>(made.pairs)));
    }
}

StoredTensor cosines(
    const Made& made, const std::function<double(double)>& change = [](double x) { return x; }) {
    StoredTensor dump{"cos", "float32", {made.rows, made.pairs}, {}, false};
    for (std::int64_t r = 0; r < made.rows; ++r) {
        const auto p = static_cast<float>(made.first + r);
        float successive = p;
        const float step = std::pow(static_cast<float>(made.base), -1.0F / static_cast<float>(made.pairs));
        for (std::int64_t i = 0; i < made.pairs; ++i) {
            const double exact =
                std::cos(static_cast<double>(made.first + r) *
                         std::pow(made.base, -static_cast<double>(i) / static_cast<double>(made.pairs)));
            const float angle = made.arithmetic == 4
                                    ? p / std::pow(static_cast<float>(made.base),
                                                   static_cast<float>(i) / static_cast<float>(made.pairs))
                                : made.arithmetic == 5  ? successive
                                : made.arithmetic == 11 ? p * std::pow(step, static_cast<float>(i))
                                                        : p * rate_of(made, i);
            double value = made.arithmetic == 0 ? static_cast<double>(static_cast<float>(exact))
                                                : static_cast<double>(std::cos(angle));
            if (made.arithmetic == 6) value = exact;
            if (made.arithmetic == 7) value = narrowed(value, Narrow::bfloat16);
            if (made.arithmetic == 8) value = narrowed(value, Narrow::float16);
            if (made.arithmetic == 9) value += i % 2 == 0 ? 0x1p-22 : -0x1p-22;
            if (made.arithmetic == 10) value = std::round(value * 1e6) / 1e6;
            dump.values.push_back(change(value));
            successive *= step;
        }
    }
    if (made.arithmetic == 6) dump.dtype = "float64";
    if (made.arithmetic == 7) dump.dtype = "bfloat16";
    if (made.arithmetic == 8) dump.dtype = "float16";
    if (made.arithmetic == 10) dump.dtype = "decimal(6)";
    return dump;
}

std::vector<Reference> plain(const Made& made) {
    Reference one = plain_reference(made.base, made.pairs, static_cast<double>(made.pairs), true);
    one.known = false;
    return {one};
}

Measured measured_with(const StoredTensor& dump, const std::vector<Reference>& references) {
    Wanted wanted;
    wanted.references = references;
    return measure(dump, wanted);
}

std::string said(const Measured& one) {
    std::string text(name_of(one.verdict));
    for (const Finding& finding : one.findings) text += ", " + to_string(finding.said);
    return text;
}

bool says(const Measured& one, std::string_view key) {
    return std::ranges::any_of(one.findings, [&](const Finding& f) { return f.said.key == key; });
}

TEST(Measure, TablesInTwelveArithmeticsAreRight) {
    Random random(7, 0);
    for (int arithmetic = 0; arithmetic < kArithmetics; ++arithmetic)
        for (const double base : {100.0, 10000.0, 500000.0, 1e7})
            for (const std::int64_t pairs : {4, 16, 40}) {
                // Six decimals, or three digits of bfloat16, leave the far positions of few pairs open.
                const std::int64_t first = arithmetic == 7 || arithmetic == 8 || arithmetic == 10
                                               ? 0
                                               : static_cast<std::int64_t>(random.uniform() * 5000.0) + 3;
                const Made made{pairs, 40, first, base, arithmetic};
                const Measured found = measured_with(cosines(made), plain(made));
                EXPECT_EQ(found.verdict, Verdict::right) << fmt::format(
                    "{} base {} pairs {} from {}: {}", arithmetic, base, pairs, first, said(found));
            }
}

TEST(Measure, MoreNoiseIsNeverRight) {
    Random random(11, 0);
    for (const Made& made : {Made{}, Made{16, 100, 0, 500000.0, 1}, Made{48, 30, 900, 10000.0, 2}}) {
        bool was_right = true;
        for (double size = 1e-8; size <= 1.0; size *= 10.0) {
            const Measured found = measured_with(cosines(made,
                                                         [&](double x) {
                                                             return static_cast<double>(static_cast<float>(
                                                                 x + size * (2.0 * random.uniform() - 1.0)));
                                                         }),
                                                 plain(made));
            const bool right = found.verdict == Verdict::right;
            EXPECT_TRUE(was_right || !right) << size << ": " << said(found);
            EXPECT_FALSE(right && size >= 1e-5) << size;
            was_right = right;
        }
    }
}

TEST(Measure, OfAThousandRightTablesNoneIsAccused) {
    Random random(17, 0);
    for (int n = 0; n < 1000; ++n) {
        Made made;
        made.arithmetic = n % kArithmetics;
        made.pairs = 4 * (1 + random.below(16));
        made.rows = 2 + random.below(60);
        made.base = std::pow(10.0, 2.0 + 5.0 * random.uniform());
        // Few digits leave the far positions of few pairs open.
        const bool coarse = made.arithmetic == 7 || made.arithmetic == 8 || made.arithmetic == 10;
        if (!coarse && n % 3 == 0) made.first = 3 + random.below(20000);
        StoredTensor dump = cosines(made);
        if (n % 5 == 1) dump.shape = {1, 1, made.rows, made.pairs};
        const Measured found = measured_with(dump, plain(made));
        EXPECT_NE(found.verdict, Verdict::wrong)
            << fmt::format("{}: arithmetic {}, {} × {} from {}, base {}: {}", n, made.arithmetic, made.rows,
                           made.pairs, made.first, made.base, said(found));
    }
}

// Noise, weights, smooth pictures and steps: with a config and without.
TEST(Measure, OfArraysThatAreNoTableNoneIsNamed) {
    Random random(13, 0);
    for (int n = 0; n < 300; ++n) {
        const Made made{4 * (2 + n % 12), 8 + n % 40, 0, 10000.0, 0};
        double walk = random.uniform();
        const StoredTensor dump = cosines(made, [&](double) {
            switch (n % 4) {
                case 0: return random.uniform();
                case 1: return 0.02 * random.normal();
                case 2: return walk = std::clamp(walk + 0.05 * random.normal(), 0.0, 1.0);
                default: return std::floor(8.0 * random.uniform()) / 8.0;
            }
        });
        const Measured beside = measured_with(dump, plain(made)), alone = measured_with(dump, {});
        EXPECT_EQ(beside.verdict, Verdict::unknown) << n << ": " << said(beside);
        EXPECT_EQ(alone.verdict, Verdict::unknown) << n << ": " << said(alone);
    }
}

TEST(Measure, FrequencyIsMeasuredWithoutAConfig) {
    const Made made{24, 250, 0, 123456.0, 1};
    const Measured found = measured_with(cosines(made), {});
    ASSERT_EQ(found.pairs.size(), 24U);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(found.pairs[i].rate * std::pow(made.base, static_cast<double>(i) / 24.0), 1.0, 1e-5) << i;
}

// The Scene of a config, as the command reads it.
std::vector<Reference> of_config(const char* text) {
    const auto model = read_config(Json::parse(text));
    const auto laid = with_model(Scene(), *model);
    return references_of(std::span(&laid->scene, 1));
}

StoredTensor of_rates(const std::vector<double>& rates, double amplitude, std::int64_t rows) {
    StoredTensor dump{"cos", "float32", {rows, static_cast<std::int64_t>(rates.size())}, {}, false};
    for (std::int64_t r = 0; r < rows; ++r)
        for (const double rate : rates)
            dump.values.push_back(
                static_cast<double>(static_cast<float>(amplitude * std::cos(static_cast<double>(r) * rate))));
    return dump;
}

constexpr const char* kYarn =
    R"({"model_type":"llama","hidden_size":512,"num_attention_heads":8,"head_dim":64,"max_position_embeddings":131072,)"
    R"("rope_theta":150000.0,"rope_scaling":{"rope_type":"yarn","factor":32.0,"original_max_position_embeddings":4096}})";

TEST(Measure, TheFactorOfYarnIsMeasured) {
    const auto references = of_config(kYarn);
    ASSERT_EQ(references.size(), 1U);
    const Reference& own = references[0];
    EXPECT_EQ(measured_with(of_rates(own.frequency, own.amplitude, 150), references).verdict, Verdict::right);
    // The kept part stays, what is slowed is divided by 21.
    std::vector<double> rates;
    for (std::size_t i = 0; i < own.frequency.size(); ++i) {
        const double kept = (own.frequency[i] / own.unscaled[i] - 1.0 / 32.0) / (1.0 - 1.0 / 32.0);
        rates.push_back(own.unscaled[i] * (kept + (1.0 - kept) / 21.0));
    }
    const Measured found = measured_with(of_rates(rates, own.amplitude, 150), references);
    EXPECT_EQ(found.verdict, Verdict::wrong);
    ASSERT_TRUE(says(found, "measured.factor")) << said(found);
    EXPECT_EQ(*value_of(found.findings[0].said, "found"), "21");
}

TEST(Measure, AmplitudeIsAFindingOfItsOwn) {
    const auto references = of_config(kYarn);
    const Reference& own = references[0];
    EXPECT_TRUE(
        says(measured_with(of_rates(own.frequency, 1.0, 150), references), "measured.amplitude_missing"));
    EXPECT_TRUE(says(measured_with(of_rates(own.frequency, own.amplitude * own.amplitude, 150), references),
                     "measured.amplitude_squared"));
    EXPECT_TRUE(
        says(measured_with(of_rates(own.unscaled, own.amplitude, 150), references), "measured.unscaled"));
}

// Three digits tell the amplitude less finely than the factor does, of which it follows.
TEST(Measure, AnotherFactorsAmplitudeIsToldOnceInBfloat16) {
    const auto references = of_config(kYarn);
    const Reference& own = references[0];
    std::vector<double> rates;
    for (std::size_t i = 0; i < own.frequency.size(); ++i) {
        const double kept = (own.frequency[i] / own.unscaled[i] - 1.0 / 32.0) / (1.0 - 1.0 / 32.0);
        rates.push_back(own.unscaled[i] * (kept + (1.0 - kept) / 8.0));
    }
    StoredTensor dump = of_rates(rates, 0.1 * std::log(8.0) + 1.0, 512);
    for (double& value : dump.values) value = narrowed(value, Narrow::bfloat16);
    const Measured found = measured_with(dump, references);
    ASSERT_TRUE(says(found, "measured.factor") && says(found, "measured.amplitude")) << said(found);
    EXPECT_FALSE(says(found, "measured.times")) << said(found);
}

TEST(Measure, RowsAreReadNotGuessed) {
    const Made made{32, 120, 0, 500000.0, 1};
    const auto rows = [&](auto position) {
        StoredTensor dump{"cos", "float32", {made.rows, made.pairs}, {}, false};
        for (std::int64_t r = 0; r < made.rows; ++r)
            for (std::int64_t i = 0; i < made.pairs; ++i)
                dump.values.push_back(
                    static_cast<double>(std::cos(static_cast<float>(position(r)) * rate_of(made, i))));
        return measured_with(dump, plain(made));
    };
    EXPECT_TRUE(says(rows([](auto r) { return r % 48; }), "measured.rows_modulo"));
    EXPECT_TRUE(says(rows([](auto r) { return r < 70 ? r : r + 16; }), "measured.rows_jump"));
    EXPECT_TRUE(says(rows([](auto r) { return std::min<std::int64_t>(r, 90); }), "measured.rows_stuck"));
    EXPECT_TRUE(says(rows([](auto r) { return r == 33 ? 34 : r; }), "measured.rows_odd"));
    EXPECT_TRUE(says(rows([](auto r) { return 3 * r; }), "measured.rows_times"));
    const Measured packed = rows([](auto r) { return r < 30 ? r : r < 85 ? r - 30 : r - 85; });
    EXPECT_EQ(packed.verdict, Verdict::right) << said(packed);
    EXPECT_EQ(rows([](auto r) { return r + 7331; }).verdict, Verdict::right);
    EXPECT_EQ(rows([](auto r) { return std::max<std::int64_t>(0, r - 9); }).verdict, Verdict::right);
    // torch.arange adds in bfloat16, and rounds the sum.
    EXPECT_TRUE(
        says(rows([](auto r) { return r < 15 ? 241 + r : 256 + (r - 15) / 4 * 4 + (r % 4 == 2 ? 2 : 0); }),
             "measured.rows_narrowed"));
    const Measured behind = rows([](auto r) { return r < 100 ? r : std::int64_t{1}; });
    EXPECT_EQ(behind.verdict, Verdict::right);
    EXPECT_TRUE(says(behind, "measured.rows_padded_behind")) << said(behind);
}

// A cache that was extended without its scaling: the rows before are right, and those after are explained by themselves.
TEST(Measure, RowsOfAnotherTableAreToldByTheirFirst) {
    const auto references = of_config(kYarn);
    const Reference& own = references[0];
    StoredTensor dump = of_rates(own.frequency, own.amplitude, 150);
    const StoredTensor unscaled = of_rates(own.unscaled, own.amplitude, 150);
    std::copy(unscaled.values.begin() + 100 * own.pairs(), unscaled.values.end(),
              dump.values.begin() + 100 * own.pairs());
    const Measured found = measured_with(dump, references);
    EXPECT_EQ(found.verdict, Verdict::wrong);
    ASSERT_TRUE(says(found, "measured.from_row") && says(found, "measured.unscaled")) << said(found);
    EXPECT_EQ(*value_of(found.findings[0].said, "row"), "100");
}

// Pairs in reverse order, of a base that many models have.
TEST(Measure, AMistakeIsToldWithoutAConfig) {
    std::vector<double> rates;
    for (int i = 31; i >= 0; --i) rates.push_back(std::pow(1e6, -i / 32.0));
    const Measured found = measured_with(of_rates(rates, 1.0, 300), {});
    EXPECT_EQ(found.verdict, Verdict::wrong);
    EXPECT_TRUE(says(found, "measured.pairs_reversed")) << said(found);
}

// Few pairs tell 0 from 1 in bfloat16: the first pad is searched for, and not taken for row 0.
TEST(Measure, CoarsePadsAreRead) {
    const Made made{40, 120, 0, 1e6, 7};
    StoredTensor dump = cosines(made);
    const std::vector<double> one(dump.values.begin() + 40, dump.values.begin() + 80);
    for (int n = 0; n < 9; ++n) dump.values.insert(dump.values.begin(), one.begin(), one.end());
    dump.values.resize(120 * 40);
    const Measured found = measured_with(dump, plain(made));
    EXPECT_EQ(found.verdict, Verdict::right) << said(found);
    EXPECT_TRUE(says(found, "measured.rows_padded"));
}

TEST(Measure, RowsOfZerosBehindAreABuffer) {
    const Made made{32, 300, 0, 10000.0, 1};
    StoredTensor dump = cosines(made);
    std::fill(dump.values.begin() + 250 * 32, dump.values.end(), 0.0);
    auto references = plain(made);
    const Measured shorter = measured_with(dump, references);
    EXPECT_EQ(shorter.verdict, Verdict::wrong);
    EXPECT_TRUE(says(shorter, "measured.rows_not_filled")) << said(shorter);
    references[0].longest = 250;  // all of its positions are there
    const Measured whole = measured_with(dump, references);
    EXPECT_EQ(whole.verdict, Verdict::right) << said(whole);
    EXPECT_TRUE(says(whole, "measured.rows_unused"));
    std::fill(dump.values.begin() + 100 * 32, dump.values.begin() + 110 * 32, 0.0);
    EXPECT_EQ(measured_with(dump, plain(made)).verdict, Verdict::wrong);
}

TEST(Measure, IdsAreWhatTheRowsShouldBe) {
    const Made made{32, 6, 0, 10000.0, 1};
    const std::vector<double> at = {5, 900, 1233, 77, 40, 41};
    StoredTensor dump{"cos", "float32", {6, 32}, {}, false};
    for (const double p : at)
        for (std::int64_t i = 0; i < 32; ++i)
            dump.values.push_back(static_cast<double>(std::cos(static_cast<float>(p) * rate_of(made, i))));
    const auto references = plain(made);
    Wanted wanted;
    wanted.references = references;
    wanted.ids = {at};
    EXPECT_EQ(measure(dump, wanted).verdict, Verdict::right);
    wanted.ids[0][2] = 1234;
    const Measured found = measure(dump, wanted);
    EXPECT_EQ(found.verdict, Verdict::wrong);
    ASSERT_TRUE(says(found, "measured.rows_not_id")) << said(found);
    EXPECT_EQ(*value_of(found.findings[0].said, "position"), "1233");
}

}  // namespace
}  // namespace measure_tests
}  // namespace posiscope::measuring
