#include "app/workbench/document/open_files.hpp"

#include "app/platform/paths.hpp"
#include "app/workbench/document/preferences.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/json_members.hpp"
#include "core/os/files.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <array>

namespace posiscope::workbench {
namespace {

namespace fs = std::filesystem;

std::optional<fs::file_time_type> written(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? std::nullopt : std::optional(time);
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

// The files that a scene names: its table, its queries and its keys, its dumps; null where it names none.
using Named = std::array<const std::string*, 6>;
Named named_by(const Scene& scene) {
    const auto in = [](const Choice& choice, const char* key) {
        const auto found = choice.parameters.find(key);
        return found != choice.parameters.end() && found->is_string() ? &found->get_ref<const std::string&>()
                                                                      : nullptr;
    };
    Named named{in(scene.encoding, "table")};
    std::size_t at = 1;
    for (const char* key : stored_file_keys(scene.content.kind)) named.at(at++) = in(scene.content, key);
    if (const Json* dump = object_at(scene.view, "dump"))
        for (const char* key : {"file", "after"})
            if (const auto path = dump->find(key); path != dump->end())
                named.at(at++) = path->get_ptr<const std::string*>();
    return named;
}

// Drops cached values of these files, which may be older than the files.
void forget_files_of(const Scene& scene) {
    for (const std::string* path : named_by(scene)) {
        if (path == nullptr) continue;
        forget_table(*path);
        forget_stored(*path);
    }
}

// A pipe, or a socket, may never have a writer, and in the window nobody could end the wait.
Result<Opened> open_regular(const std::string& path, const Scene& present) {
    if (os::is_stream(path)) return failure("file.stream_in", {{"path", path}});
    return open_file(path, present);
}

}  // namespace

const Opened* Documents::show(std::size_t card) {
    at_ = card;
    watched_.clear();
    changed_.clear();
    tell();
    return &cards_[at_];
}

Documents::Opening Documents::adopt(std::vector<Opened> cards) {
    if (cards.empty()) return {};
    cards_ = std::move(cards);
    refused_.clear();
    follows_ = false;
    for (auto card = cards_.rbegin(); card != cards_.rend(); ++card) remember(card->path);
    return {show(0), {}};
}

void Documents::read(Read& files, const Scene& present) {
    std::vector<Opened>& cards = files.cards;
    // Weights belong to the config before them; those that come first, as a file manager may hand them over, to the next.
    const auto weights = [](const std::string& path) {
        return path.ends_with(".safetensors") || path.ends_with(".safetensors.index.json");
    };
    const auto array = [&](const std::string& path) {
        return weights(path) || path.ends_with(".npy") || path.ends_with(".npz") || path.ends_with(".pt");
    };
    std::vector<std::string> ordered = files.paths;
    const auto config = std::find_if_not(ordered.begin(), ordered.end(), array);
    if (config != ordered.end()) std::rotate(ordered.begin(), config, config + 1);
    // Two arrays may be one table, or q before and after rotation.
    const auto arrays = std::ranges::count_if(ordered, array);
    if (arrays == 2 && ordered.size() <= 3) {
        const std::string first = platform::from_home(ordered[ordered.size() - 2]),
                          second = platform::from_home(ordered.back());
        std::optional<Result<Opened>> settings;
        if (ordered.size() == 3) settings = open_regular(platform::from_home(ordered.front()), present);
        if (!settings || *settings)
            if (auto both = open_both(first, second, settings ? (*settings)->scene : present)) {
                cards.push_back(std::move(*both));
                return;
            }
    }
    for (const std::string& path : ordered) {
        const bool beside = array(path) && !cards.empty() && (weights(path) || config != ordered.end());
        auto opened = open_regular(platform::from_home(path), beside ? cards.back().scene : present);
        if (opened && beside && opened->scene.bench == "measured" && cards.size() == 1) {  // its config
            opened->origin.insert(opened->origin.begin(), cards.back().origin.begin(),
                                  cards.back().origin.end());
            cards.back() = std::move(*opened);
        } else if (opened) cards.push_back(std::move(*opened));
        else {
            files.refused.push_back(opened.error());
            files.last_refused = platform::from_home(path);
        }
    }
}

Documents::Opening Documents::open(Read read) {
    if (!read.last_refused.empty()) refused_ = std::move(read.last_refused);
    return {adopt(std::move(read.cards)).shown, std::move(read.refused)};
}

bool Documents::can_turn(int by) const {
    const auto next = static_cast<std::ptrdiff_t>(at_) + by;
    return next >= 0 && next < static_cast<std::ptrdiff_t>(cards_.size());
}

Documents::Opening Documents::turn(int by) {
    if (!can_turn(by)) return {};
    const auto card = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + by);
    forget_files_of(cards_[card].scene);
    return {show(card), {}};
}

bool Documents::can_reload(const Scene& present) const {
    const Named named = named_by(present);
    return !cards_.empty() || !refused_.empty() ||
           std::any_of(named.begin(), named.end(), [](const std::string* path) { return path != nullptr; });
}

Documents::Again Documents::begin_reload(const Scene& present) {
    // Changes made in the window stay if only a file that the scene names is new.
    const bool own = !cards_.empty() && (changed_.empty() || changed_ == cards_[at_].path);
    watched_.clear();
    changed_.clear();
    tell();
    Again again{.refused = refused_, .own = own ? cards_[at_].path : std::string()};
    for (const std::string* path : named_by(present))
        if (path != nullptr) again.named.push_back(*path);
    return again;
}

void Documents::read(Again& again, const Scene& present) {
    for (const std::string& path : again.named) {
        if (path != again.own) renew_table(path);
        forget_stored(path);
    }
    if (!again.refused.empty()) again.mended = open_regular(again.refused, present);
    if (!again.own.empty() && !(again.mended && *again.mended))
        again.opened = open_regular(again.own, present);
}

Documents::Opening Documents::end_reload(Again again) {
    if (again.mended && *again.mended) return adopt({std::move(**again.mended)});
    if (again.mended && cards_.empty()) return {nullptr, {again.mended->error()}};
    if (!again.opened || cards_.empty() || cards_[at_].path != again.own)
        return {};  // another was opened meanwhile
    if (!*again.opened) return {nullptr, {again.opened->error()}};
    cards_[at_] = std::move(**again.opened);
    return {show(at_), {}};
}

void Documents::allow(const std::string& path) {
    allow_table(path);
    remember(path);
}

Result<std::string> Documents::save(const Scene& scene, const std::string& given, bool replace) {
    const std::string path = platform::from_home(given);
    std::error_code error;
    if (!replace && fs::exists(path, error) && !fs::is_directory(path, error))
        return taken("file.exists", {{"path", path}});
    if (auto done = write_file(path, to_json(scene).dump(2) + "\n"); !done)
        return tl::unexpected(done.error());
    remember(fs::absolute(path, error).lexically_normal().string());
    return path;
}

void Documents::remember(const std::string& path) {
    std::erase(recent_, path);
    recent_.insert(recent_.begin(), path);
    if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

std::vector<panels::Recent> Documents::recent() const {
    std::vector<panels::Recent> found;
    for (const std::string& path : recent_) {
        std::error_code error;
        found.push_back({path, fs::exists(path, error)});
    }
    return found;
}

// A Scene may come from several files: the one that was opened, and those that it names.
void Documents::look(const Scene& present, double seconds) {
    if (seconds - looked_ < 1.0) return;
    looked_ = seconds;
    const Named named = named_by(present);
    std::array<const std::string*, std::tuple_size_v<Named> + 1> paths{cards_.empty() ? nullptr
                                                                                      : &cards_[at_].path};
    std::copy(named.begin(), named.end(), paths.begin() + 1);
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

void Documents::tell() {
    outside_ = {at_ + 1, cards_.size() > 1 ? cards_.size() : 0,
                cards_.empty() ? std::string() : name_of(cards_[at_].path), name_of(changed_)};
}

}  // namespace posiscope::workbench
