// q and k from files: attention as NumPy's einsum has it, whatever the order of the axes, the start and the rotation in them.
#include "core/scene/tensors.hpp"

#include "core/attention/locality.hpp"
#include "core/attention/means.hpp"
#include "core/attention/placed.hpp"
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/formats/tensor.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/source.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace posiscope::tensors_test {
namespace {

constexpr std::int64_t kRows = 12, kHeads = 4, kKeyHeads = 2, kWidth = 8;

class Tensors : public testing::Test {
protected:
    Tensors()
        : folder_(std::filesystem::temp_directory_path() /
                  (std::string("posiscope-tensors-") +
                   testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
                   std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "-" +
                   std::to_string(static_cast<long>(::getpid())))) {
        std::filesystem::create_directories(folder_);
    }
    ~Tensors() override {
        for (const char* name : {"q.npy", "k.npy", "other.npy"}) forget_stored(path(name));
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    // q and k that depend on row, head and feature alone.
    static double value(Tensor side, std::int64_t row, std::int64_t head, std::int64_t feature) {
        return seeded_value(5, side, row * 100 + head, feature);
    }

    void save(const std::string& name, std::vector<std::int64_t> shape, std::vector<double> values,
              bool allow = true) const {
        const Array array{{"a", std::move(shape)}, std::move(values)};
        std::string bytes;
        ASSERT_TRUE(write_npy(std::span(&array, 1), [&](std::string_view piece) { bytes += piece; }));
        ASSERT_TRUE(write_file(path(name), bytes));
        if (allow) allow_table(path(name));
    }

    // [row, head, feature], or heads first; changed by `change(side, row, head, vector)`.
    template <class Change>
    void save_both(bool heads_first, Change change, std::int64_t rows = kRows) const {
        for (const Tensor side : {Tensor::query, Tensor::key}) {
            const std::int64_t heads = side == Tensor::query ? kHeads : kKeyHeads;
            std::vector<double> all(static_cast<std::size_t>(rows * heads * kWidth));
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t h = 0; h < heads; ++h) {
                    std::vector<double> x;
                    for (std::int64_t f = 0; f < kWidth; ++f) x.push_back(value(side, i, h, f));
                    change(side, i, h, std::span(x));
                    const std::int64_t at = heads_first ? (h * rows + i) * kWidth : (i * heads + h) * kWidth;
                    std::copy(x.begin(), x.end(), all.begin() + static_cast<std::ptrdiff_t>(at));
                }
            std::vector<std::int64_t> shape = heads_first ? std::vector<std::int64_t>{1, heads, rows, kWidth}
                                                          : std::vector<std::int64_t>{rows, heads, kWidth};
            save(side == Tensor::query ? "q.npy" : "k.npy", shape, std::move(all));
        }
    }
    void save_plain() const {
        save_both(false, [](Tensor, std::int64_t, std::int64_t, std::span<double>) {});
    }

    Scene scene(Json more = Json::object(), Json content = Json::object()) const {
        if (content.is_null()) content = Json::object();
        content["kind"] = "tensors";
        content["query"] = path("q.npy");
        content["key"] = path("k.npy");
        Json partial{{"encoding", "rope"}, {"layout", "half"}, {"num_heads", kHeads}, {"head_dim", kWidth},
                     {"d_model", 32},      {"length", kRows},  {"content", content}};
        if (!more.is_null()) partial.update(more);
        const auto laid = overlay(Scene(), partial);
        EXPECT_TRUE(laid) << (laid ? "" : to_string(laid.error()));
        return laid ? laid->scene : Scene();
    }

    // The weights, from the definition.
    static std::vector<double> expected(const Scene& scene) {
        const Action action = *attention_action(scene);
        std::vector<double> q, k;
        for (std::int64_t h = 0; h < kHeads; ++h)
            for (std::int64_t i = 0; i < kRows; ++i)
                for (std::int64_t f = 0; f < kWidth; ++f) {
                    q.push_back(value(Tensor::query, i, h, f));
                    k.push_back(value(Tensor::key, i, h * kKeyHeads / kHeads, f));
                }
        const std::vector<double> v(q.size(), 0.0);
        return attend(action, {kHeads, kWidth, kRows, kRows, sight_of(scene)}, q, k, v).weights;
    }

    std::filesystem::path folder_;
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double error) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], error) << i;
}

TEST_F(Tensors, AttentionIsThatOfTheirHeads) {
    save_plain();
    for (const char* encoding : {"rope", "alibi", "none", "t5"}) {
        const Scene s = scene({{"encoding", encoding}});
        expect_near(attention(s)->weights, expected(s), 1e-14);
    }
    save_both(true, [](Tensor, std::int64_t, std::int64_t, std::span<double>) {});
    for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
    expect_near(attention(scene())->weights, expected(scene()), 1e-14);  // [batch, head, position, feature]
    const Scene wrong = scene(Json::object(), {{"axes", "position_head"}});
    EXPECT_EQ(attention(wrong).error().key, "content.stored_apart");
}

TEST_F(Tensors, AScalingMovesTheLogits) {
    save_plain();
    const Scene a = scene(),
                b = scene(
                    {{"encoding",
                      {{"kind", "rope"}, {"rope_scaling", {{"rope_type", "linear"}, {"factor", 4.0}}}}}});
    EXPECT_NE(attention(a)->logits, attention(b)->logits);
    expect_near(attention(b)->weights, expected(b), 1e-14);
}

// Rotated from position 7 on, with another base, the attention factor of YaRN and a part of the head: undone.
TEST_F(Tensors, TheRotationInThemIsUndone) {
    const Json by{{"encoding",
                   {{"kind", "rope"},
                    {"partial_rotary_factor", 0.5},
                    {"rope_scaling",
                     {{"rope_type", "yarn"}, {"factor", 16.0}, {"original_max_position_embeddings", 32}}}}},
                  {"base", 500.0},
                  {"layout", "half"}};
    Json with = by;
    with["head_dim"] = kWidth;
    const Action turned = *action_of(overlay(Scene(), with)->scene);
    save_both(false, [&](Tensor side, std::int64_t row, std::int64_t, std::span<double> x) {
        turned.turn(side == Tensor::query ? Side::query : Side::key, row + 7, x);
    });
    const Scene s = scene(Json::object(), {{"start", 7}, {"rotated_by", by}});
    for (const Tensor side : {Tensor::query, Tensor::key}) {
        const auto rows = stored_rows(s, side, 2, kRows);
        ASSERT_TRUE(rows) << to_string(rows.error());
        for (std::int64_t i = 0; i < kRows; ++i)
            for (std::int64_t f = 0; f < kWidth; ++f)
                ASSERT_NEAR((**rows)[static_cast<std::size_t>(i * kWidth + f)],
                            value(side, i, side == Tensor::query ? 2 : 1, f), 1e-13);
    }
    expect_near(attention(s)->weights, expected(s), 1e-12);
    const Scene bias = scene(Json::object(), {{"rotated_by", {{"encoding", "alibi"}}}});
    EXPECT_EQ(attention(bias).error().key, "content.rotated_by");
}

TEST_F(Tensors, MeansAndDistancesAreOfTheSameWeights) {
    save_plain();
    const Scene s = scene();
    const std::vector<double> weights = expected(s);
    for (std::int64_t h = 0; h < kHeads; ++h) {
        AttentionView view;
        view.head = h;
        view.rows = view.columns = {0, 0.0, static_cast<double>(kRows)};
        view.width = view.height = static_cast<int>(kRows);
        const auto means = attention_means(s, view, 1e9);
        ASSERT_TRUE(means) << to_string(means.error());
        for (std::size_t i = 0; i < means->values.size(); ++i)
            ASSERT_NEAR(means->values[i], weights[static_cast<std::size_t>(h * kRows * kRows) + i], 1e-6);
    }
    const auto local = locality(s, 1e9);
    ASSERT_TRUE(local) << to_string(local.error());
    EXPECT_EQ(local->every, 1);
    EXPECT_EQ(local->first, (std::vector<std::int64_t>{0, 1, 2, 4, 8}));
    for (std::int64_t h = 0; h < kHeads; ++h) {
        double distance = 0.0, own = 0.0;
        for (std::int64_t i = 0; i < kRows; ++i)
            for (std::int64_t j = 0; j <= i; ++j) {
                const double weight = weights[static_cast<std::size_t>((h * kRows + i) * kRows + j)];
                distance += weight * static_cast<double>(i - j) / kRows;
                own += i == j ? weight / kRows : 0.0;
            }
        const auto at = static_cast<std::size_t>(h);
        EXPECT_NEAR(local->distance[at], distance, 1e-12);
        EXPECT_NEAR(local->weights[at * local->bins()], own, 1e-12);
        double sum = 0.0;
        for (std::size_t b = 0; b < local->bins(); ++b) sum += local->weights[at * local->bins() + b];
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    EXPECT_TRUE(
        std::is_sorted(local->ranked.begin(), local->ranked.end(), [&](std::int64_t a, std::int64_t b) {
            return local->distance[static_cast<std::size_t>(a)] <
                   local->distance[static_cast<std::size_t>(b)];
        }));
}

// A score by distance keeps one row's vectors, or the mean of all of them.
TEST_F(Tensors, ScoresKeepARowOrTheMean) {
    save_plain();
    const Scene one = scene(Json::object(), {{"head", 3}, {"query_row", 5}, {"key_row", 2}});
    for (std::int64_t f = 0; f < kWidth; ++f) {
        EXPECT_EQ(content_value(one.content, Tensor::query, 0, f), value(Tensor::query, 5, 3, f));
        EXPECT_EQ(content_value(one.content, Tensor::key, 0, f), value(Tensor::key, 2, 1, f));
    }
    const auto logits = logits_by_distance(one, 3, 3, 1, 1);
    ASSERT_TRUE(logits) << to_string(logits.error());
    EXPECT_NEAR((*logits)[0], attention(one)->logits[static_cast<std::size_t>((3 * kRows + 5) * kRows + 2)],
                1e-13);
    double mean = 0.0;
    for (std::int64_t i = 0; i < kRows; ++i) mean += value(Tensor::query, i, 0, 1) / kRows;
    EXPECT_NEAR(content_value(scene().content, Tensor::query, 0, 1), mean, 1e-15);
    EXPECT_EQ(logits_by_distance(one, 4, 0, 1, 1).error().key, "attention.no_head");
    EXPECT_EQ(DistanceLogit::of(Scene(), 1).error().key, "attention.no_head");
}

TEST_F(Tensors, WhatDoesNotFitIsASentence) {
    const auto refused = [&](Json more, Json content = Json::object()) {
        const auto made = attention(scene(std::move(more), std::move(content)));
        return made ? std::string() : made.error().key;
    };
    EXPECT_EQ(refused({}), "file.not_allowed");
    save_plain();
    EXPECT_EQ(refused({{"num_heads", 2}}), "content.stored_heads");
    EXPECT_EQ(refused({{"head_dim", 16}}), "content.stored_heads");
    EXPECT_EQ(refused({}, {{"head", 4}}), "attention.no_head");
    EXPECT_EQ(refused({}, {{"batch", 1}}), "content.stored_batch");
    EXPECT_EQ(refused({{"encoding", "sinusoidal"}}), "content.stored_input");
    EXPECT_EQ(stored_vector(scene({}, {{"query_row", kRows}}).content, Tensor::query).error().key,
              "content.stored_row");
    const Scene none = overlay(Scene(), {{"content", "tensors"}})->scene;
    EXPECT_EQ(attention(none).error().key, "content.no_files");
    EXPECT_FALSE(overlay(Scene(), {{"content", {{"kind", "tensors"}, {"text", {1}}}}}));
    EXPECT_FALSE(overlay(Scene(), {{"content", {{"kind", "tensors"}, {"rotated_by", {{"base", -1}}}}}}));
    EXPECT_FALSE(
        overlay(Scene(), {{"content", {{"kind", "tensors"}, {"rotated_by", {{"compare", {{"base", 2}}}}}}}}));

    save_both(false, [](Tensor, std::int64_t row, std::int64_t head, std::span<double> x) {
        if (row == 3 && head == 0) x[1] = std::nan("");
    });
    for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
    EXPECT_EQ(refused({}), "content.not_finite");
}

// Written over while they are open, wider or narrower: what was read of them fits no more, whichever head is asked for.
TEST_F(Tensors, FilesThatAreReplacedWhileTheyAreOpenAreForgotten) {
    const auto put = [&](std::int64_t heads, std::int64_t width, double number) {
        for (const char* name : {"q.npy", "k.npy"})
            save(name, {kRows, heads, width},
                 std::vector<double>(static_cast<std::size_t>(kRows * heads * width), number));
    };
    const auto vector = [&](std::int64_t head) {
        return stored_vector(scene({{"num_heads", 2}, {"head_dim", 4}}, {{"head", head}}).content,
                             Tensor::query);
    };
    for (const std::int64_t width : {4096, 2}) {
        for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
        put(2, 4, 1.0);
        const Scene open = scene({{"num_heads", 2}, {"head_dim", 4}}, {{"head", 0}});
        ASSERT_TRUE(stored_rows(open, Tensor::query, 0, kRows));
        ASSERT_TRUE(vector(0));
        put(2, width, 2.0);
        const auto after = stored_rows(open, Tensor::query, 1, kRows);
        ASSERT_FALSE(after) << width;
        EXPECT_EQ(after.error().key, "content.replaced");
        // From then on they are what they are now.
        EXPECT_EQ(stored_problem(open)->key, "content.stored_heads") << width;
        EXPECT_EQ(stored_rows(open, Tensor::query, 0, kRows).error().key, "content.stored_heads");
        EXPECT_EQ(stored_heads(open.content)->head_dim, width);
        EXPECT_EQ(attention(open).error().key, "content.stored_heads");
    }
    for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
    put(2, 4, 1.0);
    ASSERT_TRUE(vector(0));
    put(2, 4096, 2.0);
    EXPECT_EQ(vector(1).error().key, "content.replaced");
    EXPECT_EQ(vector(1).value()->size(), 4096U);
    // Of the same shape and size, the time alone tells.
    put(2, 4, 1.0);
    for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
    const Scene open = scene({{"num_heads", 2}, {"head_dim", 4}}, {{"head", 0}});
    EXPECT_EQ(stored_rows(open, Tensor::query, 0, kRows).value()->front(), 1.0);
    put(2, 4, 3.0);
    for (const char* name : {"q.npy", "k.npy"})
        std::filesystem::last_write_time(path(name), std::filesystem::file_time_type::clock::now() +
                                                         std::chrono::seconds(5));
    EXPECT_EQ(stored_rows(open, Tensor::query, 1, kRows).error().key, "content.replaced");
    EXPECT_EQ(stored_rows(open, Tensor::query, 0, kRows).value()->front(), 3.0) << "nothing old is kept";
    // Fewer rows than were counted.
    save("q.npy", {3, 2, 4}, std::vector<double>(24, 1.0));
    save("k.npy", {3, 2, 4}, std::vector<double>(24, 1.0));
    for (const char* name : {"q.npy", "k.npy"}) forget_stored(path(name));
    EXPECT_EQ(stored_rows(open, Tensor::query, 0, kRows).error().key, "content.replaced");
    EXPECT_EQ(attention(open)->shape.keys, 3);
}

// Data of q and k that cannot be read is refused, never that of others.
TEST_F(Tensors, NoDataOfOthers) {
    const Scene missing = scene();
    for (const char* name : {"gram", "distance", "scores", "mixed", "trace", "precision", "claims", "logits",
                             "attention", "expansion", "locality"}) {
        const auto made = evaluate(*find_quantity(name), missing, std::uint64_t{1} << 30);
        ASSERT_FALSE(made) << name;
        EXPECT_EQ(made.error().key, "file.not_allowed") << name;
    }
    EXPECT_TRUE(evaluate(*find_quantity("frequencies"), missing, std::uint64_t{1} << 30));
    save_plain();
    EXPECT_TRUE(evaluate(*find_quantity("scores"), missing, std::uint64_t{1} << 30));
}

TEST_F(Tensors, AShorterSceneUsesTheFirstRows) {
    save_plain();
    EXPECT_EQ(content_length(scene({{"length", 5}})), 5);
    EXPECT_EQ(content_length(scene({{"length", 500}})), kRows);
    EXPECT_EQ(attention(scene({{"length", 5}}))->shape.keys, 5);
}

TEST_F(Tensors, TheirFilesAreAskedFor) {
    save("q.npy", {kRows, 1, kWidth}, std::vector<double>(kRows * kWidth, 1.0), false);
    save("k.npy", {kRows, 1, kWidth}, std::vector<double>(kRows * kWidth, 1.0), false);
    Json partial{{"content", {{"kind", "tensors"}, {"query", "q.npy"}, {"key", "k.npy"}}}};
    const Scene before =
        overlay(Scene(),
                {{"content", {{"kind", "tensors"}, {"query", path("q.npy")}, {"key", path("k.npy")}}}})
            ->scene;
    const FilesToAsk asked = files_to_ask_for(before);
    ASSERT_EQ(asked.end() - asked.begin(), 2) << "both together";
    EXPECT_EQ(*asked.begin()[0], path("q.npy"));
    EXPECT_EQ(*asked.begin()[1], path("k.npy"));
    Json elsewhere = to_json(before);
    EXPECT_FALSE(admit(elsewhere, Source::anywhere()));
    EXPECT_FALSE(table_allowed(path("q.npy")));
    ASSERT_TRUE(admit(partial, Source::file(path("q.npy"))));  // beside it
    EXPECT_EQ(partial["content"]["query"], path("q.npy"));
    EXPECT_TRUE(files_to_ask_for(before).empty());
}

// An index names the file of each array; only files beside it.
TEST_F(Tensors, AnIndexNamesItsShards) {
    const std::string header = R"({"q": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    bytes += header + std::string("\0\0\x80\x3f\0\0\0\x40", 8);
    ASSERT_TRUE(write_file(path("a-1.safetensors"), bytes));
    ASSERT_TRUE(write_file(path("m.safetensors.index.json"),
                           R"({"weight_map": {"q": "a-1.safetensors", "bad": "../a-1.safetensors"}})"));
    const auto read = read_tensor(path("m.safetensors.index.json"), "q");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->values, (std::vector<double>{1.0, 2.0}));
    EXPECT_EQ(read_tensor(path("m.safetensors.index.json"), "bad").error().key, "safetensors.index");
    EXPECT_EQ(read_tensor(path("m.safetensors.index.json"), "k").error().key, "tensor.name");
}

// 4 GiB of which a few numbers are asked for: nothing else is read, or held.
TEST_F(Tensors, ALargeFileIsOpenedByItsHeader) {
    const std::string header =
        R"({"w": {"dtype": "F16", "shape": [2147483648], "data_offsets": [0, 4294967296]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    ASSERT_TRUE(write_file(path("large.safetensors"), bytes + header));
    std::error_code error;
    const std::uint64_t size = 8 + header.size() + (std::uint64_t{1} << 32);
    std::filesystem::resize_file(path("large.safetensors"), size, error);
    if (error || std::filesystem::file_size(path("large.safetensors"), error) != size)
        GTEST_SKIP() << "no sparse files of 4 GiB here";
    const auto file = TensorFile::open(path("large.safetensors"), "");
    ASSERT_TRUE(file) << to_string(file.error());
    std::vector<double> last(4, 1.0);
    ASSERT_TRUE(file->read((std::int64_t{1} << 31) - 4, last));
    EXPECT_EQ(last, std::vector<double>(4, 0.0));
    EXPECT_FALSE(file->read((std::int64_t{1} << 31) - 3, last));
}

}  // namespace
}  // namespace posiscope::tensors_test
