// The fast table against core's exact values, on every target, whatever its shape and wherever it is written.
#include "core/kernels/pe_table.hpp"
#include "tests/core/kernels/targets.hpp"

#include <cmath>
#include <rapidcheck/gtest.h>

namespace posiscope {
namespace {

constexpr float kUntouched = 7.0F;
constexpr std::int64_t kPositions = std::int64_t{1} << 31;

double bound(Precision precision) { return precision == Precision::exact ? 2.981e-8 : 1.6e-7; }

// The largest error, or infinity where something beside the table was written; `shift` floats past the alignment.
double error_of(const Spectrum& spectrum, const PeTable& table, std::size_t shift, Workers& workers) {
    const std::size_t width = 2 * spectrum.pairs(), size = static_cast<std::size_t>(table.rows) * width;
    std::vector<float> memory(size + shift + 1, kUntouched);
    pe_table(spectrum, table, std::span(memory).subspan(shift, size), workers);
    for (std::size_t i = 0; i < shift; ++i)
        if (memory[i] != kUntouched) return INFINITY;
    if (memory.back() != kUntouched) return INFINITY;
    double worst = 0.0;
    for (std::int64_t row = 0; row<table.rows; row += table.rows> 1000 ? 7 : 1)
        for (std::size_t column = 0; column < width; ++column) {
            const double exact = table.amplitude * table_value(spectrum, table.layout, table.first + row,
                                                               static_cast<std::int64_t>(column));
            const double made = memory[shift + static_cast<std::size_t>(row) * width + column];
            const double error = std::abs(made - exact);
            worst = error <= worst ? worst : error;  // a NaN is the worst
            if (std::isnan(made)) return INFINITY;
        }
    return worst / table.amplitude;
}

TEST(PeTable, IsRightForEverySmallShape) {
    for_each_target([] {
        for (const int threads : {1, 2, 3}) {
            Workers workers(threads);
            for (const std::size_t pairs : {1U, 2U, 3U, 7U, 8U, 15U, 16U, 17U, 33U})
                for (const std::int64_t rows : {1, 2, 3, 7, 8, 9, 17, 65})
                    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
                        for (const Precision precision : {Precision::fast, Precision::exact}) {
                            const Spectrum spectrum = geometric_spectrum(10000.0, pairs, pairs);
                            const PeTable table{layout, 5, rows, precision, 1.0};
                            EXPECT_LE(error_of(spectrum, table, pairs % 3, workers), bound(precision))
                                << threads << " threads, " << pairs << " pairs, " << rows << " rows";
                        }
        }
    });
}

TEST(PeTable, IsRightToTheLastPosition) {
    for_each_target([] {
        Workers workers(2);
        for (const double base : {1.5, 1e4, 5e5, 1e18}) {
            const Spectrum spectrum = geometric_spectrum(base, 40, 40);
            for (const Precision precision : {Precision::fast, Precision::exact})
                EXPECT_LE(error_of(spectrum,
                                   {PairLayout::interleaved, kPositions - 3000, 3000, precision, 1.0}, 0,
                                   workers),
                          bound(precision))
                    << base;
        }
    });
}

// Large enough to be written past the caches, aligned and not.
TEST(PeTable, IsRightPastTheCaches) {
    for_each_target([] {
        Workers workers(3);
        const Spectrum spectrum = geometric_spectrum(10000.0, 128, 128);
        for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
            for (const std::size_t shift : {0U, 1U, 4U, 12U})
                EXPECT_LE(error_of(spectrum, {layout, 1, 8300, Precision::fast, 1.0}, shift, workers),
                          bound(Precision::fast))
                    << shift;
    });
}

TEST(PeTable, DoesNotDependOnTheNumberOfThreads) {
    const Spectrum spectrum = geometric_spectrum(10000.0, 24, 24);
    std::vector<float> alone(48 * 4096), together(alone.size());
    Workers one(1), three(3);
    for (const Precision precision : {Precision::fast, Precision::exact}) {
        const PeTable table{PairLayout::halves, 77, 4096, precision, 1.0};
        pe_table(spectrum, table, alone, one);
        pe_table(spectrum, table, together, three);
        for (std::size_t i = 0; i < alone.size(); ++i)
            ASSERT_NEAR(alone[i], together[i], precision == Precision::exact ? 6e-8 : 1.2e-7) << i;
    }
}

TEST(PeTable, OfNoRowsOrPairsIsNothing) {
    Workers workers;
    pe_table(geometric_spectrum(10000.0, 4, 4), {PairLayout::interleaved, 0, 0, Precision::fast, 1.0}, {},
             workers);
    pe_table(Spectrum{}, {PairLayout::interleaved, 0, 5, Precision::fast, 1.0}, {}, workers);
    std::vector<float> wrong(7);
    EXPECT_THROW(pe_table(geometric_spectrum(10000.0, 4, 4),
                          {PairLayout::interleaved, 0, 1, Precision::fast, 1.0}, wrong, workers),
                 std::logic_error);
}

RC_GTEST_PROP(PeTable, IsRightForAnySpectrum, ()) {
    const auto frequencies =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2000000)));
    std::vector<double> radians;
    for (const int frequency : frequencies) radians.push_back(frequency * 3.3e-6);
    const Spectrum spectrum = spectrum_from(radians);
    const PeTable table{*rc::gen::element(PairLayout::interleaved, PairLayout::halves),
                        *rc::gen::inRange<std::int64_t>(0, kPositions - 100), *rc::gen::inRange(1, 100),
                        *rc::gen::element(Precision::fast, Precision::exact),
                        *rc::gen::element(1.0, 0.25, 1.190238, 3.0)};
    Workers workers(*rc::gen::inRange(1, 4));
    const auto shift = *rc::gen::inRange<std::size_t>(0, 20);
    for_each_target([&] {
        // An amplitude that is no power of two moves values past the end of a binade, where a unit is twice as large.
        const double slack = table.amplitude == 1.0 || table.amplitude == 0.25 ? 1.0 : 2.0;
        RC_ASSERT(error_of(spectrum, table, shift, workers) <= slack * bound(table.precision));
    });
}

}  // namespace
}  // namespace posiscope
