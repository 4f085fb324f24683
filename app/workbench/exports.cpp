#include "app/workbench/exports.hpp"

#include "app/workbench/files.hpp"
#include "core/formats/file.hpp"

#include <algorithm>
#include <charconv>

namespace posiscope::workbench {
namespace {

namespace fs = std::filesystem;

// What was said last: progress is written over itself, and the reason of a failure is the last line.
std::string_view last_line(std::string_view said) {
    while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.remove_suffix(1);
    const auto before = said.find_last_of("\r\n");
    return before == std::string_view::npos ? said : said.substr(before + 1);
}

// "picture 3 of 128", in whatever language: its first two numbers.
float part_of(std::string_view text) {
    double found[2] = {0.0, 0.0};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (double& number : found) {
        while (at < end && (*at < '0' || *at > '9')) ++at;
        at = std::from_chars(at, end, number).ptr;
    }
    return found[1] > 0.0 ? static_cast<float>(std::min(1.0, found[0] / found[1])) : -1.0F;
}

// The first file of numbered ones.
std::string first_of(std::string path) {
    if (const auto at = path.rfind("%04d"); at != std::string::npos) path.replace(at, 4, "0000");
    return path;
}

}  // namespace

Result<void> Exports::start(const Requests::Export& asked) {
    if (process_.running()) return refuse("export.busy", {{"path", path_}});
    const std::string path = from_home(asked.target.path);
    std::error_code error;
    const std::string there = first_of(path);
    if (!asked.target.replace && fs::exists(there, error) && !fs::is_directory(there, error))
        return taken("file.exists", {{"path", there}});
    std::vector<std::string> command{program_};
    for (const std::string& word : asked.words) {
        const bool is_path = command.back() == "-o";
        command.push_back(is_path ? path : word);
    }
    command.insert(command.end(), {"-s", "/dev/stdin"});
    if (std::find(command.begin(), command.end(), "--over") != command.end()) command.push_back("--progress");
    if (const int failed =
            process_.start(command, platform::Process::Hear::errors, to_json(asked.scene).dump());
        failed != 0)
        return refuse("export.no_start", {{"reason", reason_of(failed)}});
    path_ = path;
    stopped_ = false;
    return {};
}

void Exports::tell() {
    const std::string said = process_.said(256);
    const std::string_view last = last_line(said);
    const float part = part_of(last);
    bench_.set_running(
        Running{fs::path(path_).filename().string(), part >= 0.0F ? std::string(last) : "", part});
}

void Exports::end(const platform::Process::Ended& ended) {
    bench_.set_running({});
    if (stopped_) return bench_.say({"export.stopped", {{"path", path_}}}, Workbench::Tone::note);
    if (!ended.well) {
        const std::string_view reason = last_line(ended.said);
        if (reason.empty()) return bench_.say(Problem{"export.failed", {{"path", path_}}});
        return bench_.say(std::string(reason), Workbench::Tone::bad);
    }
    bench_.say(bench_.strings().format("toast.saved", fmt::arg("path", path_)), Workbench::Tone::good);
}

void Exports::serve(const Requests& requests) {
    if (requests.export_now) bench_.export_answered(start(*requests.export_now));
    if (requests.stop_export && process_.running()) {
        stopped_ = true;
        process_.stop();
    }
    if (const auto ended = process_.take()) end(*ended);
    else if (process_.running()) tell();
}

}  // namespace posiscope::workbench
