#include "app/platform/host.hpp"
#include "app/platform/attempt.hpp"
#include "app/platform/paths.hpp"
#include "app/platform/process.hpp"
#include "app/platform/web/page.hpp"

#include <cerrno>

namespace posiscope::platform {

bool in_browser() { return true; }

std::string page_address() { return page::take(page_address_text()); }

std::string_view shading_language() { return "#version 300 es\n"; }

bool has_threads() { return false; }

void work_behind_the_window() {}

// Folders of a file system in memory. The script keeps /kept in the browser, and main.cpp hands /downloads out.

Folders user_folders() { return {"/kept/state", "/kept/config"}; }

std::filesystem::path picture_folder() { return "/downloads"; }

Result<std::filesystem::path> private_folder() {
    const std::filesystem::path folder = "/tmp/posiscope";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return folder;
}

std::string from_home(const std::string& path) { return path; }

// A page starts no programs.
std::string own_program() { return {}; }
void begin_process() {}
void end_with_parent() {}
bool somebody_watches() { return false; }
std::string standard_input_path() { return {}; }

struct Process::Running {};
Process::Process(std::function<void()>) {}
Process::~Process() = default;
bool Process::running() const { return false; }
int Process::start(const std::vector<std::string>&, Hear, std::string_view) { return ENOENT; }
void Process::stop() {}
std::string Process::said(std::size_t) const { return {}; }
std::optional<Process::Ended> Process::take() { return std::nullopt; }

// The browser gets kept files between two frames, too late for an attempt that is under way.

Attempt::Attempt(const std::filesystem::path&) {}
Attempt::~Attempt() = default;
void Attempt::begin() {}
void Attempt::succeed() {}

}  // namespace posiscope::platform
