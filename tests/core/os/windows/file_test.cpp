// Files as Windows has them: open ones, names in UTF-8, and programs that are ended while they write.
#include "core/formats/atomic_file.hpp"
#include "core/formats/file.hpp"
#include "core/os/files.hpp"
#include "core/os/processes.hpp"
#include "tests/core/formats/file_fixture.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#include <windows.h>

namespace posiscope::file_test {
namespace {

namespace fs = std::filesystem;
using test::File;

TEST_F(File, NamesAreUtf8) {
    for (const char* name : {"狗咬人.json", "é θ ² –.csv", "😀𝜔.txt", "a b"}) {
        EXPECT_EQ(fs::path(name).string(), name);
        EXPECT_EQ(refusal(at(name), name), "written");
        EXPECT_EQ(*read_file(at(name)), name);
        EXPECT_EQ(fs::directory_iterator(folder_)->path().filename().string(), name);
        fs::remove(at(name));
    }
    EXPECT_EQ(fs::path(L"\x72d7\xd83d\xde00").string(), "狗😀");
    EXPECT_EQ(fs::path("狗😀").native(), L"\x72d7\xd83d\xde00");
}

TEST_F(File, WhatIsNoUtf8LeadsNowhere) {
    // Overlong, half a pair, too large, cut off, a byte that begins nothing.
    for (const char* name : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe7\x8b", "\xff", "a\x80z"}) {
        EXPECT_NE(fs::path(name).string().find("\xef\xbf\xbd"), std::string::npos);
        EXPECT_EQ(read_file(at(name)).error().key, "file.missing");
    }
}

// As elsewhere: whoever reads goes on with the old file.
TEST_F(File, AnOpenFileIsReplaced) {
    ASSERT_EQ(refusal(at("a"), "old"), "written");
    {
        auto reader = FileReader::open(at("a"));
        ASSERT_TRUE(reader);
        EXPECT_EQ(refusal(at("a")), "written");
        std::string bytes(10, '\0');
        EXPECT_EQ(bytes.substr(0, *reader->read(bytes)), "old");
        EXPECT_EQ(*read_file(at("a")), "new");
    }
    EXPECT_EQ(entries(), 1U);
}

// Many programs open files so that nobody else may write them.
TEST_F(File, AFileThatAnotherProgramKeepsIsNamedAndStays) {
    ASSERT_EQ(refusal(at("a"), "old"), "written");
    const HANDLE kept =
        ::CreateFileW(at("a").c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr);
    ASSERT_NE(kept, INVALID_HANDLE_VALUE);
    const std::string said = refusal(at("a"));
    ::CloseHandle(kept);
    EXPECT_TRUE(said == "file.rename (path=" + at("a").string() + ", reason=in_use)" ||
                said == "file.rename (path=" + at("a").string() + ", reason=permission)")
        << said;
    EXPECT_EQ(*read_file(at("a")), "old");
    EXPECT_EQ(entries(), 1U);
    const HANDLE alone = ::CreateFileW(at("a").c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    EXPECT_EQ(to_string(read_file(at("a")).error()),
              "file.read (path=" + at("a").string() + ", reason=in_use)");
    ::CloseHandle(alone);
}

TEST_F(File, ANameThatIsTooLongIsCalledSo) {
    const fs::path path = at(std::string(256, 'n').c_str());
    EXPECT_EQ(to_string(read_file(path).error()), "file.read (path=" + path.string() + ", reason=long_name)");
}

TEST_F(File, BytesStayAsTheyAre) {
    const std::string bytes("a\r\nb\nc\x1a\0d", 9);
    EXPECT_EQ(refusal(at("a"), bytes), "written");
    EXPECT_EQ(*read_file(at("a")), bytes);
    EXPECT_EQ(fs::file_size(at("a")), bytes.size());
}

TEST_F(File, AFolderIsLockedByOneAtATime) {
    const std::intptr_t lock = os::lock_folder(folder_, 0);
    ASSERT_NE(lock, -1);
    std::intptr_t other = 0;
    std::thread([&] { other = os::lock_folder(folder_, 20); }).join();
    EXPECT_EQ(other, -1);
    os::unlock_folder(lock);
    std::thread([&] {
        other = os::lock_folder(folder_, 20);
        os::unlock_folder(other);
    }).join();
    EXPECT_NE(other, -1);
    EXPECT_EQ(os::lock_folder(folder_ / "none", 0), -1);
}

TEST_F(File, ALinkIsWrittenThrough) {
    ASSERT_EQ(refusal(at("a"), "old"), "written");
    if (::CreateSymbolicLinkW(at("link").c_str(), L"a", 2 /* without a right of its own */) == 0)
        GTEST_SKIP() << "links need a right that this user lacks";
    const auto is_link = [&] {
        const DWORD attributes = ::GetFileAttributesW(at("link").c_str());
        return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    };
    if (!is_link()) GTEST_SKIP() << "Wine says that it made one";
    EXPECT_EQ(refusal(at("link")), "written");
    EXPECT_EQ(*read_file(at("a")), "new");
    EXPECT_TRUE(is_link());
}

// --- Another process, which is this program with one test ---------------------------------------------------

constexpr const wchar_t* kFolder = L"POSISCOPE_WRITES_IN";

// Writes, says so by a file, and waits to be ended.
TEST(Writing, Child) {
    const wchar_t* const folder = ::_wgetenv(kFolder);
    if (folder == nullptr) GTEST_SKIP() << "for the tests below";
    remove_unfinished_when_interrupted();
    auto kept = FileWriter::open(fs::path(folder) / "kept.txt");
    kept->write(std::string(3 << 20, 'x'));
    ASSERT_TRUE(write_file(fs::path(folder) / "ready", "1"));
    ::Sleep(60000);
}

struct Child {
    PROCESS_INFORMATION process{};

    explicit Child(const fs::path& folder) {
        ::SetEnvironmentVariableW(kFolder, folder.c_str());
        // Its one test may be another shard's.
        for (const wchar_t* name : {L"GTEST_TOTAL_SHARDS", L"GTEST_SHARD_INDEX"})
            ::SetEnvironmentVariableW(name, nullptr);
        std::array<wchar_t, 32768> program{};
        ::GetModuleFileNameW(nullptr, program.data(), static_cast<DWORD>(program.size()));
        std::wstring line = L"\"" + std::wstring(program.data()) + L"\" --gtest_filter=Writing.Child";
        STARTUPINFOW start{};
        start.cb = sizeof start;
        ::CreateProcessW(program.data(), line.data(), nullptr, nullptr, FALSE, CREATE_NO_WINDOW, nullptr,
                         nullptr, &start, &process);
        ::SetEnvironmentVariableW(kFolder, nullptr);
        for (int i = 0; i < 600 && !fs::exists(folder / "ready"); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        fs::remove(folder / "ready");
    }
    ~Child() {
        ::CloseHandle(process.hThread);
        ::CloseHandle(process.hProcess);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int number() const { return static_cast<int>(process.dwProcessId); }
    bool ended() const { return ::WaitForSingleObject(process.hProcess, 20000) == WAIT_OBJECT_0; }
    DWORD code() const {
        DWORD code = 0;
        ::GetExitCodeProcess(process.hProcess, &code);
        return code;
    }
};

TEST_F(File, AProcessThatIsAskedToEndLeavesTheOldFileAndNothingElse) {
    ASSERT_EQ(refusal(at("kept.txt"), "before"), "written");
    const Child child(folder_);
    EXPECT_EQ(entries(), 2U) << "it does not write";
    EXPECT_TRUE(os::runs(child.number()));
    os::ask_to_end(child.number());
    ASSERT_TRUE(child.ended());
    EXPECT_EQ(child.code(), STATUS_CONTROL_C_EXIT);
    EXPECT_EQ(entries(), 1U);
    EXPECT_EQ(*read_file(at("kept.txt")), "before");
    EXPECT_FALSE(os::runs(child.number()));
}

TEST_F(File, WhatAKilledProcessLeftIsRemovedByTheNext) {
    const fs::path own = at("left");  // looked through once by each process
    fs::create_directory(own);
    {
        const Child child(own);
        os::end_child(child.number());
        ASSERT_TRUE(child.ended());
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 1);
    EXPECT_EQ(refusal(own / "a"), "written");
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 1);
    EXPECT_EQ(*read_file(own / "a"), "new");
}

TEST_F(File, WhatARunningProcessWritesIsLeftAlone) {
    const fs::path own = at("running");
    fs::create_directory(own);
    const Child child(own);
    EXPECT_EQ(refusal(own / "a"), "written");
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 2);
    os::end_child(child.number());
}

}  // namespace
}  // namespace posiscope::file_test
