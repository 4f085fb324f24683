// Learned tables, seeded and from a file, and the table of any encoding at an image's resolution.
#include "core/attention/attention.hpp"
#include "core/encodings/sinusoidal.hpp"
#include "core/encodings/table_means.hpp"
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/quantities/quantities.hpp"
#include "tests/core/scenes.hpp"
#include "tests/folder.hpp"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

namespace posiscope::learned_test {
namespace {

namespace fs = std::filesystem;

class LearnedFile : public test::InFolder {
protected:
    void SetUp() override {
        InFolder::SetUp();
        path_ = (folder_ / "wpe.npy").string();
        allow_table(path_);
        put({3, 4});
    }
    void TearDown() override {
        forget_all();
        InFolder::TearDown();
    }
    void forget_all() { forget_table(path_); }
    // Row r, column c holds 10 r + c.
    void put(const std::vector<std::int64_t>& shape) {
        Array array{{"table", shape}, std::vector<double>(static_cast<std::size_t>(count({"", shape})))};
        for (std::size_t i = 0; i < array.values.size(); ++i) {
            const auto columns = static_cast<std::size_t>(shape.back());
            array.values[i] = static_cast<double>(10 * (i / columns) + i % columns);
        }
        std::string bytes;
        ASSERT_TRUE(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }));
        ASSERT_TRUE(write_file(path_, bytes));
        forget_all();
    }
    Scene with(Json partial) const {
        partial["encoding"]["kind"] = "learned";
        partial["encoding"]["table"] = path_;
        if (!partial.contains("d_model")) partial["d_model"] = 4;
        auto laid = overlay(Scene(), partial);
        EXPECT_TRUE(laid) << to_string(laid.error());
        return laid->scene;
    }
    std::string refusal(const Scene& scene) const {
        const auto made = action_of(scene);
        return made ? "was made" : to_string(made.error());
    }

    std::string path_;
};

TEST_F(LearnedFile, IsWhatAttentionAdds) {
    const auto table = input_table(with({{"length", 3}}), 0, 3);
    ASSERT_TRUE(table) << to_string(table.error());
    EXPECT_EQ(*table, (std::vector<double>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
    const auto later = input_table(with({{"encoding", {{"position_offset", 1}}}, {"length", 2}}), 0, 2);
    EXPECT_EQ(*later, (std::vector<double>{10, 11, 12, 13, 20, 21, 22, 23}));
    EXPECT_TRUE(remarks_on(with({{"length", 3}})).empty());
}

TEST_F(LearnedFile, EndsWhereTheFileEnds) {
    const Scene scene = with({{"length", 4}});
    EXPECT_EQ(to_string(input_table(scene, 0, 4).error()), "position.past_table (position=3, last=2)");
    EXPECT_EQ(to_string(remarks_on(scene).front()), "position.past_table (position=3, last=2)");
}

TEST_F(LearnedFile, EachMisfitHasItsOwnProblem) {
    EXPECT_EQ(refusal(with({{"d_model", 8}})), "learned.width (columns=4, d_model=8, in=" + path_ + ")");
    EXPECT_EQ(refusal(with({{"encoding", {{"position_offset", 3}}}})),
              "learned.offset (rows=3, offset=3, in=" + path_ + ")");
    put({12});
    EXPECT_EQ(refusal(with({})), "npy.dimensions (shape=(12,), in=" + path_ + ")");
}

TEST_F(LearnedFile, AFileThatIsGoneIsSaid) {
    const Scene scene = with({{"length", 3}});
    forget_all();
    fs::remove(path_);
    EXPECT_EQ(remarks_on(scene).front().key, "file.missing");
    const auto again = overlay(Scene(), to_json(scene));
    ASSERT_TRUE(again) << "a session with a missing table is no damaged session";
    EXPECT_EQ(again->scene, scene);
    Scene moved = scene;
    moved.position = 2;
    EXPECT_TRUE(settle(moved).empty());
    EXPECT_EQ(evaluate(*find_quantity("table"), scene, 1U << 20).error().key, "file.missing");
}

TEST_F(LearnedFile, SettingsOfTheSeededTableChangeNothing) {
    const Scene scene = with({{"encoding", {{"seed", 3}}}, {"length", 3}});
    ASSERT_EQ(remarks_on(scene).size(), 1U);
    EXPECT_EQ(to_string(remarks_on(scene).front()), "setting.unused (key=seed)");
}

TEST(TableMeans, OnePixelACellIsTheTableItself) {
    const Scene s = scene(R"({"encoding": "learned", "d_model": 6, "length": 5, "pair": 0})");
    const auto table = *input_table(s, 0, 5);
    const auto means = table_means(*action_of(s), 6, {0, 0.0, 5.0, 5}, {0, 0.0, 6.0, 6}, 1e9);
    for (std::size_t i = 0; i < table.size(); ++i)
        EXPECT_EQ(means.values[i], static_cast<float>(table[i])) << i;
    EXPECT_FALSE(means.sampled);
}

RC_GTEST_PROP(TableMeans, EveryPixelIsTheMeanOfWhatItCovers, ()) {
    const Scene s =
        scene(R"({"encoding": {"kind": "learned", "max_position_embeddings": 40}, "d_model": 10})");
    const auto action = *action_of(s);
    const auto table = *input_table(s, 0, 40);
    const auto range = [](std::int64_t cells) {
        PixelRange r;
        r.origin = *rc::gen::inRange<std::int64_t>(0, cells - 1);
        r.from = *rc::gen::inRange(0, 100) / 100.0;
        r.to = r.from + (*rc::gen::inRange(1, 100 * static_cast<int>(cells)) / 100.0);
        r.pixels = *rc::gen::inRange(1, 24);
        return r;
    };
    const PixelRange rows = range(40), columns = range(10);
    const auto means = table_means(action, 10, rows, columns, 1e9);
    // Overlap of [a, b) with cell c.
    const auto overlap = [](double a, double b, std::int64_t c) {
        const auto cell = static_cast<double>(c);
        return std::max(0.0, std::min(b, cell + 1.0) - std::max(a, cell));
    };
    const auto bound = [](const PixelRange& r, int i) {
        return static_cast<double>(r.origin) + r.from + (r.to - r.from) * i / r.pixels;
    };
    for (int y = 0; y < rows.pixels; ++y)
        for (int x = 0; x < columns.pixels; ++x) {
            double sum = 0.0, area = 0.0;
            for (std::int64_t p = 0; p < 40; ++p)
                for (std::int64_t c = 0; c < 10; ++c) {
                    const double part = overlap(bound(rows, y), bound(rows, y + 1), p) *
                                        overlap(bound(columns, x), bound(columns, x + 1), c);
                    sum += part * table[static_cast<std::size_t>(10 * p + c)];
                    area += part;
                }
            const double mean = area > 1e-9 ? sum / area : 0.0;
            RC_ASSERT(
                std::abs(static_cast<double>(means.values[static_cast<std::size_t>(y * columns.pixels + x)]) -
                         mean) < 1e-7);
        }
}

TEST(TableMeans, WhatIsTooMuchIsSampledAndSaysSo) {
    const Scene s = scene(
        R"({"encoding": {"kind": "learned", "max_position_embeddings": 2147483647}, "d_model": 4, "pair": 0})");
    const auto means = table_means(*action_of(s), 4, {0, 0.0, 2147483647.0, 8}, {0, 0.0, 4.0, 4}, 3200.0);
    EXPECT_TRUE(means.sampled);
    EXPECT_EQ(means.rows_a_pixel, 100);
    for (const float mean : means.values)
        EXPECT_LT(std::abs(mean), 0.02F * 5.0F / 10.0F) << "five deviations";
}

TEST(Fairseq, ThePaddingRowIsZeroAndNothingElseChanges) {
    const Scene padded = scene(
        R"({"encoding": {"kind": "sinusoidal", "variant": "fairseq", "padding_idx": 1}, "d_model": 8, "length": 4, "pair": 0})");
    const Scene plain = scene(
        R"({"encoding": {"kind": "sinusoidal", "variant": "fairseq"}, "d_model": 8, "length": 4, "pair": 0})");
    const auto with = *input_table(padded, 0, 4), without = *input_table(plain, 0, 4);
    for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i], i / 8 == 1 ? 0.0 : without[i]) << i;
    const auto data = evaluate(*find_quantity("table"), padded, 1U << 20);
    EXPECT_EQ((*data)[0].values, with) << "data and attention are one table";
    const auto gram = evaluate(*find_quantity("gram"), padded, 1U << 20);
    EXPECT_EQ((*gram)[0].values[1], 0.0);
    EXPECT_NEAR((*gram)[0].values[0], 4.0, 1e-15);
    EXPECT_TRUE(on_unit_circles(padded));
    const Scene there = overlay(padded, {{"position", 1}})->scene;
    EXPECT_FALSE(on_unit_circles(there));
    EXPECT_EQ(to_string(evaluate(*find_quantity("shift"), there, 1U << 20).error()),
              "fairseq.padding (row=1, first=2)");
}

TEST(Fairseq, PaddingMattersInNoOtherVariant) {
    const Scene s = scene(R"({"encoding": {"kind": "sinusoidal", "padding_idx": 1}})");
    EXPECT_FALSE(padding_row(s));
    EXPECT_EQ(to_string(remarks_on(s).front()), "setting.unused (key=padding_idx)");
}

}  // namespace
}  // namespace posiscope::learned_test
