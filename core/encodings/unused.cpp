#include "core/encodings/unused.hpp"

#include "core/encodings/encodings.hpp"

namespace posiscope {

bool unused(const SpectrumInput& scene, const Parameter& parameter) {
    const auto ignores = encoding_of(scene).ignores;
    return ignores != nullptr && ignores(scene, parameter.key);
}

std::vector<Problem> unused_settings(const SpectrumInput& scene) {
    std::vector<Problem> remarks;
    for (const Parameter& parameter : encoding_of(scene).parameters) {
        const auto given = scene.encoding.parameters.find(parameter.key);
        if (given != scene.encoding.parameters.end() && *given != parameter.fallback &&
            unused(scene, parameter))
            remarks.push_back({"setting.unused", {{"key", std::string(parameter.key)}}});
    }
    return remarks;
}

}  // namespace posiscope
