// interruption.hpp — Ctrl C, or the system's wish that the program ends, as something to ask for: there is time to save.
#pragma once

#include "core/jobs/pool.hpp"

#include <functional>

namespace posiscope::platform {

// While it lives, the first SIGINT, SIGTERM or SIGHUP does not end the program; a second one does. One at a time.
class Interruption {
public:
    // `told` is called from another thread. Without one, and where the system gives none, signals end the program as usual.
    explicit Interruption(std::function<void()> told);
    Interruption();  // for who asks by himself
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    bool asked() const;
    // Ends the program as the signal would have done. Does nothing if there was none.
    void pass_on();

private:
    void install();
    void listen();

    std::function<void()> told_;
    bool installed_ = false;
    jobs::Pool listener_{{.threads = 1}};
};

}  // namespace posiscope::platform
