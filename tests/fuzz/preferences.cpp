// preferences.cpp — any bytes as the files that are kept between starts: preferences, the session and the progress in
// lessons. What is read can be kept and read again as itself; what cannot be read is set aside, whole.
#include "app/workbench/document/store.hpp"
#include "core/formats/file.hpp"

#include <cstdlib>
#include <unistd.h>

using namespace posiscope;

namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
    std::string name = (fs::temp_directory_path() / "posiscope-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
}

struct Folder {
    fs::path path = own_folder();
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

// Whether the bytes now have another name, beside the file that could not be read.
bool set_aside(const fs::path& folder, const char* stem, std::string_view bytes) {
    const fs::path aside = folder / (std::string(stem) + "-damaged-1.json");
    const auto kept = read_file(aside);
    const bool whole = kept && *kept == bytes;
    std::error_code ignored;
    fs::remove(aside, ignored);
    return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace workbench;
    static const Folder folder;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const char* name : {"preferences.json", "session.json", "lessons.json"})
        if (!write_file(folder.path / name, bytes)) std::abort();

    const auto preferences = load_preferences(folder.path);
    if (preferences.problem && !set_aside(folder.path, "preferences", bytes)) std::abort();
    if (preferences_from(to_json(preferences.value)) != preferences.value) std::abort();

    const auto session = load_session(folder.path);
    if (session.problem && !set_aside(folder.path, "session", bytes)) std::abort();
    if (!save_session(folder.path, session.value)) std::abort();
    const auto again = load_session(folder.path);
    if (again.problem || again.value != session.value) std::abort();

    const auto progress = load_progress(folder.path);
    if (progress.problem && !set_aside(folder.path, "lessons", bytes)) std::abort();
    if (!progress.value.is_object()) std::abort();
    return 0;
}
