// open.cpp — any bytes as a file that somebody opens: the first two choose the figure and its mode, the rest is the file.
// A scene, a picture, a config, a table, results or a lesson is shown; anything else is one sentence.
#include "app/workbench/document/opening.hpp"
#include "tests/figures/any_drawing.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kChosen = 2;
    if (size < kChosen) return 0;
    static const int file = ::memfd_create("opened", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    const std::size_t length = size - kChosen;
    if (::ftruncate(file, 0) != 0 ||
        ::pwrite(file, data + kChosen, length, 0) != static_cast<::ssize_t>(length))
        std::abort();
    auto opened = workbench::open_file(path, Scene());
    if (!opened) {
        if (opened.error().key.empty()) std::abort();
        return 0;
    }
    if (opened->scene.d_model > 256 || opened->scene.num_heads > 16) return 0;  // as in draw.cpp
    test::Drawing drawing;
    drawing.scene = std::move(opened->scene);
    drawing.figure = data[0], drawing.mode = data[1];
    drawing.area = {0.0F, 0.0F, 640.0F, 400.0F};
    const std::string complaint = test::complaint_of(std::move(drawing));
    if (complaint.empty()) return 0;
    std::fprintf(stderr, "%s\n", complaint.c_str());
    std::abort();
}
