// A program of your own with posiscope's core: frequencies.cpp
#include <cstdio>
#include <posiscope/encodings/encodings.hpp>
#include <posiscope/formats/file.hpp>
#include <posiscope/sentence.hpp>

int main(int argc, char** argv) {
    using namespace posiscope;
    // A Scene is JSON; what it leaves out has its default.
    const char* const typed = argc > 1 ? argv[1] : R"({"encoding": "rope", "d_model": 128, "num_heads": 1})";
    const auto scene = parse_json(typed).and_then([](const Json& json) { return overlay({}, json); });
    const auto spectrum = scene.and_then([](const Overlaid& laid) { return spectrum_of(laid.scene); });
    if (!spectrum) {
        // A Problem is a key and values. Its sentence is in a file beside the library.
        const auto texts = read_file(POSISCOPE_STRINGS "/en.json").and_then([](const std::string& text) {
            return parse_json(text);
        });
        const Problem& problem = spectrum.error();
        std::puts((texts ? sentence(problem, *texts) : to_string(problem)).c_str());
        return 1;
    }
    // Frequencies are radians per position; a phase is exact, also 2^31 positions on.
    std::printf("%zu pairs, phase %.17g\n", spectrum->pairs(), phase(spectrum->step[10], 13).radians());
}
