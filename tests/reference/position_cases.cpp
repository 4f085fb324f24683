// The ids, masks and distances that official code gives a row of tokens, slips included.
#include "core/positions/positions.hpp"
#include "tests/reference/reference.hpp"

#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

Row row_of(const Case& c) {
    Json partial{{"view", {{"ids", c.input("ids")}}}};
    if (c.inputs().contains("encoding")) partial["encoding"] = c.input("encoding");
    const auto laid = overlay(Scene(), partial);
    if (!laid) throw std::runtime_error(to_string(laid.error()));
    return Row::in_layer(laid->scene.view, laid->scene);
}

void position_ids(Case& c) {
    const Row row = row_of(c);
    const auto n = c.input("tokens").get<std::int64_t>();
    const auto compare = [&](const char* key, const auto& fill) {
        if (!c.has(key)) return;
        std::vector<double> got;
        fill(got);
        c.expect(key, got);
    };
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    // Of each token as the newest one.
    compare("own", [&](std::vector<double>& got) {
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(row.axes()); ++axis)
            for (std::int64_t i = 0; i < n; ++i) got.push_back(number(row.query_used(i)[axis]));
    });
    // Token and id of every key in the cache: when each query comes, and when the one after the last does.
    const auto cached = [&](std::vector<double>& got, std::int64_t t) {
        for (std::int64_t i = 0; i < t; ++i)
            if (row.kept(t, i)) {
                got.push_back(number(i));
                got.push_back(number(row.key_used(t, i)[0]));
            }
    };
    compare("keys", [&](std::vector<double>& got) {
        for (std::int64_t t = 0; t < n; ++t) cached(got, t);
    });
    compare("last_keys", [&](std::vector<double>& got) { cached(got, n); });
    compare("slots", [&](std::vector<double>& got) {
        for (std::int64_t i = 0; i < n; ++i) got.push_back(number(row.slot(i, i)));
    });
    compare("seen", [&](std::vector<double>& got) {
        for (std::int64_t t = 0; t < n; ++t)
            for (std::int64_t i = 0; i < n; ++i) got.push_back(i <= t && row.sees(t, i) ? 1.0 : 0.0);
    });
    compare("pairs_seen", [&](std::vector<double>& got) {
        for (std::int64_t t = 0; t < n; ++t)
            for (std::int64_t i = 0; i < n; ++i) got.push_back(row.pair(t, i).seen ? 1.0 : 0.0);
    });
    compare("distances", [&](std::vector<double>& got) {
        for (std::int64_t t = 0; t < n; ++t)
            for (std::int64_t i = 0; i <= t; ++i) got.push_back(number(row.pair(t, i).used[0]));
    });
    // The next id less the count of tokens.
    compare("delta", [&](std::vector<double>& got) { got.push_back(number(row.query_used(n)[0] - n)); });
}

// Every policy has a case without a slip, and every slip has one.
TEST(PositionIds, EveryPolicyAndEverySlipHasACase) {
    std::set<std::string> known;
    for (const Json& one : load("positions").cases) {
        const Json& ids = one.at("inputs").at("ids");
        known.insert(ids.at("kind").get<std::string>() + " " + ids.value("slip", std::string(kNoSlip)));
        EXPECT_NE(one.at("inputs").at("source").get<std::string>().find(" @ "), std::string::npos);
    }
    for (const Policy& policy : policies()) {
        EXPECT_TRUE(known.contains(std::string(policy.kind) + " " + std::string(kNoSlip))) << policy.kind;
        for (const Parameter& p : policy.parameters) {
            if (p.key != "slip") continue;
            for (const std::string_view slip : p.choices)
                EXPECT_TRUE(known.contains(std::string(policy.kind) + " " + std::string(slip)))
                    << policy.kind << " " << slip;
        }
    }
}

}  // namespace

Handlers position_handlers() { return {{"positions", {"position_ids", position_ids}}}; }

}  // namespace posiscope::reference
