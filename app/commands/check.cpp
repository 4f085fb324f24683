// check.cpp — posiscope check FILE...: what dumped arrays are, measured, and what is wrong with them (core/measure); what the
// settings of a config.json do (check_config.cpp); which rule position ids follow (ids.cpp). Two arrays are taken together: cos
// and sin, q before and after rotation, keys of two steps, or the same of two programs. More files are checked one after
// another, and the worst exit code counts. With - as the file, an array on standard input, or a few numbers there.
#include "app/commands/checks.hpp"
#include "app/commands/command.hpp"
#include "app/commands/still_computing.hpp"
#include "app/commands/streams.hpp"
#include "app/ui/known.hpp"
#include "core/formats/file.hpp"
#include "core/measure/compare.hpp"
#include "core/measure/dumps.hpp"
#include "core/measure/numbers.hpp"
#include "core/measure/report.hpp"
#include "core/measure/steps.hpp"
#include "core/os/files.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace posiscope::commands {

Exit worse(Exit a, Exit b) {
    static constexpr Exit order[] = {Exit::done, Exit::noise,  Exit::failed,
                                     Exit::slip, Exit::unread, Exit::usage};
    return std::max(a, b,
                    [](Exit x, Exit y) { return std::ranges::find(order, x) < std::ranges::find(order, y); });
}

namespace check_command {
namespace {

using measuring::Verdict;

constexpr std::string_view kKinds[] = {"table", "cos-sin", "rotation", "cache"};

struct Typed {
    std::vector<std::string> files;
    std::string tensor, config, layer, axes, as;
    std::vector<double> tolerance;
    bool json = false;
    IdsTyped ids;
};

// Everything that arrays are held against.
struct Against {
    References references;
    std::vector<measuring::Reference> known;  // where no config says what a table should be
    std::vector<std::vector<double>> ids;

    measuring::Wanted wanted(const Typed& typed) const {
        measuring::Wanted made;
        made.references = references.list;
        made.family = references.family;
        made.known = known;
        made.ids = ids;
        made.axes = typed.axes;
        made.beside = typed.json;
        if (!typed.tolerance.empty()) made.tolerance = typed.tolerance[0];
        if (typed.tolerance.size() > 1) made.relative = typed.tolerance[1];
        return made;
    }
};

Outcome unread(Problem why) {
    // An array that has to be named is a word that is missing.
    const bool word = why.key == "tensor.which" || why.key == "tensor.name";
    return {word ? Exit::usage : Exit::unread,
            {},
            Json{{"kind", "check"}, {"version", kCheckRecord}, {"verdict", "unread"}},
            std::move(why)};
}

Result<Against> against(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    Against made;
    SharedOptions asked = shared;
    const bool number = typed.layer.find_first_not_of("0123456789") == std::string::npos;
    if (!typed.layer.empty()) {
        if (typed.config.empty())
            return refuse("usage.missing", {{"place", "--config"}, {"choices", "--config config.json"}});
        asked.settings.push_back(fmt::format("encoding.{}={}", number ? "layer" : "layer_type", typed.layer));
    }
    auto references = references_for(typed.config, asked, terminal);
    if (!references) return tl::unexpected(references.error());
    made.references = std::move(*references);
    // Layers that are all alike have no kind to name.
    if (!number && std::ranges::none_of(made.references.list, [&](const measuring::Reference& reference) {
            return reference.kind == typed.layer;
        }))
        return refuse("usage.unused",
                      {{"option", "--layer " + typed.layer}, {"other", "--config " + typed.config}});
    if (made.references.list.empty()) made.known = ui::known_spectra();
    auto ids = row_ids(typed.ids);
    if (!ids) return tl::unexpected(ids.error());
    made.ids = std::move(*ids);
    return made;
}

Result<measuring::Report> measured(const StoredTensor& tensor, const Typed& typed, const Against& with) {
    return measuring::report_on_all(std::span(&tensor, 1), with.wanted(typed), with.references.scenes);
}

Result<Outcome> check_table(const StoredTensor& tensor, const Typed& typed, const Against& with,
                            const Terminal& terminal) {
    auto report = measured(tensor, typed, with);
    if (!report) return tl::unexpected(report.error());
    return outcome_of(*report, terminal.strings, with.known.empty());
}

// A few numbers held against the Scene.
Result<Outcome> check_numbers(std::span<const measuring::TypedRow> rows, const SharedOptions& shared,
                              const Terminal& terminal) {
    const auto scene = shared.scene(terminal);
    if (!scene) return tl::unexpected(scene.error());
    const auto found = measuring::compare_numbers(*scene, rows);
    if (!found) return tl::unexpected(found.error());
    const bool wrong = found->slipped(), known = found->matches || wrong;
    Outcome made{wrong ? Exit::slip : known ? Exit::done : Exit::failed, {}, {}, {}};
    made.record = Json{{"kind", "check"},
                       {"version", kCheckRecord},
                       {"verdict", wrong   ? "wrong"
                                   : known ? "right"
                                           : "unknown"},
                       {"answers", facts(found->answers, terminal.strings)}};
    for (const Problem& answer : found->answers) made.text += terminal.strings.sentence(answer) + "\n";
    if (!known) made.why = Problem{"numbers.no_match", {}};
    return made;
}

// Keys of a cache, before and after; nothing where no shift explains them. Rows that are equal tell the story of one only where
// a cache is meant.
Result<std::optional<Outcome>> check_steps(std::span<const StoredTensor> sides, const Typed& typed,
                                           const Against& with, const Strings& strings) {
    const std::vector<measuring::Reference> known = with.known.empty() ? ui::known_spectra() : with.known;
    for (const StoredTensor& side : sides)
        if (auto problem = measuring::unfit(side, with.wanted(typed)))
            return tl::unexpected(std::move(*problem));
    auto found = measuring::compare_steps(sides[0], sides[1], with.references.list, known, typed.axes);
    if (!found) return tl::unexpected(found.error());
    const bool told = found->turned || typed.as == "cache" || (typed.as.empty() && sides[0].shape.size() > 2);
    if (!found->known || !told) return std::nullopt;
    // Frequencies of no config, where one was given.
    const bool wrong = found->turned && !found->given && !with.references.list.empty();
    if (wrong) {
        const measuring::Reference& config = with.references.list.front();
        const bool halves = config.layout == PairLayout::halves;
        found->answers.push_back(
            {halves ? "keys.expected_halves" : "keys.expected_interleaved",
             {{"spectrum", config.words}, {"pairs", fmt::format("{}", config.pairs())}}});
    }
    Outcome made{wrong ? Exit::slip : Exit::done, {}, {}, {}};
    made.record = Json{{"kind", "check"},
                       {"version", kCheckRecord},
                       {"verdict", wrong ? "wrong" : "explained"},
                       {"answers", facts(found->answers, strings)}};
    for (const Problem& answer : found->answers) made.text += strings.sentence(answer) + "\n";
    return made;
}

// The first pair that two tables should turn by different angles.
std::optional<Problem> part_in(const measuring::Measured& first, const measuring::Measured& second) {
    for (std::size_t i = 0; i < std::min(first.pairs.size(), second.pairs.size()); ++i) {
        const double a = first.pairs[i].expected, b = second.pairs[i].expected;
        if (a > 0.0 && b > 0.0 && std::abs(a - b) > 1e-6 * a)
            return Problem{"dumps.two_tables",
                           {{"pair", fmt::format("{}", i)},
                            {"first", fmt::format("{:.6g}", a)},
                            {"second", fmt::format("{:.6g}", b)}}};
    }
    return std::nullopt;
}

// The same from two programs, if neither more is known of them.
Result<Outcome> check_dumps(std::span<const StoredTensor> sides, const Typed& typed, const Against& with,
                            const Strings& strings) {
    std::vector<measuring::Report> found;
    for (const StoredTensor& side : sides) {
        measuring::Wanted wanted = with.wanted(typed);
        wanted.beside = true;  // with every pair
        auto report = measuring::report_on_all(std::span(&side, 1), wanted, with.references.scenes);
        if (!report) return tl::unexpected(report.error());
        found.push_back(std::move(*report));
    }
    auto compared = measuring::compare_dumps(sides[0], sides[1]);
    // A change of all numbers is said before where the first matrices part.
    if (auto change = measuring::change_of(sides[0], sides[1])) {
        if (!compared) compared = measuring::DumpsCompared{};
        compared->same = false;
        compared->between = std::move(change);
    }
    const auto is = [&](std::size_t side, Verdict verdict) {
        return found[side].measured.verdict == verdict;
    };
    if (is(0, Verdict::unknown) && is(1, Verdict::unknown) &&
        !(compared && compared->between)) {  // no tables
        auto steps = check_steps(sides, typed, with, strings);
        if (steps && *steps) return std::move(**steps);
        if (!steps && !compared) return tl::unexpected(steps.error());
    }
    // Two that are right, at most but for noise, are one table, however they are written, unless their pairs turn otherwise.
    const auto known = [&](std::size_t side) { return is(side, Verdict::right) || is(side, Verdict::noisy); };
    const bool both = known(0) && known(1);
    const auto parted = both ? part_in(found[0].measured, found[1].measured) : std::nullopt;
    const bool right = is(0, Verdict::right) && is(1, Verdict::right) && !parted;
    const bool noisy = both && !parted && !right;
    if (!compared && !both) return tl::unexpected(compared.error());
    // If two differ and one is right, the other is wrong.
    const bool differ =
        compared && !compared->same && !noisy && (is(0, Verdict::right) || is(1, Verdict::right));
    const bool wrong = is(0, Verdict::wrong) || is(1, Verdict::wrong) || parted ||
                       (((compared && compared->between) || differ) && !right);
    std::vector<Problem> answers;
    if (compared) {
        answers = compared->answers;
        if (compared->between) answers.push_back(*compared->between);
    }
    if (right) answers.push_back({"dumps.both_right", {}});
    if (parted) answers.push_back(*parted);
    const bool same = right || (compared && compared->same && !noisy);
    Outcome made{wrong ? Exit::slip : same ? Exit::done : noisy ? Exit::noise : Exit::failed, {}, {}, {}};
    made.record = Json{{"kind", "check"},
                       {"version", kCheckRecord},
                       {"verdict", wrong   ? "wrong"
                                   : same  ? "right"
                                   : noisy ? "noisy"
                                           : "unknown"},
                       {"answers", facts(answers, strings)},
                       {"sides", Json::array()}};
    for (const Problem& answer : answers) made.text += strings.sentence(answer) + "\n";
    for (const measuring::Report& one : found) {
        made.record["sides"].push_back(record_of(one, strings));
        if (one.measured.verdict != Verdict::unknown) made.text += text_of(one, strings);
    }
    if (made.exit == Exit::failed) made.why = Problem{"dumps.unexplained", {}};
    return made;
}

Result<Outcome> check_both(std::span<const StoredTensor> sides, const Typed& typed, const Against& with,
                           const Terminal& terminal) {
    const Strings& strings = terminal.strings;
    const measuring::Wanted wanted = with.wanted(typed);
    const bool cache = typed.as == "cache";
    // Without a config a rotation is one that a known model has.
    if (cache || (typed.as == "rotation" && with.references.list.empty())) {
        auto steps = check_steps(sides, typed, with, strings);
        if (!steps) return tl::unexpected(steps.error());
        if (*steps) return std::move(**steps);
        return Outcome{Exit::failed,
                       {},
                       Json{{"kind", "check"}, {"version", kCheckRecord}, {"verdict", "unknown"}},
                       cache ? Problem{"keys.unrelated", {}} : Problem{"check.not_as", {{"as", typed.as}}}};
    }
    const auto together = typed.as == "rotation"  ? measuring::Together::rotation
                          : typed.as == "cos-sin" ? measuring::Together::table
                                                  : measuring::Together::either;
    if (const auto both = measuring::report_on_both(sides[0], sides[1], wanted, together))
        return outcome_of(*both, strings, with.known.empty());
    if (!typed.as.empty())
        return Outcome{Exit::failed,
                       {},
                       Json{{"kind", "check"}, {"version", kCheckRecord}, {"verdict", "unknown"}},
                       Problem{"check.not_as", {{"as", typed.as}}}};
    return check_dumps(sides, typed, with, strings);
}

// A pipe can be read once, and whole.
bool is_input(const std::string& path) { return path == "-" || os::is_stream(path); }
constexpr std::uint64_t kMostBytes = std::uint64_t{192} << 20;  // kept whole, beside its arrays

// By its beginning: a pipe may hold millions of numbers.
bool is_binary(std::string_view bytes) {
    constexpr std::size_t kLooked = 4096;
    bytes = bytes.substr(0, kLooked);
    for (int i = 0; i < 3 && bytes.size() > 3 && static_cast<unsigned char>(bytes.back()) >= 0x80; ++i)
        bytes.remove_suffix(1);  // of a letter that is cut
    return !is_utf8(bytes) || bytes.find('\0') != std::string::npos;
}

Result<std::vector<StoredTensor>> arrays_in(std::string_view bytes, const std::string& path,
                                            const std::string& name) {
    const bool safetensors = bytes.size() > 8 && bytes[8] == '{';
    auto made = tensors_in(bytes, !is_binary(bytes) ? ".csv" : safetensors ? ".safetensors" : "", name);
    if (!made) return tl::unexpected(in_file(made.error(), path));
    for (StoredTensor& one : *made)
        if (one.name.empty()) one.name = path;
    return made;
}

Result<std::vector<StoredTensor>> arrays_of_file(const std::string& path, const std::string& name) {
    if (!is_input(path)) {
        auto made = read_tensors(path, name);
        if (!made) return tl::unexpected(in_file(made.error(), path));
        return made;
    }
    const auto bytes = read_input(path, kMostBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return arrays_in(*bytes, path, name);
}

// One array, or two that belong together.
Result<Outcome> check_arrays(std::span<const StoredTensor> arrays, const Typed& typed, const Against& with,
                             const Terminal& terminal) {
    if (arrays.size() == 1) return check_table(arrays.front(), typed, with, terminal);
    const bool lists =
        std::ranges::all_of(arrays, [](const StoredTensor& one) { return one.shape.size() == 1; });
    if (!lists && typed.as != "table") return check_both(arrays, typed, with, terminal);
    Outcome made;  // the lists of a .gguf
    for (const StoredTensor& one : arrays) {
        auto outcome = check_table(one, typed, with, terminal);
        if (!outcome) return outcome;
        made.exit = worse(made.exit, outcome->exit);
        made.text += outcome->text;
        made.record.push_back(std::move(outcome->record));
        if (outcome->why) made.why = outcome->why;
    }
    return made;
}

// Whole numbers may be position ids, too: they are where no table fits, and are said to be beside one that does.
Result<Outcome> check_file(const std::string& path, const Typed& typed, const Against& with,
                           const Terminal& terminal) {
    IdsTyped ids = typed.ids;
    ids.ids = path;
    const bool whole = typed.tensor.empty() && typed.ids.ids.empty() && are_whole_numbers(path);
    if (whole && (!ids.mask.empty() || !ids.bounds.empty())) return check_ids(ids, terminal);
    const auto arrays = arrays_of_file(path, typed.tensor);
    if (!arrays) return whole ? check_ids(ids, terminal) : unread(arrays.error());
    if (!whole || arrays->size() > 1) return check_arrays(*arrays, typed, with, terminal);
    auto report = measured(arrays->front(), typed, with);
    if (!report) return tl::unexpected(report.error());
    const auto policy = policy_of(ids);
    // Ids that follow a rule are no table with a fault.
    const Verdict verdict = report->measured.verdict;
    if (verdict == Verdict::unknown || (policy && verdict != Verdict::right)) return check_ids(ids, terminal);
    if (policy) report->notes.push_back({"ids.as_well", {{"answer", terminal.strings.sentence(*policy)}}});
    return outcome_of(*report, terminal.strings, with.known.empty());
}

// An array on standard input or in a pipe, or a few numbers there.
Result<Outcome> check_input(const std::string& path, const Typed& typed, const SharedOptions& shared,
                            const Against& with, const Terminal& terminal) {
    const auto text = read_input(path, kMostBytes);
    if (!text) return unread(text.error());
    constexpr std::size_t kMostTyped = 1 << 16;  // bytes
    const auto rows = text->size() > kMostTyped || is_binary(*text)
                          ? Result<std::vector<measuring::TypedRow>>(refuse("numbers.many"))
                          : measuring::typed_numbers(*text);
    const bool object = text->find_first_not_of(" \t\r\n") == text->find('{');
    const bool many = object || (!rows && rows.error().key == "numbers.many");
    if (!many && typed.tensor.empty() && typed.config.empty())
        return rows ? check_numbers(*rows, shared, terminal) : tl::unexpected(rows.error());
    const auto arrays = arrays_in(*text, path, typed.tensor);
    return arrays ? check_arrays(*arrays, typed, with, terminal) : unread(arrays.error());
}

Result<Outcome> check_pair(const Typed& typed, const Against& with, const Terminal& terminal) {
    std::vector<StoredTensor> sides;
    for (const std::string& path : typed.files) {
        // A file with two arrays needs the name of one.
        if (is_input(path)) {
            auto arrays = arrays_of_file(path, typed.tensor);
            if (!arrays) return unread(arrays.error());
            if (arrays->size() > 1) {
                const std::string names = fmt::format("{}, {}", arrays->front().name, arrays->back().name);
                return unread(in_file(Problem{"tensor.which", {{"names", names}}}, path));
            }
            sides.push_back(std::move(arrays->front()));
        } else {
            auto tensor = read_tensor(path, typed.tensor);
            if (!tensor) return unread(in_file(tensor.error(), path));
            sides.push_back(std::move(*tensor));
        }
        sides.back().name = path;
    }
    return check_both(sides, typed, with, terminal);
}

// Lists have their sentences in each entry.
Json with_text(const Outcome& outcome) {
    Json made = outcome.record;
    if (made.is_object()) made["text"] = outcome.text;
    return made;
}

Result<void> print(const std::vector<Outcome>& outcomes, const Typed& typed, const Terminal& terminal) {
    std::string output;
    Exit exit = Exit::done;
    for (const Outcome& one : outcomes) {
        exit = worse(exit, one.exit);
        if (terminal.quiet) continue;  // the exit code is the answer
        if (typed.json) output += one.record.is_null() ? "" : line_of(with_text(one));
        else output += (output.empty() || one.text.empty() ? "" : "\n") + one.text;
    }
    if (!output.empty()) {
        FileWriter out = FileWriter::standard_output();
        out.write(output);
        if (auto written = out.commit(); !written) return written;
    }
    for (const Outcome& one : outcomes)
        if (one.why && (one.exit == Exit::unread || one.exit == Exit::usage)) terminal.say_error(*one.why);
        else if (one.why) terminal.say(*one.why);
    if (terminal.exit != nullptr) *terminal.exit = exit;
    return {};
}

Result<void> run(Typed typed, const SharedOptions& shared, const Terminal& terminal) {
    typed.ids.config = typed.config;
    if (!typed.as.empty() && std::ranges::find(kKinds, typed.as) == std::end(kKinds))
        return tl::unexpected(not_one_of("--as", typed.as, kKinds));
    if (typed.tolerance.size() > 2 ||
        std::ranges::any_of(typed.tolerance, [](double t) { return !(t >= 0.0); }))
        return refuse("check.tolerance");
    if (auto problem = measuring::unknown_axes(typed.axes)) return tl::unexpected(std::move(*problem));
    std::vector<Outcome> outcomes;
    // A file that cannot be read ends the check of that one.
    const auto take = [&](Result<Outcome> one) -> Result<void> {
        if (!one && one.error().cause != Cause::failure) return tl::unexpected(one.error());
        outcomes.push_back(one ? std::move(*one) : unread(one.error()));
        return {};
    };
    if (typed.files.empty()) {
        if (typed.ids.ids.empty())
            return refuse("usage.missing", {{"place", "FILE"}, {"choices", "FILE.npy, FILE.safetensors, -"}});
        if (auto taken = take(check_ids(typed.ids, terminal)); !taken) return taken;
        return print(outcomes, typed, terminal);
    }
    const StillComputing notice(terminal);
    const auto part = shared.model_part();
    if (!part) return tl::unexpected(part.error());
    std::vector<std::string> arrays;
    for (const std::string& path : typed.files) {
        if (is_input(path) || !is_config(path)) {
            arrays.push_back(path);
            continue;
        }
        if (auto taken = take(check_config(path, *part, terminal)); !taken) return taken;
    }
    // A config is checked by itself.
    const std::pair<std::string_view, bool> unused[] = {
        {"--config", !typed.config.empty()},  {"--set", !shared.settings.empty()},
        {"-s", !shared.scenes.empty()},       {"--model", !shared.model.empty()},
        {"--preset", !shared.preset.empty()}, {"--as", !typed.as.empty()},
        {"--axes", !typed.axes.empty()},      {"--layer", !typed.layer.empty()},
        {"--tensor", !typed.tensor.empty()},  {"--tolerance", !typed.tolerance.empty()}};
    for (const auto& [option, given] : unused)
        if (arrays.empty() && given)
            return refuse("usage.unused", {{"option", std::string(option)}, {"other", typed.files.front()}});
    if (!arrays.empty()) {
        const auto with = against(typed, shared, terminal);
        if (!with) {
            if (auto taken = take(tl::unexpected(with.error())); !taken) return taken;
            return print(outcomes, typed, terminal);
        }
        if (typed.files.size() == 2 && arrays.size() == 2 && typed.as != "table") {
            if (auto taken = take(check_pair(typed, *with, terminal)); !taken) return taken;
        } else {
            for (const std::string& path : arrays)
                if (auto taken = take(is_input(path) ? check_input(path, typed, shared, *with, terminal)
                                                     : check_file(path, typed, *with, terminal));
                    !taken)
                    return taken;
        }
    }
    return print(outcomes, typed, terminal);
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    add_option(app, "FILE", typed->files, strings.text("option.check.file.help"), "");
    add_option(app, "--config", typed->config, strings.text("option.check.config.help"), "NAME|config.json");
    add_option(app, "--layer", typed->layer, strings.text("option.check.layer.help"), "NUMBER|KIND");
    add_option(app, "--tensor", typed->tensor, strings.text("option.check.tensor.help"), "NAME");
    add_option(app, "--as", typed->as, strings.text("option.check.as.help"), "table|cos-sin|rotation|cache");
    add_option(app, "--axes", typed->axes, strings.text("option.check.axes.help"), "AXES");
    add_option(app, "--tolerance", typed->tolerance, strings.text("option.check.tolerance.help"),
               "ABSOLUTE[,RELATIVE]");
    add_ids_options(app, typed->ids, strings);
    add_flag(app, "--json", typed->json, strings.text("option.check.json.help"));
    return
        [typed, &shared](const Terminal& terminal) -> Result<void> { return run(*typed, shared, terminal); };
}

}  // namespace
}  // namespace check_command

extern const Command kCheck{"check", check_command::add};

Json facts(const Problem& problem, const Strings& strings) {
    Json made{{"name", problem.key.substr(problem.key.find('.') + 1)},
              {"sentence", strings.sentence(problem)}};
    for (const auto& [name, value] : problem.values) made["values"][name] = value;
    return made;
}

Json facts(std::span<const Problem> problems, const Strings& strings) {
    Json made = Json::array();
    for (const Problem& one : problems) made.push_back(facts(one, strings));
    return made;
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace posiscope::commands
