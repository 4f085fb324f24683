// q and k by the weights of a checkpoint in a window: no frame takes longer than others, however large the file, the model
// and the text are, and the file never enters memory.
#include "app/figures/figure.hpp"
#include "core/cost.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/stage.hpp"
#include "tests/folder.hpp"
#include "tests/sanitized.hpp"

#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace posiscope::test::checkpoint_frames_test {
namespace {

constexpr double kMostUnits = 6e7;  // as in frame_law_test.cpp
constexpr int kFrames = 12;         // while it is read and computed
constexpr std::int64_t kLayers = 32, kWidth = 4096, kHeads = 32, kKeyHeads = 8, kHeadDim = 128;

// Milliseconds of processor that this thread has taken.
double processor() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

class CheckpointFrames : public InFolder {
protected:
    // A bf16 model of 8 billion weights whose file has numbers only in W_q and W_k of one layer: all else is a hole.
    std::string model(const std::string& name, bool queries, bool keys) {
        Json header;
        std::size_t end = 0;
        std::vector<std::pair<std::size_t, std::size_t>> filled;
        const auto add = [&](const std::string& tensor, std::int64_t rows, std::int64_t columns, bool fill) {
            const std::size_t bytes = 2 * static_cast<std::size_t>(rows * columns);
            header[tensor] = {
                {"dtype", "BF16"}, {"shape", {rows, columns}}, {"data_offsets", {end, end + bytes}}};
            if (fill) filled.emplace_back(end, bytes);
            end += bytes;
        };
        add("model.embed_tokens.weight", 128256, kWidth, false);
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            const std::string at = fmt::format("model.layers.{}.", layer);
            if (queries) add(at + "self_attn.q_proj.weight", kHeads * kHeadDim, kWidth, layer == 5);
            if (keys) add(at + "self_attn.k_proj.weight", kKeyHeads * kHeadDim, kWidth, layer == 5);
            for (const char* part : {"gate", "up", "down"})
                add(fmt::format("{}mlp.{}_proj.weight", at, part), 14336, kWidth, false);
        }
        const std::string text = header.dump();
        std::string head(8, '\0');
        const std::uint64_t size = text.size();
        std::memcpy(head.data(), &size, 8);
        const std::string path = (folder_ / name).string();
        EXPECT_TRUE(write_file(path, head + text));
        std::error_code error;
        std::filesystem::resize_file(path, 8 + text.size() + end, error);
        if (error) return {};  // no files with holes here
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        std::string numbers;  // ±1 and ±1/128, in no simple order
        for (std::uint32_t n = 0; n < 4096; ++n)
            numbers += {'\0', static_cast<char>((n * n % 7 < 3 ? 0x80 : 0) | (n * n % 5 < 1 ? 0x3f : 0x3c))};
        for (const auto& [begin, bytes] : filled) {
            file.seekp(static_cast<std::streamoff>(8 + text.size() + begin));
            for (std::size_t i = 0; i < bytes; i += numbers.size())
                file.write(numbers.data(), static_cast<std::streamsize>(std::min(numbers.size(), bytes - i)));
        }
        EXPECT_GT(std::filesystem::file_size(path), 10'000'000'000U);
        return path;
    }

    // The frames of a window that opens this, in every mode of every figure.
    void draw(const std::string& file, std::int64_t length) {
        const auto laid = overlay(
            Scene(),
            {{"encoding", "rope"},
             {"base", 500000},
             {"layout", "half"},
             {"num_heads", kHeads},
             {"d_model", kWidth},
             {"length", length},
             {"content", {{"kind", "checkpoint"}, {"file", file}, {"layer", 5}, {"head_dim", kHeadDim}}}});
        ASSERT_TRUE(laid) << to_string(laid.error());
        for (const figures::Figure* figure : figures::figures()) {
            std::vector<std::string> modes = {""};
            if (figure->modes != nullptr)
                modes.assign(figure->modes(laid->scene).begin(), figure->modes(laid->scene).end());
            for (const std::string& mode : modes) {
                Scene scene = laid->scene;
                if (!mode.empty()) figures::set_view_value(scene, figure->id, "mode", mode);
                Stage stage;
                stage.area = {0.0F, 0.0F, 1280.0F, 800.0F};
                figures::Background background([] {});
                stage.derived.work_in(&background);
                for (int frame = 0; frame < kFrames; ++frame) {
                    Fingerprint canvas;
                    const double units = work_done(), began = processor();
                    stage.draw(canvas, *figure, scene);
                    const double took = processor() - began;
                    if (took > longest_) longest_ = took, where_ = fmt::format("{} {}", figure->id, mode);
                    ASSERT_LE(work_done() - units, kMostUnits)
                        << figure->id << " " << mode << ", frame " << frame << " at " << length;
                    scene.position = frame;  // as while it plays
                }
            }
        }
    }

    void TearDown() override {
        RecordProperty("longest_frame", fmt::format("{:.1f} ms, {}", longest_, where_));
        InFolder::TearDown();
    }

    double longest_ = 0.0;  // milliseconds: to read, not to judge
    std::string where_;
};

TEST_F(CheckpointFrames, AreNoLongerThanOthers) {
    const std::string whole = model("model.safetensors", true, true);
    if (whole.empty()) GTEST_SKIP() << "this file system has no files with holes";
    allow_table(whole);
    for (const std::int64_t length : {4096L, kSanitized ? 4096L : 8192L}) draw(whole, length);
}

TEST_F(CheckpointFrames, OfShardsToo) {
    const std::string queries = model("one.safetensors", true, false),
                      keys = model("two.safetensors", false, true),
                      index = (folder_ / "model.safetensors.index.json").string();
    if (queries.empty() || keys.empty()) GTEST_SKIP() << "this file system has no files with holes";
    Json map;
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
        map[fmt::format("model.layers.{}.self_attn.q_proj.weight", layer)] = "one.safetensors";
        map[fmt::format("model.layers.{}.self_attn.k_proj.weight", layer)] = "two.safetensors";
    }
    ASSERT_TRUE(write_file(index, Json{{"weight_map", map}}.dump()));
    for (const std::string& path : {queries, keys, index}) allow_table(path);
    draw(index, 4096);
}

}  // namespace
}  // namespace posiscope::test::checkpoint_frames_test
