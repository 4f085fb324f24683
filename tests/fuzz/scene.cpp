// scene.cpp — any bytes as a scene: a Scene that reads back as itself, or a sentence; never a crash.
#include "core/encodings/encodings.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = parse_json({reinterpret_cast<const char*>(data), size});
    if (!json) return 0;
    auto laid = overlay(Scene(), *json);
    if (!laid) return 0;
    const auto again = overlay(Scene(), to_json(laid->scene));
    if (!again || again->scene != laid->scene) std::abort();
    const auto shorter = overlay(Scene(), to_partial_json(laid->scene));
    if (!shorter || shorter->scene != laid->scene) std::abort();
    (void)remarks_on(laid->scene);
    (void)compared_scene(laid->scene);
    (void)trained_scene(laid->scene);
    if (!settle(laid->scene).empty()) std::abort();  // it fits already
    return 0;
}
