// Lists of position ids are named: right ones of every policy, and 40 damaged ones by a generator, each with what was done to
// it. None may be named as something else.
#include "core/positions/recognise.hpp"

#include "core/parameter.hpp"
#include "core/positions/positions.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace posiscope::recognise_test {
namespace {

using List = std::vector<std::int64_t>;

List ids_of(const Json& ids, std::int64_t n, std::size_t axis = 0) {
    const Row row = Row::in({{"ids", ids}});
    List made;
    for (std::int64_t i = 0; i < n; ++i) made.push_back(row.query_used(i)[axis]);
    return made;
}

GivenIds given(List ids) {
    return {.axes = {std::move(ids)},
            .mask = {},
            .bounds = {},
            .seen = {},
            .first = {},
            .window = {},
            .range = {}};
}

// The first answer's name, "is.plain", and its values.
std::string named(const GivenIds& ids) {
    const auto found = recognise_ids(ids);
    if (!found) return to_string(found.error());
    return found->answers.empty() ? "unknown" : to_string(found->answers.front()).substr(4);
}
std::string name(const GivenIds& ids) {
    const std::string whole = named(ids);
    return whole.substr(0, whole.find(' '));
}

TEST(RecognisedIds, TheListsOfTheNote) {
    EXPECT_EQ(named(given({0, 1, 2, 3, 4})), "is.plain (last=4)");
    EXPECT_EQ(named(given({1, 1, 1, 0, 1, 2, 3, 4})), "is.padded (pads=3)");
    EXPECT_EQ(named(given({1, 1, 1, 2, 3, 4, 5, 6})), "is.offset_table (first=2, pads=3)");
    EXPECT_EQ(named(given({2, 3, 4, 5, 1, 1})), "is.offset_table (first=2, pads=2)");
    EXPECT_EQ(named(given({0, 1, 2, 0, 1, 2, 3, 0, 1})), "is.packed (documents=3)");
    EXPECT_EQ(named(given({7, 8, 9})), "is.continued (first=7, last=9)");
    GivenIds images = given({0, 1, 2, 3, 3, 3, 3, 3, 3, 6, 7});
    images.axes.push_back({0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7});
    images.axes.push_back({0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7});
    EXPECT_EQ(named(images), "is.images (images=1, delta=-3)");
    GivenIds mask = given({0, 1, 2, 3, 4, 5, 6, 7});
    mask.mask = {0, 0, 0, 1, 1, 1, 1, 1};
    EXPECT_EQ(named(mask), "slip.arange (pads=3, id=3)");
    GivenIds packed = given({0, 1, 2, 3, 4, 5, 6, 7, 8});
    packed.bounds = {0, 3, 7, 9};
    EXPECT_EQ(named(packed), "slip.run_on (row=3, id=3)");
    GivenIds roberta = given({0, 1, 2, 3});
    roberta.first = 2;
    EXPECT_EQ(named(roberta), "slip.zero (id=0, should=2)");
    EXPECT_EQ(named(given({0, 1, 2, 3, 4, 5, 0, 0, 0})), "slip.reset (row=6)");
    EXPECT_EQ(named(given({0, 1, 2, 3, 4, 5, 4, 5})), "slip.kept_rows (row=6, id=4, should=6)");
    EXPECT_EQ(named(given({5, 9, 2})), "unknown");
    EXPECT_EQ(named(given({0, 1, 2, 3, 0, 1, 2, 3, 0, 1})), "is.packed (documents=3)");
    EXPECT_EQ(recognise_ids(given({0, 1, 2, 3, 0, 1, 2, 3, 0, 1}))->answers.size(), 2U);
}

// Ids that a model's table or its positions end before, and ids below 0. OPT's pads have −1, beside its offset of 2.
TEST(RecognisedIds, IdsThatTheModelDoesNotTake) {
    const auto within = [](List ids, IdRange range) {
        GivenIds made = given(std::move(ids));
        made.range = range;
        return made;
    };
    const auto last = [](const GivenIds& ids) {
        const auto found = recognise_ids(ids);
        return found ? to_string(found->answers.back()).substr(4) : to_string(found.error());
    };
    EXPECT_EQ(name(within({0, 1, 2, 3}, {0, 3, true})), "is.plain");
    EXPECT_EQ(last(within({0, 1, 2, 3, 4, 5}, {0, 3, true})),
              "slip.past_end (row=4, id=4, least=0, last=3, length=4)");
    EXPECT_EQ(last(within({0, 1, 2, 3, 4, 5}, {0, 3, false})),
              "slip.past_length (row=4, id=4, least=0, last=3, length=4)");
    EXPECT_EQ(last(within({5, 9, 2}, {0, 3, true})),
              "slip.past_end (row=0, id=5, least=0, last=3, length=4)");
    EXPECT_EQ(named(given({-1, 0, 1, 2})), "slip.negative (row=0, id=-1)");
    EXPECT_EQ(named(given({kLastPosition - 1, kLastPosition, -kLastPosition - 1})),
              "slip.overflow (row=2, id=-2147483648)");
    EXPECT_EQ(named(given({-5, -4, -3})), "slip.negative (row=0, id=-5)");
    EXPECT_EQ(named(within({-1, -1, 0, 1, 2}, {-2, 2047, true})), "is.padded (pads=2)");
    EXPECT_EQ(named(within({-1, -1, 0, 1, 2}, {0, 1023, true})),
              "slip.past_end (row=0, id=-1, least=0, last=1023, length=1024)");
    // Pads that the mask names have ids that nothing reads, except in a table.
    GivenIds masked = within({7, 7, 0, 1, 2}, {0, 5, false});
    masked.mask = {0, 0, 1, 1, 1};
    EXPECT_EQ(named(masked), "is.padded (pads=2)");
    masked.range->table = true;
    EXPECT_EQ(last(masked), "slip.past_end (row=0, id=7, least=0, last=5, length=6)");
}

// Pads have 1 in transformers up to 4.57, 0 from 5.2 on, −1 in its OPT; where that leaves two readings, both are said.
TEST(RecognisedIds, PadsOfEveryVersion) {
    EXPECT_EQ(named(given({0, 0, 0, 0, 1, 2, 3, 4})), "is.padded (pads=3)");
    EXPECT_EQ(recognise_ids(given({0, 0, 0, 0, 1, 2, 3, 4}))->answers.size(), 1U);
    EXPECT_EQ(named(given({-1, -1, -1, 0, 1, 2})), "is.padded (pads=3)");
    const auto one = recognise_ids(given({0, 0, 1, 2, 3}));
    ASSERT_EQ(one->answers.size(), 2U);
    EXPECT_EQ(to_string(one->answers[0]), "ids.is.padded (pads=1)");
    EXPECT_EQ(one->answers[1].key, "ids.is.or_document");
    const auto right = recognise_ids(given({0, 1, 2, 3, 0, 0, 0}));
    ASSERT_EQ(right->answers.size(), 2U);
    EXPECT_EQ(to_string(right->answers[0]), "ids.slip.reset (row=4)");
    EXPECT_EQ(right->answers[1].key, "ids.is.or_pads");
    GivenIds masked = given({0, 1, 2, 3, 0, 0, 0});
    masked.mask = {1, 1, 1, 1, 0, 0, 0};
    EXPECT_EQ(named(masked), "is.padded (pads=3)");
    EXPECT_EQ(named(given({7, 7, 7, 0, 1, 2})), "unknown");
}

// On three axes: pads on the left, of either version, and text that forgets a video's times.
TEST(RecognisedIds, VideosBehindPads) {
    for (const std::int64_t fill : {0, 1})
        for (const char* slip : {"right", "grid", "patches"}) {
            const Json ids{{"kind", "images"}, {"before", 2}, {"frames", 3}, {"rows", 2},
                           {"columns", 2},     {"step", 50},  {"slip", slip}};
            GivenIds pads = given({});
            pads.axes.assign(3, List(4, fill));
            for (std::size_t axis = 0; axis < 3; ++axis)
                for (const std::int64_t id : ids_of(ids, 18, axis)) pads.axes[axis].push_back(id);
            const std::string expected =
                slip == std::string_view("right") ? "is.video" : fmt::format("slip.{}", slip);
            EXPECT_EQ(name(pads), expected);
            pads.mask.assign(22, 1);
            std::fill_n(pads.mask.begin(), 4, 0);
            EXPECT_EQ(name(pads), expected);
        }
    GivenIds grid = given({});
    grid.axes.clear();
    for (std::size_t axis = 0; axis < 3; ++axis)
        grid.axes.push_back(
            ids_of({{"kind", "images"}, {"frames", 2}, {"step", 50}, {"slip", "grid"}}, 20, axis));
    EXPECT_EQ(named(grid), "slip.grid (row=15, id=6, should=54)");
    GivenIds still = given({});  // every frame at one time
    still.axes.clear();
    for (std::size_t axis = 0; axis < 3; ++axis)
        still.axes.push_back(ids_of({{"kind", "images"}, {"frames", 3}, {"step", 0}}, 25, axis));
    EXPECT_EQ(named(still), "slip.frames_share (frames=3, id=3, row=3)");
}

// Right lists of every length and setting: never a slip, and what is known is named as it is.
TEST(RecognisedIds, NoRightListIsASlip) {
    std::mt19937_64 bits(5);
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(bits() % n); };
    int seen = 0;
    const auto check = [&](const GivenIds& ids, std::string_view expected) {
        EXPECT_EQ(name(ids), expected) << fmt::format("{}", fmt::join(ids.axes.front(), " "));
        ++seen;
    };
    for (int n = 0; n < 200; ++n) {
        const std::int64_t length = 12 + below(60);
        check(given(ids_of("plain", length)), "is.plain");
        const std::int64_t pads = 2 + below(8);
        GivenIds padded =
            given(ids_of({{"kind", "left_padding"}, {"pads", pads}, {"fill", below(2)}}, length));
        check(padded, "is.padded");
        padded.mask.assign(static_cast<std::size_t>(length), 1);
        std::fill_n(padded.mask.begin(), pads, 0);
        check(padded, "is.padded");
        GivenIds offset = given(ids_of({{"kind", "offset_table"}, {"pads", pads}}, length));
        check(offset, "is.offset_table");
        offset.mask = padded.mask;
        check(offset, "is.offset_table");
        Json lengths = Json::array();
        GivenIds packed = given({});
        packed.bounds = {0};
        while (packed.bounds.size() < 4 || packed.bounds.back() < 12) {
            lengths.push_back(2 + below(12));
            packed.bounds.push_back(packed.bounds.back() + lengths.back().get<std::int64_t>());
        }
        packed.axes = {ids_of({{"kind", "packed"}, {"lengths", lengths}}, packed.bounds.back())};
        check(packed, "is.packed");
        packed.bounds.clear();
        check(packed, "is.packed");
        const std::int64_t before = below(6), t = 1 + below(3), h = 1 + below(4), w = 2 + below(4);
        GivenIds images = given({});
        images.axes.clear();
        const std::int64_t step = t > 1 ? 1 + below(60) : 1;
        const Json ids{{"kind", "images"}, {"before", before}, {"frames", t},
                       {"rows", h},        {"columns", w},     {"step", step}};
        for (std::size_t axis = 0; axis < 3; ++axis)
            images.axes.push_back(ids_of(ids, before + t * h * w + 2 + below(5) % 1, axis));
        check(images, t > 1 ? "is.video" : "is.images");
    }
    EXPECT_EQ(seen, 200 * 8);
}

// ---- damaged lists -----------------------------------------------------------------------------------------------

struct Damaged {
    GivenIds ids;
    std::string expected;
};

// One of eleven kinds of damage to a right list.
Damaged damaged(std::mt19937_64& bits, int kind) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(bits() % n); };
    const std::int64_t n = 20 + below(40), at = 8 + below(8);
    List plain(static_cast<std::size_t>(n));
    std::iota(plain.begin(), plain.end(), 0);
    GivenIds ids = given(plain);
    const auto from = static_cast<std::size_t>(at);
    switch (kind) {
        case 0: {  // pads counted
            ids.mask.assign(plain.size(), 1);
            std::fill_n(ids.mask.begin(), 1 + below(6), 0);
            return {ids, "slip.arange"};
        }
        case 1:  // ids run on over packed documents
            ids.bounds = {0, at, n};
            return {ids, "slip.run_on"};
        case 2: {  // a length of a cache taken for an id
            const std::int64_t kept = 2 + below(static_cast<std::uint64_t>(at - 3));
            for (std::size_t i = from; i < plain.size(); ++i)
                ids.axes[0][i] = kept + static_cast<std::int64_t>(i - from);
            return {ids, "slip.kept_rows"};
        }
        case 3:  // the offset of the table is missing
            ids.first = 2;
            return {ids, "slip.zero"};
        case 4: {  // text goes on after the count of patches
            ids.axes.clear();
            const Json images{{"kind", "images"},     {"before", below(5)},      {"frames", 1 + below(2)},
                              {"rows", 2 + below(3)}, {"columns", 2 + below(4)}, {"slip", "patches"}};
            for (std::size_t axis = 0; axis < 3; ++axis) ids.axes.push_back(ids_of(images, 60, axis));
            return {ids, "slip.patches"};
        }
        case 5:  // one id twice, and all after it one too low
            for (std::size_t i = from; i < plain.size(); ++i) --ids.axes[0][i];
            return {ids, "slip.twice"};
        case 6:  // one id twice, the others as they were
            ids.axes[0][from] = at - 1;
            return {ids, "slip.twice_once"};
        case 7:  // each step takes 0
            std::fill(ids.axes[0].begin() + at, ids.axes[0].end(), 0);
            return {ids, "slip.reset"};
        case 8:  // each step counts itself
            for (std::size_t i = from; i < plain.size(); ++i) ++ids.axes[0][i];
            return {ids, "slip.ahead"};
        case 9: {  // text goes on after the grid, before the last times of a video
            ids.axes.clear();
            const Json video{{"kind", "images"},     {"before", below(5)},      {"frames", 2 + below(2)},
                             {"rows", 1 + below(3)}, {"columns", 2 + below(2)}, {"step", 5 + below(60)},
                             {"slip", "grid"}};
            for (std::size_t axis = 0; axis < 3; ++axis) ids.axes.push_back(ids_of(video, 60, axis));
            return {ids, "slip.grid"};
        }
        default: {  // a window off by one
            const std::int64_t window = 3 + below(5), more = below(2) == 0 ? 1 : -1;
            ids.window = window;
            for (std::int64_t i = 0; i < n; ++i) {
                List row(plain.size(), 0);
                for (std::int64_t j = std::max<std::int64_t>(0, i - window - more + 1); j <= i; ++j)
                    row[static_cast<std::size_t>(j)] = 1;
                ids.seen.push_back(row);
            }
            return {ids, more > 0 ? "slip.one_more" : "slip.one_less"};
        }
    }
}

std::string slip_named(const GivenIds& ids) {
    const auto found = recognise_ids(ids);
    if (!found) return to_string(found.error());
    for (const Problem& answer : found->answers)
        if (answer.key.starts_with("ids.slip.")) return answer.key.substr(4);
    return found->known ? "none" : "unknown";
}

TEST(RecognisedIds, FortyDamagedListsAreNamed) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        std::mt19937_64 bits(seed);
        int right = 0;
        for (int n = 0; n < 40; ++n) {
            const Damaged one = damaged(bits, n % 11);
            const std::string found = slip_named(one.ids);
            EXPECT_EQ(found, one.expected)
                << fmt::format("seed {}: {}", seed, fmt::join(one.ids.axes.front(), " "));
            right += found == one.expected ? 1 : 0;
        }
        EXPECT_EQ(right, 40);
    }
}

// What no rule explains is not given a name.
TEST(RecognisedIds, NothingIsNamedWrongly) {
    std::mt19937_64 bits(9);
    for (int n = 0; n < 300; ++n) {
        List ids(12);
        for (std::int64_t& id : ids) id = static_cast<std::int64_t>(bits() % 40);
        EXPECT_EQ(named(given(ids)), "unknown") << fmt::format("{}", fmt::join(ids, " "));
    }
    GivenIds twice = given({0, 1, 2, 3, 4, 5, 6, 7});  // two damages at once
    twice.axes[0][3] = 9;
    twice.axes[0][6] = 1;
    EXPECT_EQ(named(twice), "unknown");
}

TEST(RecognisedIds, DocumentsThatSeeEachOther) {
    GivenIds ids = given({0, 1, 2, 0, 1});
    for (std::size_t i = 0; i < 5; ++i) {
        ids.seen.emplace_back(5, 0);
        std::fill_n(ids.seen.back().begin(), i + 1, 1);
    }
    EXPECT_EQ(slip_named(ids), "slip.unmasked");
    for (std::size_t i = 3; i < 5; ++i) std::fill_n(ids.seen[i].begin(), 3, 0);
    EXPECT_EQ(slip_named(ids), "none");
}

TEST(RecognisedIds, ListsThatDoNotFitAreRefused) {
    GivenIds ids = given({0, 1, 2});
    ids.mask = {1, 1};
    EXPECT_EQ(to_string(recognise_ids(ids).error()), "ids.sizes (name=mask, count=2, ids=3)");
    ids.mask.clear();
    ids.bounds = {0, 2};
    EXPECT_EQ(to_string(recognise_ids(ids).error()), "ids.bounds (ids=3)");
    EXPECT_EQ(to_string(recognise_ids({}).error()), "ids.none");
}

// Whatever a file holds, it is refused or judged.
TEST(RecognisedIds, AnyTextIsRefusedOrJudged) {
    const char* const asked = std::getenv("POSISCOPE_ANY");
    const int count = asked != nullptr ? std::atoi(asked) : 20000;
    std::mt19937_64 random(29);
    constexpr std::string_view letters = "0011223456789 ,[]-\n.e";
    const auto text = [&] {
        std::string made;
        const std::size_t size = random() % 40;
        for (std::size_t i = 0; i < size; ++i) made += letters[random() % letters.size()];
        if (random() % 8 == 0) made += " 2147483647 -2147483647 ";
        if (random() % 8 == 0) made += " 9223372036854775808";
        return made;
    };
    int judged = 0;
    for (int n = 0; n < count; ++n) {
        const auto ids = typed_ids(text()), mask = typed_ids(text()), bounds = typed_ids(text());
        if (!ids || ids->empty()) continue;
        GivenIds given;
        given.axes = {ids->front()};
        if (random() % 3 == 0) given.axes = *ids;
        const std::size_t size = given.axes.front().size();
        if (mask && !mask->empty() && random() % 2 == 0) given.mask = mask->front(), given.mask.resize(size);
        if (bounds && !bounds->empty() && random() % 3 == 0) given.bounds = bounds->front();
        if (random() % 4 == 0) given.seen.assign(size, std::vector<std::int64_t>(size, 1));
        if (random() % 4 == 0) given.window = static_cast<std::int64_t>(random() % 5);
        if (random() % 4 == 0) given.first = static_cast<std::int64_t>(random() % 3);
        const auto found = recognise_ids(given);
        if (!found) continue;
        ++judged;
        EXPECT_EQ(found->known, !found->answers.empty());
    }
    EXPECT_GT(judged, count / 20);
}

TEST(RecognisedIds, ListsAreTyped) {
    EXPECT_EQ(*typed_ids("1 1 1 0 1 2 3 4"), (std::vector<List>{{1, 1, 1, 0, 1, 2, 3, 4}}));
    EXPECT_EQ(*typed_ids("[[0, 1],\n [0, 1]]"), (std::vector<List>{{0, 1}, {0, 1}}));
    EXPECT_TRUE(typed_ids("")->empty());
    EXPECT_FALSE(typed_ids("0 1 x"));
    EXPECT_FALSE(typed_ids("0 1.5"));
    EXPECT_FALSE(typed_ids("99999999999999999999"));
    EXPECT_FALSE(typed_ids("-9223372036854775808"));
}

}  // namespace
}  // namespace posiscope::recognise_test
