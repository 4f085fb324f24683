// png.cpp — any bytes as a picture: the JSON of a scene, which is then one of scene.cpp, or a sentence.
#include "app/export/png.hpp"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int file = ::memfd_create("picture", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<::ssize_t>(size))
        std::abort();
    const auto json = exporting::scene_in_png(path);
    if (json) (void)overlay(Scene(), *json);
    return 0;
}
