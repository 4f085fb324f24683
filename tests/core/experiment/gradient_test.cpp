// The hand-written backward pass against central differences, for every encoding that is trained.
#include "core/encodings/encodings.hpp"
#include "core/experiment/training.hpp"
#include "tests/core/experiment/targets.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace posiscope::experiment::gradient_test {
namespace {

constexpr ModelShape kSmall{
    .layers = 2, .heads = 2, .width = 8, .hidden = 12, .letters = 7, .classes = 7, .causal = true};
constexpr std::size_t kLength = 9, kSequences = 3;

Sequences some_sequences() {
    Random random(11, 0);
    Sequences made;
    made.count = kSequences;
    made.length = kLength;
    for (std::size_t at = 0; at < kSequences * kLength; ++at) {
        made.letters.push_back(static_cast<std::int32_t>(random.below(7)));
        made.targets.push_back(at % 4 == 1 ? kNothingAsked : static_cast<std::int32_t>(random.below(7)));
    }
    return made;
}

// The largest error of the gradient, of its largest entry; every number is moved.
double gradient_error(const std::string& encoding, bool causal) {
    ModelShape shape = kSmall;
    shape.causal = causal;
    Settings settings;
    settings.length = settings.tested = kLength;
    auto training = Training<double>::of(settings, encoding, 5, shape);
    if (!training) return INFINITY;
    // Away from the start, where many numbers are 0 or 1.
    Random random(7, 0);
    const auto for_each_number = [&](const auto& visit) {
        for (const Group& group : training->plan().groups)
            for (std::size_t row = 0; row < group.rows * group.parts; ++row)
                for (std::size_t column = 0; column < group.columns; ++column)
                    visit(group.offset + row * padded(group.columns) + column);
    };
    for_each_number([&](std::size_t at) { training->numbers()[at] += 0.1 * random.normal(); });
    const Sequences batch = some_sequences();
    Buffer<double> gradient(training->plan().size);
    training->loss(batch, &gradient);
    double error = 0.0, largest = 0.0;
    std::size_t counted = 0;
    for_each_number([&](std::size_t at) {
        constexpr double kStep = 1e-5;
        double& number = training->numbers()[at];
        const double before = number;
        number = before + kStep;
        const double above = training->loss(batch, nullptr);
        number = before - kStep;
        const double below = training->loss(batch, nullptr);
        number = before;
        error = std::max(error, std::abs(gradient[at] - (above - below) / (2.0 * kStep)));
        largest = std::max(largest, std::abs(gradient[at]));
        ++counted;
    });
    EXPECT_EQ(counted, training->plan().parameters());
    // What is padding has no gradient, so that it stays 0.
    std::size_t not_zero = 0;
    for (std::size_t at = 0; at < gradient.size(); ++at) not_zero += gradient[at] != 0.0;
    EXPECT_LE(not_zero, counted);
    return error / largest;
}

TEST(ExperimentGradient, AgreesWithDifferencesForEveryEncoding) {
    for (const std::string_view kind : encoding_kinds()) {
        if (not_trained(kind)) continue;
        for (const bool causal : {true, false}) {
            const double error = gradient_error(std::string(kind), causal);
            EXPECT_LE(error, 1e-7) << kind << (causal ? ", causal" : ", no mask");
            RecordProperty(std::string(kind) + (causal ? "_causal" : "_open"), fmt::format("{:.1e}", error));
        }
    }
}

// Every slot that can be trained, with numbers and a list that are learned, by distance and by query and key.
const std::vector<Json>& typed() {
    const auto of = [](Json slots, Json values) {
        slots["kind"] = "own";
        for (const auto& value : values.items()) slots["learned"].push_back(value.key());
        slots["values"] = std::move(values);
        return slots;
    };
    static const std::vector<Json> list = {
        of({{"frequency", "b^(-a*i/d)*(1+c*cos(i))"}}, {{"a", 1.7}, {"c", 0.3}}),
        of({{"position", "p^g"}, {"frequency", "w*b^(-2*i/d)"}}, {{"g", 0.9}, {"w", 0.5}}),
        of({{"bias", "-s*log(1+abs(D))/(h+1)"}}, {{"s", 0.4}}),
        of({{"bias", "c[min(abs(D), 3)] + a*q/(k+1)"}}, {{"c", {0.1, -0.2, 0.3, 0.2}}, {"a", 0.1}}),
        of({{"scale", "1 + s*log(q+1) + r*h"}}, {{"s", 0.43}, {"r", 0.2}}),
        of({{"scale", "exp(-a*abs(D))"}, {"frequency", "b^(-2*i/d)"}}, {{"a", 0.1}}),
        of({{"add", "a*sin(p*b^(-j/d)*f + g)"}}, {{"a", 0.5}, {"f", 1}, {"g", 0.2}}),
        of({{"frequency", "b^(-2*i/d)*(1+a)"}, {"bias", "-a*abs(D)"}, {"scale", "1+a"}}, {{"a", 0.2}}),
        of({{"frequency", "b^(-2*i/d)"}, {"bias", "-abs(D)"}}, Json::object()),
    };
    return list;
}

TEST(ExperimentGradient, AgreesWithDifferencesForTypedEncodings) {
    for (const Json& encoding : typed())
        for (const bool causal : {true, false}) {
            const auto entry = entry_from(encoding, "");
            ASSERT_TRUE(entry) << encoding << to_string(entry.error());
            EXPECT_LE(gradient_error(*entry, causal), 1e-7)
                << encoding << (causal ? ", causal" : ", no mask");
        }
}

TEST(ExperimentGradient, AgreesOnEverySetOfInstructions) {
    for_each_target([] {
        for (const char* kind : {"rope", "shaw", "fire"}) EXPECT_LE(gradient_error(kind, true), 1e-7) << kind;
        EXPECT_LE(gradient_error(*entry_from(typed()[7], ""), true), 1e-7) << "typed";
    });
}

}  // namespace
}  // namespace posiscope::experiment::gradient_test
