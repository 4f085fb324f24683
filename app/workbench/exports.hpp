// exports.hpp — what was asked for in the export dialog, on its way: the program starts itself with the command line that
// does it, so that the window goes on meanwhile and an export can be stopped, or crash, and take nothing with it.
#pragma once

#include "app/platform/process.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

class Exports {
public:
    // `wake` is called from another thread when there is something to tell.
    Exports(Workbench& bench, std::function<void()> wake, std::string program = "/proc/self/exe")
        : bench_(bench), process_(std::move(wake)), program_(std::move(program)) {}

    void serve(const Requests& requests);

private:
    Result<void> start(const Requests::Export& asked);
    void tell();
    void end(const platform::Process::Ended& ended);

    Workbench& bench_;
    platform::Process process_;
    std::string program_, path_;
    bool stopped_ = false;
};

}  // namespace posiscope::workbench
