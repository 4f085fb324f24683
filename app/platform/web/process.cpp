// A page starts no programs.
#include "app/platform/process.hpp"

#include <cerrno>

namespace posiscope::platform {

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

}  // namespace posiscope::platform
