#include "core/claims/claims.hpp"

#include "core/json_members.hpp"
#include "core/mathematics.hpp"
#include "core/models/presets.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 5> kVerdicts = {"true", "conditional", "false", "analogy", "untested"};

// One object of the file, read member by member; the first that is missing or of another kind is what is said.
class Entry {
public:
    Entry(const Json& object, std::string_view kind) : object_(object), kind_(kind) {
        if (!object.is_object()) fail("");
        else id_ = text_at(object, "id");
    }

    std::string text(const char* key, bool needed = true) {
        const auto found = member(key, needed);
        if (found == nullptr) return {};
        if (!found->is_string()) return fail(key), std::string();
        return *found;
    }
    Words words(const char* key, bool needed = true) {
        Words made;
        const auto found = member(key, needed);
        if (found == nullptr) return made;
        if (!found->is_object() || found->empty()) return fail(key), made;
        for (const auto& [language, sentence] : found->items()) {
            if (!sentence.is_string()) return fail(key), made;
            made[language] = mathematics::read(sentence.get_ref<const std::string&>());
        }
        return made;
    }
    Json object(const char* key, bool needed = true) {
        const auto found = member(key, needed);
        if (found == nullptr) return nullptr;
        if (!found->is_object()) return fail(key), Json();
        return *found;
    }
    // Sentences by their form.
    std::map<std::string, Words, std::less<>> forms(const char* key) {
        std::map<std::string, Words, std::less<>> made;
        const Json all = object(key, false);
        if (all.is_null()) return made;
        for (const auto& [form, sentences] : all.items()) {
            Entry one(all, kind_);
            made[form] = one.words(form.c_str());
            if (one.problem()) fail(key);
        }
        return made;
    }
    std::vector<std::string> texts(const char* key) {
        std::vector<std::string> made;
        const auto found = member(key, false);
        if (found == nullptr) return made;
        for (const Json& one : *found)
            if (one.is_string()) made.push_back(one);
            else fail(key);
        return made;
    }
    void fail(std::string_view key) {
        if (!problem_) problem_ = Problem{std::string(kind_), {{"id", id_}, {"member", std::string(key)}}};
    }
    const std::optional<Problem>& problem() const { return problem_; }

private:
    const Json* member(const char* key, bool needed) {
        if (problem_) return nullptr;
        const auto found = object_.find(key);
        if (found != object_.end() && !found->is_null()) return &*found;
        if (needed) fail(key);
        return nullptr;
    }

    const Json& object_;
    std::string_view kind_;
    std::string id_;
    std::optional<Problem> problem_;
};

constexpr std::string_view kClaimForm = "claims.form";

// The list that a file holds under a key.
template <class Made, class Read>
Result<std::vector<Made>> read_list(std::string_view text, const char* key, Read&& read) {
    const auto json = parse_json(text);
    if (!json) return tl::unexpected(json.error());
    const auto list = json->is_object() ? json->find(key) : json->end();
    if (list == json->end() || !list->is_array())
        return refuse(std::string(kClaimForm), {{"id", ""}, {"member", key}});
    std::vector<Made> all;
    for (const Json& object : *list) {
        Entry entry(object, kClaimForm);
        Made made;
        read(entry, made);
        if (entry.problem()) return tl::unexpected(*entry.problem());
        all.push_back(std::move(made));
    }
    return all;
}

}  // namespace

std::span<const std::string_view> verdict_names() { return kVerdicts; }

namespace {

std::optional<DecidingRun> deciding_run(Entry& entry) {
    const Json run = entry.object("run", false);
    if (run.is_null()) return std::nullopt;
    const auto number = [&](const char* key) {
        const auto found = run.find(key);
        if (found != run.end() && found->is_number()) return found->get<double>();
        entry.fail("run");
        return 0.0;
    };
    const auto text = [&](const char* key) {
        const auto found = run.find(key);
        if (found != run.end() && found->is_string()) return found->get<std::string>();
        entry.fail("run");
        return std::string();
    };
    return DecidingRun{text("preset"), text("encoding"),
                       static_cast<std::size_t>(std::max(number("column"), 0.0)), number("least"),
                       number("most")};
}

}  // namespace

Result<std::vector<Claim>> read_claims(std::string_view text) {
    return read_list<Claim>(text, "claims", [](Entry& entry, Claim& claim) {
        claim.id = entry.text("id");
        claim.note = entry.text("note");
        claim.section = entry.text("section");
        const std::string verdict = entry.text("verdict");
        const auto found = std::find(kVerdicts.begin(), kVerdicts.end(), verdict);
        if (found == kVerdicts.end()) entry.fail("verdict");
        else claim.verdict = static_cast<Verdict>(found - kVerdicts.begin());
        claim.says = entry.words("claim");
        claim.measure = find_measure(claim.id);
        claim.mends = entry.forms("mends");
        if (const Words own = entry.words("mend", claim.mends.empty()); !own.empty())
            claim.mends[claim.measure == nullptr          ? ""
                        : claim.verdict == Verdict::right ? "holds"
                                                          : "fails"] = own;
        claim.measured = entry.words("measured", claim.measure != nullptr);
        claim.breaks = entry.words("breaks");
        claim.scene = entry.object("scene");
        claim.other = entry.object("other", false);
        claim.figure = entry.text("figure");
        claim.mode = entry.text("mode", false);
        claim.place = entry.text("place", false);
        claim.controls = entry.texts("controls");
        claim.run = deciding_run(entry);
    });
}

namespace {

bool refuted(const Claim& claim) {
    return claim.verdict == Verdict::wrong || claim.verdict == Verdict::analogy;
}

}  // namespace

Standing standing(const Claim& claim, const Residual& residual) {
    if (residual.said() == kUnseen) return Standing::hidden;
    return !residual.holds() ? Standing::fails : refuted(claim) ? Standing::hidden : Standing::holds;
}

const Words* mend(const Claim& claim, const Residual& residual) {
    const auto found = claim.mends.find(claim.measure == nullptr ? "" : residual.said());
    return found == claim.mends.end() ? nullptr : &found->second;
}

Result<Scene> scene_of(const Json& partial) {
    Scene from;
    Json rest = partial;
    if (const auto named = rest.find("preset"); named != rest.end()) {
        const auto preset = std::ranges::find(presets(), named->get<std::string_view>(), &Preset::id);
        if (preset == presets().end()) throw std::logic_error("no preset " + named->dump());  // our own file
        rest.erase(named);
        auto made = with_preset(from, *preset);
        if (!made) return tl::unexpected(made.error());
        from = std::move(made->scene);
    }
    auto laid = overlay(from, rest);
    if (!laid) return tl::unexpected(laid.error());
    if (!laid->adjusted.empty()) return tl::unexpected(laid->adjusted.front());
    return std::move(laid->scene);
}

Result<Scene> scene_of(const Claim& claim) { return scene_of(claim.scene); }

Result<std::vector<Section>> read_sections(std::string_view text) {
    return read_list<Section>(text, "sections", [](Entry& entry, Section& section) {
        section.id = entry.text("id");
        section.note = entry.text("note");
        section.heading = entry.text("section");
        section.title = entry.words("title");
        section.missing = entry.text("missing", false);
        section.opens = entry.text("opens", false);
        const bool shown = section.missing.empty() && section.opens.empty();
        section.figure = entry.text("figure", shown);
        section.mode = entry.text("mode", false);
        if (const Json scene = entry.object("scene", shown); !scene.is_null()) section.scene = scene;
        section.claims = entry.texts("claims");
    });
}

}  // namespace posiscope
