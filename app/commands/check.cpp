// check.cpp — posiscope check config.json (check_config.cpp), or
// posiscope check TABLE [--tensor NAME] [--config FILE]: what a dumped table is, and which slip it has; with - as
// the table, the one on standard input, or a few numbers there, held against the Scene; with --ids, or where a file of whole numbers is no known
// table, position ids (ids.cpp). With a second file, what both say together: cos and sin, q before and after rotation, keys of two
// steps, or the same table of two programs.
#include "app/commands/check_config.hpp"
#include "app/commands/command.hpp"
#include "app/commands/facts.hpp"
#include "app/commands/ids.hpp"
#include "app/commands/patience.hpp"
#include "app/commands/printable.hpp"
#include "app/commands/streams.hpp"
#include "app/ui/known_spectra.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/json.hpp"
#include "core/recognise/numbers.hpp"
#include "core/recognise/recognise.hpp"
#include "core/recognise/steps.hpp"
#include "core/recognise/two.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace posiscope::commands {
namespace check_command {
namespace {

struct Typed {
    std::string table, after, tensor, config;
    bool json = false;
};

// One Scene for each kind of layer of a config.
Result<std::vector<Scene>> scenes_of(const std::string& config, const Terminal& terminal) {
    std::vector<Scene> scenes;
    if (config.empty()) return scenes;
    const auto model = read_model(config);
    if (!model) return tl::unexpected(model.error());
    for (const Problem& note : model->notes) terminal.say(note);
    const auto laid = with_model(Scene(), *model);
    if (!laid) return tl::unexpected(laid.error());
    const RopeLayers layers = rope_layers(laid->scene);
    for (std::size_t kind = 0; kind < layers.kinds.size(); ++kind) {
        auto one = overlay(laid->scene, {{"encoding", with_kind(laid->scene, layers, kind)}});
        if (one) scenes.push_back(std::move(one->scene));
    }
    if (scenes.empty()) scenes.push_back(laid->scene);
    return scenes;
}

// Rounded up, so that no number is off by more than it says.
std::string difference(double value) {
    if (value == 0.0) return "0";
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return fmt::format("{:.2g}", std::ceil(value / unit) * unit);
}

// How well what has no slip agrees.
const char* agreement(const Likeness& like) {
    return like.noisy   ? "recognised.noise"
           : like.bits  ? "recognised.bits"
           : like.exact ? "recognised.exact"
                        : "recognised.float32";
}

std::string lines(const Likeness& like, const Recognition& found, const Strings& strings) {
    std::string text =
        strings.sentence(like.what) + " " +
        strings.format("recognised.difference", fmt::arg("difference", difference(like.largest)),
                       fmt::arg("row", like.row), fmt::arg("column", like.column)) +
        "\n";
    const auto add = [&](std::string_view key) {
        text += strings.format(key, fmt::arg("precision", found.precision)) + "\n";
    };
    if (like.noisy) add("recognised.noise");
    if (const auto start = start_of(like)) text += strings.sentence(*start) + "\n";
    for (const Problem& slip : like.slips) text += strings.sentence(slip) + "\n";
    for (const Problem& detail : like.details) text += strings.sentence(detail) + "\n";
    if (like.slipped()) return text;
    if (like.given) add("recognised.as_config");
    if (!like.noisy) add(agreement(like));
    add("recognised.fine");
    return text;
}

Json likeness_facts(const Likeness& like, const Strings& strings) {
    Json made{{"what", facts(like.what, strings)},
              {"slips", facts(like.slips, strings)},
              {"details", facts(like.details, strings)},
              {"largest_difference", {{"value", like.largest}, {"row", like.row}, {"column", like.column}}},
              {"first_position", like.start},
              {"of_config", like.given}};
    if (!like.slipped()) made["agreement"] = std::string_view(agreement(like)).substr(11);
    return made;
}

// The answer on a table in one line of JSON; the same facts as the sentences.
std::string json_of(const StoredTensor& tensor, const Recognition& found, const Strings& strings) {
    Json made{{"name", tensor.name},
              {"shape", tensor.shape},
              {"dtype", tensor.dtype},
              {"precision", found.precision},
              {"verdict", found.fits.empty() ? "unknown"
                          : found.slipped()  ? "slip"
                                             : "right"},
              {"answers", Json::array()},
              {"nearest", Json::array()},
              {"notes", facts(found.notes, strings)}};
    for (const Likeness& like : found.fits) made["answers"].push_back(likeness_facts(like, strings));
    for (const Likeness& like : found.nearest) made["nearest"].push_back(likeness_facts(like, strings));
    return line_of(made);
}

std::string text_of(const StoredTensor& tensor, const Recognition& found, const Strings& strings) {
    std::string text =
        strings.format("recognised.shape", fmt::arg("name", printable(tensor.name)),
                       fmt::arg("shape", tensor.shape.empty()
                                             ? "()"
                                             : fmt::format("{}", fmt::join(tensor.shape, " × "))),
                       fmt::arg("dtype", tensor.dtype)) +
        "\n";
    for (const Problem& note : found.notes) text += strings.sentence(note) + "\n";
    if (found.fits.size() > 1)
        text += strings.format("recognised.several", fmt::arg("count", found.fits.size())) + "\n";
    for (const Likeness& like : found.fits) text += lines(like, found, strings);
    for (const Likeness& like : found.nearest)
        text += strings.format("recognised.nearest", fmt::arg("what", strings.sentence(like.what)),
                               fmt::arg("difference", difference(like.largest))) +
                "\n";
    return text;
}

Result<void> ended(const std::string& output, bool known, bool slipped, const char* unknown,
                   const Terminal& terminal) {
    FileWriter out = FileWriter::standard_output();
    out.write(output);
    if (auto written = out.commit(); !written) return written;
    if (!known) return failure(unknown);
    if (slipped && terminal.exit != nullptr) *terminal.exit = Exit::slip;
    return {};
}

Result<void> said(const StoredTensor& tensor, const Recognition& found, const Typed& typed,
                  const Terminal& terminal) {
    return ended(typed.json ? json_of(tensor, found, terminal.strings)
                            : text_of(tensor, found, terminal.strings),
                 !found.fits.empty(), found.slipped(), "recognised.none", terminal);
}

Result<void> run_table(const StoredTensor& tensor, const Typed& typed, const Terminal& terminal) {
    const auto config = scenes_of(typed.config, terminal);
    if (!config) return tl::unexpected(config.error());
    const Patience patience(terminal);
    return said(tensor, recognise(tensor, *config, ui::known_spectra()), typed, terminal);
}

// A table on standard input, or a few numbers.
Result<void> run_input(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    const auto scene = shared.scene(terminal);
    if (!scene) return tl::unexpected(scene.error());
    constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;
    const auto text = read_input("-", kMostBytes);
    if (!text) return tl::unexpected(text.error());
    const bool bytes = !is_utf8(*text) || text->find('\0') != std::string::npos;
    const auto rows = bytes ? Result<std::vector<TypedRow>>() : typed_numbers(*text);
    const bool many = !rows && rows.error().key == "numbers.many";
    if (bytes || many || !typed.tensor.empty() || !typed.config.empty()) {
        const bool safetensors = text->size() > 8 && (*text)[8] == '{';
        auto tensor = tensor_in(*text, bytes ? safetensors ? ".safetensors" : "" : ".csv", typed.tensor);
        if (!tensor) return tl::unexpected(in_file(tensor.error(), "-"));
        if (tensor->name.empty()) tensor->name = "-";
        return run_table(*tensor, typed, terminal);
    }
    if (!rows) return tl::unexpected(rows.error());
    const auto found = compare_numbers(*scene, *rows);
    if (!found) return tl::unexpected(found.error());
    const bool slipped = found->slipped(), known = found->matches || slipped;
    std::string output;
    if (typed.json) {
        output = line_of(Json{{"verdict", !known    ? "unknown"
                                          : slipped ? "slip"
                                                    : "right"},
                              {"answers", facts(found->answers, terminal.strings)}});
    } else {
        for (const Problem& answer : found->answers) output += terminal.strings.sentence(answer) + "\n";
    }
    return ended(output, known, slipped, "numbers.no_match", terminal);
}

// Keys of a cache, before and after; nothing where no shift explains them.
Result<std::optional<std::string>> steps_between(std::span<const StoredTensor> sides, const Typed& typed,
                                                 std::span<const Scene> scenes, const Strings& strings) {
    std::vector<Known> config;
    for (const Scene& scene : scenes)
        if (auto known = known_spectrum(scene, typed.config)) config.push_back(std::move(*known));
    const auto found = compare_steps(sides[0], sides[1], config, ui::known_spectra());
    if (!found) return tl::unexpected(found.error());
    if (!found->known) return std::nullopt;
    if (typed.json)
        return line_of(Json{{"verdict", "explained"}, {"answers", facts(found->answers, strings)}});
    std::string output;
    for (const Problem& answer : found->answers) output += strings.sentence(answer) + "\n";
    return output;
}

// Recognises the table that two dumps make together; without an answer where nothing known fits.
struct Together {
    StoredTensor table;
    Recognition found;
};
Together together(StoredTensor table, std::span<const Scene> config) {
    Recognition found = recognise(table, config, ui::known_spectra());
    return {std::move(table), std::move(found)};
}

Result<void> say(Together both, const Problem& how, const Typed& typed, const Terminal& terminal) {
    both.found.notes.insert(both.found.notes.begin(), how);
    return ended(typed.json ? json_of(both.table, both.found, terminal.strings)
                            : text_of(both.table, both.found, terminal.strings),
                 true, both.found.slipped(), "", terminal);
}

// cos and sin, q before and after rotation, keys of two steps, or the same from two programs, in the order in which they say
// most.
Result<void> run_two(const Typed& typed, const Terminal& terminal) {
    const Strings& strings = terminal.strings;
    std::vector<StoredTensor> sides;
    for (const std::string& path : {typed.table, typed.after}) {
        auto tensor = read_tensor(path, typed.tensor);
        if (!tensor) return tl::unexpected(tensor.error());
        tensor->name = path;
        sides.push_back(std::move(*tensor));
    }
    const auto config = scenes_of(typed.config, terminal);
    if (!config) return tl::unexpected(config.error());
    if (auto joined = joined_cache(sides[0], sides[1])) {
        Together both = together(std::move(*joined), *config);
        // Which of the two is cos is no slip.
        if (both.found.fits.empty() || both.found.slipped())
            if (Together swapped = together(*joined_cache(sides[1], sides[0]), *config);
                !swapped.found.fits.empty() && !swapped.found.slipped())
                both = std::move(swapped);
        if (!both.found.fits.empty()) return say(std::move(both), {"recognised.joined", {}}, typed, terminal);
    }
    if (auto rotation = rotation_between(sides[0], sides[1])) {
        const PairLayout layout = rotation->layout;
        Together both = together(std::move(rotation->turns), *config);
        if (std::any_of(config->begin(), config->end(),
                        [&](const Scene& scene) { return scene.layout != layout; }))
            for (Likeness& like : both.found.fits) like.slips.push_back({"slip.layout", {}});
        const bool halves = layout == PairLayout::halves;
        if (!both.found.fits.empty())
            return say(std::move(both),
                       {halves ? "recognised.rotated_halves" : "recognised.rotated_pairs", {}}, typed,
                       terminal);
    }
    std::vector<Recognition> found;
    for (const StoredTensor& side : sides) found.push_back(recognise(side, *config, ui::known_spectra()));
    const auto compared = compare_dumps(sides[0], sides[1]);
    if (found[0].fits.empty() && found[1].fits.empty()) {  // no tables
        const auto steps = steps_between(sides, typed, *config, strings);
        if (steps && *steps) return ended(**steps, true, false, "", terminal);
        if (!steps && !compared) return tl::unexpected(steps.error());
    }
    if (!compared) return tl::unexpected(compared.error());
    const bool slipped =
        compared->between || (compared->same ? found[0].slipped() : found[0].slipped() != found[1].slipped());
    std::vector<Problem> answers = compared->answers;
    if (compared->between) answers.push_back(*compared->between);
    std::string output;
    if (typed.json) {
        Json made{{"verdict", slipped          ? "slip"
                              : compared->same ? "same"
                                               : "unknown"},
                  {"answers", facts(answers, strings)},
                  {"sides", Json::array()}};
        for (std::size_t i = 0; i < sides.size(); ++i)
            made["sides"].push_back(Json::parse(json_of(sides[i], found[i], strings)));
        output = line_of(made);
    } else {
        for (const Problem& answer : answers) output += strings.sentence(answer) + "\n";
        const std::size_t shown = !compared->same ? sides.size() : slipped ? 1 : 0;  // of two alike one
        for (std::size_t i = 0; i < shown; ++i) output += text_of(sides[i], found[i], strings);
    }
    return ended(output, compared->same || slipped, slipped, "dumps.unexplained", terminal);
}

// Whole numbers may be position ids, too: they are where no table fits, and are said to be beside one that does.
Result<void> run(const Typed& typed, const IdsTyped& ids, const Terminal& terminal) {
    const bool whole = typed.tensor.empty() && are_whole_numbers(typed.table);
    if (whole && (!ids.mask.empty() || !ids.bounds.empty())) return run_ids(ids, terminal);
    const auto tensor = read_tensor(typed.table, typed.tensor);
    if (!tensor && whole) return run_ids(ids, terminal);
    if (!tensor) return tl::unexpected(tensor.error());
    const auto config = scenes_of(typed.config, terminal);
    if (!config) return tl::unexpected(config.error());
    Recognition found = recognise(*tensor, *config, ui::known_spectra());
    const auto policy = whole ? policy_of(ids) : std::nullopt;
    // Ids that follow a rule are no table with a slip.
    if (whole && (found.fits.empty() || (policy && found.slipped()))) return run_ids(ids, terminal);
    if (policy) found.notes.push_back({"ids.as_well", {{"answer", terminal.strings.sentence(*policy)}}});
    return said(*tensor, found, typed, terminal);
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "TABLE", typed->table, strings.text("option.check.table.help"), "");
    add_option(app, "AFTER", typed->after, strings.text("option.check.after.help"), "");
    add_option(app, "--tensor", typed->tensor, strings.text("option.check.tensor.help"), "NAME");
    add_option(app, "--config", typed->config, strings.text("option.check.config.help"), "NAME|config.json");
    add_flag(app, "--json", typed->json, strings.text("option.check.json.help"));
    auto ids = std::make_shared<IdsTyped>();
    add_ids_options(app, *ids, strings);
    return [typed, ids, &shared](const Terminal& terminal) -> Result<void> {
        ids->config = typed->config;
        ids->json = typed->json;
        if (!ids->ids.empty()) return run_ids(*ids, terminal);
        if (typed->table.empty())
            return refuse("usage.missing",
                          {{"place", "TABLE"}, {"choices", "FILE.npy, FILE.safetensors, -"}});
        if (typed->after.empty() && typed->table == "-") return run_input(*typed, shared, terminal);
        if (typed->after.empty() && is_config(typed->table))
            return run_config(typed->table, typed->json, terminal);
        const Patience patience(terminal);
        if (!typed->after.empty()) return run_two(*typed, terminal);
        ids->ids = typed->table;
        return run(*typed, *ids, terminal);
    };
}

}  // namespace
}  // namespace check_command

extern const Command kCheck{"check", check_command::add};

}  // namespace posiscope::commands
