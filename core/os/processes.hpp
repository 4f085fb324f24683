// processes.hpp — this process, others, and how this one is ended: core/os/posix and core/os/windows.
#pragma once

#include <string_view>

namespace posiscope::os {

int own_number();
bool runs(int process);        // or nobody knows
void ask_to_end(int process);  // as when_interrupted() hears it
void end_child(int process);   // at once, and waits for it; nothing if it has ended. Allocates nothing.

// To standard error; a reader that has gone ends nobody: work is worth more than the news of it. Allocates nothing.
void say_error(std::string_view sentence);
// The end, by whoever has no memory left: allocates nothing.
[[noreturn]] void end_now(int code);

// When somebody interrupts this process, `first` is called, which may neither allocate nor wait; then it ends as usual.
void when_interrupted(void (*first)());

}  // namespace posiscope::os
