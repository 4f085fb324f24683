// setting.cpp — any bytes as what is typed after --set, one a line, each laid over the Scene that the ones before gave.
#include "core/encodings/encodings.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    Scene scene;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const auto partial = partial_from_setting(scene, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!partial) {
            if (partial.error().key.empty()) std::abort();
            continue;
        }
        auto laid = overlay(scene, *partial);
        if (!laid) continue;
        scene = std::move(laid->scene);
        const auto again = overlay(Scene(), to_json(scene));
        if (!again || again->scene != scene) std::abort();
    }
    return 0;
}
