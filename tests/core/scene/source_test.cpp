// Where a Scene comes from decides what it may read.
#include "core/scene/source.hpp"

#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "tests/folder.hpp"

#include <fstream>

namespace posiscope::source_test {
namespace {

namespace fs = std::filesystem;

class SceneSource : public test::InFolder {
protected:
    void SetUp() override {
        InFolder::SetUp();
        fs::create_directories(folder_ / "mail" / "tables");
        for (const char* name : {"secret.npy", "mail/own.npy", "mail/tables/deep.npy"})
            ASSERT_TRUE(write_file(folder_ / name, "x"));
        ASSERT_TRUE(write_file(mail(), "{}"));
    }
    fs::path mail() const { return folder_ / "mail" / "scene.json"; }
    static Json naming(const fs::path& path) {
        return {{"encoding", {{"kind", "learned"}, {"table", path.string()}}}};
    }
    static std::string outcome(Json partial, const Source& source) {
        const auto admitted = admit(partial, source);
        return admitted ? "read" : admitted.error().key;
    }
};

TEST_F(SceneSource, AFileReadsWhatLiesInItsOwnFolder) {
    const Source source = Source::file(mail());
    EXPECT_EQ(outcome(naming(folder_ / "mail" / "own.npy"), source), "read");
    EXPECT_EQ(outcome(naming(folder_ / "mail" / "tables" / "deep.npy"), source), "read");
    for (const fs::path& path : {folder_ / "secret.npy", folder_ / "mail" / ".." / "secret.npy",
                                 fs::path("/proc/version"), fs::path("/etc/passwd")}) {
        EXPECT_EQ(outcome(naming(path), source), "file.not_allowed") << path;
        EXPECT_EQ(table_of(path.string()).error().key, "file.not_allowed") << path;
    }
    std::error_code no_links;
    fs::create_symlink(folder_ / "secret.npy", folder_ / "mail" / "link.npy", no_links);
    if (!no_links) {
        EXPECT_EQ(outcome(naming(folder_ / "mail" / "link.npy"), source), "file.not_allowed");
    }
    // A folder whose name merely begins alike is another one.
    fs::create_directories(folder_ / "mailbox");
    EXPECT_EQ(outcome(naming(folder_ / "mailbox" / "own.npy"), source), "file.not_allowed");
}

TEST_F(SceneSource, ARelativePathStartsFromItsFile) {
    Json partial = naming("tables/deep.npy");
    ASSERT_TRUE(admit(partial, Source::file(mail())));
    EXPECT_TRUE(table_allowed(partial["encoding"]["table"]));
    EXPECT_TRUE(fs::exists(partial["encoding"]["table"].get<std::string>()));
    EXPECT_EQ(outcome(naming("../secret.npy"), Source::file(mail())), "file.not_allowed");
}

TEST_F(SceneSource, TextFromAnywhereReadsNothingAndAPersonAnything) {
    const std::string path = (folder_ / "mail" / "own.npy").string();
    fs::rename(path, folder_ / "other.npy");  // a path that no test has allowed
    const std::string other = (folder_ / "other.npy").string();
    EXPECT_EQ(outcome(naming(other), Source::anywhere()), "file.not_allowed");
    EXPECT_EQ(outcome(naming(other), Source::file("/dev/stdin")), "file.not_allowed");
    EXPECT_EQ(outcome(naming(other), Source::typed()), "read");
    EXPECT_EQ(outcome(naming(other), Source::anywhere()), "read") << "it was allowed meanwhile";
}

TEST_F(SceneSource, BAndTrainingAreAskedToo) {
    const Json inner = naming(folder_ / "secret-too.npy");
    for (const Json& partial : {Json{{"compare", inner}}, Json{{"trained", {{"scene", inner}}}}}) {
        EXPECT_EQ(outcome(partial, Source::file(mail())), "file.not_allowed");
        const auto laid = overlay(Scene(), partial);
        ASSERT_TRUE(laid) << to_string(laid.error());
        const FilesToAsk asked = files_to_ask_for(laid->scene);
        ASSERT_EQ(asked.end() - asked.begin(), 1);
        EXPECT_EQ(**asked.begin(), folder_ / "secret-too.npy");
    }
    EXPECT_TRUE(files_to_ask_for(Scene()).empty());
    for (const char* odd : {"[]", "1", R"({"encoding": 1})", R"({"encoding": {"table": 1}, "trained": 2})"})
        EXPECT_EQ(outcome(*parse_json(odd), Source::anywhere()), "read") << odd;
}

}  // namespace
}  // namespace posiscope::source_test
