#include "core/scene/version.hpp"

namespace posiscope {
namespace {

constexpr std::span<const Migration> kSteps = {};  // none yet
static_assert(kSteps.size() + 1 == kSceneVersion, "a new version needs a step from the one before it");

void take(Json& partial, Migration step) {
    step(partial, true);
    const auto inside = [&](Json& holder, const char* key) {
        if (const auto inner = holder.find(key); inner != holder.end() && inner->is_object())
            step(*inner, false);
    };
    inside(partial, "compare");
    if (const auto trained = partial.find("trained"); trained != partial.end() && trained->is_object())
        inside(*trained, "scene");
}

}  // namespace

std::span<const Migration> migrations() { return kSteps; }

Result<Json> migrated(const Json& partial, std::span<const Migration> steps) {
    if (!partial.is_object()) return refuse("scene.object", {{"kind", std::string(kind_of(partial))}});
    const auto present = static_cast<std::int64_t>(steps.size()) + 1;
    Json result = partial;
    result.erase("version");
    const auto version = partial.find("version");
    if (version == partial.end() || version->is_null()) return result;
    if (!version->is_number_integer())
        return refuse("value.kind", {{"path", "version"}, {"kind", "integer"}, {"value", shown(*version)}});
    if (*version > present)
        return refuse("version.newer", {{"value", version->dump()}, {"known", std::to_string(present)}});
    if (*version < 1)
        return refuse("version.older", {{"value", version->dump()}, {"known", std::to_string(present)}});
    for (auto next = version->get<std::int64_t>(); next < present; ++next)
        take(result, steps[static_cast<std::size_t>(next - 1)]);
    return result;
}

}  // namespace posiscope
