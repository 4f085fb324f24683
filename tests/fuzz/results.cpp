// results.cpp — any bytes as the results of an experiment: results that read back as themselves, or a sentence.
#include "core/experiment/bank.hpp"
#include "core/experiment/shown.hpp"
#include "core/scene/scene.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto results = experiment::results_from({reinterpret_cast<const char*>(data), size});
    if (!results) return 0;
    const std::string text = experiment::to_text(*results);
    const auto again = experiment::results_from(text);
    if (!again || experiment::to_text(*again) != text) std::abort();
    for (const std::string& encoding : results->settings.encodings)
        for (std::size_t column = 0; column < experiment::column_count(results->settings); ++column)
            (void)experiment::spread(*results, encoding, experiment::Scaling::none, column);
    std::vector<std::string> names;
    (void)experiment::arrays_of(*results, names);
    if (!overlay(Scene(), experiment::scene_of(results->settings))) std::abort();
    const experiment::Bank bank = experiment::bank_of(*results, experiment::Origin::file);
    if (bank.runs.size() != results->runs.size()) std::abort();
    return 0;
}
