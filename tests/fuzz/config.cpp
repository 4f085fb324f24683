// config.cpp — any bytes as a model's config.json: a partial Scene that can be laid, or a sentence; never a crash.
#include "core/models/config.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto model = read_config_text({reinterpret_cast<const char*>(data), size});
    if (model && !overlay(Scene(), model->scene)) std::abort();
    return 0;
}
