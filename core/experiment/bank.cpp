#include "core/experiment/bank.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::experiment {
namespace {

// Better knowledge of the same run.
bool replaces(const Known& now, const Known& before) {
    if (now.finished() != before.finished()) return now.finished() || before.origin != Origin::own;
    return now.origin == Origin::own || before.origin == Origin::shipped;
}

}  // namespace

const Known* Bank::find(std::string_view encoding, std::uint64_t seed) const {
    for (const Known& known : runs)
        if (known.run->encoding == encoding && known.run->seed == seed) return &known;
    return nullptr;
}

void Bank::add(Known known) {
    for (Known& before : runs)
        if (before.run->encoding == known.run->encoding && before.run->seed == known.run->seed) {
            if (replaces(known, before)) before = std::move(known);
            return;
        }
    runs.push_back(std::move(known));
}

std::size_t Bank::finished() const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [](const Known& known) { return known.finished(); }));
}

// Field by field, since frames ask for it: a copy would allocate.
bool same_training(const Settings& a, const Settings& b) {
    const bool same_k = a.k == b.k || a.task != "back";  // only that task reads it
    return a.task == b.task && same_k && a.length == b.length && a.tested == b.tested &&
           a.layers == b.layers && a.heads == b.heads && a.causal == b.causal && a.base == b.base &&
           a.steps == b.steps && a.rate == b.rate;
}

std::string name_of(const Settings& settings, std::string_view instructions) {
    Settings like = settings;
    like.seeds = 1;
    like.encodings.clear();
    if (like.task != "back") like.k = 1;
    std::uint64_t hash = 0;
    for (const char letter : to_json(like).dump() + std::string(instructions))
        hash = scattered(hash ^ static_cast<unsigned char>(letter));
    return fmt::format("{}-{}-{:016x}", settings.task, instructions, hash);
}

Bank bank_of(Results results, Origin origin) {
    Bank bank{std::move(results.settings), {}};
    for (Run& run : results.runs)
        bank.add({std::make_shared<const Run>(std::move(run)), bank.settings.steps, origin,
                  results.instructions, results.compiler});
    return bank;
}

Results results_of(const Bank& bank) {
    Results made{bank.settings, {}, {}, {}};
    made.settings.encodings.clear();
    made.settings.seeds = 1;
    for (const Known& known : bank.runs) {
        if (!known.finished()) continue;
        auto& encodings = made.settings.encodings;
        if (std::find(encodings.begin(), encodings.end(), known.run->encoding) == encodings.end())
            encodings.push_back(known.run->encoding);
        made.settings.seeds = std::max(made.settings.seeds, static_cast<std::int64_t>(known.run->seed));
        join_once(made.instructions, known.instructions);
        join_once(made.compiler, known.compiler);
        made.runs.push_back(*known.run);
    }
    // A list takes so many typed ones: of what was trained at one time or another the last.
    auto& list = made.settings.encodings;
    for (auto typed = std::count_if(list.begin(), list.end(), is_typed);
         typed > static_cast<std::ptrdiff_t>(kMostTyped); --typed) {
        const auto first = std::find_if(list.begin(), list.end(), is_typed);
        std::erase_if(made.runs, [&](const Run& run) { return run.encoding == *first; });
        list.erase(first);
    }
    if (made.runs.empty()) made.settings.encodings = bank.settings.encodings;
    return made;
}

}  // namespace posiscope::experiment
