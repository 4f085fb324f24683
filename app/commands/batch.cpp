#include "app/commands/batch.hpp"

#include "app/commands/streams.hpp"
#include "app/platform/children.hpp"
#include "core/formats/file.hpp"
#include "core/os/processes.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <map>
#include <thread>

namespace posiscope::commands {
namespace {

constexpr int kMostJobs = 1024;

struct Job {
    std::string scene, output;
    std::vector<std::string> words;  // the command line, starting with the program
};

// The text that replaces %s.
std::string name_of(const Batch& batch, const std::string& scene, const std::string& setting) {
    std::string value = setting.substr(setting.find('=') + 1);
    std::replace(value.begin(), value.end(), '/', '_');
    if (batch.over.empty()) return std::filesystem::path(scene).stem().string();
    return batch.scenes.size() < 2 ? value : std::filesystem::path(scene).stem().string() + "-" + value;
}

// Every given option of the command except the output and the scenes.
void add_options(const CLI::App& app, const Batch& batch, std::vector<std::string>& words) {
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || name == "--output" || name == "--jobs" || name == "--lang" ||
            name == "SCENES" || name == "FILE" || (name == "--over" && !batch.over.empty()))
            continue;
        if (option->get_positional()) {
            for (const std::string& value : option->results()) words.push_back(value);
        } else if (option->get_expected_max() == 0) {
            for (const std::string& value : option->results()) words.push_back(name + "=" + value);
        } else {
            for (const std::string& value : option->results()) words.insert(words.end(), {name, value});
        }
    }
}

Result<std::vector<Job>> jobs_of(const CLI::App& app, const Batch& batch, const std::string& output,
                                 const Terminal& terminal) {
    if (!batch.over.empty() && batch.over.find('=') == std::string::npos)
        return refuse("usage.over_form", {{"value", batch.over}});
    if (output.find("%s") == std::string::npos)
        return batch.over.empty() ? refuse("usage.no_name",
                                           {{"count", std::to_string(batch.scenes.size())}, {"path", output}})
                                  : refuse("usage.no_value", {{"over", batch.over}, {"path", output}});
    std::vector<Job> jobs;
    std::map<std::string, std::string> writer;
    const auto scenes = batch.scenes.empty() ? std::vector<std::string>{""} : batch.scenes;
    for (const std::string& scene : scenes) {
        if (scene == "-" || (scenes.size() > 1 && link_of_word(scene)))
            return refuse("usage.no_file", {{"path", scene}});
        for (const std::string& setting : settings_of(batch.over)) {
            const std::string name = name_of(batch, scene, setting), of = scene.empty() ? setting : scene;
            Job job{of, output, {"posiscope", app.get_name()}};
            job.output.replace(output.find("%s"), 2, name);
            if (const auto [same, fresh] = writer.emplace(job.output, of); !fresh)
                return refuse("usage.same_name",
                              {{"first", same->second}, {"second", of}, {"path", job.output}});
            add_options(app, batch, job.words);
            if (app.get_parent() != nullptr) add_options(*app.get_parent(), batch, job.words);
            job.words.insert(job.words.end(),
                             {"--lang", std::string(code(terminal.strings.language())), "-o", job.output});
            if (!batch.over.empty()) job.words.insert(job.words.end(), {"--set", setting});
            if (!scene.empty()) job.words.push_back((scene.starts_with('-') ? "./" : "") + scene);
            jobs.push_back(std::move(job));
        }
    }
    return jobs;
}

}  // namespace

namespace {

// The places of a text that are in no bracket or quote and that `ends` a part.
template <class Ends>
std::vector<std::string> parts_of(std::string_view text, const Ends& ends) {
    std::vector<std::string> parts(1);
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') quoted = !quoted;
        if (c == '[' || c == '{' || c == '(') ++depth;
        if (c == ']' || c == '}' || c == ')') --depth;
        if (depth <= 0 && !quoted && ends(i)) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

// A text such as "base=500"; the == of a formula is no setting.
bool begins_a_setting(std::string_view text) {
    const auto equals = text.find('=');
    return equals != std::string_view::npos && equals > 0 && !text.substr(equals + 1).starts_with('=') &&
           std::ranges::all_of(text.substr(0, equals),
                               [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
}

}  // namespace

std::vector<std::string> settings_of(const std::string& over) {
    const std::string key = over.substr(0, over.find('=') + 1);
    const std::string_view values = std::string_view(over).substr(key.size());
    std::vector<std::string> settings = parts_of(values, [&](std::size_t i) { return values[i] == ','; });
    for (std::string& setting : settings) setting.insert(0, key);
    return settings;
}

std::vector<std::string> settings_in(std::string_view words) {
    return parts_of(words,
                    [&](std::size_t i) { return words[i] == ' ' && begins_a_setting(words.substr(i + 1)); });
}

std::pair<std::string, std::string> label_and_settings(const std::string& words) {
    const auto parts = parts_of(words, [&](std::size_t i) {
        return words[i] == ' ' && i > 0 && words[i - 1] == ':' &&
               begins_a_setting(std::string_view(words).substr(i + 1));
    });
    const std::string& last = parts.back();
    if (parts.size() > 1) return {words.substr(0, words.size() - last.size() - 2), last};
    // After a colon settings are meant, and refused as such.
    if (const auto colon = words.find(": "); colon != std::string::npos)
        return {words.substr(0, colon), words.substr(colon + 2)};
    return {words, words.find('=') != std::string::npos ? words : std::string()};
}

void Batch::add_to(CLI::App& app, const Strings& strings) {
    add_option(app, "SCENES", scenes, strings.text("option.scenes.help"), "");
    add_option(app, "--jobs", jobs, strings.text("option.jobs.help"), "N");
}

Result<void> Batch::checked() const {
    if (jobs >= 0 && jobs <= kMostJobs) return {};
    return refuse("value.range", {{"path", "--jobs"},
                                  {"value", std::to_string(jobs)},
                                  {"minimum", "0"},
                                  {"maximum", std::to_string(kMostJobs)}});
}

Result<Scene> Batch::scene(const SharedOptions& shared, const Terminal& terminal) const {
    if (scenes.empty()) return shared.scene(terminal);
    auto laid = read_scene(Scene(), scenes.front(), shared.unread());
    if (!laid) return tl::unexpected(laid.error());
    for (const Problem& adjusted : laid->adjusted) terminal.say(adjusted);
    return shared.scene(terminal, std::move(laid->scene));
}

Result<void> run_batch(const CLI::App& app, const Batch& batch, const std::string& output,
                       const Terminal& terminal) {
    if (auto good = batch.checked(); !good) return good;
    const auto jobs = jobs_of(app, batch, output, terminal);
    if (!jobs) return tl::unexpected(jobs.error());
    const auto most = static_cast<std::size_t>(
        batch.jobs > 0 ? batch.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));

    platform::Children children;
    std::map<int, const Job*> running;
    std::size_t begun = 0, ended = 0, failed = 0;
    const auto end = [&](const Job& job, bool done) {
        ++ended;
        if (!done) ++failed;
        if (done && terminal.quiet) return;
        const std::string line = terminal.strings.format(
            done ? "batch.done" : "batch.failed", fmt::arg("at", ended), fmt::arg("count", jobs->size()),
            fmt::arg("path", done ? job.output : job.scene));
        os::say_error(printable(line) + "\n");
    };
    while (ended < jobs->size()) {
        while (running.size() < most && begun < jobs->size()) {
            const Job& job = (*jobs)[begun++];
            if (const int child = children.start(job.words); child > 0) running.emplace(child, &job);
            else end(job, false);
        }
        if (running.empty()) continue;
        const auto done = children.wait();
        if (done.empty())
            return failure("batch.stopped",
                           {{"at", std::to_string(ended)}, {"count", std::to_string(jobs->size())}});
        for (const platform::Children::Ended& one : done) {
            end(*running.at(one.child), one.well);
            running.erase(one.child);
        }
    }
    if (failed == 0) return {};
    return failure("batch.some_failed",
                   {{"failed", std::to_string(failed)}, {"count", std::to_string(jobs->size())}});
}

}  // namespace posiscope::commands
