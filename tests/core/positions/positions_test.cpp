// Which position a token gets, by every policy, against lists that are made as the official code makes them: the loops below
// are written from its rules, and run step by step, where core has closed forms.
#include "core/positions/positions.hpp"

#include "core/attention/attention.hpp"
#include "core/cost.hpp"
#include "tests/core/scenes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <rapidcheck/gtest.h>

namespace posiscope::positions_test {
namespace {

using List = std::vector<std::int64_t>;

Row row(const std::string& ids) { return Row::in(scene(R"({"view": {"ids": )" + ids + "}}").view); }

List own_ids(const Row& row, std::int64_t n, std::size_t axis = 0) {
    List ids;
    for (std::int64_t i = 0; i < n; ++i) ids.push_back(row.query_used(i)[axis]);
    return ids;
}

// The rotations that keys in the cache have when the query at t comes, by token.
std::map<std::int64_t, std::int64_t> cached(const Row& row, std::int64_t t) {
    std::map<std::int64_t, std::int64_t> keys;
    for (std::int64_t i = 0; i < t; ++i)
        if (row.kept(t, i)) keys[i] = row.key_used(t, i)[0];
    return keys;
}

List errors(const Row& row, std::int64_t t) {
    List list;
    for (std::int64_t i = 0; i <= t; ++i)
        if (const RowPair pair = row.pair(t, i); pair.seen) list.push_back(pair.error());
    return list;
}

// Hugging Face, generation/utils.py.
List left_padded(const List& mask) {
    List ids(mask.size());
    std::partial_sum(mask.begin(), mask.end(), ids.begin());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = mask[i] == 0 ? 1 : ids[i] - 1;
    return ids;
}

// Hugging Face, modeling_roberta.py: cumsum(mask) · mask + padding_idx.
List roberta(const List& mask, std::int64_t padding_idx) {
    List ids(mask.size());
    std::partial_sum(mask.begin(), mask.end(), ids.begin());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = ids[i] * mask[i] + padding_idx;
    return ids;
}

// Hugging Face, modeling_opt.py: cumsum(mask) · mask − 1, and the table's own offset of 2.
List opt(const List& mask) {
    List ids(mask.size());
    std::partial_sum(mask.begin(), mask.end(), ids.begin());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = ids[i] * mask[i] - 1 + 2;
    return ids;
}

TEST(Positions, PaddingOnTheLeftCountsTheTokensAlone) {
    const List mask = {0, 0, 0, 1, 1, 1, 1, 1};
    EXPECT_EQ(own_ids(row(R"({"kind": "left_padding", "pads": 3})"), 8), left_padded(mask));
    EXPECT_EQ(left_padded(mask), (List{1, 1, 1, 0, 1, 2, 3, 4}));
    const Row slip = row(R"({"kind": "left_padding", "pads": 3, "slip": "arange"})");
    EXPECT_EQ(own_ids(slip, 8), (List{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(errors(slip, 7), (List{0, 0, 0, 0, 0}));  // distances stay, rows of a table do not
    const RowCount count = count_row(slip, 7);
    EXPECT_EQ(count.row_error, 3);
    EXPECT_EQ(count.rows_off, 5);
    EXPECT_EQ(count.keys, 5);
    EXPECT_EQ(count.off, 0);
}

TEST(Positions, TablesThatBeginLater) {
    const List mask = {0, 0, 0, 1, 1, 1, 1, 1};
    EXPECT_EQ(own_ids(row(R"({"kind": "offset_table"})"), 8), roberta(mask, 1));
    EXPECT_EQ(roberta(mask, 1), (List{1, 1, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(opt(mask), roberta(mask, 1));
    const Row slip = row(R"({"kind": "offset_table", "slip": "zero"})");
    EXPECT_EQ(count_row(slip, 7).row_error, -2);
    EXPECT_EQ(count_row(slip, 7).rows_off, 5);
    EXPECT_EQ(errors(slip, 7), (List{0, 0, 0, 0, 0}));
}

// Hugging Face, DataCollatorWithFlattening: range(len(ids)) of each document.
TEST(Positions, PackedDocumentsBeginAnew) {
    const Row right = row(R"({"kind": "packed", "lengths": [3, 4, 2]})");
    EXPECT_EQ(own_ids(right, 9), (List{0, 1, 2, 0, 1, 2, 3, 0, 1}));
    EXPECT_EQ(count_row(right, 8).keys, 2);
    const Row run_on = row(R"({"kind": "packed", "lengths": [3, 4, 2], "slip": "run_on"})");
    EXPECT_EQ(own_ids(run_on, 9), (List{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(errors(run_on, 8), (List{0, 0}));
    EXPECT_EQ(count_row(run_on, 8).row_error, 7);
    const Row unmasked = row(R"({"kind": "packed", "lengths": [3, 4, 2], "slip": "unmasked"})");
    const RowCount count = count_row(unmasked, 7);
    EXPECT_EQ(count.keys, 8);
    EXPECT_EQ(count.leaks, 7);
    EXPECT_EQ(unmasked.pair(7, 6).used[0], -3);  // of another document, and ahead
    EXPECT_FALSE(unmasked.pair(7, 6).same_document);
}

TEST(Positions, ADecodeStepCountsTheTokensSoFar) {
    EXPECT_EQ(own_ids(row(R"({"kind": "decode", "prompt": 3})"), 5), (List{0, 1, 2, 3, 4}));
    const Row zero = row(R"({"kind": "decode", "prompt": 3, "slip": "reset"})");
    EXPECT_EQ(own_ids(zero, 5), (List{0, 1, 2, 0, 0}));
    EXPECT_EQ(errors(zero, 4), (List{-4, -4, -4, -1, 0}));
    EXPECT_EQ(errors(row(R"({"kind": "decode", "prompt": 3, "slip": "ahead"})"), 4), (List{1, 1, 1, 0, 0}));
}

// A buffer of `window` slots, written as tokens come.
TEST(Positions, ARollingBufferKeepsTheTokensNumber) {
    const Row right = row(R"({"kind": "rolling", "window": 5})");
    const Row slip = row(R"({"kind": "rolling", "window": 5, "slip": "slot"})");
    List buffer(5, -1);
    for (std::int64_t t = 0; t < 40; ++t) {
        buffer[static_cast<std::size_t>(t % 5)] = t;
        for (std::int64_t i = 0; i <= t; ++i) {
            const auto at = std::ranges::find(buffer, i);
            ASSERT_EQ(right.kept(t, i), at != buffer.end());
            if (at == buffer.end()) continue;
            EXPECT_EQ(right.slot(t, i), at - buffer.begin());
            EXPECT_EQ(right.pair(t, i).used[0], t - i);
            EXPECT_EQ(slip.pair(t, i).used[0], t % 5 - i % 5);
        }
    }
}

// StreamingLLM: the cache is cut to its sinks and its recent rows, ids are arange(len(cache)), the query's the next one.
TEST(Positions, SinksAndAWindowCountPlacesInTheCache) {
    for (const auto& [sinks, recent] : std::vector<std::pair<int, int>>{{4, 3}, {1, 7}, {0, 5}, {4, 0}}) {
        const auto settings = fmt::format(R"("kind": "sinks", "sinks": {}, "recent": {})", sinks, recent);
        const Row right = row("{" + settings + "}"), slip = row("{" + settings + R"(, "slip": "rotated"})");
        List cache;
        for (std::int64_t t = 0; t < 30; ++t) {
            if (static_cast<int>(cache.size()) > sinks + recent) cache.erase(cache.begin() + sinks);
            const auto query = static_cast<std::int64_t>(cache.size());
            EXPECT_EQ(right.query_used(t)[0], query);
            std::map<std::int64_t, std::int64_t> ids, numbers;
            for (std::size_t n = 0; n < cache.size(); ++n) {
                ids[cache[n]] = static_cast<std::int64_t>(n);
                numbers[cache[n]] = cache[n];
            }
            EXPECT_EQ(cached(right, t), ids) << t;
            EXPECT_EQ(cached(slip, t), numbers) << t;
            cache.push_back(t);
        }
    }
    const Row right = row(R"({"kind": "sinks"})");
    EXPECT_EQ(cached(right, 20), (std::map<std::int64_t, std::int64_t>{
                                     {0, 0}, {1, 1}, {2, 2}, {3, 3}, {17, 4}, {18, 5}, {19, 6}}));
    EXPECT_EQ(right.query_used(20)[0], 7);
    EXPECT_EQ(errors(row(R"({"kind": "sinks", "slip": "rotated"})"), 20),
              (List{0, 0, 0, 0, -13, -13, -13, 0}));
}

// A cache of rows out of which all but the kept ones are dropped after the prompt: its length is the wrong id.
TEST(Positions, EvictedRowsAreMissingFromALengthTakenForAnId) {
    for (const bool each : {false, true}) {
        const auto settings = fmt::format(
            R"("kind": "eviction", "prompt": 24, "kept": 14, "recent": 8, "each_step": {})", each);
        const Row right = row("{" + settings + "}"), slip = row("{" + settings + R"(, "slip": "kept_rows"})");
        List cache;
        for (std::int64_t t = 0; t < 40; ++t) {
            if (t == 24 || (each && t > 24)) {
                List left;
                for (const std::int64_t i : cache)
                    if (right.kept(t, i)) left.push_back(i);
                cache = left;
                EXPECT_EQ(cache.size(), 14U);
            }
            for (std::size_t n = 0; n < cache.size(); ++n) {
                ASSERT_TRUE(right.kept(t, cache[n])) << t << " " << cache[n];
                EXPECT_EQ(right.slot(t, cache[n]), static_cast<std::int64_t>(n));
            }
            EXPECT_EQ(right.query_used(t)[0], t);
            EXPECT_EQ(slip.query_used(t)[0], static_cast<std::int64_t>(cache.size())) << t;
            cache.push_back(t);
        }
        const RowCount at = count_row(slip, 24);
        EXPECT_EQ(at.evicted, 10);
        EXPECT_EQ(at.off, 14);
        EXPECT_EQ(at.least, -10);
        EXPECT_EQ(at.most, -10);
    }
    // What was stored after the eviction is short by as much, so that among themselves they are right.
    const Row slip = row(R"({"kind": "eviction", "slip": "kept_rows"})");
    EXPECT_EQ(slip.pair(26, 25).error(), 0);
    EXPECT_EQ(slip.pair(26, 23).error(), -10);
    EXPECT_EQ(count_row(slip, 24).ahead, 8);
    // 100 of 200 rows gone: the neighbour's Σ cos of 32 pairs, which is half of ones' q·k, at its distance and at the one used.
    const RowPair neighbour =
        row(R"({"kind": "eviction", "prompt": 200, "kept": 100, "recent": 50, "slip": "kept_rows"})")
            .pair(200, 199);
    EXPECT_EQ(neighbour.error(), -100);
    auto logit = DistanceLogit::of(scene(R"({"encoding": "rope", "d_model": 64, "content": "equal"})"), 0);
    ASSERT_TRUE(logit);
    EXPECT_NEAR(4.0 * logit->at(neighbour.should[0]), 30.9168, 5e-5);
    EXPECT_NEAR(4.0 * logit->at(neighbour.used[0]), 15.5639, 5e-5);
}

// llama.cpp: when the cache is full, n_discard = (n_past − n_keep) / 2 rows after n_keep go, seq_add moves the others.
TEST(Positions, AContextShiftMovesIdsAndTurnsKeys) {
    for (const auto& [n_ctx, n_keep] : std::vector<std::pair<int, int>>{{16, 4}, {9, 0}, {12, 10}, {13, 4}}) {
        const auto settings =
            fmt::format(R"("kind": "context_shift", "n_ctx": {}, "n_keep": {})", n_ctx, n_keep);
        const Row right = row("{" + settings + "}"), slip = row("{" + settings + R"(, "slip": "unrotated"})");
        struct Cell {
            std::int64_t token, id, rotated;
        };
        std::vector<Cell> cache;
        std::int64_t n_past = 0;
        for (std::int64_t t = 0; t < 60; ++t) {
            if (n_past == n_ctx) {
                const std::int64_t n_discard = (n_past - n_keep) / 2;
                std::erase_if(cache, [&, keep = n_keep](const Cell& cell) {
                    return cell.id >= keep && cell.id < keep + n_discard;
                });
                for (Cell& cell : cache)
                    if (cell.id >= n_keep + n_discard) cell.id -= n_discard;
                n_past -= n_discard;
            }
            std::map<std::int64_t, std::int64_t> ids, rotated;
            for (const Cell& cell : cache) ids[cell.token] = cell.id, rotated[cell.token] = cell.rotated;
            ASSERT_EQ(cached(right, t), ids) << n_ctx << " " << t;
            ASSERT_EQ(cached(slip, t), rotated) << n_ctx << " " << t;
            EXPECT_EQ(right.query_used(t)[0], n_past);
            EXPECT_EQ(slip.query_used(t)[0], n_past);
            cache.push_back({t, n_past, n_past});
            ++n_past;
        }
    }
    const Row right = row(R"({"kind": "context_shift"})");
    EXPECT_EQ(cached(right, 16),
              (std::map<std::int64_t, std::int64_t>{
                  {0, 0}, {1, 1}, {2, 2}, {3, 3}, {10, 4}, {11, 5}, {12, 6}, {13, 7}, {14, 8}, {15, 9}}));
    EXPECT_EQ(right.query_used(16)[0], 10);
    EXPECT_EQ(errors(row(R"({"kind": "context_shift", "slip": "unrotated"})"), 16),
              (List{0, 0, 0, 0, -6, -6, -6, -6, -6, -6, 0}));
}

// LMCache and CacheBlend: a chunk's keys are made by a request of its own, from position 0; what is used again is turned by
// (new − old) position.
TEST(Positions, AChunkThatIsUsedAgainHasMoved) {
    const Row moved = row(R"({"kind": "reused_chunk", "first": 7, "size": 4})"),
              stored = row(R"({"kind": "reused_chunk", "first": 7, "size": 4, "slip": "unrotated"})");
    List own;
    for (std::int64_t n = 0; n < 4; ++n) own.push_back(n);  // arange of the chunk's own request
    for (std::int64_t i = 0; i < 14; ++i) {
        const bool chunk = i >= 7 && i < 11;
        const std::int64_t was = chunk ? own[static_cast<std::size_t>(i - 7)] : i;
        EXPECT_EQ(stored.key_used(14, i)[0], was) << i;
        EXPECT_EQ(moved.key_used(14, i)[0], was + (chunk ? 7 : 0)) << i;
    }
    const Row right = row(R"({"kind": "reused_chunk"})");
    EXPECT_EQ(errors(right, 12), List(13, 0));
    EXPECT_EQ(errors(row(R"({"kind": "reused_chunk", "slip": "unrotated"})"), 12),
              (List{0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6, 0, 0}));
}

TEST(Positions, MapsOfDistances) {
    const auto distance = [](const std::string& ids, std::int64_t t, std::int64_t i) {
        return row(ids).pair(t, i).used[0];
    };
    const std::string four = R"({"kind": "self_extend", "group": 4, "window": 512})";
    EXPECT_EQ(distance(R"({"kind": "self_extend", "group": 8, "window": 512})", 5000, 0), 1073);
    EXPECT_EQ(distance(four, 5000, 3), 1634);
    EXPECT_EQ(distance(four, 600, 100), 500);
    EXPECT_EQ(distance(four, 16383, 0), 4479);
    EXPECT_EQ(distance(R"({"kind": "rerope", "window": 512})", 5000, 0), 512);
    // The three kinds of query ids of dual chunk attention as lists: intra, successive, inter.
    const std::int64_t s = 6, c = 10;
    const Row dual = row(R"({"kind": "dual_chunk", "chunk": 6, "length": 10})");
    List intra(static_cast<std::size_t>(s)), next(intra), inter(static_cast<std::size_t>(s), c - 1);
    std::iota(intra.begin(), intra.end(), 0);
    for (std::int64_t j = 0; j < s; ++j) next[static_cast<std::size_t>(j)] = j < c - s ? s + j : c - 1;
    for (std::int64_t t = 0; t < 30; ++t)
        for (std::int64_t i = 0; i <= t; ++i) {
            const List& queries = t / s == i / s ? intra : t / s == i / s + 1 ? next : inter;
            EXPECT_EQ(dual.pair(t, i).used[0], queries[static_cast<std::size_t>(t % s)] - i % s);
        }
    EXPECT_EQ(dual.pair(7, 5).used[0], 2);
    EXPECT_EQ(dual.pair(11, 5).used[0], 4);
    EXPECT_EQ(dual.pair(11, 0).used[0], 9);
    EXPECT_EQ(dual.pair(14, 3).used[0], 6);
    EXPECT_EQ(row(R"({"kind": "dual_chunk", "slip": "unmapped"})").pair(14, 3).error(), 5);
}

// Hugging Face, masking_utils.py: key > query − window, and equal chunks.
TEST(Positions, MasksOfLayers) {
    const auto seen = [](const std::string& ids, std::int64_t t) {
        List list;
        const Row made = row(ids);
        for (std::int64_t i = 0; i <= t; ++i)
            if (made.pair(t, i).seen) list.push_back(i);
        return list;
    };
    EXPECT_EQ(seen(R"({"kind": "sliding", "window": 4})", 9), (List{6, 7, 8, 9}));
    EXPECT_EQ(seen(R"({"kind": "sliding", "window": 4, "slip": "one_more"})", 9), (List{5, 6, 7, 8, 9}));
    EXPECT_EQ(seen(R"({"kind": "sliding", "window": 4, "slip": "one_less"})", 9), (List{7, 8, 9}));
    EXPECT_EQ(count_row(row(R"({"kind": "sliding", "slip": "one_more"})"), 9).leaks, 1);
    EXPECT_EQ(count_row(row(R"({"kind": "sliding", "slip": "one_less"})"), 9).missing, 1);
    EXPECT_EQ(seen(R"({"kind": "chunked", "chunk": 4})", 9), (List{8, 9}));
    EXPECT_EQ(seen(R"({"kind": "chunked", "chunk": 4, "slip": "sliding"})", 9), (List{6, 7, 8, 9}));
}

// A tree that is grown level by level, each node with a list of its ancestors.
TEST(Positions, ATreeOfDraftsCountsItsDepth) {
    for (const int branches : {2, 3}) {
        const auto settings = fmt::format(R"("kind": "tree", "prefix": 4, "branches": {})", branches);
        const Row right = row("{" + settings + "}"), slip = row("{" + settings + R"(, "slip": "row"})");
        std::vector<List> seen;  // of each row
        List depth;
        for (std::int64_t i = 0; i < 4; ++i) {
            List own(static_cast<std::size_t>(i + 1));
            std::iota(own.begin(), own.end(), 0);
            seen.push_back(own);
            depth.push_back(i);
        }
        for (std::size_t parent = 3; seen.size() < 60; ++parent)
            for (int b = 0; b < branches; ++b) {
                List own = seen[parent];
                own.push_back(static_cast<std::int64_t>(seen.size()));
                seen.push_back(own);
                depth.push_back(depth[parent] + 1);
            }
        for (std::int64_t t = 0; t < 60; ++t) {
            List found;
            for (std::int64_t i = 0; i <= t; ++i)
                if (right.pair(t, i).seen) {
                    found.push_back(i);
                    EXPECT_EQ(right.pair(t, i).used[0],
                              depth[static_cast<std::size_t>(t)] - depth[static_cast<std::size_t>(i)]);
                }
            EXPECT_EQ(found, seen[static_cast<std::size_t>(t)]) << t;
            EXPECT_EQ(slip.query_used(t)[0], t);
        }
    }
}

// Medusa's generate_medusa_buffers: each choice is a path, its prefix is the parent, ids are lengths of paths, and the mask has
// a node's own path. Here the paths of a list of parents, after a prefix of 5.
TEST(Positions, ATreeByItsParents) {
    const std::vector<int> parents = {-1, -1, 0, 0, 1, 3, -1, 5};
    const auto ids = [](const std::string& slip) {
        return row(R"({"kind": "tree", "prefix": 5, "parents": [-1, -1, 0, 0, 1, 3, -1, 5], "slip": ")" +
                   slip + "\"}");
    };
    const Row right = ids("right"), causal = ids("causal"), by_row = ids("row");
    std::vector<List> paths;
    for (int n = 0; n < 12; ++n) {  // past the list drafts are a chain
        const int parent = n < 8 ? parents[static_cast<std::size_t>(n)] : n - 1;
        paths.push_back(parent < 0 ? List{} : paths[static_cast<std::size_t>(parent)]);
        paths.back().push_back(5 + n);
    }
    for (std::int64_t n = 0; n < 12; ++n) {
        const List& path = paths[static_cast<std::size_t>(n)];
        const auto depth = static_cast<std::int64_t>(path.size());
        EXPECT_EQ(right.query_used(5 + n)[0], 4 + depth);
        EXPECT_EQ(by_row.query_used(5 + n)[0], 5 + n);
        EXPECT_EQ(causal.query_used(5 + n)[0], 4 + depth);
        List seen = {0, 1, 2, 3, 4}, found;
        seen.insert(seen.end(), path.begin(), path.end());
        for (std::int64_t i = 0; i <= 5 + n; ++i)
            if (right.pair(5 + n, i).seen) found.push_back(i);
        EXPECT_EQ(found, seen) << n;
        EXPECT_EQ(count_row(causal, 5 + n).leaks, n + 1 - depth);
        EXPECT_EQ(count_row(causal, 5 + n).off, 0);
    }
    EXPECT_EQ(right.query_used(5 + 1'000'000'000)[0], 4 + 4 + 1'000'000'000 - 7);
}

// Hugging Face, get_rope_index of Qwen2-VL: text on all axes from the largest id + 1 on, patches on a grid from there.
struct Grid {
    std::int64_t before, t, h, w, after, step;
};
std::array<List, 3> rope_index(const Grid& g) {
    std::array<List, 3> ids;
    const auto largest = [&] {
        std::int64_t most = -1;
        for (const List& axis : ids)
            for (const std::int64_t id : axis) most = std::max(most, id);
        return most;
    };
    const auto text = [&](std::int64_t count) {
        const std::int64_t from = largest() + 1;
        for (std::int64_t n = 0; n < count; ++n)
            for (List& axis : ids) axis.push_back(from + n);
    };
    text(g.before);
    const std::int64_t from = largest() + 1;
    for (std::int64_t t = 0; t < g.t; ++t)
        for (std::int64_t h = 0; h < g.h; ++h)
            for (std::int64_t w = 0; w < g.w; ++w)
                ids[0].push_back(from + t * g.step), ids[1].push_back(from + h), ids[2].push_back(from + w);
    text(g.after);
    return ids;
}

TEST(Positions, ImagesInTextCountOnThreeAxes) {
    for (const Grid& g : {Grid{3, 1, 2, 3, 2, 1}, Grid{3, 1, 4, 6, 2, 1}, Grid{5, 4, 3, 2, 6, 1},
                          Grid{2, 3, 4, 5, 4, 50}, Grid{0, 2, 1, 1, 3, 2}}) {
        const auto settings = fmt::format(
            R"("kind": "images", "before": {}, "frames": {}, "rows": {}, "columns": {}, "step": {})",
            g.before, g.t, g.h, g.w, g.step);
        const std::int64_t n = g.before + g.t * g.h * g.w + g.after;
        const auto expected = rope_index(g);
        const Row right = row("{" + settings + "}"), flat = row("{" + settings + R"(, "slip": "flat"})"),
                  patches = row("{" + settings + R"(, "slip": "patches"})");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(own_ids(right, n, axis), expected[axis]);
            List rows(static_cast<std::size_t>(n));
            std::iota(rows.begin(), rows.end(), 0);
            EXPECT_EQ(own_ids(flat, n, axis), rows);
            List resumed = expected[axis];
            for (std::int64_t i = n - g.after; i < n; ++i) resumed[static_cast<std::size_t>(i)] = i;
            EXPECT_EQ(own_ids(patches, n, axis), resumed);
        }
    }
    const auto index = rope_index({3, 1, 2, 3, 2, 1});
    EXPECT_EQ(index[0], (List{0, 1, 2, 3, 3, 3, 3, 3, 3, 6, 7}));
    EXPECT_EQ(index[1], (List{0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7}));
    EXPECT_EQ(index[2], (List{0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7}));
    EXPECT_EQ(rope_index({3, 1, 4, 6, 2, 1})[0][27], 9);
    // rope_deltas: the next id less the count of tokens.
    EXPECT_EQ(row(R"({"kind": "images"})").query_used(11)[0] - 11, -3);
    EXPECT_EQ(row(R"({"kind": "images", "rows": 4, "columns": 6})").query_used(29)[0] - 29, -18);
    // Qwen2.5-VL: tokens_per_second 2, temporal_patch_size 2 at 2 frames a second.
    EXPECT_EQ(row(R"({"kind": "images", "frames": 2, "step": 2})").query_used(3 + 6)[0] - 3, 2 * 2 / 2);
}

// ---- of every policy -------------------------------------------------------------------------------------------------

Json any_policy(std::mt19937_64& bits, const Policy& policy, std::int64_t most, bool slip) {
    Json ids{{"kind", std::string(policy.kind)}};
    for (const Parameter& p : policy.parameters) {
        if (p.kind == Parameter::Kind::integer)
            ids[std::string(p.key)] =
                static_cast<std::int64_t>(p.minimum) +
                static_cast<std::int64_t>(
                    bits() % static_cast<std::uint64_t>(
                                 std::min(most, static_cast<std::int64_t>(p.maximum - p.minimum) + 1)));
        if (p.kind == Parameter::Kind::boolean) ids[std::string(p.key)] = bits() % 2 == 0;
        if (p.kind == Parameter::Kind::choice && slip)
            ids[std::string(p.key)] = std::string(p.choices[bits() % p.choices.size()]);
        if (p.kind == Parameter::Kind::list) {
            Json list = Json::array();
            const bool parents = p.key == "parents";
            for (std::uint64_t n = bits() % 6 + (parents ? 0 : 1); n > 0; --n)
                list.push_back(
                    parents ? static_cast<std::int64_t>(bits() % (list.size() + 1)) - 1
                            : static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(most)) + 1);
            ids[std::string(p.key)] = list;
        }
    }
    return ids;
}

TEST(Positions, WithoutASlipNoDistanceIsOffAndSlotsAreTakenOnce) {
    std::mt19937_64 bits(7);
    for (const Policy& policy : policies())
        for (int n = 0; n < 60; ++n) {
            const auto laid = overlay(Scene(), {{"view", {{"ids", any_policy(bits, policy, 12, false)}}}});
            if (!laid) continue;
            const Row made = Row::in(laid->scene.view);
            SCOPED_TRACE(to_partial_json(laid->scene).dump());
            for (std::int64_t t = 0; t < 40; ++t) {
                const RowCount count = count_row(made, t);
                EXPECT_EQ(count.off + count.leaks + count.missing + count.row_error + count.rows_off, 0);
                std::vector<std::int64_t> slots;
                for (std::int64_t i = 0; i <= t; ++i)
                    if (made.kept(t, i)) slots.push_back(made.slot(t, i));
                std::ranges::sort(slots);
                EXPECT_TRUE(std::ranges::adjacent_find(slots) == slots.end());
                EXPECT_TRUE(slots.front() >= 0 && slots.back() <= t);
                EXPECT_TRUE(made.kept(t, t));
            }
        }
}

// A slip that changes nothing at all would be a button that does nothing.
TEST(Positions, EverySlipShowsWithItsDefaults) {
    for (const Policy& policy : policies())
        for (const Parameter& p : policy.parameters)
            if (p.key == "slip")
                for (const std::string_view slip : p.choices) {
                    if (slip == kNoSlip) continue;
                    Json ids{{"kind", std::string(policy.kind)}, {"slip", std::string(slip)}};
                    if (slip == "grid") ids.update({{"frames", 2}, {"step", 9}});  // an image has no times
                    const Row made = row(ids.dump());
                    bool shows = false;
                    for (std::int64_t t = 0; t < 32; ++t) {
                        const RowCount count = count_row(made, t);
                        shows = shows || count.off + count.leaks + count.missing + count.rows_off > 0;
                    }
                    EXPECT_TRUE(shows) << policy.kind << " " << slip;
                }
}

// Whether keys keep one id is what attention needs to know before it rotates them once.
TEST(Positions, TheLayersWindowHidesKeysOfAnyPolicy) {
    const Scene window = scene(R"({"encoding": {"kind": "rope", "sliding_window": 3},
                                   "view": {"ids": {"kind": "left_padding", "slip": "arange"}}})"),
                chunks = scene(R"({"encoding": {"kind": "rope", "attention_chunk_size": 4}})");
    const Row near = Row::in_layer(window.view, window), parts = Row::in_layer(chunks.view, chunks);
    for (std::int64_t t = 0; t < 12; ++t)
        for (std::int64_t i = 0; i <= t; ++i) {
            EXPECT_EQ(near.pair(t, i).seen, i >= 3 && t - i < 3) << t << ' ' << i;
            EXPECT_EQ(near.pair(t, i).meant, near.pair(t, i).seen);
            EXPECT_EQ(parts.pair(t, i).seen, t / 4 == i / 4) << t << ' ' << i;
        }
    EXPECT_EQ(count_row(near, 10).keys, 3);
}

TEST(Positions, TheFirstStepAtWhichARowHasLeft) {
    for (const char* ids :
         {R"("plain")", R"("rolling")", R"("sinks")", R"({"kind": "sinks", "sinks": 0, "recent": 0})",
          R"("eviction")", R"({"kind": "eviction", "each_step": true})",
          R"({"kind": "eviction", "kept": 24, "each_step": true})", R"({"kind": "eviction", "kept": 24})",
          R"("context_shift")"}) {
        const Row of = row(ids);
        std::int64_t first = 0;
        for (std::int64_t t = 1; t < 60 && first == 0; ++t)
            for (std::int64_t i = 0; i <= t; ++i)
                if (!of.kept(t, i)) first = t;
        EXPECT_EQ(of.first_left(), first) << ids;
    }
}

TEST(Positions, KeysOfAFixedPolicyHaveOneIdForAllQueries) {
    for (const Policy& policy : policies()) {
        if (!policy.fixed_keys) continue;
        for (const bool slipped : {false, true}) {
            std::mt19937_64 bits(3);
            for (int n = 0; n < 20; ++n) {
                const auto laid =
                    overlay(Scene(), {{"view", {{"ids", any_policy(bits, policy, 12, slipped)}}}});
                if (!laid) continue;
                const Row made = Row::in(laid->scene.view);
                for (std::int64_t t = 1; t < 30; ++t)
                    for (std::int64_t i = 0; i < t; ++i) {
                        EXPECT_EQ(made.key_used(t, i), made.key_used(i + 1, i));
                        EXPECT_EQ(made.pair(t, i).used[0], made.query_used(t)[0] - made.key_used(t, i)[0]);
                    }
            }
        }
    }
}

// Bounds: any accepted description may be asked for any token, and counting is counted.
TEST(Positions, LongRowsAreClosedForms) {
    std::mt19937_64 bits(11);
    for (const Policy& policy : policies())
        for (int n = 0; n < 300; ++n) {
            const std::int64_t most = std::int64_t{1} << (n % 31 + 1);
            const auto laid = overlay(Scene(), {{"view", {{"ids", any_policy(bits, policy, most, true)}}}});
            if (!laid) continue;
            const Row made = Row::in(laid->scene.view);
            for (int k = 0; k < 20; ++k) {
                const auto t = static_cast<std::int64_t>(bits() >> 33 >> (bits() % 31)),
                           i = static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(t + 1));
                const RowPair pair = made.pair(t, i);
                EXPECT_TRUE(!made.kept(t, i) || made.slot(t, i) <= t) << policy.kind;
                EXPECT_TRUE(made.slips() || pair.error() == 0) << policy.kind;
            }
        }
    const double before = work_done();
    (void)count_row(row(R"({"kind": "plain"})"), 99'999);
    EXPECT_NEAR(work_done() - before, 4e6, 1e4);
}

TEST(Positions, ImpossibleDescriptionsAreRefusedWithTheMend) {
    const auto problem = [](const std::string& ids) {
        const auto laid = overlay(Scene(), *parse_json(R"({"view": {"ids": )" + ids + "}}"));
        return laid ? "accepted" : to_string(laid.error());
    };
    EXPECT_EQ(problem(R"({"kind": "packed", "lengths": []})"), "ids.lengths (value=[], maximum=256)");
    EXPECT_EQ(problem(R"({"kind": "packed", "lengths": [3, 0]})"), "ids.lengths (value=[3,0], maximum=256)");
    EXPECT_EQ(problem(R"({"kind": "packed", "lengths": [3, "x"]})"),
              "ids.lengths (value=[3,\"x\"], maximum=256)");
    EXPECT_EQ(problem(R"({"kind": "eviction", "kept": 4, "recent": 8})"), "ids.recent (value=8, maximum=4)");
    EXPECT_EQ(problem(R"({"kind": "context_shift", "n_ctx": 8, "n_keep": 7})"),
              "ids.n_keep (value=7, context=8, maximum=6)");
    EXPECT_EQ(problem(R"({"kind": "dual_chunk", "chunk": 10, "length": 10})"),
              "ids.chunk (value=10, length=10)");
    for (const char* parents : {"[0]", "[-1, 1]", "[-2]", "[-1, 0.5]"})
        EXPECT_EQ(problem(R"({"kind": "tree", "parents": )" + std::string(parents) + "}").find("ids.parents"),
                  0U);
    EXPECT_NE(problem(R"({"kind": "plain", "slip": "arange"})"), "accepted");
    EXPECT_NE(problem(R"({"kind": "left_padding", "slip": "run_on"})"), "accepted");
    EXPECT_NE(problem(R"({"kind": "left_padding", "pads": -1})"), "accepted");
    EXPECT_EQ(problem(R"("packed")"), "accepted");
}

}  // namespace
}  // namespace posiscope::positions_test
