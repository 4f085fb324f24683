// What a program outside this tree can do with an installed core: a line for each of its ten.
#include <cstdio>
#include <posiscope/encodings/encodings.hpp>
#include <posiscope/json.hpp>

int main() {
    using namespace posiscope;
    const auto json = parse_json(R"({"encoding": "rope", "d_model": 128, "num_heads": 1})");
    const auto scene = json ? overlay({}, *json) : Result<Overlaid>(tl::unexpected(json.error()));
    const auto spectrum = scene ? spectrum_of(scene->scene) : Result<Spectrum>(tl::unexpected(scene.error()));
    if (!spectrum) return 1;
    std::printf("%zu pairs, phase %.17g\n", spectrum->pairs(), phase(spectrum->step[10], 13).radians());
}
