#include "app/workbench/files.hpp"

#include "core/formats/file.hpp"
#include "core/formats/table.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace posiscope::workbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecent = 8;

std::optional<fs::file_time_type> written(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? std::nullopt : std::optional(time);
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

const std::string* table_path(const Scene& scene) {
    const auto found = scene.encoding.parameters.find("table");
    return found != scene.encoding.parameters.end() && found->is_string()
               ? &found->get_ref<const std::string&>()
               : nullptr;
}

}  // namespace

std::string from_home(const std::string& path) {
    const char* home = std::getenv("HOME");
    return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

void Files::adopt(std::vector<Opened> cards) {
    cards_ = std::move(cards);
    at_ = 0;
    for (auto card = cards_.rbegin(); card != cards_.rend(); ++card) remember(card->path);
    if (!cards_.empty()) bench_.set_origin(cards_[0].origin);
    tell();
}

void Files::remember(const std::string& path) {
    auto& recent = bench_.preferences().recent;
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

void Files::show(std::size_t card) {
    at_ = card;
    const Opened& opened = cards_[at_];
    bench_.open(opened.scene);
    bench_.set_origin(opened.origin);
    for (const Problem& adjusted : opened.adjusted) bench_.say(adjusted, Workbench::Tone::note);
    bench_.forget_derived();
    watched_.clear();
    changed_.clear();
    tell();
}

Result<void> Files::try_open(std::span<const std::string> paths) {
    std::vector<Opened> cards;
    std::optional<Problem> last;
    for (const std::string& path : paths) {
        auto opened = open_file(from_home(path), bench_.scene());
        if (opened) {
            cards.push_back(std::move(*opened));
            continue;
        }
        if (last) bench_.say(*last);
        last = opened.error();
    }
    if (!cards.empty()) {
        cards_ = std::move(cards);
        for (auto card = cards_.rbegin(); card != cards_.rend(); ++card) remember(card->path);
        show(0);
    }
    if (last) return tl::unexpected(std::move(*last));
    return {};
}

void Files::open(std::span<const std::string> paths) {
    if (auto opened = try_open(paths); !opened) bench_.say(opened.error());
}

Result<void> Files::save(const Requests::Target& target) {
    const std::string path = from_home(target.path);
    std::error_code error;
    if (!target.replace && fs::exists(path, error) && !fs::is_directory(path, error))
        return taken("file.exists", {{"path", path}});
    auto done = write_file(path, to_json(bench_.scene()).dump(2) + "\n");
    if (!done) return done;
    remember(fs::absolute(path, error).lexically_normal().string());
    bench_.say(bench_.strings().format("toast.saved", fmt::arg("path", path)), Workbench::Tone::good);
    return {};
}

void Files::turn(int by) {
    const auto next = static_cast<std::ptrdiff_t>(at_) + by;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(cards_.size())) show(static_cast<std::size_t>(next));
}

void Files::reload() {
    if (const std::string* table = table_path(bench_.scene())) forget_table(*table);
    bench_.forget_derived();
    watched_.clear();
    changed_.clear();
    tell();
    if (cards_.empty()) return;
    auto again = open_file(cards_[at_].path, bench_.scene());
    if (!again) return bench_.say(again.error());
    // A table or a config is laid over what is shown: only a scene file shows what stands in it.
    cards_[at_] = std::move(*again);
    show(at_);
}

// What is shown may come from two files: the one that was opened, and the table that its scene names.
void Files::look() {
    std::array<const std::string*, 2> paths{cards_.empty() ? nullptr : &cards_[at_].path,
                                            table_path(bench_.scene())};
    std::erase_if(watched_, [&](const Watched& w) {
        return std::none_of(paths.begin(), paths.end(),
                            [&](const std::string* path) { return path != nullptr && *path == w.path; });
    });
    for (const std::string* path : paths) {
        if (path == nullptr) continue;
        const auto known =
            std::find_if(watched_.begin(), watched_.end(), [&](const Watched& w) { return w.path == *path; });
        const auto now = written(*path);
        if (known == watched_.end()) watched_.push_back({*path, now});
        else if (now && now != known->written && changed_ != *path) {  // one that is gone is not offered
            known->written = now;
            changed_ = *path;
            tell();
        }
    }
}

void Files::tell() {
    bench_.set_outside({at_ + 1, cards_.size() > 1 ? cards_.size() : 0,
                        cards_.empty() ? std::string() : name_of(cards_[at_].path), name_of(changed_)});
}

void Files::serve(const Requests& requests, double seconds) {
    if (!requests.open_files.empty()) {
        if (requests.typed) bench_.path_answered(try_open(requests.open_files));
        else open(requests.open_files);
    }
    if (requests.save_scene) {
        auto saved = save(*requests.save_scene);
        if (requests.typed) bench_.path_answered(saved);
        else if (!saved) bench_.say(saved.error());
    }
    if (requests.turn_page != 0) turn(requests.turn_page);
    if (requests.reload) reload();
    if (seconds - looked_ >= 1.0) {
        looked_ = seconds;
        look();
    }
}

}  // namespace posiscope::workbench
