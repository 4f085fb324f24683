#include "app/commands/command.hpp"
#include "core/formats/unfinished.hpp"

#include <csignal>

int main(int argc, char** argv) {
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error that the writer can clean up after
#endif
    posiscope::remove_unfinished_when_interrupted();
    return posiscope::commands::run(argc, argv);
}
