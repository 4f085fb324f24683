#include "core/scene/source.hpp"

#include "core/encodings/own.hpp"
#include "core/formats/table.hpp"
#include "core/json_members.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

// The paths in {"encoding": {"table": path, "frequency": path, …}, "content": {"query": path, "key": path}, "view": {"dump":
// {"file": path, "after": path}}}; null where there is none.
constexpr std::size_t kFiles = 13;
template <class AnyJson>
auto files_in(AnyJson& scene) {
    using Text = std::conditional_t<std::is_const_v<AnyJson>, const std::string, std::string>;
    const auto inner = [](AnyJson* json, const char* key) -> AnyJson* {
        if (json == nullptr || !json->is_object()) return nullptr;
        const auto found = json->find(key);
        return found == json->end() ? nullptr : &*found;
    };
    const auto text = [](AnyJson* json) {
        return json != nullptr && json->is_string() ? json->template get_ptr<Text*>()
                                                    : static_cast<Text*>(nullptr);
    };
    AnyJson* const content = inner(&scene, "content");
    const AnyJson* const kind = inner(content, "kind");
    std::array<Text*, kFiles> found{text(inner(inner(&scene, "encoding"), "table"))};
    // Paths in `vectors` are lists; a partial content without a kind is refused later.
    if (kind != nullptr && kind->is_string()) {
        std::size_t at = 1;
        for (const char* key : stored_file_keys(kind->template get_ref<const std::string&>()))
            found.at(at++) = text(inner(content, key));
    }
    std::size_t at = kFiles;
    for (const char* key : {"file", "after"})
        found.at(--at) = text(inner(inner(inner(&scene, "view"), "dump"), key));
    for (const OwnSlot& slot : own_slots())
        if (auto* const path = text(inner(inner(&scene, "encoding"), slot.key.data()));
            path != nullptr && own_names_file(*path))
            found.at(--at) = path;
    return found;
}

// Every file that a partial Scene names, in the Scenes inside it too.
template <class Visit>
void each_file(Json& partial, Visit visit) {
    if (!partial.is_object()) return;
    for (std::string* path : files_in(partial))
        if (path != nullptr && !path->empty()) visit(*path);
    if (const auto b = partial.find("compare"); b != partial.end()) each_file(*b, visit);
    if (const auto trained = partial.find("trained"); trained != partial.end() && trained->is_object())
        if (const auto scene = trained->find("scene"); scene != trained->end()) each_file(*scene, visit);
}

bool lies_in(const fs::path& folder, const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::canonical(folder, error);
    if (error) return false;
    const fs::path file = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error) return false;
    return std::mismatch(whole.begin(), whole.end(), file.begin(), file.end()).first == whole.end();
}

}  // namespace

Source Source::file(const fs::path& path) {
    std::error_code error;
    // A file read through a descriptor has no folder, whatever it is redirected from.
    const std::string name = path.string();
    const bool descriptor = name.starts_with("/dev/") || name.starts_with("/proc/");
    if (descriptor || !fs::is_regular_file(path, error)) return anywhere();
    const fs::path folder = path.parent_path();
    return {folder.empty() ? fs::path(".") : folder, false};
}

Result<void> admit(Json& partial, const Source& source) {
    Result<void> outcome;
    each_file(partial, [&](std::string& path) {
        std::error_code error;
        if (!source.folder.empty() && fs::path(path).is_relative())
            if (const fs::path beside = source.folder / path; fs::exists(beside, error))
                path = beside.string();
        if (source.trusted || (!source.folder.empty() && lies_in(source.folder, path))) allow_table(path);
        else if (!table_allowed(path) && outcome) outcome = failure("file.not_allowed", {{"path", path}});
    });
    return outcome;
}

void name_from_here(Json& partial) {
    std::error_code error;
    const fs::path here = fs::current_path(error);
    if (error) return;
    each_file(partial, [&](std::string& path) {
        if (fs::path(path).parent_path() == here) path = fs::path(path).filename().string();
    });
}

void FilesToAsk::add(const std::string& path) {
    const auto same = [&](const std::string* one) { return *one == path; };
    if (count_ < paths_.size() && std::none_of(begin(), end(), same)) paths_[count_++] = &path;
}

FilesToAsk files_to_ask_for(const Scene& scene) {
    FilesToAsk asked;
    const auto ask = [&](const std::string* path) {
        if (path != nullptr && !path->empty() && !table_allowed(*path)) asked.add(*path);
    };
    const auto own = [&](const Choice& choice, const char* key) {
        if (const auto found = choice.parameters.find(key); found != choice.parameters.end())
            ask(found->get_ptr<const std::string*>());
    };
    ask(file_of(scene));
    if (encoding_of(scene).slots.typed != nullptr)
        for (const std::string* path : own_files(scene)) ask(path);
    for (const char* key : stored_file_keys(scene.content.kind)) own(scene.content, key);
    if (const Json* dump = object_at(scene.view, "dump"))
        for (const char* key : {"file", "after"})
            if (const auto path = dump->find(key); path != dump->end())
                ask(path->get_ptr<const std::string*>());
    for (const Json* inner : {&scene.compare, &scene.trained.scene})
        for (const std::string* path : files_in(*inner)) ask(path);
    return asked;
}

}  // namespace posiscope
