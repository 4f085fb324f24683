#include "app/workbench/share/exports.hpp"

#include "app/platform/paths.hpp"
#include "core/formats/file.hpp"
#include "core/json.hpp"
#include "core/json_members.hpp"
#include "core/scene/source.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace posiscope::workbench {
namespace {

namespace fs = std::filesystem;

// The last line of output: progress, or the reason of a failure.
std::string_view last_line(std::string_view said) {
    while (said.ends_with('\n')) said.remove_suffix(1);
    return said.substr(said.rfind('\n') + 1);
}

// Reads {"done": 3, "count": 128}, as --progress writes it.
std::optional<panels::Running> progress_of(std::string_view line) {
    const auto json = parse_json(line);
    if (!json || !json->is_object()) return std::nullopt;
    const auto done = integer_at(*json, "done"), count = integer_at(*json, "count");
    if (!done || !count) return std::nullopt;
    return panels::Running{{}, *done, *count};
}

// The first of numbered files.
std::string first_of(std::string path) {
    if (const auto at = path.rfind("%04d"); at != std::string::npos) path.replace(at, 4, "0000");
    return path;
}

}  // namespace

Result<void> Exports::start(const Order& order) {
    if (process_.running()) return refuse("export.busy", {{"path", path_}});
    const std::string path = platform::from_home(order.path);
    std::error_code error;
    const std::string there = first_of(path);
    if (!order.replace && fs::exists(there, error) && !fs::is_directory(there, error))
        return taken("file.exists", {{"path", there}});
    std::vector<std::string> command{program_};
    for (const std::string& word : order.words) {
        const bool is_path = command.back() == "-o";
        command.push_back(is_path ? path : word);
    }
    if (!order.results.empty()) {
        forget_results();
        auto folder = platform::private_folder();
        if (!folder) return tl::unexpected(folder.error());
        handed_over_ = std::move(*folder);
        const fs::path results = handed_over_ / "results.json";
        if (auto written = write_file(results, order.results); !written) return written;
        // Behind an option of several values it would be one of them.
        command.insert(command.begin() + 2, results.string());
    }
    command.insert(command.end(), {"-s", platform::standard_input_path()});
    if (files_to_ask_for(order.scene).empty()) command.push_back("--allow-files");  // as in this window
    if (std::find(command.begin(), command.end(), "--over") != command.end()) command.push_back("--progress");
    if (const int failed =
            process_.start(command, platform::Process::Hear::errors, to_json(order.scene).dump());
        failed != 0)
        return failure("export.no_start", {{"reason", reason_of(failed)}});
    path_ = path;
    stopped_ = false;
    running_ = panels::Running{fs::path(path_).filename().string()};
    return {};
}

void Exports::forget_results() {
    std::error_code ignored;
    if (!handed_over_.empty()) fs::remove_all(std::exchange(handed_over_, {}), ignored);
}

void Exports::stop() {
    if (!process_.running()) return;
    stopped_ = true;
    process_.stop();
}

std::optional<Exports::Ended> Exports::follow() {
    if (auto ended = process_.take()) {
        running_.reset();
        forget_results();
        if (stopped_) return Ended{Ended::How::stopped, path_, {}};
        if (ended->well) return Ended{Ended::How::done, path_, {}};
        const std::string_view line = last_line(ended->said);
        return Ended{Ended::How::failed, path_, progress_of(line) ? std::string() : std::string(line)};
    }
    if (!process_.running()) return std::nullopt;
    const std::string said = process_.said(256);
    const auto whole =
        std::string_view(said).substr(0, said.rfind('\n') + 1);  // the last line may be incomplete
    if (const auto now = progress_of(last_line(whole))) {
        running_->done = now->done;
        running_->count = now->count;
    }
    return std::nullopt;
}

}  // namespace posiscope::workbench
