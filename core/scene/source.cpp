#include "core/scene/source.hpp"

#include "core/formats/table.hpp"

#include <algorithm>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

// The path in {"encoding": {"table": path}}, or null.
template <class AnyJson>
auto* table_in(AnyJson& scene) {
    using Text = std::conditional_t<std::is_const_v<AnyJson>, const std::string, std::string>;
    const auto inner = [](AnyJson* json, const char* key) -> AnyJson* {
        if (json == nullptr || !json->is_object()) return nullptr;
        const auto found = json->find(key);
        return found == json->end() ? nullptr : &*found;
    };
    AnyJson* table = inner(inner(&scene, "encoding"), "table");
    return table != nullptr && table->is_string() ? table->template get_ptr<Text*>()
                                                  : static_cast<Text*>(nullptr);
}

// Every file that a partial Scene names, in the Scenes inside it too.
template <class Visit>
void each_file(Json& partial, Visit visit) {
    if (!partial.is_object()) return;
    if (std::string* path = table_in(partial)) visit(*path);
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
    // What comes through a descriptor has no folder, whatever it is redirected from.
    const bool descriptor = path.native().starts_with("/dev/") || path.native().starts_with("/proc/");
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

const std::string* file_to_ask_for(const Scene& scene) {
    const auto asks = [](const std::string* path) { return path != nullptr && !table_allowed(*path); };
    if (scene.encoding.kind == "learned")
        if (const auto own = scene.encoding.parameters.find("table"); own != scene.encoding.parameters.end())
            if (const auto* path = own->get_ptr<const std::string*>(); asks(path)) return path;
    for (const Json* inner : {&scene.compare, &scene.trained.scene})
        if (const std::string* path = table_in(*inner); asks(path)) return path;
    return nullptr;
}

}  // namespace posiscope
