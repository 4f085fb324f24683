// What a name may lead to elsewhere than to a file of its folder: links and pipes.
#include "core/formats/file.hpp"
#include "core/formats/tensor.hpp"
#include "tests/folder.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

namespace posiscope::tensor_test {
namespace {

class TensorPaths : public test::InFolder {
protected:
    std::string path(const char* name) const { return (folder_ / name).string(); }
};

// A link beside the index leads no farther than the index's own.
TEST_F(TensorPaths, AnIndexReachesNoOtherFolder) {
    const std::string header = R"({"q": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    bytes += header + std::string("\0\0\x80\x3f\0\0\0\x40", 8);
    namespace fs = std::filesystem;
    fs::create_directories(folder_ / "mail");
    fs::create_directories(folder_ / "cache/blobs");
    fs::create_directories(folder_ / "cache/snapshot");
    ASSERT_TRUE(write_file(path("secret.safetensors"), bytes));
    ASSERT_TRUE(write_file(path("cache/blobs/1"), bytes));
    const std::string index = R"({"weight_map": {"q": "a.safetensors"}})";
    ASSERT_TRUE(write_file(path("mail/m.safetensors.index.json"), index));
    ASSERT_TRUE(write_file(path("cache/blobs/2"), index));
    fs::create_symlink("../secret.safetensors", folder_ / "mail/a.safetensors");
    EXPECT_EQ(read_tensor(path("mail/m.safetensors.index.json"), "q").error().key, "safetensors.link");
    // As Hugging Face's cache has them.
    fs::create_symlink("../blobs/1", folder_ / "cache/snapshot/a.safetensors");
    fs::create_symlink("../blobs/2", folder_ / "cache/snapshot/m.safetensors.index.json");
    EXPECT_TRUE(read_tensor(path("cache/snapshot/m.safetensors.index.json"), "q"));
}

TEST_F(TensorPaths, APipeIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo(path("p.safetensors.index.json").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo(path("p.safetensors").c_str(), 0600), 0);
    if (!std::filesystem::is_fifo(path("p.safetensors"))) GTEST_SKIP() << "no pipes here";
    EXPECT_EQ(read_tensor(path("p.safetensors.index.json"), "q").error().key, "npy.no_file");
    EXPECT_EQ(read_tensor(path("p.safetensors"), "q").error().key, "npy.no_file");
}

}  // namespace
}  // namespace posiscope::tensor_test
