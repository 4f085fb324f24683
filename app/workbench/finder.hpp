// finder.hpp — everything that Ctrl K finds: its names in both languages, and which of them the typed words are in.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/find.hpp"
#include "core/scene/scene.hpp"

namespace posiscope::workbench {

// One thing that can be found, and the command that shows it.
struct Found {
    panels::Command command;
    std::string name, other;  // in the language that is on, and in the other one
    std::string words;        // all that is searched, in small letters
    bool number = false;      // a setting that takes the number that was typed after its name
};

class Finder {
public:
    // Lists what there is for this Scene; called when the field is opened.
    void list(const Scene& scene, std::span<const panels::Action> actions, const Strings& strings);
    // The best of them for these words; of no words, the benches.
    std::span<const panels::FindRow> rows(std::string_view typed, const Strings& strings);

private:
    void add(panels::Verb verb, std::string id, std::string value, std::string_view english,
             std::string_view chinese, std::string_view more = {});
    void add_settings(const Scene& scene, const Strings& english, const Strings& chinese);

    Language language_ = Language::english;
    std::vector<Found> all_, shown_;
    std::vector<panels::FindRow> rows_;
    std::string typed_;
};

}  // namespace posiscope::workbench
