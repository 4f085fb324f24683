#include "app/commands/command.hpp"
#include "app/platform/process.hpp"
#include "core/formats/atomic_file.hpp"

namespace {

// Before any of the program's own objects is made.
[[gnu::constructor(101)]] void begin() { posiscope::end_plainly_without_memory(); }

}  // namespace

int main(int argc, char** argv) {
    posiscope::platform::begin_process();
    posiscope::remove_unfinished_when_interrupted();
    posiscope::platform::end_with_parent();
    return posiscope::commands::run(argc, argv);
}
