// experiment.cpp — posiscope experiment [--preset NAME] [--task back …] [-o OUT.{json,csv,npy}]: small Transformers trained
// on this machine, one for each encoding and seed; or, of a file of results, what it says. Ctrl C writes the runs that are
// finished, and --resume FILE makes the others.
// The same settings give the same bits on the same set of instructions, however many run side by side. Progress goes to
// standard error; with -o, a table of what was measured goes to standard output.
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/export/png.hpp"
#include "app/platform/interruption.hpp"
#include "app/platform/process.hpp"
#include "core/experiment/results.hpp"
#include "core/formats/file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace posiscope::commands {
namespace {

namespace ex = experiment;

constexpr std::int64_t kMostJobs = 256;
constexpr std::array<std::string_view, 3> kEndings = {".json", ".csv", ".npy"};

struct Typed {
    std::string results, preset, resume, output;
    std::vector<std::string> values;  // of each of settings_parameters(), as typed
    std::optional<std::int64_t> jobs;
    bool progress = false;
};

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

Result<ex::Settings> settings_of(const Typed& typed) {
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
    return ex::settings_from(given, "");
}

int jobs_of(const Typed& typed) {
    return static_cast<int>(
        typed.jobs.value_or(std::max<std::int64_t>(std::thread::hardware_concurrency(), 1)));
}

std::size_t runs_of(const ex::Settings& settings) {
    return settings.encodings.size() * static_cast<std::size_t>(settings.seeds);
}

// All runs, or, after an interruption, those that were finished.
ex::Results train(const ex::Settings& settings, const ex::Results& before, const Typed& typed,
                  const Terminal& terminal) {
    const bool watched = typed.progress || platform::somebody_watches();
    const platform::Interruption interruption;
    const auto tell = [&](const ex::RunProgress& at) {
        if (watched)
            std::fprintf(stderr, "\r\x1b[K%s",
                         terminal.strings
                             .format("experiment.progress", fmt::arg("finished", at.finished),
                                     fmt::arg("runs", runs_of(settings)), fmt::arg("encoding", at.encoding),
                                     fmt::arg("seed", at.seed), fmt::arg("step", at.step),
                                     fmt::arg("steps", settings.steps))
                             .c_str());
    };
    ex::Results results = ex::run_all(settings, jobs_of(typed),
                                      {.told = tell, .ended = [&] { return interruption.asked(); }}, before);
    if (watched) std::fputc('\n', stderr);
    return results;
}

std::string cell(const ex::Spread& at) {
    if (at.seeds == 0) return "–";
    // Nothing under three seeds is called a mean.
    return at.seeds < 3 ? fmt::format("{:.2f}…{:.2f}", at.least, at.most)
                        : fmt::format("{:.2f} ±{:.2f}", at.mean, at.deviation);
}

// What was measured, one encoding a line, as in a note: the trained length, then each length of it that follows.
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
            const std::string name = scaling == ex::Scaling::none
                                         ? encoding
                                         : fmt::format("{}+{}", encoding, ex::scaling_name(scaling));
            text += fmt::format("\n{:<20}", name);
            for (std::size_t column = 0; column < ex::column_count(settings); ++column)
                text += fmt::format("{:>14}", cell(ex::spread(results, encoding, scaling, column)));
        }
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

Result<void> write(std::string_view ending, const ex::Results& results, FileWriter& file) {
    const auto written =
        ex::write_results(results, ending, [&](std::string_view bytes) { file.write(bytes); });
    return written ? file.commit() : written;
}

std::string word(const std::string& path) {
    return path.find_first_of(" \t\n'\"$&()*;<>?[]\\`{|}~") == std::string::npos ? path : "'" + path + "'";
}

// Keeps the runs that are finished, as a file that --resume reads, and says how to go on.
Result<void> stopped(const ex::Results& results, const std::string& output, FileWriter* file) {
    const ProblemValues counts = {{"finished", std::to_string(results.runs.size())},
                                  {"runs", std::to_string(runs_of(results.settings))}};
    const auto told = [&](const char* key, const std::string& path, std::string command) -> Result<void> {
        ProblemValues values = counts;
        values.insert(values.end(),
                      {{"path", path}, {"command", "posiscope experiment --resume " + std::move(command)}});
        return failure(key, std::move(values));
    };
    if (file == nullptr || output.starts_with("/dev/")) {
        FileWriter out = FileWriter::standard_output();
        if (auto written = write(".json", results, file != nullptr ? *file : out); !written) return written;
        return told("experiment.stopped_out", output, "FILE");
    }
    if (std::filesystem::path(output).extension() == ".json") {
        if (auto written = write(".json", results, *file); !written) return written;
        return told("experiment.stopped", output, word(output));
    }
    const std::string beside = output + ".json";  // numbers alone would not say which runs they are of
    if (auto written = write_file(beside, ex::to_text(results)); !written) return written;
    return told("experiment.stopped", beside, word(beside) + " -o " + word(output));
}

// An experiment has settings of its own: a Scene's would change nothing; nor would any to results that are there.
std::optional<Problem> unused(const SharedOptions& shared, const Typed& typed) {
    for (const std::vector<std::string>* given : {&shared.settings, &shared.scenes})
        if (!given->empty()) return Problem{"experiment.no_scene", {{"value", given->front()}}};
    if (!shared.model.empty()) return Problem{"experiment.no_scene", {{"value", shared.model}}};
    if (typed.results.empty() && typed.resume.empty()) return std::nullopt;
    const auto without_effect = [&](std::string option) {
        return Problem{
            "usage.unused",
            {{"option", std::move(option)}, {"other", typed.results.empty() ? "--resume" : typed.results}}};
    };
    if (!typed.results.empty() && !typed.resume.empty()) return without_effect("--resume");
    if (!typed.preset.empty()) return without_effect("--preset");
    if (typed.jobs && !typed.results.empty()) return without_effect("--jobs");
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
    const std::string& output = typed.output.empty() ? typed.resume : typed.output;
    const std::string ending = output.empty() ? ".json" : std::filesystem::path(output).extension().string();
    if (!output.starts_with("/dev/") && std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end())
        return refuse("output.ending", {{"path", output}, {"choices", joined(kEndings)}});
    const std::string& given = typed.results.empty() ? typed.resume : typed.results;
    Result<ex::Results> results;
    if (!given.empty()) {
        results = read(given);
        if (!results) return tl::unexpected(results.error());
    }
    const auto settings = given.empty() ? settings_of(typed) : Result<ex::Settings>(results->settings);
    if (!settings) return tl::unexpected(settings.error());
    // Opened first: nobody waits for numbers that cannot be put anywhere.
    std::optional<FileWriter> file;
    if (!output.empty()) {
        auto opened = FileWriter::open(output);
        if (!opened) return tl::unexpected(opened.error());
        file.emplace(std::move(*opened));
    }
    bool whole = true;
    if (typed.results.empty()) {
        results = train(*settings, *results, typed, terminal);
        whole = results->runs.size() == runs_of(*settings);
        if (results->runs.empty()) return failure("experiment.nothing_finished");
    }
    if (!whole) return stopped(*results, output, file ? &*file : nullptr);
    FileWriter out = FileWriter::standard_output();
    if (file || typed.results.empty())
        if (auto written = write(ending, *results, file ? *file : out); !written) return written;
    if (!file && typed.results.empty()) return {};
    out.write(table(*results, terminal.strings));
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    const auto help = [&](std::string_view name) {
        return std::string(strings.text(fmt::format("option.experiment.{}.help", name)));
    };
    const auto parameters = ex::settings_parameters();
    typed->values.resize(parameters.size());
    add_option(app, "RESULTS", typed->results, help("results"), "");
    add_option(app, "--preset", typed->preset, help("preset"), "NAME");
    for (std::size_t at = 0; at < parameters.size(); ++at)
        add_option(app, fmt::format("--{}", parameters[at].key).c_str(), typed->values[at],
                   help(parameters[at].key), "");
    add_option(app, "--resume", typed->resume, help("resume"), "FILE");
    add_option(app, "--jobs", typed->jobs, help("jobs"), "N");
    add_option(app, "-o,--output", typed->output, help("output"), "OUT");
    add_flag(app, "--progress", typed->progress, help("progress"));
    return [typed, &shared](const Terminal& terminal) { return run(*typed, shared, terminal); };
}

}  // namespace

extern const Command kExperiment{"experiment", add};

}  // namespace posiscope::commands
