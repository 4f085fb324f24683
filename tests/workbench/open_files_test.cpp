// The documents alone: a deck that is turned, what was open, a file that changes. What is to be shown is only handed back.
#include "app/workbench/document/open_files.hpp"

#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/scene/tensors.hpp"
#include "tests/folder.hpp"

#include <gtest/gtest.h>

namespace posiscope::workbench {
namespace {

class DocumentsTest : public test::InFolder {
protected:
    std::string put(const std::string& name, std::string_view text) const {
        const std::string path = folder_ / name;
        EXPECT_TRUE(write_file(path, text));
        return path;
    }
    std::string scene(const std::string& name, int position) const {
        return put(name, Json{{"position", position}}.dump());
    }
    Documents::Opening open(std::vector<std::string> paths) {
        Documents::Read files{.paths = std::move(paths)};
        Documents::read(files, Scene());
        return documents_.open(std::move(files));
    }
    Documents::Opening reload(const Scene& present) {
        auto again = documents_.begin_reload(present);
        Documents::read(again, present);
        return documents_.end_reload(std::move(again));
    }

    std::vector<std::string> recent_;
    Documents documents_{recent_};
};

TEST_F(DocumentsTest, SeveralAreADeck) {
    const std::vector<std::string> paths{scene("1.json", 1), put("bad.json", "{"), scene("2.json", 2)};
    const auto opening = open(paths);
    ASSERT_NE(opening.shown, nullptr);
    EXPECT_EQ(opening.shown->scene.position, 1);
    ASSERT_EQ(opening.refused.size(), 1U);
    EXPECT_EQ(opening.refused[0].key, "json.syntax");
    EXPECT_EQ(documents_.outside(), (panels::Outside{1, 2, "1.json", ""}));
    EXPECT_FALSE(documents_.can_turn(-1));
    EXPECT_EQ(documents_.turn(-1).shown, nullptr);
    EXPECT_EQ(documents_.turn(1).shown->scene.position, 2);
    EXPECT_EQ(documents_.outside(), (panels::Outside{2, 2, "2.json", ""}));
    EXPECT_FALSE(documents_.can_turn(1));
}

TEST_F(DocumentsTest, WhereNothingCanBeOpenedWhatIsOpenStays) {
    (void)open(std::vector{scene("1.json", 1)});
    const auto opening = open(std::vector{put("bad.json", "{")});
    EXPECT_EQ(opening.shown, nullptr);
    EXPECT_EQ(documents_.outside().name, "1.json");
    EXPECT_EQ(recent_, std::vector{(folder_ / "1.json").string()});
}

TEST_F(DocumentsTest, AFileThatChangesIsToldAndReadAgain) {
    const std::string path = scene("1.json", 1);
    (void)open(std::vector{path});
    EXPECT_TRUE(documents_.can_reload(Scene()));
    documents_.look(Scene(), 1.0);
    (void)scene("1.json", 9);
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
    documents_.look(Scene(), 1.9);
    EXPECT_EQ(documents_.outside().changed, "") << "looked at once a second at most";
    documents_.look(Scene(), 2.0);
    EXPECT_EQ(documents_.outside().changed, "1.json");
    EXPECT_EQ(reload(Scene()).shown->scene.position, 9);
    EXPECT_EQ(documents_.outside().changed, "");
}

// A large file is read beside the window, where another may be opened meanwhile.
TEST_F(DocumentsTest, WhatIsReadAgainIsLostWhereAnotherWasOpenedMeanwhile) {
    (void)open({scene("1.json", 1)});
    auto again = documents_.begin_reload(Scene());
    Documents::read(again, Scene());
    (void)open({scene("2.json", 2)});
    EXPECT_EQ(documents_.end_reload(std::move(again)).shown, nullptr);
    EXPECT_EQ(documents_.outside().name, "2.json");
}

// What a person changed of a scene stays when only a file that it names is written anew.
TEST_F(DocumentsTest, AFileThatASceneNamesIsReadAgainAlone) {
    const std::string q = put("q.npy", "1"), k = put("k.npy", "1");
    const std::string path =
        put("qk.json", R"({"content": {"kind": "tensors", "query": "q.npy", "key": "k.npy"}})");
    const auto opening = open(std::vector{path});
    ASSERT_NE(opening.shown, nullptr);
    const Scene shown = opening.shown->scene;
    documents_.follow(true);
    documents_.look(shown, 1.0);
    (void)put("q.npy", "2");
    std::filesystem::last_write_time(q,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
    documents_.look(shown, 2.0);
    EXPECT_EQ(documents_.outside().changed, "q.npy");
    EXPECT_EQ(reload(shown).shown, nullptr);
    EXPECT_EQ(documents_.outside().changed, "");
    EXPECT_TRUE(documents_.follows());
    (void)open(std::vector{scene("1.json", 1)});
    EXPECT_FALSE(documents_.follows()) << "another file is not followed";
}

// A deck whose scenes share files that are written anew while another one is shown.
TEST_F(DocumentsTest, AFileThatASceneNamesIsReadAgainWhenItsPageIsTurnedTo) {
    const auto save = [&](double value) {
        const Array array{{"q", {4, 1, 4}}, std::vector<double>(16, value)};
        std::string bytes;
        EXPECT_TRUE(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }));
        for (const char* name : {"q.npy", "k.npy"}) (void)put(name, bytes);
    };
    save(1.0);
    const std::string one = R"({"encoding": "rope", "d_model": 4, "num_heads": 1, "length": 4,
        "content": {"kind": "tensors", "query": "q.npy", "key": "k.npy"}})";
    const auto opening = open(std::vector{put("1.json", one), put("2.json", one)});
    ASSERT_NE(opening.shown, nullptr);
    const auto first = [](const Scene& shown) {
        return stored_rows(shown, Tensor::query, 0, 4).map([](const StoredRows& rows) {
            return rows->front();
        });
    };
    EXPECT_EQ(first(opening.shown->scene), 1.0);
    save(2.0);
    EXPECT_EQ(first(documents_.turn(1).shown->scene), 2.0);
}

// Opened together, a checkpoint has the heads of the config before it.
TEST_F(DocumentsTest, WeightsBelongToTheConfigBeforeThem) {
    const std::string config = put("config.json", R"({"model_type": "llama", "hidden_size": 8,
        "num_attention_heads": 4, "num_key_value_heads": 2, "rope_theta": 500000})");
    std::string header = R"({"model.layers.0.self_attn.q_proj.weight": {"dtype": "F16", "shape": [8, 8],
        "data_offsets": [0, 128]}, "model.layers.0.self_attn.k_proj.weight": {"dtype": "F16", "shape": [4, 8],
        "data_offsets": [128, 192]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size() % 256);
    bytes[1] = static_cast<char>(header.size() / 256);
    const std::string weights = put("model.safetensors", bytes + header + std::string(192, '\0'));
    const auto opening = open(std::vector{config, weights});
    EXPECT_TRUE(opening.refused.empty());
    const Opened* second = documents_.turn(1).shown;
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(second->scene.content.kind, "checkpoint");
    EXPECT_EQ(second->scene.base, 500000.0);
    EXPECT_EQ(second->scene.num_heads, 4);
    const Scene together = second->scene;
    // A file manager hands them over in an order of its own.
    EXPECT_TRUE(open(std::vector{weights, config}).refused.empty());
    EXPECT_EQ(documents_.turn(1).shown->scene, together);
}

TEST_F(DocumentsTest, SavingDoesNotReplaceUnlessThatIsMeant) {
    const std::string path = put("mine.json", "mine");
    const auto refused = documents_.save(Scene(), path, false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().cause, Cause::taken);
    EXPECT_EQ(*read_file(path), "mine");
    EXPECT_TRUE(recent_.empty());
    EXPECT_EQ(documents_.save(Scene(), path, true), path);
    EXPECT_EQ(recent_, std::vector{path});
}

TEST_F(DocumentsTest, WhatIsGoneStaysInTheListAndIsMarked) {
    recent_ = {scene("1.json", 1), folder_ / "gone.json"};
    const auto recent = documents_.recent();
    ASSERT_EQ(recent.size(), 2U);
    EXPECT_TRUE(recent[0].there);
    EXPECT_FALSE(recent[1].there);
}

}  // namespace
}  // namespace posiscope::workbench
