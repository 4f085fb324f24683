// experiment.cpp — posiscope experiment [--preset NAME] [--task back …] [-o OUT.{json,csv,npy}]: small Transformers trained
// on this machine, one for each encoding and seed; or, of a file of results, what it says. Finished runs are kept while the
// others are made, also after Ctrl C, and --resume FILE makes those that are missing. --shard 3/20 makes every 20th run from the third on, and `experiment merge`
// puts the files of all shards together.
// The same settings give the same bits on the same set of instructions, however many run side by side. Progress goes to
// standard error; with -o, a table of what was measured goes to standard output.
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "app/export/png.hpp"
#include "app/platform/interruption.hpp"
#include "app/platform/paths.hpp"
#include "app/platform/process.hpp"
#include "app/workbench/document/store.hpp"
#include "core/encodings/own.hpp"
#include "core/experiment/results.hpp"
#include "core/formats/atomic_file.hpp"
#include "core/formats/file.hpp"
#include "core/json_members.hpp"
#include "core/os/files.hpp"
#include "core/os/processes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <span>
#include <thread>

namespace posiscope::commands {
namespace experiment_command {
namespace {

namespace ex = experiment;

constexpr std::int64_t kMostJobs = 256;
constexpr std::array<std::string_view, 3> kEndings = {".json", ".csv", ".npy"};
constexpr std::string_view kMerge = "merge";

struct Typed {
    std::vector<std::string> words;  // a file of results, or "merge" and several
    std::string preset, resume, output, shard;
    std::vector<std::string> values;  // of each of settings_parameters(), as typed
    std::optional<std::int64_t> jobs;
    bool progress = false;

    bool merges() const { return !words.empty() && words.front() == kMerge; }
    // The files of results to read instead of training.
    std::span<const std::string> results() const { return std::span(words).subspan(merges() ? 1 : 0); }
    bool trains() const { return words.empty(); }
};

const std::string& output_of(const Typed& typed) {
    return typed.output.empty() ? typed.resume : typed.output;
}

// "3/20", of so many runs.
Result<ex::Share> share_of(const std::string& shard, std::size_t runs) {
    if (shard.empty()) return ex::Share{};
    ex::Share share;
    const char* const end = shard.data() + shard.size();
    const auto index = std::from_chars(shard.data(), end, share.index);
    if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/')
        return refuse("experiment.shard_form", {{"value", shard}});
    const auto count = std::from_chars(index.ptr + 1, end, share.count);
    if (count.ec != std::errc() || count.ptr != end)
        return refuse("experiment.shard_form", {{"value", shard}});
    if (share.count < 1 || share.count > runs || share.index < 1 || share.index > share.count)
        return refuse("experiment.shard", {{"value", shard}, {"runs", std::to_string(runs)}});
    return share;
}

// A value as its kind reads it: a list has commas, a text is taken as it is, the rest is JSON.
Result<Json> value_of(const Parameter& parameter, const std::string& typed) {
    using Kind = Parameter::Kind;
    if (parameter.kind == Kind::choice || parameter.kind == Kind::text) return Json(typed);
    if (parameter.kind == Kind::list) {
        Json list = Json::array();
        for (std::size_t first = 0; first <= typed.size();) {
            const std::size_t end = std::min(typed.find(',', first), typed.size());
            if (end > first) list.push_back(typed.substr(first, end - first));
            first = end + 1;
        }
        return list;
    }
    auto value = parse_json(typed);
    return value ? std::move(*value) : Json(typed);  // the check that follows names the kind it should have
}

bool is_own(const Json& listed) {
    return listed.is_string() && posiscope::is_own(listed.get_ref<const std::string&>());
}

constexpr std::string_view kOwnFile = "own:";

// "own:FILE" of --encodings: the typed encoding of that scene, with its label or else the file's name.
Result<Json> entry_in_file(const std::string& path, const SharedOptions& shared, const Terminal& terminal) {
    auto laid = read_scene(Scene(), path, shared.unread());
    if (!laid) return tl::unexpected(laid.error());
    for (const Problem& adjusted : laid->adjusted) terminal.say(adjusted);
    Choice& encoding = laid->scene.encoding;
    if (!posiscope::is_own(encoding.kind))
        return refuse("experiment.not_own", {{"path", path}, {"encoding", encoding.kind}});
    if (text_at(encoding.parameters, "label").empty())
        if (std::string name = std::filesystem::path(path).stem().string();
            own_label_fits(name) && is_utf8(name))
            encoding.parameters["label"] = std::move(name);
    Json value = encoding.parameters;
    value["kind"] = encoding.kind;
    return ex::entry_from(value, "encoding").map(ex::json_of).map_error([&](Problem why) {
        return in_file(std::move(why), path);
    });
}

// Whether "own" is in --encodings: that is the Scene's typed encoding.
bool takes_scene(const Typed& typed) {
    const auto parameters = ex::settings_parameters();
    for (std::size_t at = 0; at < parameters.size(); ++at)
        if (parameters[at].key == "encodings")
            if (const auto list = value_of(parameters[at], typed.values[at]))
                return std::any_of(list->begin(), list->end(), is_own);
    return false;
}

Result<ex::Settings> settings_of(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    Json given = Json::object();
    if (!typed.preset.empty()) {
        const ex::Preset* preset = ex::find_preset(typed.preset);
        if (preset == nullptr) {
            std::vector<std::string_view> names;
            for (const ex::Preset& known : ex::presets()) names.push_back(known.name);
            return tl::unexpected(not_one_of("--preset", typed.preset, names));
        }
        given = ex::to_json(preset->settings);
    }
    const auto parameters = ex::settings_parameters();
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        if (typed.values[at].empty()) continue;
        // Another task takes its own number of steps.
        if (parameters[at].key == "task") given.erase("steps");
        auto value = value_of(parameters[at], typed.values[at]);
        if (!value) return tl::unexpected(value.error());
        given[std::string(parameters[at].key)] = std::move(*value);
    }
    for (Json& one : given["encodings"]) {  // null where none are given, as null is the default
        if (!one.is_string() || !one.get_ref<const std::string&>().starts_with(kOwnFile)) continue;
        auto entry =
            entry_in_file(one.get_ref<const std::string&>().substr(kOwnFile.size()), shared, terminal);
        if (!entry) return tl::unexpected(entry.error());
        one = std::move(*entry);
    }
    if (takes_scene(typed)) {
        const auto scene = shared.scene(terminal);
        if (!scene) return tl::unexpected(scene.error());
        if (const auto entry = ex::entry_of(scene->encoding))
            for (Json& one : given["encodings"])
                if (is_own(one)) one = ex::json_of(*entry);
    }
    return ex::settings_from(given, "");
}

int jobs_of(const Typed& typed) {
    return static_cast<int>(
        typed.jobs.value_or(std::max<std::int64_t>(std::thread::hardware_concurrency(), 1)));
}

std::size_t runs_of(const ex::Settings& settings) {
    return settings.encodings.size() * static_cast<std::size_t>(settings.seeds);
}

// The runs of the share that are among the results.
std::size_t finished_of(const ex::Results& results, ex::Share share) {
    std::size_t place = 0, finished = 0;
    for (std::int64_t seed = 1; seed <= results.settings.seeds; ++seed)
        for (const std::string& encoding : results.settings.encodings)
            if (share.has(place++) && results.run(encoding, static_cast<std::uint64_t>(seed)) != nullptr)
                ++finished;
    return finished;
}

std::size_t runs_of(const ex::Settings& settings, ex::Share share) {
    return (runs_of(settings) - share.index) / share.count + 1;
}

// All runs, or, after an interruption, those that were finished. `finished` is called with them now and then.
ex::Results train(const ex::Settings& settings, const ex::Results& before, ex::Share share,
                  const Typed& typed, const Terminal& terminal,
                  std::function<void(const ex::Results&)> finished) {
    const bool watched = typed.progress || (platform::somebody_watches() && !terminal.quiet);
    const platform::Interruption interruption;
    const auto tell = [&](const ex::RunProgress& at) {
        if (watched)
            os::say_error(
                "\r\x1b[K" +
                terminal.strings.format("experiment.progress", fmt::arg("finished", at.finished),
                                        fmt::arg("runs", runs_of(settings, share)),
                                        fmt::arg("encoding", ex::label_of(settings.encodings, at.encoding)),
                                        fmt::arg("seed", at.seed), fmt::arg("step", at.step),
                                        fmt::arg("steps", settings.steps)));
    };
    ex::Results results = ex::run_all(
        settings, jobs_of(typed),
        {.told = tell, .ended = [&] { return interruption.asked(); }, .finished = std::move(finished)},
        before, share);
    if (watched) os::say_error("\n");
    return results;
}

std::string cell(const ex::Spread& at) {
    if (at.seeds == 0) return "–";
    // Nothing under three seeds is called a mean.
    return at.seeds < 3 ? fmt::format("{:.2f}…{:.2f}", at.least, at.most)
                        : fmt::format("{:.2f} ±{:.2f}", at.mean, at.deviation);
}

// "own: bias = -s*log(1+abs(D)); s = 1 -> 0.43 ±0.02": what was typed, and what its learned numbers came to over the seeds.
std::string formulas(const ex::Results& results, const std::string& encoding) {
    const Json typed = ex::json_of(encoding);
    std::string text;
    const auto add = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{} = {}", text.empty() ? ": " : "; ", name, value);
    };
    for (const OwnSlot& slot : own_slots())
        if (typed.contains(slot.key)) add(slot.key, typed.at(slot.key).get_ref<const std::string&>());
    const Json values = typed.value("values", Json::object());
    for (const auto& value : values.items()) {
        const auto learned = ex::learned_spread(results, encoding, value.key());
        add(value.key(), learned.seeds == 0 ? value.value().dump()
                                            : fmt::format("{} -> {}", value.value().dump(), cell(learned)));
    }
    return ex::label_of(results.settings.encodings, encoding) + printable(text);
}

// The measured values, one encoding a line, as in a note: the trained length, then each multiple of it.
std::string table(const ex::Results& results, const Strings& strings) {
    const ex::Settings& settings = results.settings;
    const ex::Task& task = ex::task_of(settings);
    std::string text = strings.format("experiment.table.head", fmt::arg("task", settings.task),
                                      fmt::arg("length", settings.length), fmt::arg("seeds", settings.seeds),
                                      fmt::arg("instructions", results.instructions));
    text += '\n';
    const std::string_view kind =
        strings.text(settings.seeds < 3 ? "experiment.table.range" : "experiment.table.mean");
    text += task.scored_in_nats() ? strings.format("experiment.table.nats", fmt::arg("spread", kind))
                                  : strings.format("experiment.table.accuracy", fmt::arg("spread", kind),
                                                   fmt::arg("chance", task.chance));
    text += fmt::format("\n{:<20}", "");
    for (std::size_t column = 0; column < ex::column_count(settings); ++column) {
        const auto first = static_cast<std::int64_t>(column) * settings.length;
        const std::int64_t last = std::min(first + settings.length, settings.tested) - 1;
        text += fmt::format("{:>14}", column == 0 ? std::string(strings.text("experiment.table.trained"))
                                                  : fmt::format("{}–{}", first, last));
    }
    for (const std::string& encoding : settings.encodings)
        for (const ex::Scaling scaling : ex::scalings_of(encoding)) {
            const std::string label = ex::label_of(settings.encodings, encoding);
            const std::string name =
                scaling == ex::Scaling::none ? label : fmt::format("{}+{}", label, ex::scaling_name(scaling));
            text += fmt::format("\n{:<20}", name);
            for (std::size_t column = 0; column < ex::column_count(settings); ++column)
                text += fmt::format("{:>14}", cell(ex::spread(results, encoding, scaling, column)));
        }
    for (const std::string& encoding : settings.encodings)
        if (ex::is_typed(encoding)) text += "\n" + formulas(results, encoding);
    return text + "\n" +
           strings.format("experiment.table.columns", fmt::arg("first", settings.length / 2),
                          fmt::arg("last", settings.length - 1)) +
           "\n";
}

// A file of results, or an image that holds them.
Result<ex::Results> read(const std::string& path) {
    auto text =
        std::filesystem::path(path).extension() == ".png" ? exporting::results_in_png(path) : read_file(path);
    return text.and_then([&](const std::string& found) -> Result<ex::Results> {
        if (found.empty()) return tl::unexpected(in_file(Problem{"experiment.not_results", {}}, path));
        return ex::results_from(found).map_error(
            [&](Problem problem) { return in_file(std::move(problem), path); });
    });
}

// The results of the files together. Each may be read alone; several are merged.
Result<ex::Results> read_all(std::span<const std::string> paths) {
    auto results = read(paths.front());
    for (const std::string& path : paths.subspan(1)) {
        if (!results) return results;
        const auto more = read(path);
        if (!more) return tl::unexpected(more.error());
        if (auto merged = ex::merge(*results, *more); !merged)
            return tl::unexpected(in_file(merged.error(), path));
    }
    return results;
}

Result<void> write(std::string_view ending, const ex::Results& results, FileWriter& file) {
    const auto written =
        ex::write_results(results, ending, [&](std::string_view bytes) { file.write(bytes); });
    return written ? file.commit() : written;
}

std::string word(const std::string& path) {
    return path.find_first_of(" \t\n'\"$&()*;<>?[]\\`{|}~") == std::string::npos ? path : "'" + path + "'";
}

// The file for finished runs, which --resume reads: the output, or a new one beside it where numbers alone would not say which
// runs they are of; empty where the output is no file.
std::string kept_at(const std::string& output, const std::string& resume) {
    if (is_standard_output(output) || output.starts_with("/dev/") || os::is_stream(output)) return {};
    if (std::filesystem::path(output).extension() == ".json") return output;
    std::string beside = output + ".json";
    for (int n = 2; beside != resume && std::filesystem::exists(beside); ++n)
        beside = fmt::format("{}-{}.json", output, n);
    return beside;
}

// `shared`: others may go on with that file too; the runs that it has by now are taken into `results`.
Result<void> keep(ex::Results& results, const std::string& path, bool shared) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const FolderLock lock(folder.empty() ? "." : folder);
    auto there = shared ? read(path) : tl::unexpected(Problem());
    if (there) {
        std::erase_if(there->runs,
                      [&](const ex::Run& run) { return results.run(run.encoding, run.seed) != nullptr; });
        if (auto merged = ex::merge(results, *there); !merged)
            return tl::unexpected(in_file(merged.error(), path));
    }
    return write_file(path, ex::to_text(results));
}

std::string go_on(ex::Share share, const std::string& words) {
    return fmt::format("posiscope experiment {}--resume {}",
                       share.count == 1 ? "" : fmt::format("--shard {}/{} ", share.index, share.count),
                       words);
}

// Results that cannot be written where they were wanted are kept where the program has its own files.
Result<void> kept_elsewhere(const ex::Results& results, ex::Share share, const Problem& why,
                            const Terminal& terminal) {
    const std::filesystem::path state = platform::user_folders().state;
    std::string name = "experiment-1.json";
    for (int n = 2; std::filesystem::exists(state / name); ++n) name = fmt::format("experiment-{}.json", n);
    const auto path = workbench::keep_log(state, name, ex::to_text(results));
    if (!path) return tl::unexpected(why);
    terminal.say_error(why);
    return failure("experiment.elsewhere",
                   {{"path", path->string()}, {"command", go_on(share, word(path->string()) + " -o FILE")}});
}

// Keeps the runs that are finished, and says how to go on.
Result<void> stopped(ex::Results& results, ex::Share share, const Typed& typed, const std::string& kept,
                     FileWriter* file) {
    const ProblemValues counts = {{"finished", std::to_string(finished_of(results, share))},
                                  {"runs", std::to_string(runs_of(results.settings, share))}};
    const auto told = [&](const char* key, const std::string& path,
                          const std::string& command) -> Result<void> {
        ProblemValues values = counts;
        values.insert(values.end(), {{"path", path}, {"command", go_on(share, command)}});
        return failure(key, std::move(values));
    };
    const std::string& output = output_of(typed);
    if (kept.empty()) {
        FileWriter out = FileWriter::standard_output();
        if (auto written = write(".json", results, file != nullptr ? *file : out); !written) return written;
        return told("experiment.stopped_out", output, "FILE");
    }
    if (auto written = keep(results, kept, kept == typed.resume); !written) return written;
    return told("experiment.stopped", kept, word(kept) + (kept == output ? "" : " -o " + word(output)));
}

// An experiment has its own settings: a Scene's would change nothing; nor would any to results that are there.
std::optional<Problem> unused(const SharedOptions& shared, const Typed& typed) {
    for (const std::vector<std::string>* given : {&shared.settings, &shared.scenes})
        if (!given->empty() && !takes_scene(typed))
            return Problem{"experiment.no_scene", {{"value", given->front()}}};
    if (!shared.model.empty()) return Problem{"experiment.no_scene", {{"value", shared.model}}};
    if (!typed.merges() && typed.words.size() > 1)
        return Problem{"usage.extra", {{"value", typed.words[1]}, {"command", "posiscope experiment"}}};
    if (typed.trains() && typed.resume.empty()) return std::nullopt;
    const auto without_effect = [&](std::string option) {
        return Problem{
            "usage.unused",
            {{"option", std::move(option)}, {"other", typed.trains() ? "--resume" : typed.words.front()}}};
    };
    if (!typed.trains() && !typed.resume.empty()) return without_effect("--resume");
    if (!typed.preset.empty()) return without_effect("--preset");
    if (typed.jobs && !typed.trains()) return without_effect("--jobs");
    if (!typed.shard.empty() && !typed.trains()) return without_effect("--shard");
    const auto parameters = ex::settings_parameters();
    for (std::size_t at = 0; at < parameters.size(); ++at)
        if (!typed.values[at].empty()) return without_effect(fmt::format("--{}", parameters[at].key));
    return std::nullopt;
}

Result<void> run(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    if (auto problem = unused(shared, typed)) return tl::unexpected(std::move(*problem));
    if (const std::int64_t jobs = typed.jobs.value_or(1); jobs < 1 || jobs > kMostJobs)
        return refuse("value.range", {{"path", "--jobs"},
                                      {"value", std::to_string(jobs)},
                                      {"minimum", "1"},
                                      {"maximum", std::to_string(kMostJobs)}});
    const std::string& output = output_of(typed);
    const std::string ending = output_ending(output, ".json");
    if (!output.starts_with("/dev/") && std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end())
        return refuse("output.ending", {{"path", output}, {"choices", joined(kEndings)}});
    if (typed.merges() && typed.results().empty())
        return refuse("usage.missing", {{"place", "RESULTS"}, {"choices", "part-1.json part-2.json"}});
    const bool given = !typed.trains() || !typed.resume.empty();
    Result<ex::Results> results;
    if (given) {
        results = typed.trains() ? read(typed.resume) : read_all(typed.results());
        if (!results) return tl::unexpected(results.error());
    }
    const auto settings =
        given ? Result<ex::Settings>(results->settings) : settings_of(typed, shared, terminal);
    if (!settings) return tl::unexpected(settings.error());
    const auto share = share_of(typed.shard, runs_of(*settings));
    if (!share) return tl::unexpected(share.error());
    // Opened first: nobody waits for numbers that cannot be put anywhere.
    std::optional<FileWriter> file;
    if (!is_standard_output(output)) {
        auto opened = FileWriter::open(output);
        if (!opened) return tl::unexpected(opened.error());
        file.emplace(std::move(*opened));
    }
    const std::string kept = typed.trains() ? kept_at(output, typed.resume) : std::string();
    if (typed.trains()) {
        results = train(*settings, *results, *share, typed, terminal, [&](ex::Results finished) {
            if (!kept.empty()) (void)keep(finished, kept, kept == typed.resume);  // the last one says why not
        });
        if (finished_of(*results, *share) < runs_of(*settings, *share)) {
            if (terminal.exit != nullptr) *terminal.exit = Exit::interrupted;
            if (results->runs.empty()) return failure("experiment.nothing_finished");
            auto told = stopped(*results, *share, typed, kept, file ? &*file : nullptr);
            if (told.error().key.starts_with("experiment.stopped")) return told;
            return kept_elsewhere(*results, *share, told.error(), terminal);
        }
    }
    FileWriter out = FileWriter::standard_output();
    const bool numbers = !output.empty() || typed.trains();  // of what is there else the table alone
    if (numbers) {
        const auto written = !kept.empty() && kept == output ? keep(*results, kept, kept == typed.resume)
                                                             : write(ending, *results, file ? *file : out);
        if (!written && typed.trains()) return kept_elsewhere(*results, *share, written.error(), terminal);
        if (!written) return written;
        if (!kept.empty() && kept != output && kept != typed.resume) std::filesystem::remove(kept);
    }
    if (file || !numbers) {
        out.write(table(*results, terminal.strings));
        if (auto written = out.commit(); !written) return written;
    }
    if (!typed.merges() || results->runs.size() == runs_of(*settings)) return {};
    return failure("experiment.merged_part", {{"finished", std::to_string(results->runs.size())},
                                              {"runs", std::to_string(runs_of(*settings))}});
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    const auto help = [&](std::string_view name) {
        return std::string(strings.text(fmt::format("option.experiment.{}.help", name)));
    };
    const auto parameters = ex::settings_parameters();
    typed->values.resize(parameters.size());
    add_option(app, "RESULTS", typed->words, help("results"), "");
    add_option(app, "--preset", typed->preset, help("preset"), "NAME");
    for (std::size_t at = 0; at < parameters.size(); ++at)
        add_option(app, fmt::format("--{}", parameters[at].key).c_str(), typed->values[at],
                   help(parameters[at].key), "");
    add_option(app, "--resume", typed->resume, help("resume"), "FILE");
    add_option(app, "--shard", typed->shard, help("shard"), "I/N");
    add_option(app, "--jobs", typed->jobs, help("jobs"), "N");
    add_option(app, "-o,--output", typed->output, help("output"), "OUT");
    add_flag(app, "--progress", typed->progress, help("progress"));
    return [typed, &shared](const Terminal& terminal) { return run(*typed, shared, terminal); };
}

}  // namespace
}  // namespace experiment_command

extern const Command kExperiment{"experiment", experiment_command::add};

}  // namespace posiscope::commands
